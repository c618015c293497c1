/// The cyclic redundancy check of Ethernet, gzip and PNG.
///
/// Source: ISO/IEC 3309 and RFC 1952 section 8: polynomial 0xEDB88320, reflected; the initial value and the final XOR
/// are all ones.
public struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    public init() {}

    /// The CRC-32 of all the bytes in `bytes`.
    public static func of(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        var check = CRC32()
        check.add(bytes)
        return check.value
    }

    public var value: UInt32 { ~state }

    public mutating func add(_ bytes: borrowing Span<UInt8>) {
        for index in bytes.indices {
            state = CRC32.table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[index])] ^ (state >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }
}
