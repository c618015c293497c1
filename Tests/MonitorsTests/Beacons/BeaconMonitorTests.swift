import Beacons
import Emulation
import Monitors
import SextantUnits
import Testing

@Suite("Regions of beacons in great number")
struct BeaconMonitorTests {
    /// One region among many, and alone.
    private struct Watched {
        var slot: BeaconMonitor.Slot
        var alone: BeaconMonitor
        var aloneSlot: BeaconMonitor.Slot
    }

    private static let uuids = [BeaconUUID(high: 1, low: 2), BeaconUUID(high: 1, low: 3)]

    private func constraint(_ random: inout SplitMix64) throws -> BeaconConstraint {
        let major = random.next() % 4 == 0 ? nil : UInt16(random.next() % 4)
        let minor = major == nil || random.next() % 2 == 0 ? nil : UInt16(random.next() % 3)
        let uuid = BeaconMonitorTests.uuids[random.next() % 3 == 0 ? 1 : 0]
        return try #require(BeaconConstraint(uuid: uuid, major: major, minor: minor))
    }

    private func watch(
        _ monitor: inout BeaconMonitor, _ random: inout SplitMix64, listened: Int64, at instant: MonotonicInstant
    ) throws -> Watched {
        let constraint = try constraint(&random)
        let dwell = random.next() % 3 == 0 ? Double(random.next() % 100) : nil
        let standing: BeaconMonitor.Standing? =
            random.next() % 3 == 0
            ? nil
            : BeaconMonitor.Standing(
                isInside: random.next() % 2 == 0, since: instant,
                patience: 30_000_000_000 * Int64(1 + random.next() % 4))
        var alone = BeaconMonitor()
        let aloneSlot = alone.add(constraint, dwell: dwell, standing: standing, listened: listened)
        let slot = monitor.add(constraint, dwell: dwell, standing: standing, listened: listened)
        return Watched(slot: slot, alone: alone, aloneSlot: aloneSlot)
    }

    private func events(_ found: [BeaconMonitor.Event], of slot: BeaconMonitor.Slot) -> [String] {
        found.filter { $0.slot == slot }.map { event in
            let instant = event.instant.map { "\($0.nanoseconds)" } ?? "-"
            return "\(event.kind) \(instant) \(event.beacon.map { "\($0)" } ?? "-")"
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a region reports the same events and wants the same of the radio among many as it does alone`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var monitor = BeaconMonitor()
        var (now, listened) = (MonotonicInstant.zero, Int64(0))
        var watched: [Watched] = []
        for _ in 0..<60 { watched.append(try watch(&monitor, &random, listened: listened, at: now)) }
        var told = 0
        for step in 0..<1500 {
            let pause = Int64(random.next() % (step % 50 == 49 ? 40_000_000_000 : 900_000_000))
            let isListening = step / 100 % 5 != 4
            now = now.advanced(byNanoseconds: pause)
            if isListening { listened += pause / Int64(1 + random.next() % 2) }
            var found: [BeaconMonitor.Event] = []
            var alone = [[BeaconMonitor.Event]](repeating: [], count: watched.count)
            let identity = BeaconIdentity(
                uuid: BeaconMonitorTests.uuids[random.next() % 3 == 0 ? 1 : 0], major: UInt16(random.next() % 5),
                minor: UInt16(random.next() % 4))
            switch random.next() % 40 {
            case 0 where step % 3 == 0:
                monitor.forget(listened: listened, into: &found)
                for place in watched.indices { watched[place].alone.forget(listened: listened, into: &alone[place]) }
            case 1:
                let place = Int(random.next() % UInt64(watched.count))
                monitor.remove(watched[place].slot)
                watched[place] = try watch(&monitor, &random, listened: listened, at: now)
            case 2...24:
                monitor.heard(identity, at: now, listened: listened, into: &found)
                for place in watched.indices {
                    watched[place].alone.heard(identity, at: now, listened: listened, into: &alone[place])
                }
            default:
                monitor.advance(to: now, listened: listened, into: &found)
                for place in watched.indices {
                    watched[place].alone.advance(to: now, listened: listened, into: &alone[place])
                }
            }
            for place in watched.indices {
                #expect(
                    events(found, of: watched[place].slot) == events(alone[place], of: watched[place].aloneSlot))
                #expect(
                    monitor.patience(of: watched[place].slot)
                        == watched[place].alone.patience(of: watched[place].aloneSlot))
            }
            #expect(found.map(\.slot.index) == found.map(\.slot.index).sorted(), "in the order of their slots")
            told += found.count
            let due = watched.indices.compactMap {
                watched[$0].alone.deadline(isListening: isListening, listened: listened, at: now)
            }
            #expect(monitor.deadline(isListening: isListening, listened: listened, at: now) == due.min())
            let timings = watched.indices.compactMap { watched[$0].alone.timing(listened: listened, at: now) }
            #expect(monitor.timing(listened: listened, at: now) == timings.max { $0.duty < $1.duty })
        }
        #expect(told > 300)
    }
}
