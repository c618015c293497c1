internal import Units

/// The share that a new sample has in an exponential average.
enum SmoothingWeight {
    /// By the time that passed and not by the count of samples: 1 where nothing is left of what was before.
    ///
    /// - Parameters:
    ///   - seconds: Since the last sample.
    ///   - timeConstant: Seconds after which 37 % is left of what was.
    static func weight(seconds: Double, timeConstant: Double) -> Double {
        guard seconds > 0 else { return 0 }
        return 1 - Logarithm.exponential(-seconds / timeConstant)
    }
}
