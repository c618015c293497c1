enum Polynomial {
    /// The value at `x`, by Horner's rule; `coefficients` begin with the constant term and are not empty.
    ///
    /// The function is inlined, so that the compiler turns divisions of literals in the coefficients into constants.
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
