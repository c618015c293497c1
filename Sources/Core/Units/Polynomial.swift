/// The values of polynomials.
enum Polynomial {
    /// The value at `x`, by Horner's rule; `coefficients` begin with the constant one, and there is at least one.
    ///
    /// In line, so that the coefficients stand in the code: a division of literals among them is then a constant.
    @inline(__always)
    static func value<let count: Int>(at x: Double, _ coefficients: InlineArray<count, Double>) -> Double {
        var index = count - 1
        var sum = coefficients[index]
        // `reversed()` is avoided, because it allocates memory in a debug build.
        while index > 0 {
            index -= 1
            sum = sum * x + coefficients[index]
        }
        return sum
    }
}
