internal import SextantUnits

/// The part of a receiver's position error that lasts for minutes: an Ornstein-Uhlenbeck process on each axis.
struct SlowError: Sendable {
    /// The slow error's variance on one axis; m².
    var variance: Double
    /// Seconds after which the slow error has faded to 1/e.
    var persistence: Double
    /// The slow error's variance divided by the variance that follows from the accuracy that the receiver claims.
    var ratio: Double
    /// How far the slow error changes in jumps instead of smoothly, 1 to 1.6; 1 if its changes are normally
    /// distributed.
    var jumpiness: Double
}

/// The true errors of one receiver relative to the accuracy that it claims, learned from its fixes.
///
/// The noise is computed from second differences of the position in fixes at an even pace. The autocovariances C₀, C₁
/// and C₂ of these differences at lags of 0, 1 and 2 fixes are in the proportion 6 : -4 : 1 for white noise, 2 : -1 : 0
/// for a wandering error, and 1 : 1 : 1 for an acceleration. So (3 C₂ - C₀ - 2 C₁) / 5 is the variance of the noise
/// alone.
struct ReceiverAccuracy: Sendable {
    /// The noise's variance divided by the square of the claimed standard deviation.
    private(set) var noiseRatio = ReceiverAccuracy.usualNoise
    /// The number of fixes that the noise was learned from.
    private(set) var experience = 0.0
    private var covariance = SIMD3<Double>.zero
    private var last = SIMD2<Double>.zero
    private var step = SIMD2<Double>.zero
    private var bends = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    private var lastInstant = MonotonicInstant.zero
    private var lastInterval = 0.0
    private var run = 0
    private(set) var wander = SlowErrorMeter()

    init() {}

    /// Restores what was learned before a restart; nil where the values are impossible.
    init?(noise: Double, fixes: Double, wander: SlowErrorMeter) {
        guard noise > 0, noise <= ReceiverAccuracy.maximumNoise, fixes >= 0, fixes <= ReceiverAccuracy.memory else {
            return nil
        }
        noiseRatio = noise
        experience = fixes
        // The autocovariances of white noise are in the proportion 6 : -4 : 1; the restored ratio gives their size.
        covariance = noise * SIMD3(6, -4, 1)
        self.wander = wander
    }

    /// The standard deviation on one axis that corresponds to the claimed accuracy; metres.
    static func deviation(claimed: Double?) -> Double {
        let accuracy = claimed.map { $0 > 0 ? $0 : assumedAccuracy } ?? assumedAccuracy
        return max(minimumAccuracy, accuracy) / 1.509_592_178_018_553_4
    }

    /// The variance of the noise in a fix (the error that changes from fix to fix); m².
    func noise(deviation: Double) -> Double { max(0.04, noiseRatio * deviation * deviation) }

    /// The slow error (the part that lasts for minutes) that a fix is expected to have.
    func slowError(deviation: Double, isClaimed: Bool) -> SlowError {
        SlowError(
            variance: max(ReceiverAccuracy.minimumVariance, usual(deviation, isClaimed) * wander.ratio),
            persistence: wander.persistence, ratio: wander.ratio, jumpiness: wander.jumpiness)
    }

    /// The expected variance of the slow error: the claimed variance minus the noise's variance, but at least a
    /// fraction of the noise's variance; m².
    private func usual(_ deviation: Double, _ isClaimed: Bool) -> Double {
        let white = noise(deviation: deviation)
        // Where the noise alone far exceeds the receiver's claims, the claims are not used.
        let lie = min(1, max(0, noiseRatio - ReceiverAccuracy.disproof))
        let least =
            isClaimed
            ? ReceiverAccuracy.minimumSlow + lie * (ReceiverAccuracy.slowToNoise - ReceiverAccuracy.minimumSlow)
            : ReceiverAccuracy.slowToNoise
        return max(deviation * deviation - white, least * white)
    }

    /// Learns the slow error (the part that lasts for minutes) from a fix.
    ///
    /// - Parameter motion: The board's motion; nil where it is not known.
    mutating func witness(
        _ point: SIMD2<Double>, motion: SlowErrorMeter.Motion?, deviation: Double, isClaimed: Bool,
        at instant: MonotonicInstant
    ) {
        wander.found(
            point, motion: motion, noise: noise(deviation: deviation), usual: usual(deviation, isClaimed), at: instant)
    }

    /// Learns the slow error (the part that lasts for minutes) from a fix of a board whose accelerometer feels no
    /// motion.
    mutating func witnessRest(
        _ point: SIMD2<Double>, since: MonotonicInstant, deviation: Double, isClaimed: Bool,
        at instant: MonotonicInstant
    ) {
        wander.rested(
            point, since: since, noise: noise(deviation: deviation), usual: usual(deviation, isClaimed), at: instant)
    }

    /// Forgets the positions of the last fixes, because they are in a tangent plane that is no longer used.
    mutating func forgetPlaces() {
        run = 0
        wander.forgetPlaces()
    }

    /// Learns the noise from a fix, given as a point of the filter's tangent plane.
    mutating func learn(_ point: SIMD2<Double>, deviation: Double, at instant: MonotonicInstant) {
        let interval = Double(instant.nanoseconds(since: lastInstant)) / 1e9
        let isEven = run == 1 || abs(interval - lastInterval) < 0.2 * interval
        guard run > 0, interval > 0.05, interval < 6, isEven else {
            if run == 0 || interval > 0.05 { start(point, instant, interval) }
            return
        }
        let newStep = point - last
        if run >= 2 { found((newStep - step) / deviation) }
        (last, step, lastInstant, lastInterval) = (point, newStep, instant, interval)
        run = min(run + 1, 5)
    }

    /// Begins a new series of fixes at an even pace, with this fix.
    private mutating func start(_ point: SIMD2<Double>, _ instant: MonotonicInstant, _ interval: Double) {
        (last, lastInstant, lastInterval, run) = (point, instant, interval, 1)
    }

    private mutating func found(_ bend: SIMD2<Double>) {
        let bend = clipped(bend)
        if run >= 4 {
            let products = SIMD3((bend * bend).sum(), (bend * bends.0).sum(), (bend * bends.1).sum()) / 2
            experience = min(experience + 1, ReceiverAccuracy.memory)
            covariance += (products - covariance) / (experience + 1)
            let seen = (3 * covariance.z - covariance.x - 2 * covariance.y) / 5
            let trust = experience / (experience + 8)
            let ratio = trust * seen + (1 - trust) * ReceiverAccuracy.usualNoise
            noiseRatio = min(ReceiverAccuracy.maximumNoise, max(ReceiverAccuracy.minimumNoise, ratio))
        }
        bends = (bend, bends.0)
    }

    /// The second difference of three positions, limited so that one outlier does not outweigh what was learned.
    private func clipped(_ bend: SIMD2<Double>) -> SIMD2<Double> {
        let size = (bend * bend).sum().squareRoot()
        let most = experience > 10 ? 4 * (covariance.x + 0.001).squareRoot() : 8
        return size > most ? bend * (most / size) : bend
    }

    /// The noise's variance divided by the claimed variance, as assumed until it is learned.
    private static let usualNoise = 0.2
    /// The smallest assumed ratio of the slow error's variance to the noise's variance; for a receiver that claims no
    /// accuracy, or a far too good one, `slowToNoise` is used instead.
    private static let minimumSlow = 0.3
    private static let slowToNoise = 1.8
    /// If the noise's variance divided by the claimed variance exceeds this, the claim begins to count as false.
    private static let disproof = 1.2
    private static let minimumNoise = 0.002
    /// The smallest variance of the slow error; m².
    private static let minimumVariance = 0.002
    private static let maximumNoise = 100.0
    /// The number of fixes over which the noise is averaged.
    private static let memory = 300.0
    /// The accuracy assumed for a receiver that claims none; metres, 68 %.
    private static let assumedAccuracy = 6.0
    /// A claimed accuracy that is better than this many metres (68 %) counts as this one.
    private static let minimumAccuracy = 1.5
}
