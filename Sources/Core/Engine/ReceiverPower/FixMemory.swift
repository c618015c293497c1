internal import GNSS
internal import Receivers
internal import SextantUnits

/// The receiver's last time and position, which are sent back to it when it wakes, for a faster fix.
struct FixMemory {
    /// The last fix with a position.
    var position: Fix?
    /// The last time that the receiver validated, and when it came.
    private var time: (utc: UTCInstant, instant: MonotonicInstant)?

    /// The largest drift of the host's clock, in seconds per second: that of a quartz over its whole rated temperature
    /// range.
    private static let clockDrift = 1e-4
    /// The largest delay, in seconds, with which a message from the receiver arrives after the time that it gives.
    private static let timeLatency = 1.0

    /// Keeps a fix's time, if the receiver validated it.
    mutating func found(_ fix: Fix, at instant: MonotonicInstant) {
        if let utc = fix.time, fix.isTimeValidated { time = (utc, instant) }
    }

    /// The aiding data for the receiver when it wakes: the last validated time, advanced by the host's clock, and the
    /// last position.
    ///
    /// - Parameter uncertainty: The radius in metres within which the board is now with a probability of 68 %; nil for
    ///   unknown.
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
