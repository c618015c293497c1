/// Weights that take outliers out, and the scale by which they are known.
enum RobustScale {
    /// What the loss does with residuals that are large.
    enum Loss {
        /// Huber's: they count by their size, not by its square; it finds the way from any start.
        case huber
        /// Tukey's biweight: they do not count at all.
        case tukey
    }

    /// Of 1 for a residual of none to 0.
    ///
    /// - Parameter residual: In deviations. Tukey's constant of 7 keeps over 99 % of the efficiency of least squares where
    ///   errors are normal; Huber's of 1.345 keeps 95 %.
    static func weight(_ residual: Double, _ loss: Loss) -> Double {
        switch loss {
        case .huber: return min(1, 1.345 / max(abs(residual), 1e-9))
        case .tukey:
            let part = residual / 7
            let rest = 1 - part * part
            return rest > 0 ? rest * rest : 0
        }
    }

    /// The deviation of normal errors whose median size is that of the residuals.
    static func deviation(of residuals: [Double]) -> Double {
        // Half of normal errors are smaller than 0.6745 deviations.
        median(residuals.map { abs($0) }) * 1.4826
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
