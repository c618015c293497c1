import GNSS
import Glibc
import SextantUnits

/// The errors of an emulated receiver's fixes while it tracks.
///
/// On each axis the error drifts as a first-order Gauss-Markov process with a time constant of 60 s. At each start of
/// tracking the process begins anew; the errors are twice as large at the first fix and settle with a time constant of
/// 3 s. The radius that the receiver states holds 68 % of the errors, apart from a slow variation of 10 %.
struct TrackingNoise: Sendable {
    /// The standard deviation of the velocity's error on each axis, in metres per second.
    static let velocitySigma = 0.1
    /// The ratio of the vertical error to that of a horizontal axis.
    static let verticalRatio = 1.5
    /// The radius that holds 68 % of horizontal errors with a round distribution, divided by the standard deviation of
    /// one axis: √(-2 ln 0.32).
    static let radiusRatio = 1.51
    private static let correlationSeconds = 60.0
    private static let settlingSeconds = 3.0
    private static let wobblePeriod = 400.0

    private var random: SplitMix64
    /// The error to the east, in standard deviations.
    private var east = 0.0
    /// The error to the north, in standard deviations.
    private var north = 0.0
    /// The upward error, in standard deviations.
    private var up = 0.0
    private var phase = 0.0
    private var since = 0.0
    private(set) var velocity = VelocityNED(north: 0, east: 0, down: 0)
    /// Nanoseconds by which the receiver's clock deviates from the exact time of the epoch.
    private(set) var clock: Int64 = 0

    private let surroundings: Surroundings
    private var multipath: Multipath

    init(seed: UInt64, surroundings: Surroundings = .open) {
        random = SplitMix64(seed: seed)
        self.surroundings = surroundings
        multipath = Multipath(surroundings, seed: seed)
    }

    /// Begins the errors anew, as at the first fix.
    mutating func start() {
        (east, north, up) = (random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
        phase = random.next(in: 0...(2 * .pi))
        since = 0
        multipath.start()
        drawVelocity()
    }

    /// Lets time pass, during which the errors drift.
    ///
    /// - Parameter isMoving: Whether the receiver moves; only a moving receiver comes to other surroundings.
    mutating func advance(seconds: Double, isMoving: Bool = true) {
        guard seconds > 0 else { return }
        let memory = surroundings == .white ? 0 : exp(-seconds / TrackingNoise.correlationSeconds)
        let renewal = (1 - memory * memory).squareRoot()
        east = east * memory + renewal * random.nextGaussian()
        north = north * memory + renewal * random.nextGaussian()
        up = up * memory + renewal * random.nextGaussian()
        since += seconds
        multipath.advance(seconds: seconds, isMoving: isMoving)
        drawVelocity()
    }

    private mutating func drawVelocity() {
        let sigma = TrackingNoise.velocitySigma * multipath.velocityFactor
        velocity = VelocityNED(
            north: sigma * random.nextGaussian(), east: sigma * random.nextGaussian(),
            down: sigma * random.nextGaussian())
        clock = Int64((100 * random.nextGaussian()).rounded())
    }

    /// The factor by which the errors are larger than in steady tracking; it falls from 2 to 1 after the first fix.
    private var width: Double { 1 + exp(-since / TrackingNoise.settlingSeconds) }

    /// The present error of the position to the east, to the north and upwards, in metres.
    func error(sigma: Double) -> (east: Double, north: Double, up: Double) {
        let scale = sigma * width
        return (
            east * scale + multipath.east * width, north * scale + multipath.north * width,
            (up * scale + multipath.up * width) * TrackingNoise.verticalRatio
        )
    }

    /// The accuracy radius (68 %) that the receiver states, in metres.
    func statedRadius(sigma: Double) -> Double {
        let wobble = 1 + 0.1 * sin(2 * .pi * since / TrackingNoise.wobblePeriod + phase)
        return sigma * width * TrackingNoise.radiusRatio * wobble * multipath.claimFactor(openSigma: sigma)
    }

    /// The speed accuracy that the receiver states, in metres per second.
    func statedSpeedAccuracy(sigma: Double) -> Double {
        TrackingNoise.velocitySigma * multipath.claimFactor(openSigma: sigma)
    }
}
