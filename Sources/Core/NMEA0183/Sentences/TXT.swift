/// A text from the receiver: its version, its antenna's state.
///
/// Source: NMEA 0183 version 4.11, TXT.
public struct TXT: Sendable, Equatable {
    /// u-blox: 0 error, 1 warning, 2 notice, 7 user.
    public var kind: Int?
    /// Where in the sentence the text lies.
    public var text: Range<Int>

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(5)
        kind = fields.integer(3, in: bytes)
        // A text may hold commas.
        text = fields.range(4).lowerBound..<fields.range(fields.count - 1).upperBound
    }
}
