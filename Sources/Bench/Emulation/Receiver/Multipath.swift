import Glibc

/// The part of an emulated receiver's error that comes of reflected signals: a first-order Gauss-Markov process on each
/// axis, whose size and time constant change with each stretch of the way.
///
/// A new stretch and a new start receive other satellites by other ways: the error jumps.
struct Multipath: Sendable {
    private let surroundings: Surroundings
    private var random: SplitMix64
    /// Metres, one standard deviation of an axis; 0 where there is none.
    private(set) var sigma = 0.0
    private(set) var velocityFactor = 1.0
    private var timeConstant = 60.0
    /// Seconds of motion until the stretch ends.
    private var left = 0.0
    /// Metres.
    private(set) var east = 0.0
    private(set) var north = 0.0
    private(set) var up = 0.0

    init(_ surroundings: Surroundings, seed: UInt64) {
        self.surroundings = surroundings
        random = SplitMix64(seed: seed ^ 0x4D55_4C54)
        begin()
    }

    private var hasMultipath: Bool { surroundings != .white && surroundings != .open }

    /// The receiver has found its position anew.
    mutating func start() {
        guard hasMultipath else { return }
        draw()
    }

    /// - Parameter isMoving: Whether the receiver moves, and so comes to another stretch.
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

    /// Comes to the next stretch.
    private mutating func begin() {
        guard hasMultipath else { return }
        let stretch = surroundings.stretch(&random)
        let range = stretch?.sigma ?? 0...0
        // As many stretches between 3 and 6 m as between 6 and 12.
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

    /// By how much the receiver's claim is larger than under open sky.
    ///
    /// - Parameter openSigma: Metres, one standard deviation of an axis of the error under open sky.
    func claimFactor(openSigma: Double) -> Double {
        guard sigma > 0 else { return 1 }
        return pow(1 + (sigma / openSigma) * (sigma / openSigma), Surroundings.Stretch.claimExponent / 2)
    }
}
