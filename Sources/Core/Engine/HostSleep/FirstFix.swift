internal import GNSS
internal import HostSleep
internal import SextantUnits

/// The first fix after a boot: it shows how far the board moved while the host slept, and the error of the power
/// switch's clock.
struct FirstFix {
    /// The last location before this boot; nil where none was stored.
    var before: Fix?
    /// The time on the power switch's clock when this boot was reported, and the monotonic instant of the report; nil
    /// where the switch's clock is not trusted.
    var clock: (utc: UTCInstant, at: MonotonicInstant)?
    private var isAwaited = true

    /// Takes a fix.
    ///
    /// - Returns: The events that follow from the fix, if it is the first with a position.
    mutating func found(_ fix: Fix, at instant: MonotonicInstant) -> [HostEvent] {
        guard isAwaited, let latitude = fix.latitude, let longitude = fix.longitude else { return [] }
        isAwaited = false
        var events: [HostEvent] = []
        if let from = before?.latitude, let east = before?.longitude {
            let metres = GreatCircle.distance(
                fromLatitude: from, longitude: east, toLatitude: latitude, longitude: longitude)
            events.append(.located(metres: metres))
        }
        if let clock, let time = fix.time, fix.isTimeValidated {
            let now = clock.utc.advanced(byNanoseconds: instant.nanoseconds(since: clock.at))
            events.append(.clockCompared(apart: Double(now.nanoseconds(since: time)) / 1e9))
        }
        return events
    }
}
