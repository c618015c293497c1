import Access
import AllocationCounter
import ClientProtocol
import Emulation
import GPSDProtocol
import Parts
import Power
import SextantUnits
import Testing
import TimeService

@testable import Engine

@Suite("The time for the host's clock")
struct EngineTimeTests {
    /// The wall clock at the harness's instant 0 is right: its epochs begin at noon.
    private static let noon = UTCInstant(
        date: CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0), timeOfDay: 12 * 3_600_000_000_000)

    /// Before the managed harness's time.
    private static let summer = UTCInstant(nanoseconds: 1_780_000_000_000_000_000)

    /// Nanojoules of a wake-up of the managed harness's host.
    private static let wake: Int64 = 600_000

    private static func harness(hasPulses: Bool = false) -> Harness {
        var harness = Harness()
        harness.give(
            .timeServed(
                TimeConfiguration(serialDelay: 125_000_000, earliest: BuildDate.instant, hasPulses: hasPulses)))
        harness.warmUp()
        return harness
    }

    /// Gives an epoch 125 ms after its second and, where it asks for the clocks, their reading; the samples.
    ///
    /// - Parameter pulse: How much later than the second its pulse was, in nanoseconds.
    private static func epoch(
        _ second: Int, ahead: Int64 = 0, pulse: Int64? = nil, to harness: inout Harness
    ) -> [TimeSample] {
        harness.give(bytes: Harness.epoch(second), at: Double(second) + 0.125)
        guard harness.outputs.actions.contains(.readClock) else { return [] }
        let wall = noon.advanced(byNanoseconds: harness.now.nanoseconds + ahead)
        let edge = pulse.map {
            let late = Int64(second) * 1_000_000_000 + ahead + $0
            return Pulse(sequence: UInt32(second), wall: noon.advanced(byNanoseconds: late))
        }
        harness.give(.clockRead(ClockReading(wall: wall, instant: harness.now, isSynchronized: true, pulse: edge)))
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
        harness.give(.timeSink(.forbidden, of: .messages))
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

    @Test func `TIME-07: a gpsd client that watches raw data with pps, as gpsmon does, is told a TOFF an epoch`() {
        var harness = Self.harness()
        let (client, line) = (ClientID(rawValue: 1), #"?WATCH={"raw":2,"pps":true}"#)
        harness.give(.clientConnected(client, .gpsd))
        harness.give(.clientLine(client, .gpsd, Array(line.utf8)))
        for second in 4..<8 {
            _ = Self.epoch(second, ahead: 2_000_000, to: &harness)
            #expect(harness.sent(to: 1).hasPrefix(#"{"class":"TOFF","device":"/dev/gnss","#))
        }
    }

    @Test func `TIME-07: a gpsd client that watches with pps is told the PPS of each pulse that has a number`() {
        var harness = Self.harness(hasPulses: true)
        for (id, pps) in [(1, true), (2, nil)] as [(UInt32, Bool?)] {
            harness.give(.clientConnected(ClientID(rawValue: id), .gpsd))
            var policy = GPSDPolicy()
            (policy.enable, policy.json, policy.pps) = (true, true, pps)
            harness.give(gpsd: .success(.watch(policy)), from: ClientID(rawValue: id))
        }
        for second in 4..<80 { _ = Self.epoch(second, pulse: 1_500, to: &harness) }
        let samples = Self.epoch(80, pulse: 1_500, to: &harness)
        // The messages come 1.5 µs less than 125 ms after the pulse, and that is taken off.
        #expect(samples.map(\.source) == [.messages, .pulse] && samples.map(\.offset) == [-1_500, -1_500])
        let real = 1_795_176_080
        #expect(
            harness.sent(to: 1)
                == #"{"class":"PPS","device":"/dev/gnss","real_sec":\#(real),"real_nsec":0,"#
                + #""clock_sec":\#(real),"clock_nsec":1500,"precision":-20,"shm":"SOCK"}"# + "\r\n"
                + #"{"class":"TOFF","device":"/dev/gnss","real_sec":\#(real),"real_nsec":0,"#
                + #""clock_sec":\#(real),"clock_nsec":125000000}"# + "\r\n")
        #expect(harness.sent(to: 2).isEmpty)
    }

    @Test func `TIME-03: a pulse 0.3 s off is told in one line of the log, and counted in the status`() {
        var harness = Self.harness(hasPulses: true)
        for second in 4..<80 { _ = Self.epoch(second, pulse: 0, to: &harness) }
        var troubles: [Notice] = []
        for second in 80..<83 {
            let samples = Self.epoch(second, pulse: second == 80 ? 300_000_000 : 0, to: &harness)
            #expect(samples.map(\.source) == [.messages])
            troubles += harness.outputs.actions.compactMap { if case .log(let notice) = $0 { notice } else { nil } }
        }
        #expect(troubles == [.pulseTrouble(.irregular(nanoseconds: 300_000_000))])
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.status), from: ClientID(rawValue: 1))
        #expect(
            harness.sent(to: 1).contains(
                #"{"why":"irregularPulse","count":4},{"why":"delayNotLearned","count":59}],"delay":0.125000}"#))
    }

    @Test func `TIME-06: demand switches the receiver on for the time alone, at a price with its own name`() throws {
        var harness = ManagedHarness()
        let demand = TimeDemand(interval: 3_600_000_000_000, length: 30_000_000_000)
        harness.give(
            .timeServed(TimeConfiguration(serialDelay: 0, earliest: Self.summer, demand: demand)))
        harness.run(until: 3500)
        let first = harness.samples.count
        #expect((28...35).contains(first), "30 s of samples after the start")
        #expect(harness.receiver.powerState == .sleep(.hardware))
        harness.run(until: 4 * 3600)
        #expect((3 * 28...3 * 35).contains(harness.samples.count - first), "and each hour")
        let found = harness.engine.power.view.energyReport(at: harness.now)
        let spent = try #require(found).sinceBoot
        #expect(spent.cause(.timeService) > 0 && spent.cause(.accuracyRequest) == 0)
        harness.connect()
        let status = harness.status()
        #expect(status.contains(#""demand":{"every":3600,"seconds":30,"wanted":false,"joules":"#))
        #expect(harness.unsettled == [])
        // With the master switch off nothing is switched on for the time either.
        let root = ClientID(rawValue: 9)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        harness.ask(.operator(.services(isEnabled: false)), of: root)
        let before = harness.samples.count
        harness.run(until: 8 * 3600)
        #expect(harness.samples.count == before)
    }

    @Test func `TIME-06: what the receiver tells while it is on for a client puts the next reception off`() {
        var harness = ManagedHarness()
        let demand = TimeDemand(interval: 3_600_000_000_000, length: 30_000_000_000)
        harness.give(
            .timeServed(TimeConfiguration(serialDelay: 0, earliest: Self.summer, demand: demand)))
        harness.connect()
        harness.ask(.watch(satellites: false))
        harness.run(until: 7200)
        harness.give(.clientGone(ManagedHarness.client))
        let inputs = harness.inputCount
        harness.run(until: 7200 + 3500)
        #expect(harness.receiver.powerState == .sleep(.hardware))
        #expect(harness.inputCount - inputs < 40)
    }

    @Test func `TIME-06: without demand the receiver spends the same to the nanojoule`()
        throws
    {
        func spend(isServed: Bool) throws -> (receiver: Int64, wakes: Int64, samples: Int) {
            var harness = ManagedHarness()
            if isServed {
                harness.give(
                    .timeServed(TimeConfiguration(serialDelay: 0, earliest: Self.summer, hasPulses: true)))
            }
            harness.connect()
            harness.watch(100)
            harness.run(until: 6 * 3600)
            let report = harness.engine.power.view.energyReport(at: harness.now)
            let spent = try #require(report).sinceBoot
            return (spent.receiver, spent.hostWake / Self.wake, harness.samples.count)
        }
        let (served, without) = (try spend(isServed: true), try spend(isServed: false))
        #expect(served.receiver == without.receiver)
        #expect(served.samples > 0 && without.samples == 0)
        // The answer about leap seconds comes in two pieces.
        #expect(served.wakes - without.wakes == 2)
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
