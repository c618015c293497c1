public import SextantUnits

extension TextBuffer {
    /// Appends a number with a fixed count of decimals, rounded half away from zero.
    ///
    /// - Returns: False, with nothing appended, if the value is not finite, or too large for 64 bits when multiplied by
    ///   ten to the power of `decimals`.
    @discardableResult
    public mutating func append(_ value: Double, decimals: Int) -> Bool {
        let scaled = value * TextBuffer.powers[decimals]
        guard abs(scaled) < 9e18 else { return false }
        // The fraction is computed exactly, so this rounds as `rounded(.toNearestOrAwayFromZero)` does, but without a
        // call into libm.
        let whole = Int64(scaled)
        let rest = scaled - Double(whole)
        append(rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole, decimals: decimals)
        return true
    }

    /// Appends the decimal number `units` divided by ten to the power of `decimals`, which is at most 18.
    public mutating func append(_ units: Int64, decimals: Int) {
        precondition(decimals <= 18)
        reserve(24)
        if units < 0 { append(0x2D) }
        let magnitude = units.magnitude
        guard decimals > 0 else {
            writeDigits(magnitude, count: TextBuffer.digitCount(magnitude))
            return
        }
        let power = TextBuffer.integerPowers[decimals]
        let whole = magnitude / power
        writeDigits(whole, count: TextBuffer.digitCount(whole))
        append(0x2E)
        writeDigits(magnitude &- whole &* power, count: decimals)
    }

    /// Appends an integer of any type; values outside the range of `Int64` are clamped to it.
    @inlinable @inline(__always)
    public mutating func append(number: some FixedWidthInteger) {
        let value = Int64(clamping: number)
        guard value.magnitude < 1000 else {
            append(value, decimals: 0)
            return
        }
        reserve(5)
        if value < 0 {
            // Safety: five bytes were reserved, and a number from −999 to 999 has at most a sign and three digits.
            unsafe base[end] = 0x2D
            end &+= 1
        }
        writeSmall(Int(truncatingIfNeeded: value.magnitude))
    }

    /// Appends a whole number with exactly `width` digits, with leading zeros if necessary.
    public mutating func append(_ value: Int, width: Int) {
        reserve(width)
        writeDigits(UInt64(value), count: width)
    }

    /// Appends an instant as ISO 8601 in UTC with milliseconds: `2026-11-20T12:34:56.789Z`.
    public mutating func append(_ instant: UTCInstant) {
        let rounded = instant.roundedToMillisecond
        let date = rounded.date
        let milliseconds = Int(rounded.timeOfDay / 1_000_000)
        append(Int(date.year), width: 4)
        append(0x2D)
        append(Int(date.month), width: 2)
        append(0x2D)
        append(Int(date.day), width: 2)
        append(0x54)
        append(milliseconds / 3_600_000, width: 2)
        append(0x3A)
        append(milliseconds / 60_000 % 60, width: 2)
        append(0x3A)
        append(milliseconds / 1000 % 60, width: 2)
        append(0x2E)
        append(milliseconds % 1000, width: 3)
        append(0x5A)
    }
}

extension TextBuffer {
    /// Writes a number from 0 to 999 without leading zeros, and without a branch, because a list of satellites has very
    /// many such numbers.
    @inlinable @inline(__always)
    mutating func writeSmall(_ value: Int) {
        // 5243 / 2^19 stands for 1/100, exactly enough for three digits, and 103 / 2^10 for 1/10, exactly enough for
        // two.
        let hundreds = (value &* 5243) &>> 19
        let rest = value &- hundreds &* 100
        let tens = (rest &* 103) &>> 10
        let digits = hundreds | tens &<< 8 | (rest &- tens &* 10) &<< 16 | 0x30_30_30
        let leadingZeros = (value < 100 ? 1 : 0) &+ (value < 10 ? 1 : 0)
        let text = UInt32(truncatingIfNeeded: digits &>> (leadingZeros &* 8)).littleEndian
        // Safety: the caller reserved four bytes; bytes written after the last digit are overwritten by whatever is
        // appended next.
        unsafe UnsafeMutableRawPointer(base + end).storeBytes(of: text, as: UInt32.self)
        end &+= 3 &- leadingZeros
    }

    /// Writes the last `count` digits of a number, two at a time from the right; the caller must have reserved room for
    /// them.
    @inline(__always)
    private mutating func writeDigits(_ value: UInt64, count: Int) {
        var rest = value
        var place = end &+ count
        let start = end
        end = place
        while place &- start >= 2 {
            let pair = Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            place &-= 2
            // Safety: `place` lies in the bytes that the caller reserved, and `pair` is below 200, the length of the
            // table of digit pairs.
            unsafe base[place] = TextBuffer.pairs.utf8Start[pair]
            unsafe base[place &+ 1] = TextBuffer.pairs.utf8Start[pair &+ 1]
        }
        // Safety: for an odd count one digit is left, and the byte at `start` is among those that the caller reserved.
        if place > start { unsafe base[start] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30 }
    }

    /// The number of decimal digits of an integer (1 for zero), estimated from its length in bits and then corrected by
    /// at most one.
    @inline(__always)
    private static func digitCount(_ value: UInt64) -> Int {
        let bits = 64 &- (value | 1).leadingZeroBitCount
        // 1233 / 4096 stands for log10(2), exactly enough for numbers of 64 bits.
        let estimate = (bits &* 1233) &>> 12
        return value >= integerPowers[estimate] ? estimate &+ 1 : max(estimate, 1)
    }

    private static let pairs: StaticString = """
        000102030405060708091011121314151617181920212223242526272829303132333435363738394041424344454647484950515253\
        54555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    private static let powers: InlineArray<13, Double> = [
        1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    ]

    private static let integerPowers: InlineArray<20, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
