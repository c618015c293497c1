internal import Receivers
internal import Units

/// Times to first fix of one kind of start: weight, mean and variance of the logarithm of seconds.
///
/// It begins with what is believed, as if that had been seen a few times, and forgets the old at a fixed rate per
/// start, the belief with it: after forty starts nine tenths of it is what was seen.
struct StartStatistics: Sendable, Equatable {
    /// How many starts it stands for.
    private(set) var weight: Double
    /// Of the logarithm of seconds.
    private(set) var mean: Double
    private(set) var variance: Double

    /// How many starts a belief counts for.
    static let beliefWeight = 4.0
    /// What a start still counts for when one more was seen: twenty starts are remembered.
    static let memory = 0.95
    /// The most a weight can come to.
    static let maximumWeight = 20.0
    /// The least variance: starts that are all alike are not a promise.
    static let minimumVariance = 0.01

    /// A belief: two log-normal searches of which one happens with `secondProbability`, seen as one.
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

    /// Seconds, in the mean of a log-normal distribution.
    var expected: Double { Logarithm.exponential(mean + variance / 2) }

    /// Seconds within which a part of the starts end.
    func quantile(_ part: Double) -> Double {
        Logarithm.exponential(mean + NormalDistribution.quantile(part) * variance.squareRoot())
    }

    /// The median grows by the boot, the spread shrinks as the boot has none.
    private static func moments(_ boot: Double, _ search: StartTimes.Search) -> (
        mean: Double, variance: Double
    ) {
        let spread = search.spread * search.median / (boot + search.median)
        return (Logarithm.natural(boot + search.median), spread * spread)
    }
}
