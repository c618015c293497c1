/// Course over ground and ground speed.
///
/// Source: NMEA 0183 version 4.11, VTG.
public struct VTG: Sendable, Equatable {
    /// The course over ground in degrees from true north.
    public var courseOverGround: Double?
    public var speedKnots: Double?
    public var speedKilometresPerHour: Double?
    public var mode: ModeIndicator?

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(8)
        courseOverGround = fields.angle(1, in: bytes)
        speedKnots = fields.decimal(5, in: bytes)
        speedKilometresPerHour = fields.decimal(7, in: bytes)
        mode = fields.mode(9, in: bytes)
    }
}
