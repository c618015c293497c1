/// SkyTraq's recommended minimum data: velocity in three dimensions.
///
/// Source: SkyTraq, application note AN0037 (Phoenix), sentence "PSTI,030".
public struct PSTI030: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Whether the status field is A; nil where it is empty.
    public var isValid: Bool?
    /// The velocity towards the east in metres per second.
    public var eastVelocity: Double?
    public var northVelocity: Double?
    public var upVelocity: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(12)
        timeOfDay = try fields.timeOfDay(2, in: bytes)
        isValid = fields.character(3, in: bytes).map { $0 == 0x41 }
        eastVelocity = fields.decimal(9, in: bytes)
        northVelocity = fields.decimal(10, in: bytes)
        upVelocity = fields.decimal(11, in: bytes)
    }
}
