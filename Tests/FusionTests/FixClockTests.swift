import Fusion
import GNSS
import SextantUnits
import Testing

@Suite("Receiver time and the board's clock")
struct FixClockTests {
    private static let noon: Int64 = 1_795_176_000_000_000_000

    private func fix(_ seconds: Double, isValidated: Bool = true) -> Fix {
        var fix = Fix()
        fix.time = UTCInstant(nanoseconds: Self.noon + Int64(seconds * 1e9))
        fix.isTimeValidated = isValidated
        return fix
    }

    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    /// Seconds since boot at which a fix of this time holds that was read then.
    private func holds(_ clock: inout FixClock, time: Double, read: Double) -> Double {
        Double(clock.instant(of: fix(time), readAt: at(read)).nanoseconds) * 1e-9
    }

    @Test func `a fix is valid for the time of its measurement, however late it was read`() {
        var clock = FixClock()
        #expect(abs(holds(&clock, time: 0, read: 100.3) - 100.3) < 1e-6)
        #expect(abs(holds(&clock, time: 1, read: 101.1) - 101.1) < 1e-3, "none was read sooner")
        #expect(abs(holds(&clock, time: 2, read: 102.4) - 102.1) < 1e-3)
        // The host slept, and reads all at once.
        for second in 3...20 {
            #expect(abs(holds(&clock, time: Double(second), read: 120.2) - 100.1 - Double(second)) < 2e-3)
        }
        #expect(abs((clock.utc(at(200.1))?.seconds ?? 0) - Double(Self.noon) / 1e9 - 100) < 2e-3)
    }

    @Test func `a time that is not validated is ignored`() {
        var clock = FixClock()
        #expect(clock.instant(of: fix(500, isValidated: false), readAt: at(3)) == at(3))
        #expect(clock.offset == nil && clock.utc(at(3)) == nil && clock.instant(of: UTCInstant(nanoseconds: 0)) == nil)
    }

    @Test func `the drift of the host's crystal is followed`() {
        var clock = FixClock()
        for second in 0..<86_400 {
            // 40 millionths slow.
            let read = 100 + Double(second) * (1 - 40e-6)
            #expect(abs(holds(&clock, time: Double(second), read: read) - read) < 0.01)
        }
    }

    @Test func `a corrected receiver time is accepted once six fixes agree on it, be it later or earlier`() {
        for (step, whileUnconfirmed) in [(18.0, 0.0), (-18, -18), (100_000, 0), (-100_000, 0), (1e9, 0), (-1e9, 0)] {
            var clock = FixClock()
            _ = holds(&clock, time: 0, read: 100)
            for second in 1...12 {
                // By up to a minute it may be late, as after the host's sleep; else it holds for when it was read.
                let read = 100 + Double(second)
                let expected = second < 6 ? read + whileUnconfirmed : read
                #expect(abs(holds(&clock, time: Double(second) + step, read: read) - expected) < 1e-2, "\(step)")
                let told = (clock.utc(at(read))?.seconds ?? 0) - Double(Self.noon) / 1e9 - Double(second)
                #expect(abs(told - (second < 6 ? 0 : step)) < 1e-2, "\(step)")
            }
        }
    }

    @Test(arguments: [-1e9, -86_400, -60, -19, 19, 60, 86_400, 1e9])
    func `a date that is wrong once, or twice in different ways, changes nothing for the fixes after it`(step: Double) {
        var clock = FixClock()
        _ = holds(&clock, time: 0, read: 100)
        _ = holds(&clock, time: 1 + step, read: 101)
        #expect(abs(holds(&clock, time: 2, read: 102) - 102) < 1e-2)
        _ = holds(&clock, time: 3 + step, read: 103)
        _ = holds(&clock, time: 4 - step, read: 104)
        #expect(abs(holds(&clock, time: 5, read: 105) - 105) < 1e-2)
    }

    @Test func `wrong dates that agree are not confirmed where a true one comes between them`() {
        var clock = FixClock()
        for second in 0..<60 {
            let isTrue = second % 5 == 0
            let held = holds(&clock, time: Double(second) + (isTrue ? 0 : 60), read: 100 + Double(second))
            #expect(abs(held - 100 - Double(second)) < 1e-2)
        }
    }

    @Test func `a fix with a time at the end of what can be written holds for at most 60 s before it was read`() {
        for time in [Int64.min, .min + 1, .max] {
            var clock = FixClock()
            _ = holds(&clock, time: 0, read: 100)
            var fix = Fix()
            (fix.time, fix.isTimeValidated) = (UTCInstant(nanoseconds: time), true)
            for second in 101...110 {
                let read = at(Double(second))
                #expect((0...60_000_000_000).contains(read.nanoseconds(since: clock.instant(of: fix, readAt: read))))
            }
        }
    }
}
