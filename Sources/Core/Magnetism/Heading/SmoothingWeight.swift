internal import SextantUnits

/// The share that a new sample has in an exponential average.
enum SmoothingWeight {
    /// The weight by elapsed time, not by the count of samples: 1 where nothing is left of the old average.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since the last sample.
    ///   - timeConstant: Seconds after which 37 % of the old average is left.
    static func weight(seconds: Double, timeConstant: Double) -> Double {
        guard seconds > 0 else { return 0 }
        return 1 - Logarithm.exponential(-seconds / timeConstant)
    }
}
