internal import SextantUnits

/// What the messages of the epoch that is still arriving have given, apart from the fix itself.
///
/// Each epoch begins with a new `OpenEpoch`.
struct OpenEpoch {
    /// The epoch's time of day, as its first message with a time gave it; nil where none did.
    var key: EpochKey?
    /// Whether any message of the epoch has arrived.
    var hasContent = false
    var nmea = NMEAEvidence()
    var ubx = UBXEvidence()
    /// The last date and the last time of day, in nanoseconds since midnight UTC, that a sentence gave.
    var date: CivilDate?
    var timeOfDay: Int64?

    /// - Parameter knowsDate: Whether the date was known when the epoch began.
    init(knowsDate: Bool) { nmea.knowsDate = knowsDate }

    /// Makes the epoch keep the position and velocity that UBX messages gave, because sentences give fewer digits.
    mutating func yieldToUBX() {
        nmea.hasUBXPosition = ubx.positionRank > 0
        nmea.hasUBXVelocity = ubx.velocityRank > 0
    }
}
