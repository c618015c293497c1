public import GNSS

/// NAV-PVT (01 07): position, velocity and time of one navigation solution.
///
/// 92 bytes; 84 on u-blox 7, without the vehicle's heading and the magnetic declination. Frame: WGS 84.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-PVT; the same in UBX-21035062 (M10) and UBX-22008968
/// (F9), whose `flags3` also has the age of corrections.
public struct NavPVT: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navPVT
    static let byteCount = 92
    static let shortByteCount = 84

    /// GPS time of week of the navigation epoch.
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
    public var timeAccuracyNanoseconds: UInt32 = 0
    /// Nanoseconds to add to the second, -1e9 to 1e9.
    public var nanosecond: Int32 = 0
    public var fixType = FixType.noFix
    /// The bit field `flags` (X1).
    public var fixFlags: UInt8 = 0
    /// The bit field `flags2` (X1).
    public var confirmationFlags: UInt8 = 0
    public var satellitesUsed: UInt8 = 0
    /// Longitude: degrees east times 1e7.
    public var longitudeE7: Int32 = 0
    /// Latitude: degrees north times 1e7.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The radius of horizontal error in millimetres, as the receiver estimates it; u-blox states no percentile.
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0
    public var velocityNorthMillimetresPerSecond: Int32 = 0
    public var velocityEastMillimetresPerSecond: Int32 = 0
    public var velocityDownMillimetresPerSecond: Int32 = 0
    /// The speed over ground, in two dimensions.
    public var groundSpeedMillimetresPerSecond: Int32 = 0
    /// Course over ground, degrees from true north times 1e5.
    public var courseOverGroundE5: Int32 = 0
    public var speedAccuracyMillimetresPerSecond: UInt32 = 0
    /// The accuracy of the course and of the vehicle's heading, in degrees times 1e5.
    public var courseAccuracyE5: UInt32 = 0
    /// PDOP times 100.
    public var positionDOPE2: UInt16 = 0
    /// The bit field `flags3` (X2).
    public var correctionFlags: UInt16 = 0
    /// The vehicle's heading: degrees from true north times 1e5; nil in the 84-byte form.
    public var vehicleHeadingE5: Int32? = 0
    /// Degrees that magnetic north lies east of true north, times 100; nil in the 84-byte form.
    public var magneticDeclinationE2: Int16? = 0
    /// The accuracy of the magnetic declination, in degrees times 100; nil in the 84-byte form.
    public var magneticDeclinationAccuracyE2: UInt16? = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == Self.byteCount || payload.count == Self.shortByteCount else {
            throw .wrongLength(expected: Self.byteCount, actual: payload.count)
        }
        try require(.fixType, payload[20], in: 0...5)
        readTime(payload)
        fixType = FixType(rawValue: payload[20]) ?? .noFix
        fixFlags = payload[21]
        confirmationFlags = payload[22]
        satellitesUsed = payload[23]
        readPosition(payload)
        readVelocity(payload)
        positionDOPE2 = payload.uint16(at: 76)
        correctionFlags = payload.uint16(at: 78)
        let isLong = payload.count == Self.byteCount
        vehicleHeadingE5 = isLong ? payload.int32(at: 84) : nil
        magneticDeclinationE2 = isLong ? payload.int16(at: 88) : nil
        magneticDeclinationAccuracyE2 = isLong ? payload.uint16(at: 90) : nil
        try checkRanges()
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        appendTime(to: &bytes)
        bytes.append(fixType.rawValue)
        bytes.append(fixFlags)
        bytes.append(confirmationFlags)
        bytes.append(satellitesUsed)
        appendPositionAndVelocity(to: &bytes)
        bytes.append(littleEndian: positionDOPE2)
        bytes.append(littleEndian: correctionFlags)
        bytes.append(reserved: 4)
        guard let vehicleHeadingE5 else { return }
        bytes.append(littleEndian: vehicleHeadingE5)
        bytes.append(littleEndian: magneticDeclinationE2 ?? 0)
        bytes.append(littleEndian: magneticDeclinationAccuracyE2 ?? 0)
    }
}

extension NavPVT {
    @inline(__always)
    private mutating func readTime(_ payload: borrowing Span<UInt8>) {
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        year = payload.uint16(at: 4)
        month = payload[6]
        day = payload[7]
        hour = payload[8]
        minute = payload[9]
        second = payload[10]
        validityFlags = payload[11]
        timeAccuracyNanoseconds = payload.uint32(at: 12)
        nanosecond = payload.int32(at: 16)
    }

    @inline(__always)
    private mutating func readPosition(_ payload: borrowing Span<UInt8>) {
        longitudeE7 = payload.int32(at: 24)
        latitudeE7 = payload.int32(at: 28)
        heightAboveEllipsoidMillimetres = payload.int32(at: 32)
        altitudeAboveMeanSeaLevelMillimetres = payload.int32(at: 36)
        horizontalAccuracyMillimetres = payload.uint32(at: 40)
        verticalAccuracyMillimetres = payload.uint32(at: 44)
    }

    @inline(__always)
    private mutating func readVelocity(_ payload: borrowing Span<UInt8>) {
        velocityNorthMillimetresPerSecond = payload.int32(at: 48)
        velocityEastMillimetresPerSecond = payload.int32(at: 52)
        velocityDownMillimetresPerSecond = payload.int32(at: 56)
        groundSpeedMillimetresPerSecond = payload.int32(at: 60)
        courseOverGroundE5 = payload.int32(at: 64)
        speedAccuracyMillimetresPerSecond = payload.uint32(at: 68)
        courseAccuracyE5 = payload.uint32(at: 72)
    }

    @inline(__always)
    private func checkRanges() throws(UBXPayloadError) {
        if isDateValid { try CalendarTime.requireDate(month: month, day: day) }
        if isTimeValid {
            try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        }
        if !isPositionInvalid { try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
    }

    private func appendTime(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: year)
        bytes.append(month)
        bytes.append(day)
        bytes.append(hour)
        bytes.append(minute)
        bytes.append(second)
        bytes.append(validityFlags)
        bytes.append(littleEndian: timeAccuracyNanoseconds)
        bytes.append(littleEndian: nanosecond)
    }

    private func appendPositionAndVelocity(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: longitudeE7)
        bytes.append(littleEndian: latitudeE7)
        bytes.append(littleEndian: heightAboveEllipsoidMillimetres)
        bytes.append(littleEndian: altitudeAboveMeanSeaLevelMillimetres)
        bytes.append(littleEndian: horizontalAccuracyMillimetres)
        bytes.append(littleEndian: verticalAccuracyMillimetres)
        bytes.append(littleEndian: velocityNorthMillimetresPerSecond)
        bytes.append(littleEndian: velocityEastMillimetresPerSecond)
        bytes.append(littleEndian: velocityDownMillimetresPerSecond)
        bytes.append(littleEndian: groundSpeedMillimetresPerSecond)
        bytes.append(littleEndian: courseOverGroundE5)
        bytes.append(littleEndian: speedAccuracyMillimetresPerSecond)
        bytes.append(littleEndian: courseAccuracyE5)
    }
}
