import AllocationCounter
import ClientProtocol
import GPSDProtocol
import Parts
import SextantUnits
import Testing
import TimeService

@testable import Engine

@Suite("The time for the host's clock")
struct EngineTimeTests {
    /// The wall clock at the harness's instant 0 is right: its epochs begin at noon.
    private static let noon = UTCInstant(
        date: CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0), timeOfDay: 12 * 3_600_000_000_000)

    private static func harness() -> Harness {
        var harness = Harness()
        harness.give(.timeServed(TimeConfiguration(serialDelay: 125_000_000, earliest: BuildDate.instant)))
        harness.warmUp()
        return harness
    }

    /// Gives an epoch 125 ms after its second and, where it asks for the clocks, their reading; the samples.
    private static func epoch(_ second: Int, ahead: Int64 = 0, to harness: inout Harness) -> [TimeSample] {
        harness.give(bytes: Harness.epoch(second), at: Double(second) + 0.125)
        guard harness.outputs.actions.contains(.readClock) else { return [] }
        let wall = noon.advanced(byNanoseconds: harness.now.nanoseconds + ahead)
        harness.give(.clockRead(ClockReading(wall: wall, instant: harness.now, isSynchronized: true)))
        return harness.outputs.actions.compactMap { if case .tellTime(let sample) = $0 { sample } else { nil } }
    }

    @Test func `with the time service off no epoch asks for the clocks, and the status does not speak of it`() {
        var harness = Harness()
        harness.warmUp()
        for second in 4..<20 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            #expect(!harness.outputs.actions.contains(.readClock))
        }
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.status), from: ClientID(rawValue: 1))
        #expect(!harness.sent(to: 1).contains(#""chrony""#))
    }

    @Test func `an epoch asks for the clocks, and their reading makes a sample`() {
        var harness = Self.harness()
        #expect(Self.epoch(4, to: &harness).isEmpty)
        let samples = (5..<10).flatMap { Self.epoch($0, ahead: 2_000_000, to: &harness) }
        // The wall clock moved by 2 ms of its own, which is no step, and is that much ahead.
        #expect(samples.map(\.offset) == Array(repeating: -2_000_000, count: 5))
    }

    @Test func `the status tells offset, refusals and how chrony takes the samples, with the mend`() {
        var harness = Self.harness()
        for second in 4..<10 { _ = Self.epoch(second, to: &harness) }
        harness.give(.timeSink(.forbidden))
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.status), from: ClientID(rawValue: 1))
        let status = harness.sent(to: 1)
        #expect(status.contains(#""time":{"chrony":"forbidden","detail":"chrony's socket belongs to root"#))
        #expect(
            status.contains(
                #""samples":5,"offset":0.000000000,"age":0.0,"refused":[{"why":"discontinuous","count":1}]"#))
    }

    @Test func `TIME-07: a gpsd client that watches with pps is told a TOFF an epoch, and one without it none`() {
        var harness = Self.harness()
        for (id, pps) in [(1, true), (2, nil)] as [(UInt32, Bool?)] {
            harness.give(.clientConnected(ClientID(rawValue: id), .gpsd))
            var policy = GPSDPolicy()
            (policy.enable, policy.json, policy.pps) = (true, true, pps)
            harness.give(gpsd: .success(.watch(policy)), from: ClientID(rawValue: id))
        }
        for second in 4..<8 {
            _ = Self.epoch(second, ahead: 2_000_000, to: &harness)
            let real = 1_795_176_000 + second
            #expect(
                harness.sent(to: 1)
                    == #"{"class":"TOFF","device":"/dev/gnss","real_sec":\#(real),"real_nsec":0,"#
                    + #""clock_sec":\#(real),"clock_nsec":127000000}"# + "\r\n")
            #expect(harness.sent(to: 2).isEmpty)
        }
    }

    @Test func `TIME-07: an epoch with its reading allocates as much as one without the time service`() {
        func fewest(isServed: Bool) -> UInt {
            var harness = Harness()
            if isServed {
                harness.give(.timeServed(TimeConfiguration(serialDelay: 0, earliest: BuildDate.instant)))
            }
            harness.warmUp()
            let epochs = (4..<300).map { Harness.epoch($0) }
            var fewest = UInt.max
            for (place, epoch) in epochs.enumerated() {
                let instant = Double(place + 4)
                let wall = Self.noon.advanced(byNanoseconds: Int64(instant * 1e9))
                let reading = Input.clockRead(
                    ClockReading(
                        wall: wall, instant: MonotonicInstant(nanoseconds: Int64(instant * 1e9)), isSynchronized: true))
                let before = allocation_count()
                harness.give(bytes: epoch, at: instant)
                harness.give(reading)
                fewest = min(fewest, allocation_count() - before)
            }
            return fewest
        }
        #expect(fewest(isServed: true) == fewest(isServed: false))
    }
}
