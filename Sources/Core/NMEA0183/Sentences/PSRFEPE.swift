/// SiRF's estimates of the errors of its solution.
///
/// Source: the field list in gpsd's NMEA driver. SiRF does not state the confidence.
public struct PSRFEPE: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Whether the status field is A (valid); nil where it is empty.
    public var isValid: Bool?
    /// The estimated horizontal error in metres; its confidence is not stated.
    public var horizontalError: Double?
    public var verticalError: Double?
    /// The estimated error of the speed in metres per second; its confidence is not stated.
    public var speedError: Double?
    /// The estimated error of the course in degrees; its confidence is not stated.
    public var courseError: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(8)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        isValid = fields.character(2, in: bytes).map { $0 == 0x41 }
        horizontalError = fields.decimal(4, in: bytes)
        verticalError = fields.decimal(5, in: bytes)
        speedError = fields.decimal(6, in: bytes)
        courseError = fields.decimal(7, in: bytes)
    }
}
