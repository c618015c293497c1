internal import SextantUnits

/// The share that a new sample has in an exponential average.
enum SmoothingWeight {
    /// The weight of a new sample in an exponential average, by the time elapsed and not by the number of samples; 1
    /// replaces the old average completely.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since the previous sample.
    ///   - timeConstant: Seconds after which 37 % of the old average is left.
    static func weight(seconds: Double, timeConstant: Double) -> Double {
        guard seconds > 0 else { return 0 }
        return 1 - Logarithm.exponential(-seconds / timeConstant)
    }
}
