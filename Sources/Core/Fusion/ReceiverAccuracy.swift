internal import Units

/// The slow part of a receiver's error: an Ornstein-Uhlenbeck process on each axis.
struct SlowError: Sendable {
    /// m².
    var variance: Double
    /// Seconds in which it is forgotten to 1/e.
    var persistence: Double
    /// The variance of all the error by the receiver's claims, or by its noise where that disproves them; m².
    var claimed: Double
    /// What the claims leave for it beside the noise; m².
    var expected: Double
    /// Seconds in which it is forgotten if its variance is no more than the claimed one.
    var haste: Double
    /// By how much the variance is too large because the fixes are slow.
    var overreach: Double

    /// Seconds, as measured of standing receivers.
    static let usualPersistence = 120.0
    /// Seconds.
    static let shortest = 20.0
}

/// What one receiver's claims of accuracy are worth, learned from its fixes.
///
/// Its noise shows in how unevenly its fixes follow each other: of the second differences of three fixes at an even
/// pace, white noise, a wandering error and an acceleration have autocovariances in the proportions 6 : -4 : 1,
/// 2 : -1 : 0 and 1 : 1 : 1, so that (3 C₂ - C₀ - 2 C₁) / 5 is the noise alone.
struct ReceiverAccuracy: Sendable {
    /// The noise's variance in the square of the claimed deviation.
    private(set) var noiseRatio = ReceiverAccuracy.usualNoise
    /// How many fixes it was learned from.
    private(set) var experience = 0.0
    /// How fast the error wanders: the square of the claimed deviation per second.
    private(set) var restlessness = 0.0
    private var covariance = SIMD3<Double>.zero
    private var last = SIMD2<Double>.zero
    private var step = SIMD2<Double>.zero
    private var bends = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    private var lastInstant = MonotonicInstant.zero
    private var lastInterval = 0.0
    private var run = 0
    private(set) var wander = ErrorWander()

    init() {}

    /// Begins with what was learned before; nil where it cannot have been.
    init?(noise: Double, fixes: Double, wander: Double, spans: Double) {
        guard noise > 0, noise <= ReceiverAccuracy.mostNoise, fixes >= 0, fixes <= ReceiverAccuracy.memory,
            let known = ErrorWander(ratio: wander, experience: spans)
        else { return nil }
        noiseRatio = noise
        experience = fixes
        // The autocovariances of noise alone that would give this much.
        covariance = noise * SIMD3(6, -4, 1)
        self.wander = known
    }

    /// The claimed deviation of one axis; metres.
    static func deviation(claimed: Double?) -> Double {
        let accuracy = claimed.map { $0 > 0 ? $0 : assumedAccuracy } ?? assumedAccuracy
        return max(leastAccuracy, accuracy) / 1.509_592_178_018_553_4
    }

    /// The variance of the noise of a fix; m².
    func noise(deviation: Double) -> Double { max(0.04, noiseRatio * deviation * deviation) }

    /// The slow error behind a fix.
    func slowError(deviation: Double, isClaimed: Bool) -> SlowError {
        let white = noise(deviation: deviation)
        let least = (isClaimed ? ReceiverAccuracy.leastSlow : ReceiverAccuracy.slowToNoise) * white
        let usual = max(deviation * deviation - white, least)
        let variance = max(0.25, usual * wander.ratio)
        let rate = restlessness * deviation * deviation
        let persistence = min(SlowError.usualPersistence, max(SlowError.shortest, 2 * variance / max(rate, 1e-6)))
        let claimed = max(deviation * deviation, ReceiverAccuracy.errorToNoise * white)
        let haste = min(persistence, max(SlowError.shortest, 2 * min(variance, usual) / max(rate, 1e-6)))
        return SlowError(
            variance: variance, persistence: persistence, claimed: claimed,
            expected: max(0, deviation * deviation - white), haste: haste, overreach: wander.overreach)
    }

    /// Takes a fix to learn the slow error from.
    ///
    /// - Parameter motion: How the board moves; nil where nothing tells.
    mutating func witness(
        _ point: SIMD2<Double>, motion: ErrorWander.Motion?, deviation: Double, isClaimed: Bool,
        at instant: MonotonicInstant
    ) {
        let white = noise(deviation: deviation)
        let usual = slowError(deviation: deviation, isClaimed: isClaimed).variance / wander.ratio
        wander.take(point, motion: motion, noise: white, usual: usual, at: instant)
    }

    /// Forgets where the last fixes were, because the plane has changed.
    mutating func forgetPlaces() {
        run = 0
        wander.forgetPlaces()
    }

    /// Takes a fix to learn from, in the plane of the filter.
    mutating func learn(_ point: SIMD2<Double>, deviation: Double, at instant: MonotonicInstant) {
        let interval = Double(instant.nanoseconds(since: lastInstant)) / 1e9
        let isEven = run == 1 || abs(interval - lastInterval) < 0.2 * interval
        guard run > 0, interval > 0.05, interval < 6, isEven else {
            if run == 0 || interval > 0.05 { start(point, instant, interval) }
            return
        }
        let newStep = point - last
        if run >= 2 { take((newStep - step) / deviation) }
        (last, step, lastInstant, lastInterval) = (point, newStep, instant, interval)
        run = min(run + 1, 5)
    }

    /// Begins another run of fixes.
    private mutating func start(_ point: SIMD2<Double>, _ instant: MonotonicInstant, _ interval: Double) {
        (last, lastInstant, lastInterval, run) = (point, instant, interval, 1)
    }

    private mutating func take(_ bend: SIMD2<Double>) {
        let bend = clipped(bend)
        if run >= 4 {
            let products = SIMD3((bend * bend).sum(), (bend * bends.0).sum(), (bend * bends.1).sum()) / 2
            experience = min(experience + 1, ReceiverAccuracy.memory)
            covariance += (products - covariance) / (experience + 1)
            let seen = (3 * covariance.z - covariance.x - 2 * covariance.y) / 5
            // Less what chance gives it.
            let chance = 2 * covariance.x / (experience + 1).squareRoot()
            let rate = covariance.z - covariance.y - 5 * seen - chance
            restlessness = max(0, rate) / max(lastInterval, 0.1)
            let trust = experience / (experience + 8)
            let ratio = trust * seen + (1 - trust) * ReceiverAccuracy.usualNoise
            noiseRatio = min(ReceiverAccuracy.mostNoise, max(ReceiverAccuracy.leastNoise, ratio))
        }
        bends = (bend, bends.0)
    }

    /// A bend that no more than doubles what is known of bends.
    private func clipped(_ bend: SIMD2<Double>) -> SIMD2<Double> {
        let size = (bend * bend).sum().squareRoot()
        let most = experience > 10 ? 4 * (covariance.x + 0.001).squareRoot() : 8
        return size > most ? bend * (most / size) : bend
    }

    /// The part of a receiver's variance that is noise, before it is learned.
    private static let usualNoise = 0.2
    /// The slow error's variance in the noise's: the least of a receiver that claims no more than its noise, and that of
    /// one that claims nothing.
    private static let leastSlow = 0.3
    private static let slowToNoise = 1.5
    private static let errorToNoise = 1.5
    private static let leastNoise = 0.002
    private static let mostNoise = 100.0
    /// Fixes.
    private static let memory = 300.0
    /// Metres, 68 %, of a receiver that claims nothing.
    private static let assumedAccuracy = 6.0
    /// Metres, 68 %: better is not believed.
    private static let leastAccuracy = 1.5
}
