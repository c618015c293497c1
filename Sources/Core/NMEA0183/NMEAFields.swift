/// Where the fields of one sentence lie.
///
/// Field 0 is the address (`GPGGA`), field 1 the first value. Offsets count from the sentence's `$`.
public struct NMEAFields: Sendable {
    /// Fields past this many are not indexed; no sentence decoded here has more.
    public static let capacity = 63

    /// Separator `i` stands before field `i`; the first is the `$` itself, the last the `*`.
    private var separators = InlineArray<64, UInt16>(repeating: 0)
    private var separatorCount = 1

    public init() {}

    /// How many fields there are, the address included.
    public var count: Int { separatorCount - 1 }

    @inline(__always)
    mutating func reset() { separatorCount = 1 }

    @inline(__always)
    mutating func append(separator offset: Int) {
        guard separatorCount <= NMEAFields.capacity else { return }
        separators[separatorCount] = UInt16(truncatingIfNeeded: offset)
        separatorCount &+= 1
    }

    /// The bytes of one field, without its separators; empty where there is no such field.
    @inline(__always)
    public func range(_ index: Int) -> Range<Int> {
        guard index < count else { return 0..<0 }
        return Int(separators[index]) + 1..<Int(separators[index + 1])
    }

    @inline(__always)
    public func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

    /// The field's first character, or nil where it is empty.
    @inline(__always)
    public func character(_ index: Int, in bytes: borrowing Span<UInt8>) -> UInt8? {
        let field = range(index)
        return field.isEmpty ? nil : bytes[field.lowerBound]
    }

    /// An unsigned whole number of up to nine digits; nil where the field is empty or is none.
    @inline(__always)
    public func integer(_ index: Int, in bytes: borrowing Span<UInt8>) -> Int? {
        let field = range(index)
        guard !field.isEmpty, field.count <= 9 else { return nil }
        return NMEAFields.digits(bytes, field)
    }

    /// A decimal number as the nearest `Double`; nil where the field is empty or is none.
    ///
    /// The digits are read as one integer and divided once by a power of ten, so the result is the correctly rounded one
    /// for up to 15 digits.
    @inline(__always)
    public func decimal(_ index: Int, in bytes: borrowing Span<UInt8>) -> Double? {
        FixedPoint(range(index), in: bytes)?.value
    }

    @inline(__always)
    static func digits(_ bytes: borrowing Span<UInt8>, _ field: Range<Int>) -> Int? {
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

/// A decimal number as it stands in a sentence: an integer and how many of its digits are decimals.
struct FixedPoint {
    var units: Int64
    /// 0 to 18.
    var decimals: Int

    /// Nil where the field is empty, is no number, or has more than 18 digits.
    @inline(__always)
    init?(_ field: Range<Int>, in bytes: borrowing Span<UInt8>) {
        var offset = field.lowerBound
        let end = field.upperBound
        guard offset < end else { return nil }
        let sign = bytes[offset]
        if sign == 0x2D || sign == 0x2B { offset &+= 1 }
        guard end - offset <= 19 else { return nil }
        var value: Int64 = 0
        var digitCount = 0
        var fraction = 0
        var point = false
        while offset < end {
            let digit = bytes[offset] &- 0x30
            if digit <= 9 {
                value = value &* 10 &+ Int64(digit)
                digitCount &+= 1
                fraction &+= point ? 1 : 0
            } else {
                guard bytes[offset] == 0x2E, !point else { return nil }
                point = true
            }
            offset &+= 1
        }
        guard digitCount > 0, digitCount <= 18 else { return nil }
        units = sign == 0x2D ? -value : value
        decimals = fraction
    }

    @inline(__always)
    var value: Double {
        decimals == 0 ? Double(units) : Double(units) / FixedPoint.power(decimals)
    }

    /// Ten to the `exponent`, exact for 0 to 18.
    @inline(__always)
    static func power(_ exponent: Int) -> Double { Double(integerPower(exponent)) }

    @inline(__always)
    static func integerPower(_ exponent: Int) -> Int64 { powers[exponent] }

    private static let powers: InlineArray<19, Int64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]
}
