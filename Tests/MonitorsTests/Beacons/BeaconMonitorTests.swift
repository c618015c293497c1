import Beacons
import Emulation
import SextantUnits
import Testing

@testable import Monitors

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
        let within: Double? = [nil, nil, 2, 5][Int(random.next() % 4)]
        let state: BeaconMonitor.State? =
            random.next() % 3 == 0
            ? nil
            : BeaconMonitor.State(
                isInside: random.next() % 2 == 0, since: instant,
                patience: 30_000_000_000 * Int64(1 + random.next() % 4))
        var alone = BeaconMonitor()
        let aloneSlot = alone.add(constraint, within: within, dwell: dwell, state: state, listened: listened)
        let slot = monitor.add(constraint, within: within, dwell: dwell, state: state, listened: listened)
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
            let metres = random.next() % 10 == 0 ? nil : Double(random.next() % 80) / 10
            switch random.next() % 40 {
            case 0 where step % 3 == 0:
                monitor.forget(listened: listened, into: &found)
                for place in watched.indices { watched[place].alone.forget(listened: listened, into: &alone[place]) }
            case 1:
                let place = Int(random.next() % UInt64(watched.count))
                monitor.remove(watched[place].slot)
                watched[place] = try watch(&monitor, &random, listened: listened, at: now)
            case 2...24:
                monitor.heard(identity, metres: metres, at: now, listened: listened, into: &found)
                for place in watched.indices {
                    watched[place].alone.heard(
                        identity, metres: metres, at: now, listened: listened, into: &alone[place])
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

    @Test(
        arguments: [(nil, nil, 1000), (5, 4, 1000), (5, 5.5, 0), (5, 20, 0)] as [(Double?, Double?, Int)])
    func `ten thousand advertisements among a thousand regions of one beacon look at each region a few times`(
        within: Double?, metres: Double?, entries: Int
    ) throws {
        let constraint = try #require(BeaconConstraint(uuid: BeaconMonitorTests.uuids[0]))
        var monitor = BeaconMonitor()
        for _ in 0..<1000 {
            let outside = BeaconMonitor.State(isInside: false, since: nil)
            _ = monitor.add(constraint, within: within, dwell: nil, state: outside, listened: 0)
        }
        var found: [BeaconMonitor.Event] = []
        for number in 0..<10_000 {
            let sender = BeaconIdentity(uuid: constraint.uuid, major: UInt16(number / 100), minor: UInt16(number % 100))
            let now = seconds(Double(number) / 10)
            monitor.heard(sender, metres: metres, at: now, listened: now.nanoseconds, into: &found)
            monitor.advance(to: now, listened: now.nanoseconds, into: &found)
        }
        #expect(found.count == entries)
        #expect(monitor.examined <= 2 * 1000 + 10_000, "\(monitor.examined)")
    }

    @Test func `a thousand limits of distance count as a hundred, none of them 2.5 % off`() throws {
        let constraint = try #require(BeaconConstraint(uuid: BeaconMonitorTests.uuids[0]))
        let beacon = BeaconIdentity(uuid: constraint.uuid, major: 1, minor: 1)
        var monitor = BeaconMonitor()
        var found: [BeaconMonitor.Event] = []
        for number in 0..<1000 {
            let within = 0.3 + Double(number) / 999 * 49.7
            _ = monitor.add(constraint, within: within, dwell: nil, state: nil, listened: 0)
            for (metres, entries) in [(within * 1.025, 0), (within * 0.975, 1)] {
                var alone = BeaconMonitor()
                _ = alone.add(constraint, within: within, dwell: nil, state: nil, listened: 0)
                for second in 0..<2 {
                    alone.heard(beacon, metres: metres, at: seconds(Double(second)), listened: 0, into: &found)
                }
                #expect(found.count == entries, "\(within)")
                found.removeAll()
            }
        }
        for second in 0..<1000 {
            monitor.heard(beacon, metres: 0.1, at: seconds(Double(second)), listened: 0, into: &found)
        }
        #expect(found.count == 1000 && monitor.examined <= 1000 * 108 + 2 * 1000, "\(monitor.examined)")
    }

    @Test func `beacons at the edge of reach have each of a thousand regions looked at once in 10 s, not with each`()
        throws
    {
        let constraint = try #require(BeaconConstraint(uuid: BeaconMonitorTests.uuids[0]))
        var monitor = BeaconMonitor()
        for _ in 0..<1000 { _ = monitor.add(constraint, within: nil, dwell: nil, state: nil, listened: 0) }
        var found: [BeaconMonitor.Event] = []
        for turn in 0..<100 {
            // A hundred senders in two seconds, and then none until the state changes.
            for number in 0..<100 {
                let now = seconds(Double(turn) * 40 + Double(number) / 50)
                let sender = BeaconIdentity(uuid: constraint.uuid, major: 1, minor: UInt16(number))
                monitor.heard(sender, at: now, listened: now.nanoseconds, into: &found)
            }
            let now = seconds(Double(turn) * 40 + 39)
            monitor.advance(to: now, listened: now.nanoseconds, into: &found)
        }
        #expect(monitor.examined <= 100 * (3 * 1000 + 100), "\(monitor.examined)")
    }
}
