internal import Receivers
internal import SextantUnits

/// The distribution of the times to first fix of one kind of start: the number of starts, and the mean and variance of
/// the natural logarithm of the seconds.
///
/// The statistics begin with assumed starts, the prior. With each new start, all earlier ones lose the same share of
/// their weight: after twenty starts, nine tenths of the weight are observed starts.
struct StartStatistics: Sendable, Equatable {
    /// The number of starts that the statistics stand for, counting older starts and the prior in part.
    private(set) var weight: Double
    /// The mean of the natural logarithm of the seconds to the first fix.
    private(set) var mean: Double
    private(set) var variance: Double

    /// The number of starts that the prior counts as.
    static let beliefWeight = 4.0
    /// Each later start multiplies a start's weight by this factor: about twenty starts are remembered.
    static let memory = 0.95
    /// The largest number of starts that the statistics can stand for.
    static let maximumWeight = 20.0
    /// The smallest variance of the logarithm of seconds: that past starts took equally long does not promise that the
    /// next one will.
    static let minimumVariance = 0.01

    /// Begins with a prior that mixes two kinds of search, each with log-normal times; `secondProbability` (0 to 1) is
    /// the share of the second kind.
    init(
        boot: Double, _ first: StartTimes.Search, or second: StartTimes.Search,
        secondProbability: Double
    ) {
        let (one, other) = (StartStatistics.moments(boot, first), StartStatistics.moments(boot, second))
        weight = StartStatistics.beliefWeight
        mean = one.mean + secondProbability * (other.mean - one.mean)
        let spread = one.variance + secondProbability * (other.variance - one.variance)
        let apart = other.mean - one.mean
        variance = max(
            spread + secondProbability * (1 - secondProbability) * apart * apart,
            StartStatistics.minimumVariance)
    }

    /// Restores stored statistics; nil where the values are not valid.
    init?(weight: Double, mean: Double, variance: Double) {
        guard weight > 0, weight <= StartStatistics.maximumWeight + 1e-6, abs(mean) <= 20,
            variance >= StartStatistics.minimumVariance, variance <= 100
        else { return nil }
        (self.weight, self.mean, self.variance) = (weight, mean, variance)
    }

    mutating func note(seconds: Double) {
        let value = Logarithm.natural(seconds)
        let kept = weight * StartStatistics.memory
        weight = kept + 1
        let difference = value - mean
        mean += difference / weight
        variance = max(
            (kept * variance + kept / weight * difference * difference) / weight,
            StartStatistics.minimumVariance)
    }

    /// Mean seconds to the first fix, of a log-normal distribution.
    var expected: Double { Logarithm.exponential(mean + variance / 2) }

    /// Seconds within which the share `part` (0 to 1) of the starts has found a fix.
    func quantile(_ part: Double) -> Double {
        Logarithm.exponential(mean + NormalDistribution.quantile(part) * variance.squareRoot())
    }

    /// The mean and variance of the natural logarithm of the time to boot and search; booting always takes equally
    /// long, so it raises the mean and lowers the variance.
    private static func moments(_ boot: Double, _ search: StartTimes.Search) -> (
        mean: Double, variance: Double
    ) {
        let spread = search.spread * search.median / (boot + search.median)
        return (Logarithm.natural(boot + search.median), spread * spread)
    }
}
