import Glibc
import SextantUnits

/// The part of an emulated receiver's position error that comes from reflected signals.
///
/// It is a first-order Gauss-Markov process on each axis. The process's standard deviation and time constant change
/// with each stretch of the way.
///
/// On a new stretch or after a new start other satellites and reflections dominate, so the error jumps.
struct Multipath: Sendable {
    private let surroundings: Surroundings
    private var random: SplitMix64
    /// The standard deviation of the error in each axis, in metres; 0 without multipath.
    private(set) var sigma = 0.0
    private(set) var velocityFactor = 1.0
    private var timeConstant = 60.0
    /// The seconds of motion that remain until the present stretch of the way ends.
    private var left = 0.0
    /// The error to the east, in metres.
    private(set) var east = 0.0
    /// The error to the north, in metres.
    private(set) var north = 0.0
    /// The upward error, in metres.
    private(set) var up = 0.0

    init(_ surroundings: Surroundings, seed: UInt64) {
        self.surroundings = surroundings
        random = SplitMix64(seed: seed ^ 0x4D55_4C54)
        begin()
    }

    private var hasMultipath: Bool { surroundings != .white && surroundings != .open }

    /// Draws a new random error after the receiver has searched and found its position again.
    mutating func start() {
        guard hasMultipath else { return }
        draw()
    }

    /// Lets time pass, during which the error drifts.
    ///
    /// - Parameter isMoving: Whether the receiver moves; only a moving receiver comes to another stretch of the way.
    mutating func advance(seconds: Double, isMoving: Bool) {
        guard hasMultipath else { return }
        if isMoving { left -= seconds }
        guard left > 0 else { return begin() }
        let memory = exp(-seconds / timeConstant)
        let renewal = sigma * (1 - memory * memory).squareRoot()
        east = east * memory + renewal * random.nextGaussian()
        north = north * memory + renewal * random.nextGaussian()
        up = up * memory + renewal * random.nextGaussian()
    }

    /// Begins the next stretch of the way.
    private mutating func begin() {
        guard hasMultipath else { return }
        let stretch = surroundings.stretch(&random)
        let range = stretch?.sigma ?? 0...0
        // The logarithm of the standard deviation is evenly distributed: values from 3 to 6 m are as frequent as from 6
        // to 12 m.
        sigma = stretch == nil ? 0 : range.lowerBound * pow(range.upperBound / range.lowerBound, random.nextUnit())
        timeConstant = random.next(in: stretch?.timeConstant ?? 60...60)
        left = random.next(in: stretch?.duration ?? 120...600)
        velocityFactor = stretch?.velocityFactor ?? 1
        draw()
    }

    private mutating func draw() {
        (east, north, up) = (
            sigma * random.nextGaussian(), sigma * random.nextGaussian(), sigma * random.nextGaussian()
        )
    }

    /// The factor by which the accuracy radius that the receiver states is larger than under open sky.
    ///
    /// - Parameter openSigma: The standard deviation of the error in each axis under open sky, in metres.
    func claimFactor(openSigma: Double) -> Double {
        guard sigma > 0 else { return 1 }
        return pow(1 + (sigma / openSigma) * (sigma / openSigma), Surroundings.Stretch.claimExponent / 2)
    }
}
