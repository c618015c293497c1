/// Finds checked sentences in a byte window, and where their fields lie.
///
/// A sentence is `$` (or `!`), printable ASCII, `*` and two hexadecimal digits that hold the XOR of everything between;
/// the line end after it belongs to nobody. A checksum is required. Source: NMEA 0183 version 4.11, section 5.3.
public enum NMEAFraming {
    /// The longest sentence accepted, from `$` to the last checksum digit.
    ///
    /// The standard allows 82 with the line end; PUBX,03 of a full sky and several vendors' sentences are longer.
    public static let maximumLength = 1024

    /// What a window that begins with a `$` or `!` holds.
    public enum Match: Sendable, Equatable {
        case mismatch
        /// The shape is right and the checksum is wrong.
        case badChecksum
        /// More bytes are needed to tell.
        case incomplete
        /// A checked sentence of this many bytes.
        case sentence(length: Int)
    }

    /// Looks at the window's start; on `.sentence`, `fields` says where the fields lie.
    @inline(__always)
    public static func match(_ bytes: borrowing Span<UInt8>, fields: inout NMEAFields) -> Match {
        guard bytes[0] == 0x24 || bytes[0] == 0x21 else { return .mismatch }
        // The checksum's digits follow the star.
        let lastStar = maximumLength - 3
        let limit = min(bytes.count, lastStar + 1)
        fields.reset()
        var folded: UInt64 = 0
        var offset = 1
        // Eight bytes a turn: the exact "which bytes are zero" trick on the difference from ',' finds the fields, and a
        // turn with '*', a control character or a byte over 0x7E is left to the loop below.
        while offset + 8 <= limit {
            // Safety: offset + 8 is within the span, and a UInt64 may be read from any bytes.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
            guard SWAR.holdsOnlyText(word) else { break }
            folded ^= word
            var commas = SWAR.zeroBytes(word ^ SWAR.repeated(0x2C))
            while commas != 0 {
                fields.append(separator: offset &+ commas.trailingZeroBitCount &>> 3)
                commas &= commas &- 1
            }
            offset &+= 8
        }
        var checksum = SWAR.foldXOR(folded)
        while offset < limit {
            let byte = bytes[offset]
            if byte == 0x2A { return finish(bytes, star: offset, checksum: checksum, fields: &fields) }
            guard byte >= 0x20, byte <= 0x7E, byte != 0x24 else { return .mismatch }
            if byte == 0x2C { fields.append(separator: offset) }
            checksum ^= byte
            offset &+= 1
        }
        return limit > lastStar ? .mismatch : .incomplete
    }

    private static func finish(
        _ bytes: borrowing Span<UInt8>, star: Int, checksum: UInt8, fields: inout NMEAFields
    ) -> Match {
        guard star + 2 < bytes.count else {
            return star + 1 < bytes.count && hexadecimal(bytes[star + 1]) == nil ? .mismatch : .incomplete
        }
        guard let high = hexadecimal(bytes[star + 1]), let low = hexadecimal(bytes[star + 2]) else { return .mismatch }
        guard high << 4 | low == checksum else { return .badChecksum }
        fields.append(separator: star)
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

/// Arithmetic on eight bytes in one word. Source: H. S. Warren, Hacker's Delight, section 6-1.
enum SWAR {
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// 0x80 in every byte of `word` that is zero, exactly.
    @inline(__always)
    static func zeroBytes(_ word: UInt64) -> UInt64 {
        let low = repeated(0x7F)
        return ~(((word & low) &+ low) | word | low)
    }

    /// Whether no byte is '*', '$', a control character or over 0x7E.
    @inline(__always)
    static func holdsOnlyText(_ word: UInt64) -> Bool {
        let high = repeated(0x80)
        let control = (word &- repeated(0x20)) & ~word
        let delete = (word &+ repeated(0x01)) | word
        return (control | delete) & high == 0 && zeroBytes(word ^ repeated(0x2A)) == 0
            && zeroBytes(word ^ repeated(0x24)) == 0
    }

    @inline(__always)
    static func foldXOR(_ word: UInt64) -> UInt8 {
        var folded = word ^ (word >> 32)
        folded ^= folded >> 16
        folded ^= folded >> 8
        return UInt8(truncatingIfNeeded: folded)
    }
}
