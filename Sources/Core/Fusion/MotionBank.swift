internal import SextantUnits

/// Parallel estimates of position and velocity, one for each kind of motion, with the probability of each.
///
/// An interacting multiple model filter: Blom and Bar-Shalom, IEEE Transactions on Automatic Control 33 (1988), 780.
struct MotionBank: Sendable {
    /// How many seconds longer, on average, a board at rest is expected to rest and a moving board to move.
    struct Durations: Sendable {
        var rest: Double
        var motion: Double
    }

    typealias Shares = InlineArray<4, Double>

    private var modes: InlineArray<4, MotionMode>

    init(position: SIMD2<Double>, error: PositionError) {
        var start = MotionMode()
        start.position = position
        start.pp = error.variance
        start.pu = error.slow
        start.vv = MotionBank.unknownSpeed * MotionBank.unknownSpeed
        start.weight = 0.25
        modes = InlineArray(repeating: start)
    }

    /// The mean of all estimates, weighted by their probabilities.
    var mean: MotionMode {
        var shares = Shares(repeating: 0)
        for index in modes.indices { shares[index] = modes[index].weight }
        return mixture(shares, into: nil)
    }

    /// The probability that the board rests.
    var restWeight: Double {
        modes[MotionKind.rest.rawValue].weight
    }

    /// Predicts all estimates `interval` seconds ahead.
    mutating func predict(interval: Double, lasting: Durations, persistence: Double) {
        guard interval > 0 else { return }
        mix(interval, lasting)
        let kept = Logarithm.exponential(-interval / persistence)
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            modes[kind.rawValue].predict(kind, interval: interval, kept: kept)
            modes[kind.rawValue].weight *= kind.likelihood(
                of: modes[kind.rawValue].velocity, during: interval)
        }
    }

    private mutating func mix(_ interval: Double, _ lasting: Durations) {
        let changes = MotionChanges(interval: interval, lasting: lasting)
        var mixed = modes
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            var shares = Shares(repeating: 0)
            for from in MotionKind.all.indices {
                let origin = MotionKind.all[from]
                shares[origin.rawValue] = modes[origin.rawValue].weight * changes.likelihood(of: kind, after: origin)
            }
            mixed[kind.rawValue] = mixture(shares, into: kind)
        }
        modes = mixed
    }

    /// The squared distance of a fix from the nearest of the estimates, divided by the variance of that distance.
    func surprise(position: SIMD2<Double>, error: PositionError) -> Double {
        var least = Double.infinity
        for index in modes.indices { least = min(least, modes[index].surprise(position: position, error: error)) }
        return least
    }

    /// - Parameter least: The smallest gain (weight of the fix against the estimate) with which a fix moves the
    ///   position, for a board at rest and for one in motion.
    mutating func measure(position: SIMD2<Double>, error: PositionError, least: (rest: Double, motion: Double)) {
        var evidence = Shares(repeating: 0)
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            evidence[kind.rawValue] = modes[kind.rawValue].measure(
                position: position, error: error, least: kind.isRest ? least.rest : least.motion)
        }
        reweigh(evidence)
    }

    mutating func measure(velocity: SIMD2<Double>, noise: Double) {
        var evidence = Shares(repeating: 0)
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            evidence[kind.rawValue] = modes[kind.rawValue].measure(
                velocity: velocity, noise: kind.isRest ? noise + MotionBank.creep : noise)
        }
        reweigh(evidence)
    }

    /// Widens the position's variance after a change of speed, because a Doppler velocity lags behind the true
    /// velocity.
    ///
    /// - Parameter noise: The variance of the velocity; (m/s)².
    mutating func loosen(by velocity: SIMD2<Double>, noise: Double) {
        let old = mean.velocity
        let (change, was, now) = (velocity - old, (old * old).sum(), (velocity * velocity).sum())
        let gained = max(0, (change * change).sum() - 4 * noise).squareRoot()
        addTravel(variance: MotionBank.lag * gained * (was.squareRoot() + now.squareRoot()) / 2)
    }

    /// Lowers the probability of rest.
    ///
    /// - Parameter doubt: The logarithm of the likelihood of motion divided by that of rest, by the mean Doppler
    ///   velocity.
    mutating func doubtRest(_ doubt: Double) {
        guard doubt > 0 else { return }
        var evidence = Shares(repeating: 0)
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            if kind.isRest { evidence[kind.rawValue] = -doubt }
        }
        reweigh(evidence)
    }

    private mutating func reweigh(_ evidence: Shares) {
        var best = -Double.infinity
        for index in evidence.indices { best = max(best, evidence[index]) }
        var sum = 0.0
        var winner = MotionKind.rest
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            modes[index].weight *= Logarithm.exponential(evidence[index] - best)
            sum += modes[index].weight
            if modes[index].weight > modes[winner.rawValue].weight { winner = kind }
        }
        let leader = modes[winner.rawValue]
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            let weight = modes[kind.rawValue].weight / sum
            // The estimate of a kind of motion that is very unlikely is replaced by the estimate of the likeliest kind:
            // even at a tiny weight, a far-off place would distort the mean.
            if weight < MotionBank.minimumWeight { modes[kind.rawValue] = leader.turned(from: winner, into: kind) }
            modes[kind.rawValue].weight = max(MotionBank.minimumWeight, weight)
        }
    }

    /// Gives the estimates of a moving board a velocity and its standard deviation; metres per second.
    mutating func start(velocity: SIMD2<Double>, deviation: Double) {
        var evidence = Shares(repeating: 0)
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            if kind.isRest {
                evidence[kind.rawValue] = -(velocity * velocity).sum() / (2 * deviation * deviation)
            } else {
                modes[kind.rawValue].begin(velocity: velocity, variance: deviation * deviation)
            }
        }
        reweigh(evidence)
    }

    /// Converts all estimates to another origin of the plane; the covariances need no conversion, because they are the
    /// same on both axes.
    mutating func move(_ change: (MotionMode) -> MotionMode) {
        for index in modes.indices { modes[index] = change(modes[index]) }
    }

    /// Multiplies the slow error (the part of a receiver's error that lasts for minutes) in all estimates by `factor`,
    /// after its size was learned anew.
    mutating func scaleSlowError(_ factor: Double) {
        guard factor != 1 else { return }
        for index in modes.indices { modes[index].scaleSlowError(factor) }
    }

    /// Adds `variance`, in m², to the position's variance in every estimate except rest, because the board can have
    /// travelled farther than the estimated velocity tells.
    mutating func addTravel(variance: Double) {
        for index in MotionKind.all.indices {
            let kind = MotionKind.all[index]
            if !kind.isRest { modes[kind.rawValue].pp += variance }
        }
    }

    /// Mixes the estimates with the weights `shares`, and returns the normal distribution that has the mixture's mean
    /// and variance.
    ///
    /// With a `kind`, each estimate is first converted into an estimate of that kind of motion; with nil, the estimates
    /// are mixed as they are.
    private func mixture(_ shares: Shares, into kind: MotionKind?) -> MotionMode {
        var sum = 0.0
        for index in shares.indices { sum += shares[index] }
        var mean = MotionMode()
        mean.weight = sum
        // A span is used because each subscript of the array itself can copy the whole array.
        let modes = modes.span
        let scale = 1 / max(sum, 1e-300)
        for index in shares.indices where shares[index] > 0 {
            let (part, mode) = (shares[index] * scale, modes[index])
            mean.position += part * mode.position
            mean.velocity += part * mode.velocity
            mean.residual += part * mode.residual
        }
        for index in MotionKind.all.indices {
            let origin = MotionKind.all[index]
            guard shares[origin.rawValue] > 0 else { continue }
            mean.add(modes[origin.rawValue].turned(from: origin, into: kind), shares[origin.rawValue] * scale)
        }
        return mean
    }

    /// The standard deviation of the velocity on one axis while nothing is known of the motion yet; metres per second.
    private static let unknownSpeed = 8.0
    /// The variance of the velocity that a receiver reports at rest; (m/s)².
    private static let creep = 0.01
    /// The square of the time by which a Doppler velocity can lag behind the true velocity; s².
    private static let lag = 0.06
    private static let minimumWeight = 1e-6
}

extension MotionMode {
    /// Adds another estimate's covariance to this one, after widening it by the squared distance between both means and
    /// then multiplying it by the weight `part`.
    fileprivate mutating func add(_ other: MotionMode, _ part: Double) {
        let away = (p: other.position - position, v: other.velocity - velocity)
        pp += part * (other.pp + (away.p * away.p).sum() / 2)
        pv += part * (other.pv + (away.p * away.v).sum() / 2)
        vv += part * (other.vv + (away.v * away.v).sum() / 2)
        pu += part * other.pu
        vu += part * other.vu
    }

    /// Converts this estimate from the kind of motion `origin` to `kind`: the velocity's variance grows if the board
    /// starts from rest; otherwise nothing changes.
    fileprivate func turned(from origin: MotionKind, into kind: MotionKind?) -> MotionMode {
        guard let kind, kind.isRest != origin.isRest else { return self }
        return kind.isRest ? self : departed(variance: kind.departure)
    }
}
