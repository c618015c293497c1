/// True heading.
///
/// Source: NMEA 0183 version 4.11, HDT.
public struct HDT: Sendable, Equatable {
    /// The heading in degrees from true north.
    public var heading: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(2)
        heading = fields.angle(1, in: bytes)
    }
}

/// True heading and its mode.
///
/// Source: NMEA 0183 version 4.11, THS.
public struct THS: Sendable, Equatable {
    /// Degrees from true north; nil where the mode is "not valid" (V).
    public var heading: Double?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(3)
        let isValid = fields.character(2, in: bytes) != 0x56
        heading = isValid ? fields.angle(1, in: bytes) : nil
    }
}
