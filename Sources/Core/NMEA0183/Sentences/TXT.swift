/// A text from the receiver, such as its version or its antenna's state.
///
/// Source: NMEA 0183 version 4.11, TXT.
public struct TXT: Sendable, Equatable {
    /// The kind of text by u-blox's numbers: 0 error, 1 warning, 2 notice, 7 user.
    public var kind: Int?
    /// Where the text stands in the sentence's bytes.
    public var text: Range<Int>

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(5)
        kind = fields.integer(3, in: bytes)
        // The text can contain commas.
        text = fields.range(4).lowerBound..<fields.range(fields.count - 1).upperBound
    }
}
