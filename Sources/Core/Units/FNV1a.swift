/// The 64-bit FNV-1a hash of bytes, for names and digests that must stay the same after a restart; no defence against
/// an adversary.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
public struct FNV1a: Sendable, Equatable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    /// The hash of a text's bytes in UTF-8.
    public static func of(_ text: String) -> UInt64 {
        var hash = FNV1a()
        for byte in text.utf8 { hash.add(byte) }
        return hash.value
    }

    public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
