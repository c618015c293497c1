/// The datum of the positions in the sentences that follow.
///
/// Source: NMEA 0183 version 4.11, DTM.
public struct DTM: Sendable, Equatable {
    /// Whether the datum is WGS 84: its field is `W84` or empty.
    public var isWGS84: Bool

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(9)
        let datum = fields.range(1)
        isWGS84 =
            datum.isEmpty
            || datum.count == 3 && bytes[datum.lowerBound] == 0x57 && bytes[datum.lowerBound + 1] == 0x38
                && bytes[datum.lowerBound + 2] == 0x34
    }
}
