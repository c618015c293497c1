public import SextantUnits

/// Recommended minimum data.
///
/// Source: NMEA 0183 version 4.11, RMC.
public struct RMC: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Whether the status field is A (valid), or D, as some receivers write; nil where it is empty.
    public var isValid: Bool?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    public var speedKnots: Double?
    /// The course over ground in degrees from true north.
    public var courseOverGround: Double?
    /// The date of the fix; the century is guessed: 80 to 99 are 1980 to 1999, and 00 to 79 are 2000 to 2079.
    public var date: CivilDate?
    /// The magnetic variation in degrees, positive to the east.
    public var magneticVariation: Double?
    public var mode: ModeIndicator?

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(10)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        isValid = fields.character(2, in: bytes).map { $0 == 0x41 || $0 == 0x44 }
        latitude = try fields.latitude(3, in: bytes)
        longitude = try fields.longitude(5, in: bytes)
        speedKnots = fields.decimal(7, in: bytes)
        courseOverGround = fields.angle(8, in: bytes)
        date = RMC.date(fields.range(9), in: bytes)
        magneticVariation = RMC.variation(fields, bytes)
        mode = fields.mode(12, in: bytes)
    }

    /// A date written `ddmmyy`; nil where the field is empty or no such day exists.
    static func date(_ field: Range<Int>, in bytes: borrowing Span<UInt8>) -> CivilDate? {
        guard field.count == 6, let digits = NMEAFields.digits(bytes, field) else { return nil }
        let year = digits % 100
        return CivilDate(
            year: Int32(year >= 80 ? 1900 + year : 2000 + year),
            month: UInt8(digits / 100 % 100),
            day: UInt8(digits / 10_000)
        )
    }

    /// The magnetic variation in degrees; nil where the field is empty, over 180 (receivers write 999.9) or 0.0.
    ///
    /// Receivers without a magnetic model write 0.0.
    private static func variation(_ fields: borrowing NMEAFields, _ bytes: borrowing Span<UInt8>) -> Double? {
        guard let value = fields.decimal(10, in: bytes), value > 0, value <= 180 else { return nil }
        switch fields.character(11, in: bytes) {
        case 0x45: return value
        case 0x57: return -value
        default: return nil
        }
    }
}
