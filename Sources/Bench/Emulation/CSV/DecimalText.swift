/// Reads plain decimal numbers fast and exactly.
enum DecimalText {
    /// The number that the bytes in a range spell; nil if they are not a plain decimal number (an exponent, a word,
    /// more than 15 digits).
    ///
    /// A whole number of at most 15 digits is exact as a Double, and so is 10 to a power of at most 22, so that the
    /// quotient of the two is the nearest Double. Source: W. D. Clinger, "How to read floating point numbers
    /// accurately", PLDI 1990.
    static func value(of bytes: [UInt8], _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let isNegative = bytes[index] == 0x2D
        if isNegative { index += 1 }
        var digits: Int64 = 0
        var (count, decimals) = (0, 0)
        var hasPoint = false
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == 0x2E, !hasPoint {
                hasPoint = true
                continue
            }
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            digits = digits * 10 + Int64(byte & 15)
            count += 1
            if hasPoint { decimals += 1 }
            guard count <= 15 else { return nil }
        }
        guard count > 0 else { return nil }
        let size = Double(digits) / powers[decimals]
        return isNegative ? -size : size
    }

    private static let powers: InlineArray<16, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
