internal import Units

/// A normal estimate of position, velocity and the receiver's slow error under one kind of motion.
///
/// Both axes have the same covariance, because neither the receivers' accuracies nor the motions tell them apart. Metres
/// and seconds, in the plane of the filter.
struct MotionMode: Sendable {
    var position = SIMD2<Double>.zero
    var velocity = SIMD2<Double>.zero
    /// The slow part of the receiver's error: what its fixes are off for a minute or two.
    var bias = SIMD2<Double>.zero
    var pp = 0.0
    var pv = 0.0
    var pb = 0.0
    var vv = 0.0
    var vb = 0.0
    var bb = 0.0
    /// The variance of slow error that the position has taken in unseen; m².
    var unseen = 0.0
    /// How likely it is that this is how the board moves.
    var weight = 0.0

    /// Carries it on.
    ///
    /// Whoever knows how the board moves tells the slow error from its place by and by: while it rests, and while the
    /// Doppler shift is heard. Else the board is where its receiver says, but for the error that was known before, which
    /// fades.
    ///
    /// - Parameter interval: Seconds.
    mutating func predict(_ kind: MotionKind, interval: Double, slow: SlowError, hearsDoppler: Bool) {
        if kind.isRest { rest() } else { carry(kind, interval) }
        pp += (kind.drift + MotionMode.dopplerDrift * (velocity * velocity).sum()) * interval
        let isTold = kind.isRest || hearsDoppler
        if isTold {
            self = settled()
            boundBias(slow.variance)
        }
        let time = kind.isRest ? slow.persistence : hearsDoppler ? MotionMode.passed : MotionMode.followed
        let left = Logarithm.exponential(-interval / time)
        scaleBias(left)
        let renewed = slow.variance * (1 - left * left)
        if isTold { bb += renewed } else { unseen = left * left * unseen + renewed }
    }

    /// Sees the slow error that is in the position as such.
    func settled() -> MotionMode {
        var settled = self
        settled.pp += unseen
        settled.pb -= unseen
        settled.bb += unseen
        settled.unseen = 0
        return settled
    }

    /// Sets out with a speed of its own.
    func departed(variance: Double) -> MotionMode {
        var departed = self
        departed.vv += variance
        return departed
    }

    private mutating func rest() {
        velocity = .zero
        pv = 0
        vv = 0
        vb = 0
    }

    /// Moves the place rather than believe in a slow error that the receiver hardly ever has.
    private mutating func boundBias(_ variance: Double) {
        let square = (bias * bias).sum()
        let most = MotionMode.mostBias * variance
        guard square > most else { return }
        let excess = bias * (1 - (most / square).squareRoot())
        bias -= excess
        position += excess
        pp += (excess * excess).sum() / 2
    }

    /// The integral of an Ornstein-Uhlenbeck velocity.
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
        pb += reach * vb
        vv = left * left * vv + velocityNoise
        vb *= left
    }

    private static func noise(
        _ kind: MotionKind, _ interval: Double, _ left: Double, _ turns: Double
    ) -> (Double, Double, Double) {
        let q = kind.agitation
        // The closed form loses its digits where little has faded.
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

    /// Takes a fix's position: the sum of the board's, the slow error and noise.
    ///
    /// The noise has heavy tails (Student's t): a fix far off moves it less than one that is near.
    ///
    /// - Returns: The logarithm of how likely the fix was.
    mutating func measure(position fix: SIMD2<Double>, noise: Double) -> Double {
        let innovation = fix - position - bias
        let spread = max(0, pp + 2 * pb + bb) + noise
        let surprise = (innovation * innovation).sum() / spread
        let stretched = noise * max(1, (MotionMode.tails + surprise) / (MotionMode.tails + 2))
        let total = spread - noise + stretched
        apply((pp + pb, pv + vb, pb + bb), innovation, total)
        return MotionMode.logLikelihood(surprise, spread)
    }

    mutating func scaleBias(_ factor: Double) {
        bias *= factor
        pb *= factor
        vb *= factor
        bb *= factor * factor
    }

    /// Begins with a velocity.
    mutating func begin(velocity: SIMD2<Double>, variance: Double) {
        self.velocity = velocity
        vv = variance
        pv = 0
        vb = 0
    }

    /// Takes a Doppler velocity.
    ///
    /// - Returns: The logarithm of how likely it was.
    mutating func measure(velocity measured: SIMD2<Double>, noise: Double) -> Double {
        let innovation = measured - velocity
        let spread = vv + noise
        let surprise = (innovation * innovation).sum() / spread
        let stretched = noise * max(1, (MotionMode.tails + surprise) / (MotionMode.tails + 2))
        apply((pv, vv, vb), innovation, vv + stretched)
        return MotionMode.logLikelihood(surprise, spread)
    }

    /// Squared distance of a fix from what is expected, in its variances; two of them.
    func surprise(position fix: SIMD2<Double>, noise: Double) -> Double {
        let innovation = fix - position - bias
        return (innovation * innovation).sum() / (max(0, pp + 2 * pb + bb) + noise)
    }

    private mutating func apply(
        _ cross: (p: Double, v: Double, b: Double), _ innovation: SIMD2<Double>, _ spread: Double
    ) {
        let gain = (p: cross.p / spread, v: cross.v / spread, b: cross.b / spread)
        position += gain.p * innovation
        velocity += gain.v * innovation
        bias += gain.b * innovation
        pp = max(MotionMode.least, pp - gain.p * cross.p)
        pv -= gain.p * cross.v
        pb -= gain.p * cross.b
        vv = max(0, vv - gain.v * cross.v)
        vb -= gain.v * cross.b
        bb = max(MotionMode.least, bb - gain.b * cross.b)
    }

    private static func logLikelihood(_ surprise: Double, _ spread: Double) -> Double {
        -(tails + 2) / 2 * Logarithm.natural(1 + surprise / tails) - Logarithm.natural(spread)
    }

    /// Degrees of freedom of the errors' distribution.
    private static let tails = 5.0
    /// Seconds in which a moving board takes in the slow error that it knew of.
    private static let followed = 15.0
    /// Half a percent of the speed may be wrong for half a minute: what the variance of the position grows by a second,
    /// in the square of the speed; seconds.
    private static let dopplerDrift = 0.002
    /// Seconds in which a moving board leaves the surroundings behind that cause the slow error.
    private static let passed = 30.0
    /// The square of the greatest slow error, in its variance on an axis: 8 % are greater.
    private static let mostBias = 5.0
    /// The least variance; m².
    private static let least = 1e-6
}
