extension FixedWidthInteger {
    /// A floating-point number rounded to an integer; the type's nearest bound where that is out of range, and 0 for
    /// NaN.
    ///
    /// A `Double` that comes from outside is converted to an integer only in this way: `Int(_:)` ends the process where
    /// the number does not fit.
    @inlinable
    public init(saturating value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let rounded = value.rounded(rule)
        if let exact = Self(exactly: rounded) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }

    /// The sum; the type's nearest bound where it is out of range.
    func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference; the type's nearest bound where it is out of range.
    func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
