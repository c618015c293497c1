internal import GNSS
internal import SextantUnits

/// Chooses the time that gpsd's reports give for an epoch.
///
/// The time is one that the receiver has validated, one from a ZDA, or one at most ten minutes after the last reported
/// time: a lost fix does not stop the clock. For setting the host's clock, only a validated time is good enough
/// (`Fix.isTimeValidated`).
///
/// Where a receiver gives week and time of week, gpsd subtracts the leap seconds that it knows from earlier epochs, or
/// 18 if no epoch has given them yet, and so does this clock. A recording from before 2017 therefore begins with an
/// epoch that is some seconds early; later recordings are right. `Fix.time` is right from the first epoch on.
struct GPSDClock {
    /// The last epoch's time; nil where that time must not be reported.
    private(set) var time: UTCInstant?
    private var lastTold: UTCInstant?
    private var leapSeconds = 18

    /// Without a fix, a time is reported only if it is at most this many nanoseconds after the last reported time; a
    /// larger step means that the receiver restarted.
    private static let longestStep: Int64 = 600_000_000_000

    mutating func found(_ epoch: Epoch) {
        let fix = epoch.fix
        time = fix.time.flatMap { fix.isTimeValidated || epoch.hasToldTime || goesOn($0) ? $0 : nil }
        if let gnssTime = fix.gnssTime, let known = time {
            // The time that is already known decides in which cycle of 1024 weeks the week number lies.
            time = WeekRollover.snap(gnssTime.utc(leapSeconds: leapSeconds), toward: known)
        }
        lastTold = time ?? lastTold
        if let told = fix.leapSeconds { leapSeconds = Int(told) }
    }

    private func goesOn(_ next: UTCInstant) -> Bool {
        guard let lastTold else { return false }
        return (1...GPSDClock.longestStep).contains(next.nanoseconds &- lastTold.nanoseconds)
    }
}
