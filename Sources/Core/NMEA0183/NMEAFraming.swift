/// Finds sentences with a correct checksum at the start of received bytes, and the positions of their fields.
///
/// A sentence is `$` (or `!`), printable ASCII, `*` and two hexadecimal digits that hold the XOR of all bytes between
/// `$` and `*`. The line end after it is not part of the sentence. A checksum is required. Source: NMEA 0183 version
/// 4.11, section 5.3.
public enum NMEAFraming {
    /// The longest sentence accepted, from `$` to the last checksum digit.
    ///
    /// The standard allows 82 bytes with the line end; PUBX,03 with many satellites and several vendors' sentences are
    /// longer.
    public static let maximumLength = 1024

    /// What received bytes begin with.
    public enum Match: Sendable, Equatable {
        case mismatch
        /// The bytes have a sentence's form, but the checksum is wrong.
        case badChecksum
        /// More bytes are needed to tell whether a sentence begins here.
        case incomplete
        /// A sentence of this many bytes with a correct checksum.
        case sentence(length: Int)
    }

    /// Checks whether `bytes` begin with a sentence; if so, `fields` receives the positions of its fields.
    @inline(__always)
    public static func match(_ bytes: borrowing Span<UInt8>, fields: inout NMEAFields) -> Match {
        guard bytes[0] == 0x24 || bytes[0] == 0x21 else { return .mismatch }
        let table = MarkPositions.table
        var places = fields.separators.mutableSpan
        var count = 1
        let match = match(bytes, by: table.span, to: &places, &count)
        fields.separatorCount = count
        return match
    }

    @_lifetime(places: copy places)
    @inline(__always)
    private static func match(
        _ bytes: borrowing Span<UInt8>, by positions: borrowing Span<SIMD8<UInt16>>,
        to places: inout MutableSpan<UInt16>, _ count: inout Int
    ) -> Match {
        // The last possible offset of the `*`, which two checksum digits follow.
        let lastStar = maximumLength - 3
        let limit = min(bytes.count, lastStar + 1)
        precondition(places.count == NMEAFields.placeCount && positions.count == 256)
        var folded: UInt64 = 0
        var foldedSixteen = SIMD16<UInt8>()
        var offset = 1
        // Safety: a UInt8 has no padding bits, so its raw bytes are initialized.
        let raw = unsafe bytes.bytes
        // Each pass of the loop handles sixteen bytes, or fewer if one of them is unusual (below '+' or over '~'),
        // since such a byte needs treatment of its own.
        while offset &+ 16 <= limit {
            // Safety: `offset` + 16 is within the span, and every bit pattern is a valid vector.
            let text = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
            let marks = TextMarks(text)
            guard !marks.hasUnusual else {
                let usual = marks.usual
                let (first, second) = SWAR.words(of: text)
                folded ^= (first & usual.first) ^ (second & usual.second)
                NMEAFields.append(
                    commas: marks.first & usual.first, marks.second & usual.second, from: offset, by: positions,
                    to: &places, &count)
                offset &+= usual.count
                let byte = bytes[offset]
                if byte == 0x2A {
                    let checksum = SWAR.foldXOR(folded ^ SWAR.foldXOR(foldedSixteen))
                    return finish(bytes, star: offset, checksum: checksum, &places, &count)
                }
                guard byte >= 0x20, byte <= 0x7E, byte != 0x24 else { return .mismatch }
                folded ^= UInt64(byte)
                offset &+= 1
                continue
            }
            foldedSixteen = foldedSixteen ^ text
            NMEAFields.append(commas: marks.first, marks.second, from: offset, by: positions, to: &places, &count)
            offset &+= 16
        }
        var checksum = SWAR.foldXOR(folded ^ SWAR.foldXOR(foldedSixteen))
        while offset < limit {
            let byte = bytes[offset]
            if byte == 0x2A {
                return finish(bytes, star: offset, checksum: checksum, &places, &count)
            }
            guard byte >= 0x20, byte <= 0x7E, byte != 0x24 else { return .mismatch }
            if byte == 0x2C { NMEAFields.append(separator: offset, to: &places, &count) }
            checksum ^= byte
            offset &+= 1
        }
        return limit > lastStar ? .mismatch : .incomplete
    }

    @_lifetime(places: copy places)
    private static func finish(
        _ bytes: borrowing Span<UInt8>, star: Int, checksum: UInt8, _ places: inout MutableSpan<UInt16>,
        _ count: inout Int
    ) -> Match {
        guard star + 2 < bytes.count else {
            return star + 1 < bytes.count && hexadecimal(bytes[star + 1]) == nil ? .mismatch : .incomplete
        }
        guard let high = hexadecimal(bytes[star + 1]), let low = hexadecimal(bytes[star + 2]) else { return .mismatch }
        guard high << 4 | low == checksum else { return .badChecksum }
        NMEAFields.append(separator: star, to: &places, &count)
        return .sentence(length: star + 3)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// For each of sixteen bytes of a sentence, one byte that marks a comma or an unusual byte (below '+' or over '~').
private struct TextMarks {
    /// The marks of the first eight bytes.
    ///
    /// A mark is 0x01 for a comma; 0xFF for a byte below '+' (a '*', a '$', a space, a control character) or over '~';
    /// else 0.
    var first: UInt64
    var second: UInt64

    @inline(__always)
    init(_ text: SIMD16<UInt8>) {
        // Only vectors are used, because the compiler turns code that mixes vectors and scalars into sixteen separate
        // steps.
        let commas = SIMD16<UInt8>().replacing(with: TextMarks.all(0x01), where: text .== TextMarks.all(0x2C))
        let isUnusual = (text &- TextMarks.all(0x2B)) .> TextMarks.all(0x7E - 0x2B)
        (first, second) = SWAR.words(of: commas.replacing(with: TextMarks.all(0xFF), where: isUnusual))
    }

    @inline(__always)
    private static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

    @inline(__always)
    var hasUnusual: Bool { (first | second) & SWAR.repeated(0x80) != 0 }

    /// The number of bytes before the first unusual one (below '+' or over '~'), and two words with 0xFF for each of
    /// those bytes; to be called only if there is an unusual one.
    @inline(__always)
    var usual: (count: Int, first: UInt64, second: UInt64) {
        let (unusualFirst, unusualSecond) = (first & SWAR.repeated(0x80), second & SWAR.repeated(0x80))
        guard unusualFirst == 0 else { return (unusualFirst.trailingZeroBitCount &>> 3, SWAR.before(unusualFirst), 0) }
        return (8 &+ unusualSecond.trailingZeroBitCount &>> 3, ~0, SWAR.before(unusualSecond))
    }
}

/// Arithmetic on eight bytes at once in one 64-bit word (SWAR).
///
/// Source: H. S. Warren, Hacker's Delight, section 6-1.
enum SWAR {
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// A word with 0x80 where a byte of `word` is zero, and 0 in all other bytes.
    @inline(__always)
    static func zeroBytes(_ word: UInt64) -> UInt64 {
        let low = repeated(0x7F)
        return ~(((word & low) &+ low) | word | low)
    }

    /// Whether every byte of `word` is 0 to 9.
    @inline(__always)
    static func areDigits(_ word: UInt64) -> Bool { ((word &+ repeated(0x76)) | word) & repeated(0x80) == 0 }

    /// For each byte of a word of digits, the two-digit number that this byte and the next one write.
    @inline(__always)
    static func pairs(_ word: UInt64) -> UInt64 { word &* 10 &+ word &>> 8 }

    @inline(__always)
    static func byte(_ index: UInt64, of word: UInt64) -> Int {
        Int(truncatingIfNeeded: word &>> (index &* 8) & 0xFF)
    }

    /// A word with 0xFF in every byte before the first byte of `marks` whose highest bit is set.
    @inline(__always)
    static func before(_ marks: UInt64) -> UInt64 {
        let lowest = marks &>> 7
        return (lowest &- 1) & ~lowest
    }

    @inline(__always)
    static func words(of bytes: SIMD16<UInt8>) -> (first: UInt64, second: UInt64) {
        // Safety: both types are sixteen bytes, and every bit pattern is valid.
        let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        return (words[0].littleEndian, words[1].littleEndian)
    }

    /// The XOR of the first eight bytes with the last eight.
    @inline(__always)
    static func foldXOR(_ bytes: SIMD16<UInt8>) -> UInt64 {
        let (first, second) = words(of: bytes)
        return first ^ second
    }

    @inline(__always)
    static func foldXOR(_ word: UInt64) -> UInt8 {
        var folded = word ^ (word >> 32)
        folded ^= folded >> 16
        folded ^= folded >> 8
        return UInt8(truncatingIfNeeded: folded)
    }
}
