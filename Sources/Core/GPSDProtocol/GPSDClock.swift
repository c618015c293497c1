internal import GNSS
internal import Units

/// An epoch's time as gpsd works it out.
///
/// Where a receiver gives week and time of week, gpsd subtracts the leap seconds it was told in an earlier epoch, and
/// 18 before that. A recording from before 2017 therefore begins with an epoch some seconds early, as gpsd's does; since
/// 2017 the two agree.
struct GPSDClock {
    /// The last epoch's time; nil where the receiver does not vouch for it.
    private(set) var validatedTime: UTCInstant?
    private var leapSeconds = 18

    mutating func take(_ fix: Fix) {
        validatedTime = fix.isTimeValidated ? fix.time : nil
        if let gnssTime = fix.gnssTime, let known = validatedTime {
            // The known time says which 1024 weeks these are.
            validatedTime = WeekRollover.snap(gnssTime.utc(leapSeconds: leapSeconds), toward: known)
        }
        if let told = fix.leapSeconds { leapSeconds = Int(told) }
    }
}
