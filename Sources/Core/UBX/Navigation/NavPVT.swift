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

    /// GPS time of week of the navigation epoch, in milliseconds.
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
    /// Longitude, positive to the east, in units of 1e-7 degrees.
    public var longitudeE7: Int32 = 0
    /// Latitude, positive to the north, in units of 1e-7 degrees.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The radius of horizontal error in millimetres, as the receiver estimates it; u-blox states no percentile.
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0
    public var velocityNorthMillimetresPerSecond: Int32 = 0
    public var velocityEastMillimetresPerSecond: Int32 = 0
    public var velocityDownMillimetresPerSecond: Int32 = 0
    /// The horizontal speed, over ground, in millimetres per second.
    public var groundSpeedMillimetresPerSecond: Int32 = 0
    /// Course over ground from true north, in units of 1e-5 degrees.
    public var courseOverGroundE5: Int32 = 0
    public var speedAccuracyMillimetresPerSecond: UInt32 = 0
    /// The accuracy of the course and of the vehicle's heading, in units of 1e-5 degrees; u-blox states no percentile.
    public var courseAccuracyE5: UInt32 = 0
    /// The PDOP in units of 0.01.
    public var positionDOPE2: UInt16 = 0
    /// The bit field `flags3` (X2).
    public var correctionFlags: UInt16 = 0
    /// The vehicle's heading from true north, in units of 1e-5 degrees; nil in the 84-byte form.
    public var vehicleHeadingE5: Int32? = 0
    /// The angle by which magnetic north lies east of true north, in units of 0.01 degrees; nil in the 84-byte form.
    public var magneticDeclinationE2: Int16? = 0
    /// The accuracy of the magnetic declination, in units of 0.01 degrees, without a stated percentile; nil in the
    /// 84-byte form.
    public var magneticDeclinationAccuracyE2: UInt16? = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == Self.byteCount || payload.count == Self.shortByteCount else {
            throw .wrongLength(expected: Self.byteCount, actual: payload.count)
        }
        try require(.fixType, payload[20], in: 0...5)
        if payload.count == Self.shortByteCount {
            (vehicleHeadingE5, magneticDeclinationE2, magneticDeclinationAccuracyE2) = (nil, nil, nil)
        }
        var reader = UBXPayloadReader(payload)
        code(&reader)
        try checkRanges()
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        var message = self
        message.code(&bytes)
    }
}

extension NavPVT {
    @inline(__always)
    private mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.calendar(&year, &month, &day, &hour, &minute, &second)
        payload.field(&validityFlags)
        payload.field(&timeAccuracyNanoseconds)
        payload.field(&nanosecond)
        payload.field(&fixType, or: .noFix)
        payload.field(&fixFlags)
        payload.field(&confirmationFlags)
        payload.field(&satellitesUsed)
        payload.field(&longitudeE7)
        payload.field(&latitudeE7)
        payload.field(&heightAboveEllipsoidMillimetres)
        payload.field(&altitudeAboveMeanSeaLevelMillimetres)
        payload.field(&horizontalAccuracyMillimetres)
        payload.field(&verticalAccuracyMillimetres)
        payload.field(&velocityNorthMillimetresPerSecond)
        payload.field(&velocityEastMillimetresPerSecond)
        payload.field(&velocityDownMillimetresPerSecond)
        payload.field(&groundSpeedMillimetresPerSecond)
        payload.field(&courseOverGroundE5)
        payload.field(&speedAccuracyMillimetresPerSecond)
        payload.field(&courseAccuracyE5)
        payload.field(&positionDOPE2)
        payload.field(&correctionFlags)
        payload.reserved(4)
        guard var heading = vehicleHeadingE5 else { return }
        var (declination, accuracy) = (magneticDeclinationE2 ?? 0, magneticDeclinationAccuracyE2 ?? 0)
        payload.field(&heading)
        payload.field(&declination)
        payload.field(&accuracy)
        (vehicleHeadingE5, magneticDeclinationE2, magneticDeclinationAccuracyE2) = (heading, declination, accuracy)
    }

    @inline(__always)
    private func checkRanges() throws(UBXPayloadError) {
        if isDateValid { try CalendarTime.requireDate(month: month, day: day) }
        if isTimeValid {
            try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        }
        if !isPositionInvalid { try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
    }
}
