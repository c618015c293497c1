/// A decimal number as a sentence writes it: all its digits as one integer, and how many of them follow the decimal
/// point.
struct FixedPoint {
    var units: Int64
    /// The digits before the decimal point, as an integer.
    var whole: Int64
    /// How many digits follow the decimal point, 0 to 18.
    var decimals: Int

    /// Reads a field; nil where it is empty, not a number, or has more than 18 digits.
    @inline(__always)
    init?(_ field: Range<Int>, in bytes: borrowing Span<UInt8>) {
        guard !field.isEmpty else { return nil }
        if let short = FixedPoint(short: field, in: bytes) {
            self = short
        } else {
            self.init(any: field, in: bytes)
        }
    }

    /// Reads a number without a sign that has up to eight characters, or a decimal point and up to eight digits on each
    /// side of it.
    ///
    /// Nearly all fields are such numbers; nil for any other field.
    @inline(__always)
    private init?(short field: Range<Int>, in bytes: borrowing Span<UInt8>) {
        guard let end = EightDigits(bytes, upTo: field.upperBound, count: min(field.count, 8)) else { return nil }
        let decimals = end.digitsBehindPoint
        if field.count <= 8 {
            guard field.count > (decimals < 8 ? 1 : 0) else { return nil }
            guard let units = end.withoutPoint(decimals).value else { return nil }
            let count = decimals & 7
            self.init(units: Int64(units), whole: Int64(units) / FixedPoint.integerPower(count), decimals: count)
            return
        }
        // The decimal point of a longer number must be among its last eight characters, or directly before them.
        let whole = field.count &- 1 &- decimals
        guard whole <= 8, bytes[field.upperBound &- decimals &- 1] == 0x2E,
            let units = EightDigits(bytes, upTo: field.lowerBound &+ whole, count: whole)?.value,
            let rest = end.last(decimals).value
        else { return nil }
        self.init(
            units: Int64(units) &* FixedPoint.integerPower(decimals) &+ Int64(rest), whole: Int64(units),
            decimals: decimals)
    }

    @inline(__always)
    private init(units: Int64, whole: Int64, decimals: Int) {
        self.units = units
        self.whole = whole
        self.decimals = decimals
    }

    private init?(any field: Range<Int>, in bytes: borrowing Span<UInt8>) {
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
        whole = units / FixedPoint.integerPower(fraction)
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

/// Up to eight bytes of a sentence, which are read as digits in one step.
struct EightDigits {
    /// Each byte minus the character '0', the last byte in the highest place; unused places hold zeros.
    private var word: UInt64

    @inline(__always)
    private init(_ word: UInt64) { self.word = word }

    /// The last `count` bytes, 0 to 8, before `end`; nil where fewer than the eight bytes that are read precede `end`.
    @inline(__always)
    init?(_ bytes: borrowing Span<UInt8>, upTo end: Int, count: Int) {
        guard end >= 8, end <= bytes.count else { return nil }
        // Safety: the bounds are checked above, and every bit pattern is a UInt64.
        let raw = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 8, as: UInt64.self)
        self = EightDigits(raw.littleEndian ^ SWAR.repeated(0x30)).last(count)
    }

    /// The last `count` digits; the other places become zeros.
    @inline(__always)
    func last(_ count: Int) -> EightDigits {
        // 0 digits are treated apart: the shift would be by 64 bits, which the processor takes as a shift by 0.
        EightDigits(count == 0 ? 0 : word & ~0 &<< (64 &- UInt64(truncatingIfNeeded: count) &* 8))
    }

    /// How many bytes follow the last decimal point; eight where the bytes hold no point.
    @inline(__always)
    var digitsBehindPoint: Int {
        SWAR.zeroBytes(word ^ SWAR.repeated(0x2E ^ 0x30)).leadingZeroBitCount &>> 3
    }

    /// The digits with the decimal point removed; the point stands before the last `decimals` digits, and 8 means that
    /// there is none.
    @inline(__always)
    func withoutPoint(_ decimals: Int) -> EightDigits {
        guard decimals < 8 else { return self }
        let behind = last(decimals).word
        let before = word & ~(~0 &<< (56 &- UInt64(truncatingIfNeeded: decimals) &* 8))
        return EightDigits(behind | before &<< 8)
    }

    /// The last six bytes as three numbers of two digits; nil where a byte is not a digit.
    @inline(__always)
    var lastThreePairs: (Int, Int, Int)? {
        guard SWAR.areDigits(word) else { return nil }
        let pairs = SWAR.pairs(word)
        return (SWAR.byte(2, of: pairs), SWAR.byte(4, of: pairs), SWAR.byte(6, of: pairs))
    }

    /// The number that the bytes write; nil where a byte is not a digit.
    ///
    /// Digits are joined to pairs, pairs to fours and fours to eight, with one multiplication each.
    @inline(__always)
    var value: Int? {
        guard SWAR.areDigits(word) else { return nil }
        let pairs = SWAR.pairs(word)
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let upper = (pairs & mask) &* 0x000F_4240_0000_0064
        let lower = (pairs &>> 16 & mask) &* 0x0000_2710_0000_0001
        return Int(truncatingIfNeeded: (upper &+ lower) &>> 32)
    }
}

/// Up to four bytes of a sentence, which are read as digits in one step; most whole numbers in sentences have at most
/// four digits.
struct FourDigits {
    private var word: UInt32

    /// The last `count` bytes, 1 to 4, before `end`; nil where fewer than the four bytes that are read precede `end`.
    @inline(__always)
    init?(_ bytes: borrowing Span<UInt8>, upTo end: Int, count: Int) {
        guard end >= 4, end <= bytes.count else { return nil }
        // Safety: the bounds are checked above, and every bit pattern is a UInt32.
        let raw = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 4, as: UInt32.self)
        word = (raw.littleEndian ^ 0x3030_3030) & ~0 &<< (32 &- UInt32(truncatingIfNeeded: count) &* 8)
    }

    /// The number that the bytes write; nil where a byte is not a digit.
    @inline(__always)
    var value: Int? {
        guard ((word &+ 0x7676_7676) | word) & 0x8080_8080 == 0 else { return nil }
        let pairs = word &* 10 &+ word &>> 8
        return Int(truncatingIfNeeded: (pairs & 0xFF) &* 100 &+ (pairs &>> 16 & 0xFF))
    }
}
