/// Weights that suppress outliers, and the standard deviation against which outliers are recognised.
enum RobustScale {
    /// How a loss function treats large residuals.
    enum Loss {
        /// Huber's loss: large residuals count in proportion to their size, not to its square, so that a fit converges
        /// from any start.
        case huber
        /// Tukey's biweight: large residuals do not count at all.
        case tukey
    }

    /// The weight of a residual, from 1 for no residual down to 0.
    ///
    /// - Parameter residual: The residual in standard deviations. For normally distributed errors, Tukey's constant of
    ///   7 keeps over 99 % of the efficiency of least squares, and Huber's constant of 1.345 keeps 95 %.
    static func weight(_ residual: Double, _ loss: Loss) -> Double {
        switch loss {
        case .huber: return min(1, 1.345 / max(abs(residual), 1e-9))
        case .tukey:
            let part = residual / 7
            let rest = 1 - part * part
            return rest > 0 ? rest * rest : 0
        }
    }

    /// The standard deviation of residuals, estimated from the median of their absolute values.
    static func deviation(of residuals: [Double]) -> Double {
        // Half of all normally distributed errors are smaller than 0.6745 standard deviations.
        median(residuals.map { abs($0) }) * 1.4826
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
