internal import Units

/// Three estimates side by side, one for each kind of motion, and how likely each is.
///
/// An interacting multiple model filter: Blom and Bar-Shalom, IEEE Transactions on Automatic Control 33 (1988), 780.
struct MotionBank: Sendable {
    private(set) var rest = MotionMode()
    private(set) var cruise = MotionMode()
    private(set) var manoeuvre = MotionMode()

    /// How likely a change of motion is within an interval.
    struct Changes: Sendable {
        /// Seconds that a rest lasts on average from now on.
        var restLeft: Double
        /// Seconds that a motion lasts on average.
        var motionLeft: Double
    }

    init(position: SIMD2<Double>, noise: Double, slow: SlowError) {
        var start = MotionMode()
        start.position = position
        start.pp = noise
        start.unseen = slow.variance
        start.vv = MotionBank.unknownSpeed * MotionBank.unknownSpeed
        rest = start.settled()
        cruise = start
        manoeuvre = start
        rest.weight = 0.4
        cruise.weight = 0.2
        manoeuvre.weight = 0.4
    }

    /// The one estimate of all three.
    var mean: MotionMode {
        MotionBank.mixture(rest, cruise, manoeuvre, (rest.weight, cruise.weight, manoeuvre.weight))
    }

    var restLikelihood: Double { rest.weight }

    /// Carries all on by so many seconds.
    mutating func predict(interval: Double, changes: Changes, slow: SlowError) {
        guard interval > 0 else { return }
        mix(interval, changes)
        rest.boundBias(slow)
        rest.predict(.rest, interval: interval, slow: slow)
        cruise.predict(.cruise, interval: interval, slow: slow)
        manoeuvre.predict(.manoeuvre, interval: interval, slow: slow)
    }

    private mutating func mix(_ interval: Double, _ changes: Changes) {
        let leaving = 1 - Logarithm.exponential(-interval / changes.restLeft)
        let stopping = 1 - Logarithm.exponential(-interval / changes.motionLeft)
        let swapping = 1 - Logarithm.exponential(-interval / MotionBank.calm)
        let (r, c, m) = (rest.weight, cruise.weight, manoeuvre.weight)
        let goes = (c * (1 - stopping / 2), m * (1 - stopping))
        let toRest = (r * (1 - leaving), c * stopping / 2, m * stopping)
        let toCruise = (r * leaving / 2, goes.0 * (1 - swapping), goes.1 * swapping)
        let toManoeuvre = (r * leaving / 2, goes.0 * swapping, goes.1 * (1 - swapping))
        let mixed = (
            MotionBank.mixture(rest, cruise.settled(), manoeuvre.settled(), toRest),
            MotionBank.mixture(rest.departed(variance: 2), cruise, manoeuvre, toCruise),
            MotionBank.mixture(rest.departed(variance: 2), cruise, manoeuvre, toManoeuvre)
        )
        (rest, cruise, manoeuvre) = mixed
    }

    /// The least squared distance of a fix from what any motion expects.
    func surprise(position: SIMD2<Double>, noise: Double) -> Double {
        min(
            cruise.surprise(position: position, noise: noise), manoeuvre.surprise(position: position, noise: noise),
            rest.surprise(position: position, noise: noise))
    }

    mutating func measure(position: SIMD2<Double>, noise: Double) {
        reweigh(
            rest.measure(position: position, noise: noise), cruise.measure(position: position, noise: noise),
            manoeuvre.measure(position: position, noise: noise))
    }

    mutating func measure(velocity: SIMD2<Double>, noise: Double) {
        reweigh(
            rest.measure(velocity: velocity, noise: noise + MotionBank.creep),
            cruise.measure(velocity: velocity, noise: noise),
            manoeuvre.measure(velocity: velocity, noise: noise))
    }

    /// Takes evidence against rest: how much likelier motion is, a logarithm.
    mutating func doubtRest(_ evidence: Double) {
        guard evidence > 0 else { return }
        reweigh(-evidence, 0, 0)
    }

    private mutating func reweigh(_ first: Double, _ second: Double, _ third: Double) {
        let best = max(first, second, third)
        rest.weight *= Logarithm.exponential(first - best)
        cruise.weight *= Logarithm.exponential(second - best)
        manoeuvre.weight *= Logarithm.exponential(third - best)
        let sum = rest.weight + cruise.weight + manoeuvre.weight
        rest.weight = max(MotionBank.leastWeight, rest.weight / sum)
        cruise.weight = max(MotionBank.leastWeight, cruise.weight / sum)
        manoeuvre.weight = max(MotionBank.leastWeight, manoeuvre.weight / sum)
    }

    /// Sees everything from another place; a turn of the axes does not change the covariances.
    mutating func move(_ change: (MotionMode) -> MotionMode) {
        rest = change(rest)
        cruise = change(cruise)
        manoeuvre = change(manoeuvre)
    }

    /// Widens the slow error, and what follows from it, because the receiver got worse.
    mutating func addBias(variance: Double) {
        rest.bb += variance
        cruise.unseen += variance
        manoeuvre.unseen += variance
    }

    /// Widens the position of a board that may have travelled.
    mutating func addTravel(variance: Double) {
        cruise.pp += variance
        manoeuvre.pp += variance
    }

    /// The normal distribution with the mean and the variance of three in a proportion.
    private static func mixture(
        _ first: MotionMode, _ second: MotionMode, _ third: MotionMode, _ parts: (Double, Double, Double)
    ) -> MotionMode {
        let sum = max(parts.0 + parts.1 + parts.2, 1e-12)
        let (a, b, c) = (parts.0 / sum, parts.1 / sum, parts.2 / sum)
        var mean = MotionMode()
        mean.position = a * first.position + b * second.position + c * third.position
        mean.velocity = a * first.velocity + b * second.velocity + c * third.velocity
        mean.bias = a * first.bias + b * second.bias + c * third.bias
        mean.add(first, a)
        mean.add(second, b)
        mean.add(third, c)
        mean.weight = sum
        return mean
    }

    /// Metres per second of a board nothing is known of.
    private static let unknownSpeed = 8.0
    /// The variance of what a receiver at rest calls its velocity; (m/s)².
    private static let creep = 0.01
    /// Seconds that a smooth or a lively motion lasts on average.
    private static let calm = 8.0
    private static let leastWeight = 1e-6
}

extension MotionMode {
    /// Adds another's covariance and its distance from this mean, in a proportion.
    fileprivate mutating func add(_ other: MotionMode, _ part: Double) {
        guard part > 0 else { return }
        let away = (
            p: other.position - position, v: other.velocity - velocity, b: other.bias - bias
        )
        pp += part * (other.pp + (away.p * away.p).sum() / 2)
        pv += part * (other.pv + (away.p * away.v).sum() / 2)
        pb += part * (other.pb + (away.p * away.b).sum() / 2)
        vv += part * (other.vv + (away.v * away.v).sum() / 2)
        vb += part * (other.vb + (away.v * away.b).sum() / 2)
        unseen += part * other.unseen
        bb += part * (other.bb + (away.b * away.b).sum() / 2)
    }
}
