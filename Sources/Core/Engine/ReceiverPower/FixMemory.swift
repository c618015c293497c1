internal import GNSS
internal import Receivers
internal import SextantUnits

/// The last time and place that the receiver told, by which it finds its next fix sooner when it wakes.
struct FixMemory {
    /// The last fix with a position.
    var position: Fix?
    /// The last time that the receiver validated, and when it came.
    private var time: (utc: UTCInstant, instant: MonotonicInstant)?

    /// The most that the host's clock drifts, in seconds per second: a quartz over its whole rated temperature range.
    private static let clockDrift = 1e-4
    /// Seconds by which a time that came over the serial line may be late.
    private static let timeLatency = 1.0

    /// Keeps a fix's time, if the receiver validated it.
    mutating func found(_ fix: Fix, at instant: MonotonicInstant) {
        if let utc = fix.time, fix.isTimeValidated { time = (utc, instant) }
    }

    /// The aid that the receiver is given when it wakes: the last validated time, carried on by the host's clock, and
    /// the last place.
    ///
    /// - Parameter uncertainty: The radius in metres that holds 68 % of where the board may be now; nil for unknown.
    func aid(within uncertainty: Double?, at instant: MonotonicInstant) -> ReceiverAid? {
        let time = time.map { known in
            let elapsed = instant.nanoseconds(since: known.instant)
            return ReceiverAid.Time(
                utc: known.utc.advanced(byNanoseconds: elapsed),
                accuracySeconds: FixMemory.timeLatency + Double(elapsed) * 1e-9 * FixMemory.clockDrift)
        }
        var place: ReceiverAid.Position?
        if let fix = position, let latitude = fix.latitude, let longitude = fix.longitude, let uncertainty {
            place = ReceiverAid.Position(
                latitude: latitude, longitude: longitude, altitude: fix.heightAboveEllipsoid,
                accuracyMetres: uncertainty)
        }
        return time == nil && place == nil ? nil : ReceiverAid(time: time, position: place)
    }
}
