/// Where the fields of one sentence lie.
///
/// Field 0 is the address (`GPGGA`), field 1 the first value. Offsets count from the sentence's `$`.
public struct NMEAFields: Sendable {
    /// Fields past this many are not indexed; no sentence decoded here has more.
    public static let capacity = 63

    /// Separator `i` stands before field `i`; the first is the `$` itself, the last the `*`.
    ///
    /// There are 64 places, and 16 behind them for what a step of the framing writes before it knows how much is wanted.
    /// An array and not part of the value: a sentence's fields are lent a dozen times and never copied.
    var separators = [UInt16](repeating: 0, count: placeCount)
    var separatorCount = 1
    static let placeCount = 80

    public init() {}

    /// How many fields there are, the address included.
    public var count: Int { separatorCount - 1 }

    @inline(__always)
    static func append(separator offset: Int, to places: inout MutableSpan<UInt16>, _ count: inout Int) {
        guard count <= capacity else { return }
        places[count] = UInt16(truncatingIfNeeded: offset)
        count &+= 1
    }

    /// Appends the separators that two words of the sentence hold: 0x01 in each byte that is one, else 0.
    ///
    /// Eight are written for each without asking how many there are, which costs less than a loop whose length cannot be
    /// foreseen.
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

    /// - Parameter count: 72 at most; up to eight more when it returns.
    @_lifetime(places: copy places)
    @inline(__always)
    private static func write(
        _ bits: UInt64, from offset: Int, by positions: borrowing Span<SIMD8<UInt16>>,
        to places: inout MutableSpan<UInt16>, _ count: inout Int
    ) {
        // The product's highest byte gathers the bits, and in the other product counts them.
        let pattern = Int(truncatingIfNeeded: (bits &* 0x0102_0408_1020_4080) &>> 56)
        let found = Int(truncatingIfNeeded: (bits &* 0x0101_0101_0101_0101) &>> 56)
        // Safety: a pattern has eight bits, and there are 256 positions.
        let written = unsafe positions[unchecked: pattern] &+ SIMD8(repeating: UInt16(truncatingIfNeeded: offset))
        var target = unsafe places.mutableBytes
        // Safety: a count is never over 72 here, and there are 80 places of two bytes.
        unsafe target.storeBytes(of: written, toUncheckedByteOffset: count &* 2, as: SIMD8<UInt16>.self)
        count &+= found
    }

    /// The bytes of one field, without its separators; empty where there is no such field.
    @inline(__always)
    public func range(_ index: Int) -> Range<Int> {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0..<0 }
        let places = separators.span
        // Safety: `count` is 63 at most, and there are 80 places; separators are kept in the order in which they stand.
        return unsafe Range(uncheckedBounds: (Int(places[unchecked: index]) &+ 1, Int(places[unchecked: index &+ 1])))
    }

    /// Where field `index` begins, its separator counted, and how many bytes behind that the next four fields' separators
    /// stand, 16 bits each; nil where there are not four fields from `index` on.
    @inline(__always)
    func nextFour(_ index: Int) -> (start: Int, ends: UInt64)? {
        guard index >= 0, index &+ 4 < separatorCount else { return nil }
        let places = separators.span
        // Safety: `separatorCount` is 64 at most, and there are 80 places; a word of them may be read from any bytes.
        let (start, next) = unsafe (
            places[unchecked: index],
            places.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: (index &+ 1) &* 2, as: UInt64.self)
        )
        // Separators are kept in the order in which they stand, so that no place borrows from its neighbour.
        return (Int(start), next.littleEndian &- UInt64(start) &* 0x0001_0001_0001_0001)
    }

    @inline(__always)
    public func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

    /// The field's first character, or nil where it is empty.
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

    /// A decimal number as the nearest `Double`; nil where the field is empty or not a number.
    ///
    /// The digits are read as one integer and divided once by a power of ten, so the result is the correctly rounded one
    /// for up to 15 digits.
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

    /// Six digits as three numbers of two; nil where one is no digit.
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

/// Where the marked bytes of a word are, for each of the 256 patterns of marks.
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
