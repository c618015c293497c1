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

    @Test func `a corrected receiver time is accepted at once if later, and after some fixes if earlier`() {
        var clock = FixClock()
        _ = holds(&clock, time: 0, read: 100)
        #expect(abs(holds(&clock, time: 19, read: 101) - 101) < 1e-6)
        let held = (2..<12).map { holds(&clock, time: Double($0), read: 100 + Double($0)) - Double($0) }
        #expect(abs((held.first ?? 0) - 82) < 0.1 && abs((held.last ?? 0) - 100) < 1e-6)
        #expect(abs(holds(&clock, time: -100_000, read: 113) - 113) < 1e-6, "by more than anybody sleeps")
    }
}
