/// Geographic position.
///
/// Source: NMEA 0183 version 4.11, GLL. Versions before 2.3 lack the mode, and those before 2.0 the time.
public struct GLL: Sendable, Equatable {
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Whether the status field is A (valid); nil where it is empty.
    public var isValid: Bool?
    public var mode: ModeIndicator?

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(5)
        latitude = try fields.latitude(1, in: bytes)
        longitude = try fields.longitude(3, in: bytes)
        timeOfDay = try fields.timeOfDay(5, in: bytes)
        isValid = fields.character(6, in: bytes).map { $0 == 0x41 }
        mode = fields.mode(7, in: bytes)
    }
}
