/// u-blox's own position sentence.
///
/// Source: u-blox 8 / M8 receiver description, UBX-13003221, section "UBX,00".
public struct PUBX00: Sendable, Equatable {
    /// The navigation status, field 8.
    public enum Status: Sendable {
        case noFix
        case deadReckoning
        case twoD
        case threeD
        case differentialTwoD
        case differentialThreeD
        case combined
        case timeOnly
    }

    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The height above the ellipsoid in metres.
    public var heightAboveEllipsoid: Double?
    public var status: Status?
    /// The horizontal accuracy in metres, as the receiver estimates it.
    public var horizontalAccuracy: Double?
    public var verticalAccuracy: Double?
    public var speedKilometresPerHour: Double?
    /// The course over ground in degrees from true north.
    public var courseOverGround: Double?
    /// The vertical velocity in metres per second, positive downwards.
    public var verticalVelocity: Double?
    /// The age of the differential correction in seconds.
    public var differentialAge: Double?
    public var horizontalDilution: Double?
    public var verticalDilution: Double?
    public var timeDilution: Double?
    public var satellitesUsed: Int?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(19)
        timeOfDay = try fields.timeOfDay(2, in: bytes)
        latitude = try fields.latitude(3, in: bytes)
        longitude = try fields.longitude(5, in: bytes)
        heightAboveEllipsoid = fields.decimal(7, in: bytes)
        status = PUBX00.status(fields.range(8), in: bytes)
        horizontalAccuracy = fields.decimal(9, in: bytes)
        verticalAccuracy = fields.decimal(10, in: bytes)
        speedKilometresPerHour = fields.decimal(11, in: bytes)
        courseOverGround = fields.angle(12, in: bytes)
        verticalVelocity = fields.decimal(13, in: bytes)
        differentialAge = fields.decimal(14, in: bytes)
        horizontalDilution = fields.dilution(15, in: bytes)
        verticalDilution = fields.dilution(16, in: bytes)
        timeDilution = fields.dilution(17, in: bytes)
        satellitesUsed = fields.integer(18, in: bytes)
    }

    private static func status(_ field: Range<Int>, in bytes: borrowing Span<UInt8>) -> Status? {
        guard field.count == 2 else { return nil }
        switch (bytes[field.lowerBound], bytes[field.lowerBound + 1]) {
        case (0x4E, 0x46): return .noFix  // NF
        case (0x44, 0x52): return .deadReckoning  // DR
        case (0x47, 0x32): return .twoD  // G2
        case (0x47, 0x33): return .threeD  // G3
        case (0x44, 0x32): return .differentialTwoD  // D2
        case (0x44, 0x33): return .differentialThreeD  // D3
        case (0x52, 0x4B): return .combined  // RK
        case (0x54, 0x54): return .timeOnly  // TT
        default: return nil
        }
    }
}
