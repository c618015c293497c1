import AllocationCounter
import GNSS
import SextantUnits
import Testing
import TimeService

@Suite("Which epochs give the time")
struct TimeServiceTests {
    @Test func `an epoch gives how far the wall clock is off, once another came before it`() {
        var rig = Rig()
        rig.wallAhead = 250_000_000
        rig.epochs(0..<10)
        #expect(rig.samples.map(\.offset) == Array(repeating: -250_000_000, count: 9))
        #expect(rig.refusals == [.discontinuous: 1])
    }

    @Test func `TIME-01: with delays from 60 to 140 ms each sample is off by its own delay less the configured one`() {
        var rig = Rig()
        var errors: [Int64] = []
        for second in 0..<1000 {
            rig.delay = 60_000_000 + Int64(second * 7919 % 81) * 1_000_000
            rig.epoch(second)
            if second > 0 { errors.append(100_000_000 - rig.delay) }
        }
        #expect(rig.samples.map(\.offset) == errors)
        #expect(rig.samples.count == 999)
    }

    @Test(arguments: [
        (TimeRefusal.notValid, 20), (.notResolved, 20), (.inaccurate, 20), (.noFix, 20), (.impossibleDate, 20),
        (.leapSecondsUnknown, 20),
    ])
    func `TIME-03: an epoch that one gate stops gives no sample and is counted under that gate`(
        refusal: TimeRefusal, count: Int
    ) {
        var rig = Rig()
        rig.epochs(0..<5)
        let before = rig.samples.count
        rig.epochs(5..<5 + count) { report in
            switch refusal {
            case .notValid: report.isValid = false
            case .notResolved: report.isResolved = false
            case .inaccurate: report.accuracy = 2e-3
            case .noFix: report.hasFix = false
            case .impossibleDate:
                report.utc = report.utc?.advanced(byNanoseconds: 1024 * 7 * UTCInstant.nanosecondsPerDay)
            case .leapSecondsUnknown:
                report.leap = LeapKnowledge(isFromSatellites: false, change: 0, secondsToChange: 0)
            case .discontinuous, .clockStepped, .stale, .noPulse, .irregularPulse, .delayNotLearned, .delayUncertain,
                .pulseOff:
                Issue.record("no gate of a report alone")
            }
        }
        #expect(rig.samples.count == before)
        #expect(rig.refusals == [.discontinuous: 1, refusal: count])
    }

    @Test(arguments: [-1024, 1024])
    func `TIME-03: a date 1024 weeks back or ahead gives no sample`(weeks: Int64) {
        var rig = Rig()
        rig.epochs(0..<100) {
            $0.utc = $0.utc?.advanced(byNanoseconds: weeks * 7 * UTCInstant.nanosecondsPerDay)
        }
        #expect(rig.samples.isEmpty)
        #expect(rig.refusals == [.impossibleDate: 100])
    }

    @Test func `TIME-03: the epoch after the wall clock was set by 1 h gives no sample, and the next one does`() {
        var rig = Rig()
        rig.epochs(0..<5)
        rig.wallAhead = 3_600_000_000_000
        rig.epochs(5..<8)
        #expect(rig.refusals == [.discontinuous: 1, .clockStepped: 1])
        #expect(rig.samples.map(\.offset) == [0, 0, 0, 0, -3_600_000_000_000, -3_600_000_000_000])
    }

    @Test func `a wall clock that a time daemon moves by 1 s in 12 is not taken for one that was set`() {
        var rig = Rig()
        for second in 0..<12 {
            rig.wallAhead += 1_000_000_000 / 12
            rig.epoch(second)
        }
        #expect(rig.refusals == [.discontinuous: 1])
    }

    @Test func `TIME-03: bytes that waited for 1 h while the host slept give no sample`() {
        var rig = Rig()
        rig.epochs(0..<5)
        rig.epoch(5, later: 3_600_000_000_000)
        rig.epochs(3606..<3610)
        // The first epoch of all, the late one, and the first one that is in time again.
        #expect(rig.refusals == [.discontinuous: 3])
        #expect(rig.samples.count == 4 + 3)
    }

    @Test func `an epoch whose last byte came 5 s after its first gives no sample`() {
        var rig = Rig()
        rig.epochs(0..<5)
        rig.processing = 5_000_000_000
        rig.epoch(5)
        #expect(rig.refusals == [.discontinuous: 1, .stale: 1])
    }

    @Test func `a receiver without a word on leap seconds is believed where a kept clock agrees to 0.5 s`() {
        var rig = Rig()
        (rig.isSynchronized, rig.wallAhead) = (true, 400_000_000)
        rig.epochs(0..<10) { $0.leap = nil }
        #expect(rig.samples.count == 9)
        rig.wallAhead = -900_000_000
        rig.epochs(10..<20) { $0.leap = nil }
        #expect(rig.refusals == [.discontinuous: 1, .clockStepped: 1, .leapSecondsUnknown: 9])
    }

    @Test func `without a kept clock such a receiver is believed after 13 minutes`() {
        var rig = Rig()
        rig.epochs(0..<780) { $0.leap = nil }
        #expect(rig.samples.isEmpty)
        rig.epochs(780..<790) { $0.leap = nil }
        #expect(rig.samples.count == 10)
    }

    @Test func `TIME-06: a receiver that is on for 30 s in 600 gives all samples of each burst`() {
        var rig = Rig()
        for burst in 0..<12 { rig.epochs(burst * 600..<burst * 600 + 30) }
        #expect(rig.samples.count == 12 * 30 - 1)
        #expect(rig.refusals == [.discontinuous: 1])
    }

    @Test func `TIME-07: judging an epoch allocates nothing`() {
        var rig = Rig()
        rig.epochs(0..<2)
        rig.samples.reserveCapacity(1000)
        var fewest = UInt.max
        for second in 2..<200 {
            let before = allocation_count()
            rig.epoch(second)
            fewest = min(fewest, allocation_count() - before)
        }
        #expect(fewest == 0)
    }
}
