/// A fast reader for numbers in the syntax of JSON, the form of nearly all numbers in a long text.
///
/// It reads directly from the bytes, because a request can have ten thousand numbers. Source of the grammar: RFC 8259,
/// section 6.
enum PlainNumber {
    /// The digits of a number without its exponent: their value as an integer, and how many there are after the point.
    private struct Digits {
        /// The value of all digits as one integer, as if there were no point; not valid if there are more than 19
        /// digits.
        var mantissa: UInt64 = 0
        var count = 0
        var decimals = 0
    }

    /// The value of the number that begins at an index, and the index after the number; nil if no complete number
    /// begins there, or if it is too large for a Double.
    static func read(_ bytes: [UInt8], at start: Int) -> (value: Double, end: Int)? {
        let isNegative = start < bytes.count && bytes[start] == 0x2D
        var (index, digits) = (isNegative ? start + 1 : start, Digits())
        let first = index
        guard takeDigits(bytes, &index, &digits), index == first + 1 || bytes[first] != 0x30 else { return nil }
        if index < bytes.count, bytes[index] == 0x2E {
            index += 1
            let point = index
            guard takeDigits(bytes, &index, &digits) else { return nil }
            digits.decimals = index - point
        }
        guard !isExponent(bytes, index) else { return withExponent(bytes, from: start, at: index) }
        guard digits.count <= 15 else { return library(bytes, start..<index) }
        let magnitude = Double(digits.mantissa) / powers[digits.decimals]
        return (isNegative ? -magnitude : magnitude, index)
    }

    /// Reads decimal digits; false if there is not at least one.
    private static func takeDigits(_ bytes: [UInt8], _ index: inout Int, _ digits: inout Digits) -> Bool {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
            digits.mantissa = digits.mantissa &* 10 &+ UInt64(bytes[index] - 0x30)
            index += 1
        }
        digits.count += index - start
        return index > start
    }

    private static func isExponent(_ bytes: [UInt8], _ index: Int) -> Bool {
        index < bytes.count && (bytes[index] == 0x65 || bytes[index] == 0x45)
    }

    private static func withExponent(_ bytes: [UInt8], from start: Int, at exponent: Int) -> (Double, Int)? {
        var (index, digits) = (exponent + 1, Digits())
        if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
        guard takeDigits(bytes, &index, &digits) else { return nil }
        return library(bytes, start..<index)
    }

    /// The number's value as the standard library computes it, which rounds a number of any length correctly.
    private static func library(_ bytes: [UInt8], _ range: Range<Int>) -> (Double, Int)? {
        guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else { return nil }
        return (value, range.upperBound)
    }

    /// The powers of ten by which digits are divided; a Double represents each exactly, so dividing a number of 15
    /// digits by one of them rounds only once.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
