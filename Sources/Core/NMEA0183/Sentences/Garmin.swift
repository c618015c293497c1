public import SextantUnits

/// Garmin's estimates of the position's errors.
///
/// Source: Garmin Proprietary NMEA 0183 Sentences, Technical Specifications (190-00684-00), PGRME, which does not state
/// the confidence. It is assumed to be 50 %: half of the errors are smaller.
public struct PGRME: Sendable, Equatable {
    /// The horizontal error in metres, assumed to be that of 50 % confidence.
    public var horizontalError: Double?
    public var verticalError: Double?
    /// The error in three dimensions, in metres, assumed to be that of 50 % confidence.
    public var sphericalError: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(7)
        guard fields.character(2, in: bytes) == 0x4D, fields.character(4, in: bytes) == 0x4D,
            fields.character(6, in: bytes) == 0x4D
        else { throw .outOfRange(field: 2) }
        horizontalError = fields.decimal(1, in: bytes)
        verticalError = fields.decimal(3, in: bytes)
        sphericalError = fields.decimal(5, in: bytes)
    }
}

/// Garmin's altitude, in whole feet.
///
/// Source: Garmin Proprietary NMEA 0183 Sentences, Technical Specifications (190-00684-00), PGRMZ.
public struct PGRMZ: Sendable, Equatable {
    /// The altitude above mean sea level in metres.
    public var altitudeAboveMeanSeaLevel: Double?
    public var mode: GSA.Mode?

    private static let foot = 0.3048

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(4)
        let isInFeet = fields.character(2, in: bytes).map { $0 | 0x20 == 0x66 } ?? false
        altitudeAboveMeanSeaLevel = isInFeet ? fields.decimal(1, in: bytes).map { $0 * PGRMZ.foot } : nil
        mode = fields.integer(3, in: bytes).flatMap { UInt8(exactly: $0).flatMap(GSA.Mode.init(rawValue:)) }
    }
}

/// Garmin's sentence PGRMF, which holds a complete fix.
///
/// Source: Garmin, GPS 18 Technical Specifications (190-00307-00), PGRMF.
public struct PGRMF: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    public var date: CivilDate?
    /// Seconds by which GPS time is ahead of UTC.
    public var leapSeconds: Int?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    public var mode: GSA.Mode?
    public var speedKilometresPerHour: Double?
    /// The course over ground in degrees from true north.
    public var courseOverGround: Double?
    public var positionDilution: Double?
    public var timeDilution: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(14)
        date = RMC.date(fields.range(3), in: bytes)
        timeOfDay = try fields.timeOfDay(4, in: bytes)
        leapSeconds = fields.integer(5, in: bytes)
        latitude = try fields.latitude(6, in: bytes)
        longitude = try fields.longitude(8, in: bytes)
        // The fix type: 0 no fix, 1 2D, 2 3D; each is one less than in GSA.
        mode = fields.integer(11, in: bytes).flatMap { UInt8(exactly: $0 + 1).flatMap(GSA.Mode.init(rawValue:)) }
        speedKilometresPerHour = fields.decimal(12, in: bytes)
        courseOverGround = fields.angle(13, in: bytes)
        positionDilution = fields.dilution(14, in: bytes)
        timeDilution = fields.dilution(15, in: bytes)
    }
}
