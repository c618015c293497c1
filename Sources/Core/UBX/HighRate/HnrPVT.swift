public import GNSS
public import SextantUnits

/// HNR-PVT (28 00): position, velocity and time at a high rate, from sensor fusion.
///
/// 72 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), HNR-PVT (ADR and UDR receivers).
public struct HnrPVT: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.hnrPVT
    static let byteCount = 72

    /// GPS time of week of the solution, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The year of the UTC date.
    public var year: UInt16 = 0
    public var month: UInt8 = 0
    public var day: UInt8 = 0
    public var hour: UInt8 = 0
    public var minute: UInt8 = 0
    /// The second of the UTC minute, 0 to 60; 60 is a leap second.
    public var second: UInt8 = 0
    /// The bit field `valid` (X1).
    public var validityFlags: UInt8 = 0
    /// Nanoseconds to add to the second, -1e9 to 1e9.
    public var nanosecond: Int32 = 0
    public var fixType = FixType.noFix
    /// The bit field `flags` (X1).
    public var fixFlags: UInt8 = 0
    /// Longitude, positive to the east, in units of 1e-7 degrees.
    public var longitudeE7: Int32 = 0
    /// Latitude, positive to the north, in units of 1e-7 degrees.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The horizontal speed, over ground, in millimetres per second.
    public var groundSpeedMillimetresPerSecond: Int32 = 0
    /// The speed in three dimensions, in millimetres per second.
    public var speedMillimetresPerSecond: Int32 = 0
    /// Course over ground from true north, in units of 1e-5 degrees.
    public var courseOverGroundE5: Int32 = 0
    /// The vehicle's heading from true north, in units of 1e-5 degrees.
    public var vehicleHeadingE5: Int32 = 0
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0
    public var speedAccuracyMillimetresPerSecond: UInt32 = 0
    /// The accuracy of the course and of the vehicle's heading, in units of 1e-5 degrees; u-blox states no percentile.
    public var courseAccuracyE5: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.calendar(&year, &month, &day, &hour, &minute, &second)
        payload.field(&validityFlags)
        payload.field(&nanosecond)
        payload.field(&fixType, or: .noFix)
        payload.field(&fixFlags)
        payload.reserved(2)
        payload.field(&longitudeE7)
        payload.field(&latitudeE7)
        payload.field(&heightAboveEllipsoidMillimetres)
        payload.field(&altitudeAboveMeanSeaLevelMillimetres)
        payload.field(&groundSpeedMillimetresPerSecond)
        payload.field(&speedMillimetresPerSecond)
        payload.field(&courseOverGroundE5)
        payload.field(&vehicleHeadingE5)
        payload.field(&horizontalAccuracyMillimetres)
        payload.field(&verticalAccuracyMillimetres)
        payload.field(&speedAccuracyMillimetresPerSecond)
        payload.field(&courseAccuracyE5)
        payload.reserved(4)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.gpsFix, payload[16], in: 0...5)
        if isDateValid { try CalendarTime.requireDate(month: month, day: day) }
        if isTimeValid {
            try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        }
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }
}

extension HnrPVT {
    public var isDateValid: Bool { validityFlags[bit: 0] }
    public var isTimeValid: Bool { validityFlags[bit: 1] }
    /// Whether the full date and time of day are resolved, with no uncertainty of whole seconds.
    public var isTimeFullyResolved: Bool { validityFlags[bit: 2] }

    /// Whether the solution is within the receiver's accuracy and DOP masks.
    public var isFixOK: Bool { fixFlags[bit: 0] }
    public var isDifferential: Bool { fixFlags[bit: 1] }
    public var isWeekNumberValid: Bool { fixFlags[bit: 2] }
    public var isTimeOfWeekValid: Bool { fixFlags[bit: 3] }
    public var isVehicleHeadingValid: Bool { fixFlags[bit: 4] }

    /// The instant of the date and time, even if not marked valid; nil where no such instant exists.
    public var utc: UTCInstant? {
        CalendarTime.instant(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }
}
