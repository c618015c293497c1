internal import SextantUnits

/// An estimate of position and velocity under one kind of motion: a normal distribution, correlated with the receiver's
/// slow error.
///
/// The slow error is the part of a receiver's position error that lasts for minutes. It is considered and not estimated
/// (a Schmidt-Kalman filter: Schmidt, NASA TN D-1205, 1966), because it cannot be told from the board's movement well
/// enough to subtract it. The filter keeps the covariance of the estimate with the slow error, so that averaging fixes
/// with the same error does not make the estimate seem certain. Both axes have the same covariance, because neither the
/// receivers' accuracies nor the motions differ between the axes. In the names of the covariances, p is the position's
/// error, v the velocity's and u the slow error. Unit: metres and seconds, in the filter's tangent plane.
struct MotionMode: Sendable {
    var position = SIMD2<Double>.zero
    var velocity = SIMD2<Double>.zero
    var pp = 0.0
    var pv = 0.0
    var vv = 0.0
    /// Covariance of the position's error with the slow error, divided by the slow error's standard deviation; metres.
    var pu = 0.0
    /// Covariance of the velocity's error with the slow error, divided by the slow error's standard deviation; metres
    /// per second.
    var vu = 0.0
    /// The vector from the estimated position to the last fix, after the estimate took the fix; metres.
    var residual = SIMD2<Double>.zero
    /// The share of the last fix's slow error that is left, 0 to 1.
    private var kept = 0.0
    /// The probability that the board has this kind of motion.
    var weight = 0.0

    /// Predicts the estimate for a later time.
    ///
    /// - Parameter interval: The seconds from the estimate to the later time.
    /// - Parameter kept: The share of the slow error that is left after the interval, 0 to 1.
    mutating func predict(_ kind: MotionKind, interval: Double, kept: Double) {
        if kind.isRest { rest() } else { carry(kind, interval) }
        pp += (kind.drift + MotionMode.dopplerDrift * (velocity * velocity).sum()) * interval
        pu *= kept
        vu *= kept
        self.kept = kept
    }

    /// This estimate after a start from rest with unknown speed: the velocity's variance grows by `variance`.
    func departed(variance: Double) -> MotionMode {
        var departed = self
        departed.vv += variance
        return departed
    }

    private mutating func rest() {
        velocity = .zero
        pv = 0
        vv = 0
        vu = 0
    }

    /// Predicts position and velocity; the velocity is modelled as an Ornstein-Uhlenbeck process.
    private mutating func carry(_ kind: MotionKind, _ interval: Double) {
        let rate = 1 / kind.persistence
        let turns = interval * rate
        let left = Logarithm.exponential(-turns)
        let reach = turns < 1e-3 ? interval * (1 - turns / 2) : (1 - left) / rate
        position += velocity * reach
        velocity *= left
        let (velocityNoise, crossNoise, positionNoise) = MotionMode.noise(kind, interval, left, turns)
        pp += 2 * reach * pv + reach * reach * vv + positionNoise
        pv = left * (pv + reach * vv) + crossNoise
        pu += reach * vu
        vv = left * left * vv + velocityNoise
        vu *= left
    }

    private static func noise(
        _ kind: MotionKind, _ interval: Double, _ left: Double, _ turns: Double
    ) -> (Double, Double, Double) {
        let q = kind.agitation
        // A series replaces the exact formula over an interval so short that the velocity hardly fades, where the
        // formula loses precision.
        guard turns > 0.01 else {
            return (q * interval, q * interval * interval / 2, q * interval * interval * interval / 3)
        }
        let time = kind.persistence
        let faded = 1 - left
        return (
            q * time / 2 * (1 - left * left), q * time * time / 2 * faded * faded,
            q * time * time * time / 2 * (2 * turns - 3 + 4 * left - left * left)
        )
    }

    /// Takes a fix's position: the sum of the board's position, the slow error and noise.
    ///
    /// The noise has heavy tails (Student's t), so a distant fix is given less weight than a near one.
    ///
    /// - Parameter least: The smallest gain (weight of the fix against the estimate) with which the fix moves the
    ///   position.
    /// - Returns: The logarithm of the fix's likelihood.
    mutating func measure(position fix: SIMD2<Double>, error: PositionError, least: Double) -> Double {
        let innovation = fix - position
        let spread = spread(error)
        let surprise = (innovation * innovation).sum() / spread
        let widening = (error.tails + surprise) / (error.tails + 2)
        let total = spread + error.variance * max(0, widening - 1)
        let (cp, cv) = (pp - error.slow * pu, pv - error.slow * vu)
        let cu = error.slow - pu
        let likelihood = likelihood(of: innovation, spread, error)
        let gain = (p: min(1, max(cp / total, least / max(1, widening))), v: cv / total)
        position += gain.p * innovation
        velocity += gain.v * innovation
        pp = max(MotionMode.least, pp - 2 * gain.p * cp + gain.p * gain.p * total)
        pv += -gain.p * cv - gain.v * cp + gain.p * gain.v * total
        vv = max(0, vv - 2 * gain.v * cv + gain.v * gain.v * total)
        pu += gain.p * cu
        vu += gain.v * cu
        residual = fix - position
        return likelihood
    }

    /// The logarithm of a fix's likelihood, given the previous fix.
    ///
    /// Both fixes have nearly the same slow error. If each fix counted the slow error as new, a kind of motion that
    /// follows the slow error would always be likelier than rest.
    private func likelihood(of innovation: SIMD2<Double>, _ spread: Double, _ error: PositionError) -> Double {
        let lasting = spread - error.news
        let share = kept * lasting / spread
        let news = innovation - share * residual
        let variance = max(error.news, spread - kept * share * lasting)
        return MotionMode.logLikelihood((news * news).sum() / variance, variance, tails: error.tails)
    }

    /// The expected variance, on one axis, of the difference between a fix's position and the estimated one; m².
    private func spread(_ error: PositionError) -> Double {
        max(0.01 * error.slow * error.slow, pp - 2 * error.slow * pu + error.slow * error.slow) + error.noise
    }

    /// Multiplies the slow error (the part of a receiver's error that lasts for minutes) in this estimate by `factor`,
    /// after its size was learned anew.
    mutating func scaleSlowError(_ factor: Double) {
        pp = max(MotionMode.least, pp + pu * pu * (factor * factor - 1))
        pv += pu * vu * (factor * factor - 1)
        vv = max(0, vv + vu * vu * (factor * factor - 1))
        pu *= factor
        vu *= factor
    }

    /// Replaces the estimated velocity and its variance, at the beginning of a motion.
    mutating func begin(velocity: SIMD2<Double>, variance: Double) {
        self.velocity = velocity
        vv = variance
        pv = 0
        vu = 0
    }

    /// Improves the estimate with a Doppler velocity.
    ///
    /// - Returns: The logarithm of the velocity's likelihood.
    mutating func measure(velocity measured: SIMD2<Double>, noise: Double) -> Double {
        let innovation = measured - velocity
        let spread = vv + noise
        let surprise = (innovation * innovation).sum() / spread
        let tails = MotionMode.velocityTails
        let stretched = noise * max(1, (tails + surprise) / (tails + 2))
        let total = vv + stretched
        let gain = (p: pv / total, v: vv / total)
        position += gain.p * innovation
        velocity += gain.v * innovation
        pp = max(MotionMode.least, pp - gain.p * pv)
        pu -= gain.p * vu
        pv -= gain.p * vv
        vu -= gain.v * vu
        vv = max(0, vv - gain.v * vv)
        return MotionMode.logLikelihood(surprise, spread, tails: tails)
    }

    /// Squared distance between a fix and the position that the estimate expects, divided by the variance on one axis.
    func surprise(position fix: SIMD2<Double>, error: PositionError) -> Double {
        let innovation = fix - position
        return (innovation * innovation).sum() / spread(error)
    }

    private static func logLikelihood(_ surprise: Double, _ spread: Double, tails: Double) -> Double {
        -(tails + 2) / 2 * Logarithm.natural(1 + surprise / tails) - Logarithm.natural(spread)
    }

    /// Degrees of freedom of the Student's t distribution of Doppler velocities.
    private static let velocityTails = 8.0
    /// Growth of the position's variance per second, divided by the squared speed; seconds.
    ///
    /// It allows for a speed that is wrong by half a percent for half a minute.
    private static let dopplerDrift = 0.0002
    /// The smallest variance that the position can have; m².
    private static let least = 1e-6
}

/// How large the error of a fix's position is expected to be on one axis, and how it is distributed.
struct PositionError: Sendable {
    /// The variance, on one axis, of the noise (the error that differs from fix to fix); m².
    var noise: Double
    /// The standard deviation on one axis of the slow error, the part that lasts for minutes; metres.
    var slow: Double
    /// The number of fixes that share the same noise, because they come faster than the noise changes; at least 1.
    var crowd = 1.0
    /// Degrees of freedom of the error's Student's t distribution; the fewer, the less weight a distant fix gets.
    ///
    /// They are few where fixes come often, because a distant fix is then probably an outlier, and many after a pause
    /// without fixes, because the board has then more probably moved.
    var tails = PositionError.outlying

    static let outlying = 5.0
    static let moved = 40.0

    var variance: Double { noise + slow * slow }

    /// The variance of the part of the noise that is new in this fix and was not in the previous one; m².
    var news: Double { noise / (crowd * crowd) }
}
