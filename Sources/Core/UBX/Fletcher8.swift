/// The 8-bit Fletcher checksum of UBX frames (RFC 1145): two sums modulo 256.
///
/// It covers class, id, length and payload. Source: u-blox 8 / M8 receiver description (UBX-13003221), "UBX checksum".
public struct Fletcher8: Sendable, Hashable {
    /// The sum of the bytes.
    public var a: UInt8 = 0
    /// The sum of all the values that the first sum, `a`, takes, one after each byte.
    public var b: UInt8 = 0

    public init(of bytes: borrowing Span<UInt8>) {
        let width = 16
        let blocks = bytes.count / width
        if blocks > 0 { addBlocks(blocks, of: bytes) }
        for index in (blocks * width)..<bytes.count {
            a &+= bytes[index]
            b &+= a
        }
    }

    /// Adds whole blocks of 16 bytes; SIMD lane j adds up byte j of every block.
    ///
    /// Let x(k, j) be byte j of block k, both counted from 0, of K blocks of W = 16 bytes. Each x(k, j) is contained
    /// (W(K - k) - j) times in the sum `b`. Lane j of `columns` is the sum of x(k, j) over all k, and lane j of
    /// `running` the sum of (K - k) x(k, j), so b = W Σ running - Σ j columns. The sums are modulo 256, so 8-bit lanes
    /// suffice.
    @inline(__always)
    private mutating func addBlocks(_ blocks: Int, of bytes: borrowing Span<UInt8>) {
        // Safety: a UInt8 has no padding bits, so its raw bytes are initialized.
        let raw = unsafe bytes.bytes
        var columns = SIMD16<UInt8>(repeating: 0)
        var running = SIMD16<UInt8>(repeating: 0)
        for block in 0..<blocks {
            // Safety: the load checks its bounds, and every bit pattern is a SIMD16<UInt8>.
            unsafe columns &+= raw.unsafeLoadUnaligned(fromByteOffset: block &* 16, as: SIMD16<UInt8>.self)
            running &+= columns
        }
        a = Fletcher8.sum(columns)
        b = (Fletcher8.sum(running) &* 16) &- Fletcher8.sum(columns &* Fletcher8.lanes)
    }

    /// The sum of the lanes modulo 256: neighbouring lanes are added in 16 bits without overflow, and one
    /// multiplication adds the four 16-bit sums.
    @inline(__always)
    private static func sum(_ lanes: SIMD16<UInt8>) -> UInt8 {
        // Safety: both types are 16 bytes without padding.
        let words = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
        let even: UInt64 = 0x00FF_00FF_00FF_00FF
        let sums = (words[0] & even) &+ (words[0] &>> 8 & even) &+ (words[1] & even) &+ (words[1] &>> 8 & even)
        return UInt8(truncatingIfNeeded: (sums &* 0x0001_0001_0001_0001) &>> 48)
    }

    private static let lanes = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}
