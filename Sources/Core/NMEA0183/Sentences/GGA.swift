/// Global positioning system fix data.
///
/// Source: NMEA 0183 version 4.11, GGA.
public struct GGA: Sendable, Equatable {
    /// The fix quality indicator.
    ///
    /// NMEA 0183 version 4.11, GGA, field 6.
    public enum Quality: UInt8, Sendable {
        case invalid = 0
        case autonomous = 1
        case differential = 2
        case precise = 3
        case rtkFixed = 4
        case rtkFloat = 5
        case estimated = 6
        case manual = 7
        case simulator = 8
    }

    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    public var quality: Quality?
    /// How many satellites the solution uses; many receivers count only up to 12.
    public var satellitesUsed: Int?
    public var horizontalDilution: Double?
    /// The altitude above mean sea level in metres.
    public var altitudeAboveMeanSeaLevel: Double?
    /// The height of the geoid above the ellipsoid in metres.
    public var geoidSeparation: Double?
    /// The age of the differential correction in seconds.
    public var differentialAge: Double?
    public var differentialStation: Int?

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(10)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        latitude = try fields.latitude(2, in: bytes)
        longitude = try fields.longitude(4, in: bytes)
        quality = fields.integer(6, in: bytes).flatMap { UInt8(exactly: $0).flatMap(Quality.init(rawValue:)) }
        satellitesUsed = fields.integer(7, in: bytes)
        horizontalDilution = fields.dilution(8, in: bytes)
        altitudeAboveMeanSeaLevel = fields.decimal(9, in: bytes)
        geoidSeparation = fields.decimal(11, in: bytes)
        differentialAge = fields.decimal(13, in: bytes)
        differentialStation = fields.integer(14, in: bytes)
    }
}
