/// Ashtech's sentence PASHR,POS, which holds a complete fix.
///
/// Source: DG14 and DG16 Board and Sensor Reference Manual, table 6.36.
public struct AshtechPosition: Sendable, Equatable {
    /// The kind of the solution: 0 autonomous, other numbers corrected; nil where the field is empty.
    public var kind: Int?
    public var satellitesUsed: Int?
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The height above the ellipsoid in metres.
    public var heightAboveEllipsoid: Double?
    /// The course over ground in degrees from true north.
    public var courseOverGround: Double?
    public var speedKnots: Double?
    public var positionDilution: Double?
    public var horizontalDilution: Double?
    public var verticalDilution: Double?
    public var timeDilution: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(18)
        kind = fields.integer(2, in: bytes)
        satellitesUsed = fields.integer(3, in: bytes)
        timeOfDay = try fields.timeOfDay(4, in: bytes)
        latitude = try fields.latitude(5, in: bytes)
        longitude = try fields.longitude(7, in: bytes)
        heightAboveEllipsoid = fields.decimal(9, in: bytes)
        courseOverGround = fields.angle(11, in: bytes)
        speedKnots = fields.decimal(12, in: bytes)
        positionDilution = fields.dilution(14, in: bytes)
        horizontalDilution = fields.dilution(15, in: bytes)
        verticalDilution = fields.dilution(16, in: bytes)
        timeDilution = fields.dilution(17, in: bytes)
    }
}
