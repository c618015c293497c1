internal import GNSS
internal import Units

/// The time that a report tells for an epoch.
///
/// The receiver vouches for it, or has vouched for an earlier one and its clock has gone on since: a fix that is lost does
/// not stop the clock. For setting the host's clock only what the receiver vouches for is good enough
/// (`Fix.isTimeValidated`).
///
/// Where a receiver gives week and time of week, gpsd subtracts the leap seconds it was told in an earlier epoch, and
/// 18 before that. A recording from before 2017 therefore begins with an epoch some seconds early, as gpsd's does; since
/// 2017 the two agree. `Fix.time` is right from the first epoch on.
struct GPSDClock {
    /// The last epoch's time; nil where it is not to be told.
    private(set) var time: UTCInstant?
    private var lastTold: UTCInstant?
    private var leapSeconds = 18

    /// Nanoseconds by which the time may go on between two epochs without a fix; a receiver that begins anew leaps.
    private static let longestStep: Int64 = 600_000_000_000

    mutating func take(_ fix: Fix) {
        time = fix.time.flatMap { fix.isTimeValidated || goesOn($0) ? $0 : nil }
        if let gnssTime = fix.gnssTime, let known = time {
            // The known time says which 1024 weeks these are.
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
