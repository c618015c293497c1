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
        let table = MarkPositions.table
        var places = fields.separators.mutableSpan
        var count = 1
        let match = match(bytes, by: table.span, to: &places, &count)
        fields.separatorCount = count
        return match
    }

    @inline(__always)
    private static func match(
        _ bytes: borrowing Span<UInt8>, by positions: borrowing Span<SIMD8<UInt16>>,
        to places: inout MutableSpan<UInt16>, _ count: inout Int
    ) -> Match {
        // The checksum's digits follow the star.
        let lastStar = maximumLength - 3
        let limit = min(bytes.count, lastStar + 1)
        precondition(places.count == NMEAFields.placeCount && positions.count == 256)
        var folded: UInt64 = 0
        var offset = 1
        // Safety: a byte has no padding that raw bytes could show.
        let raw = unsafe bytes.bytes
        // Eight bytes a turn, as far as the first that is neither a comma nor the usual text.
        while offset &+ 8 <= limit {
            // Safety: offset + 8 is within the span, and a UInt64 may be read from any bytes.
            let word = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).littleEndian
            let unusual = SWAR.unusualText(word)
            guard unusual != 0 else {
                folded ^= word
                NMEAFields.append(marks: SWAR.commas(word), from: offset, by: positions, to: &places, &count)
                offset &+= 8
                continue
            }
            let usual = unusual.trailingZeroBitCount & ~7
            let mask = (1 &<< UInt64(truncatingIfNeeded: usual)) &- 1
            folded ^= word & mask
            NMEAFields.append(marks: SWAR.commas(word) & mask, from: offset, by: positions, to: &places, &count)
            offset &+= usual &>> 3
            let byte = bytes[offset]
            if byte == 0x2A {
                return finish(bytes, star: offset, checksum: SWAR.foldXOR(folded), &places, &count)
            }
            guard byte >= 0x20, byte <= 0x7E, byte != 0x24 else { return .mismatch }
            folded ^= UInt64(byte)
            offset &+= 1
        }
        var checksum = SWAR.foldXOR(folded)
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

/// Arithmetic on eight bytes in one word.
///
/// Source: H. S. Warren, Hacker's Delight, section 6-1.
enum SWAR {
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// 0x80 in every byte of `word` that is zero, exactly.
    @inline(__always)
    static func zeroBytes(_ word: UInt64) -> UInt64 {
        let low = repeated(0x7F)
        return ~(((word & low) &+ low) | word | low)
    }

    /// 0x80 in the first byte of `word` that is below '+' (a '*', a '$', a space, a control character) or over '~'; bytes
    /// behind it may be marked wrongly.
    @inline(__always)
    static func unusualText(_ word: UInt64) -> UInt64 {
        let low = (word &- repeated(0x2B)) & ~word
        let high = (word &+ repeated(0x01)) | word
        return (low | high) & repeated(0x80)
    }

    /// 0x80 in every byte of `word` that is a comma, as far as the first over 0x7F.
    @inline(__always)
    static func commas(_ word: UInt64) -> UInt64 {
        ~((word ^ repeated(0x2C)) &+ repeated(0x7F)) & repeated(0x80)
    }

    @inline(__always)
    static func foldXOR(_ word: UInt64) -> UInt8 {
        var folded = word ^ (word >> 32)
        folded ^= folded >> 16
        folded ^= folded >> 8
        return UInt8(truncatingIfNeeded: folded)
    }
}
