/// The positions of one sentence's fields.
///
/// Field 0 is the address (`GPGGA`), field 1 the first value. Offsets count from the sentence's `$`.
public struct NMEAFields: Sendable {
    /// The largest number of fields that are indexed; no sentence decoded here has more.
    public static let capacity = 63

    /// The offsets of the separators in the sentence: element `i` is the one before field `i`; the first is the `$`,
    /// the last the `*`.
    ///
    /// The array has 64 elements, and 16 spare ones because the framing handles 16 bytes at a time and always writes
    /// eight elements for each eight bytes. It is an array, not inline storage, because a sentence's fields are passed
    /// on a dozen times but never copied.
    var separators = [UInt16](repeating: 0, count: placeCount)
    var separatorCount = 1
    static let placeCount = 80

    public init() {}

    /// How many fields the sentence has, its address included.
    public var count: Int { separatorCount - 1 }

    @inline(__always)
    static func append(separator offset: Int, to places: inout MutableSpan<UInt16>, _ count: inout Int) {
        guard count <= capacity else { return }
        places[count] = UInt16(truncatingIfNeeded: offset)
        count &+= 1
    }

    /// Appends the separators among 16 bytes of the sentence, which two words describe: a byte of a word is 0x01 for a
    /// separator and 0 otherwise.
    ///
    /// Eight array elements are written for each word, however many separators it has, which costs less than a loop of
    /// unpredictable length.
    @_lifetime(places: copy places)
    @inline(__always)
    static func append(
        commas first: UInt64, _ second: UInt64, from offset: Int, by positions: borrowing Span<SIMD8<UInt16>>,
        to places: inout MutableSpan<UInt16>, _ count: inout Int
    ) {
        write(first, from: offset, by: positions, to: &places, &count)
        write(second, from: offset &+ 8, by: positions, to: &places, &count)
        count = min(count, capacity &+ 1)
    }

    /// Appends the positions of the separators among eight bytes of the sentence; `bits` has 0x01 in the place of each
    /// separator.
    ///
    /// - Parameter count: The number of separators so far, at most 72; it grows by up to eight.
    @_lifetime(places: copy places)
    @inline(__always)
    private static func write(
        _ bits: UInt64, from offset: Int, by positions: borrowing Span<SIMD8<UInt16>>,
        to places: inout MutableSpan<UInt16>, _ count: inout Int
    ) {
        // Each number is the highest byte of a product: `pattern` has one bit set for each separator, and `found` is
        // the number of separators.
        let pattern = Int(truncatingIfNeeded: (bits &* 0x0102_0408_1020_4080) &>> 56)
        let found = Int(truncatingIfNeeded: (bits &* 0x0101_0101_0101_0101) &>> 56)
        // Safety: a pattern has eight bits, and `positions` has 256 entries.
        let written = unsafe positions[unchecked: pattern] &+ SIMD8(repeating: UInt16(truncatingIfNeeded: offset))
        var target = unsafe places.mutableBytes
        // Safety: `count` is at most 72 here, and the array has 80 elements of two bytes.
        unsafe target.storeBytes(of: written, toUncheckedByteOffset: count &* 2, as: SIMD8<UInt16>.self)
        count &+= found
    }

    /// Where one field is in the sentence, without its separators; empty where the sentence has no such field.
    @inline(__always)
    public func range(_ index: Int) -> Range<Int> {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0..<0 }
        let places = separators.span
        // Safety: `count` is at most 63, and the array has 80 elements; separators are stored in ascending order.
        return unsafe Range(uncheckedBounds: (Int(places[unchecked: index]) &+ 1, Int(places[unchecked: index &+ 1])))
    }

    /// The offset of the separator before field `index`, and the distances in bytes from that separator to the next
    /// four.
    ///
    /// The distances are 16 bits each in one word. Nil where fewer than four fields follow from `index` on.
    @inline(__always)
    func nextFour(_ index: Int) -> (start: Int, ends: UInt64)? {
        guard index >= 0, index &+ 4 < separatorCount else { return nil }
        let places = separators.span
        // Safety: `separatorCount` is at most 64, and the array has 80 elements; four elements can be read as one word
        // at any alignment.
        let (start, next) = unsafe (
            places[unchecked: index],
            places.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: (index &+ 1) &* 2, as: UInt64.self)
        )
        // The offsets ascend, so no 16-bit difference is negative, and none borrows from the next one in the word.
        return (Int(start), next.littleEndian &- UInt64(start) &* 0x0001_0001_0001_0001)
    }

    @inline(__always)
    public func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

    /// The field's first character; nil where the field is empty.
    @inline(__always)
    public func character(_ index: Int, in bytes: borrowing Span<UInt8>) -> UInt8? {
        let field = range(index)
        return field.isEmpty ? nil : bytes[field.lowerBound]
    }

    /// An unsigned whole number of up to nine digits; nil where the field is empty or not such a number.
    @inline(__always)
    public func integer(_ index: Int, in bytes: borrowing Span<UInt8>) -> Int? {
        let field = range(index)
        guard !field.isEmpty else { return nil }
        if field.count <= 4, let word = FourDigits(bytes, upTo: field.upperBound, count: field.count) {
            return word.value
        }
        return NMEAFields.longInteger(bytes, field)
    }

    /// A decimal number as a `Double`; nil where the field is empty or not a number.
    ///
    /// The digits are read as one integer and divided once by a power of ten, so the result is correctly rounded for up
    /// to 15 digits.
    @inline(__always)
    public func decimal(_ index: Int, in bytes: borrowing Span<UInt8>) -> Double? {
        FixedPoint(range(index), in: bytes)?.value
    }

    @inline(never)
    private static func longInteger(_ bytes: borrowing Span<UInt8>, _ field: Range<Int>) -> Int? {
        field.count <= 9 ? digits(bytes, field) : nil
    }

    @inline(__always)
    static func digits(_ bytes: borrowing Span<UInt8>, _ field: Range<Int>) -> Int? {
        if field.count <= 8, let word = EightDigits(bytes, upTo: field.upperBound, count: field.count) {
            return word.value
        }
        return digitsOneByOne(bytes, field)
    }

    /// Six digits as three numbers of two digits; nil where a byte is not a digit.
    @inline(__always)
    static func threePairs(_ bytes: borrowing Span<UInt8>, _ field: Range<Int>) -> (Int, Int, Int)? {
        if let word = EightDigits(bytes, upTo: field.upperBound, count: 6) { return word.lastThreePairs }
        return digitsOneByOne(bytes, field).map { ($0 / 10_000, $0 / 100 % 100, $0 % 100) }
    }

    private static func digitsOneByOne(_ bytes: borrowing Span<UInt8>, _ field: Range<Int>) -> Int? {
        var value = 0
        var offset = field.lowerBound
        while offset < field.upperBound {
            let digit = bytes[offset] &- 0x30
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
            offset &+= 1
        }
        return value
    }
}

/// For each of the 256 values of a byte, the positions of the bits that are set in it.
enum MarkPositions {
    static let table: [SIMD8<UInt16>] = (0..<256).map { pattern in
        var positions = SIMD8<UInt16>()
        var count = 0
        for position in 0..<8 where pattern >> position & 1 == 1 {
            positions[count] = UInt16(position)
            count += 1
        }
        return positions
    }
}
