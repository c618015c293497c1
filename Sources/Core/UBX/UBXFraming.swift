/// The layout of a UBX frame: B5 62, class, id, little-endian length, payload, checksum.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), "UBX frame structure"; the same in UBX-21035062 and
/// UBX-22008968.
public enum UBXFraming {
    public enum Match: Sendable, Hashable {
        /// The bytes do not begin with a frame.
        case mismatch
        /// The sync bytes and the length are valid and all bytes are there; only the checksum is wrong.
        case badChecksum
        /// A frame can start here, but not all of it has arrived.
        case incomplete
        /// A whole frame of `length` bytes, sync characters and checksum included.
        case frame(length: Int)
    }

    public static let sync1: UInt8 = 0xB5
    public static let sync2: UInt8 = 0x62

    /// The number of bytes before the payload.
    public static let headerByteCount = 6
    /// The number of bytes that a frame has besides its payload: header and checksum.
    public static let overhead = 8

    /// The largest payload length that is accepted, in bytes; a frame with a longer payload counts as noise.
    ///
    /// The longest message with an 8-bit count of its items is RXM-RAWX: 16 + 32 × 255 = 8176 bytes. Without a limit,
    /// two sync bytes that occur by chance could hold back up to 64 KiB of good frames.
    public static let maximumPayload = 8192

    /// Checks whether a frame begins with the first of `bytes`.
    public static func match(_ bytes: borrowing Span<UInt8>) -> Match {
        let count = bytes.count
        guard count > 0 else { return .incomplete }
        guard bytes[0] == sync1 else { return .mismatch }
        guard count > 1 else { return .incomplete }
        guard bytes[1] == sync2 else { return .mismatch }
        guard count >= headerByteCount else { return .incomplete }

        let payloadLength = Int(bytes.uint16(at: 4))
        guard payloadLength <= maximumPayload else { return .mismatch }
        let end = headerByteCount + payloadLength
        guard count >= end + 2 else { return .incomplete }

        let checksum = Fletcher8(of: bytes.extracting(2..<end))
        guard checksum.a == bytes[end], checksum.b == bytes[end + 1] else { return .badChecksum }
        return .frame(length: end + 2)
    }

    /// The class and id of a whole frame.
    public static func identifier(of frame: borrowing Span<UInt8>) -> UBXMessageID {
        UBXMessageID(messageClass: frame[2], id: frame[3])
    }

    /// Where the payload lies in a frame of `length` bytes: the range to give to `Span.extracting`.
    public static func payloadRange(frameLength length: Int) -> Range<Int> {
        headerByteCount..<(length - 2)
    }
}
