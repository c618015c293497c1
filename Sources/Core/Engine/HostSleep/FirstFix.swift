internal import GNSS
internal import HostSleep
internal import SextantUnits

/// The first fix of a boot, which shows how far the board came while the host slept, and how right the switch's clock is.
struct FirstFix {
    /// The last location before this boot; nil where none was stored.
    var before: Fix?
    /// The switch's clock when this boot was told of, and the instant; nil where no clock is trusted.
    var clock: (utc: UTCInstant, at: MonotonicInstant)?
    private var isAwaited = true

    /// Takes a fix.
    ///
    /// - Returns: What it shows, if it is the first with a position.
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
