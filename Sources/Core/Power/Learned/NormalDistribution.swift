internal import SextantUnits

/// The standard normal distribution.
enum NormalDistribution {
    /// The value below which the share `part` of the distribution lies; `part` is clamped to 0.0001...0.9999.
    ///
    /// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.23; off by less than 0.00045.
    static func quantile(_ part: Double) -> Double {
        let clamped = min(0.9999, max(0.0001, part))
        let tail = min(clamped, 1 - clamped)
        let t = (-2 * Logarithm.natural(tail)).squareRoot()
        let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328)
        let denominator = 1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308))
        let value = t - numerator / denominator
        return clamped < 0.5 ? -value : value
    }
}
