public import GNSS
public import SextantUnits

/// HNR-PVT (28 00): position, velocity and time at a high rate, from sensor fusion.
///
/// 72 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), HNR-PVT (ADR and UDR receivers).
public struct HnrPVT: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.hnrPVT
    static let byteCount = 72

    /// GPS time of week of the solution.
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
    /// Longitude: degrees east times 1e7.
    public var longitudeE7: Int32 = 0
    /// Latitude: degrees north times 1e7.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The speed over ground, in two dimensions.
    public var groundSpeedMillimetresPerSecond: Int32 = 0
    /// The speed in three dimensions.
    public var speedMillimetresPerSecond: Int32 = 0
    /// Course over ground: degrees from true north times 1e5.
    public var courseOverGroundE5: Int32 = 0
    /// The vehicle's heading: degrees from true north times 1e5.
    public var vehicleHeadingE5: Int32 = 0
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0
    public var speedAccuracyMillimetresPerSecond: UInt32 = 0
    /// The accuracy of the course and of the vehicle's heading, in degrees times 1e5.
    public var courseAccuracyE5: UInt32 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        try require(.gpsFix, payload[16], in: 0...5)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        year = payload.uint16(at: 4)
        month = payload[6]
        day = payload[7]
        hour = payload[8]
        minute = payload[9]
        second = payload[10]
        validityFlags = payload[11]
        nanosecond = payload.int32(at: 12)
        fixType = FixType(rawValue: payload[16]) ?? .noFix
        fixFlags = payload[17]
        longitudeE7 = payload.int32(at: 20)
        latitudeE7 = payload.int32(at: 24)
        heightAboveEllipsoidMillimetres = payload.int32(at: 28)
        altitudeAboveMeanSeaLevelMillimetres = payload.int32(at: 32)
        groundSpeedMillimetresPerSecond = payload.int32(at: 36)
        speedMillimetresPerSecond = payload.int32(at: 40)
        courseOverGroundE5 = payload.int32(at: 44)
        vehicleHeadingE5 = payload.int32(at: 48)
        horizontalAccuracyMillimetres = payload.uint32(at: 52)
        verticalAccuracyMillimetres = payload.uint32(at: 56)
        speedAccuracyMillimetresPerSecond = payload.uint32(at: 60)
        courseAccuracyE5 = payload.uint32(at: 64)
        if isDateValid { try CalendarTime.requireDate(month: month, day: day) }
        if isTimeValid {
            try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        }
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: year)
        bytes.append(month)
        bytes.append(day)
        bytes.append(hour)
        bytes.append(minute)
        bytes.append(second)
        bytes.append(validityFlags)
        bytes.append(littleEndian: nanosecond)
        bytes.append(fixType.rawValue)
        bytes.append(fixFlags)
        bytes.append(reserved: 2)
        bytes.append(littleEndian: longitudeE7)
        bytes.append(littleEndian: latitudeE7)
        bytes.append(littleEndian: heightAboveEllipsoidMillimetres)
        bytes.append(littleEndian: altitudeAboveMeanSeaLevelMillimetres)
        bytes.append(littleEndian: groundSpeedMillimetresPerSecond)
        bytes.append(littleEndian: speedMillimetresPerSecond)
        bytes.append(littleEndian: courseOverGroundE5)
        bytes.append(littleEndian: vehicleHeadingE5)
        bytes.append(littleEndian: horizontalAccuracyMillimetres)
        bytes.append(littleEndian: verticalAccuracyMillimetres)
        bytes.append(littleEndian: speedAccuracyMillimetresPerSecond)
        bytes.append(littleEndian: courseAccuracyE5)
        bytes.append(reserved: 4)
    }
}

extension HnrPVT {
    public var isDateValid: Bool { validityFlags[bit: 0] }
    public var isTimeValid: Bool { validityFlags[bit: 1] }
    /// Whether the whole seconds of the time are certain.
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
