internal import Emulation
internal import Glibc
internal import SextantUnits

/// The errors of a receiver's positions: a slow drift, and occasional jumps that last a few fixes.
///
/// The drift is an Ornstein-Uhlenbeck process on each axis. A jump is 40 to 250 m in a random direction and lasts 1 to
/// 6 fixes; half of the jumps claim an accuracy of 2 to 5 m. The figures are assumptions.
public struct PositionNoise: Sendable {
    public struct Error: Sendable {
        /// The error to the east, in metres.
        public var east: Double
        /// The error to the north, in metres.
        public var north: Double
        /// The accuracy that the receiver claims: the radius that holds 68 % of the errors, in metres.
        public var accuracy: Double
        public var isJump: Bool
    }

    private var random: SplitMix64
    private let deviation: Double
    private let correlation: Double
    private let claim: Double
    private let jumpInterval: Double?
    private var east: Double
    private var north: Double
    private var jump = (east: 0.0, north: 0.0, accuracy: 0.0, fixes: 0)

    /// - Parameters:
    ///   - deviation: The standard deviation on each axis, in metres.
    ///   - correlation: The correlation time of the drift, in seconds.
    ///   - claim: The claimed accuracy as a multiple of the true one; 1 for a correct claim.
    ///   - jumpInterval: The mean number of seconds between two jumps; nil for none.
    public init(
        seed: UInt64, deviation: Double, correlation: Double = 120, claim: Double = 1, jumpInterval: Double? = nil
    ) {
        random = SplitMix64(seed: seed)
        self.deviation = deviation
        self.correlation = correlation
        self.claim = claim
        self.jumpInterval = jumpInterval
        east = deviation * random.nextGaussian()
        north = deviation * random.nextGaussian()
    }

    /// The error of the next fix, `seconds` after the previous one.
    public mutating func next(after seconds: Double) -> Error {
        let kept = exp(-seconds / correlation)
        let fresh = deviation * (1 - kept * kept).squareRoot()
        east = east * kept + fresh * random.nextGaussian()
        north = north * kept + fresh * random.nextGaussian()
        if jump.fixes == 0, let jumpInterval, random.nextUnit() < seconds / jumpInterval { begin() }
        let accuracy = 1.51 * deviation * claim
        guard jump.fixes > 0 else { return Error(east: east, north: north, accuracy: accuracy, isJump: false) }
        jump.fixes -= 1
        return Error(
            east: east + jump.east, north: north + jump.north, accuracy: jump.accuracy > 0 ? jump.accuracy : accuracy,
            isJump: true)
    }

    private mutating func begin() {
        let length = random.next(in: 40...250)
        let direction = random.next(in: 0...(2 * .pi))
        let accuracy = random.nextUnit() < 0.5 ? random.next(in: 2...5) : 0
        let fixes = 1 + Int(random.nextUnit() * 6)
        jump = (length * cos(direction), length * sin(direction), accuracy, fixes)
    }
}
