public import SextantUnits

/// SkyTraq's recommended minimum data: a fix with its velocity in three dimensions.
///
/// Source: SkyTraq, application note AN0037 (Phoenix), sentence "PSTI,030".
public struct PSTI030: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    public var date: CivilDate?
    /// Whether the status field is A (valid); nil where it is empty.
    public var isValid: Bool?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The altitude above mean sea level in metres.
    public var altitudeAboveMeanSeaLevel: Double?
    /// The velocity towards the east in metres per second.
    public var eastVelocity: Double?
    public var northVelocity: Double?
    public var upVelocity: Double?
    public var mode: ModeIndicator?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(12)
        timeOfDay = try fields.timeOfDay(2, in: bytes)
        isValid = fields.character(3, in: bytes).map { $0 == 0x41 }
        latitude = try fields.latitude(4, in: bytes)
        longitude = try fields.longitude(6, in: bytes)
        altitudeAboveMeanSeaLevel = fields.decimal(8, in: bytes)
        eastVelocity = fields.decimal(9, in: bytes)
        northVelocity = fields.decimal(10, in: bytes)
        upVelocity = fields.decimal(11, in: bytes)
        date = RMC.date(fields.range(12), in: bytes)
        mode = fields.mode(13, in: bytes)
    }
}
