public import SextantUnits

/// The distance to one sender of a beacon, estimated from the received strength of its signal.
///
/// A Kalman filter tracks the path loss: the strength that the beacon states for 1 m, minus the received strength. A
/// power law turns the loss into a distance. The logarithm of this distance is then drawn a fifth of the way towards
/// that of 2 m, since walls and bodies make beacons seem far. One estimate is rough: on recordings at known distances
/// the median error was 24 to 50 % of the distance, depending on the recording. The numbers were chosen on three sets
/// of recordings; Sources/Bench/Benchmarks/README.md scores two of them.
public struct BeaconDistance: Sendable, Hashable {
    /// The path loss in decibels; `variance` is its variance in dB².
    private var loss = Self.lossAtFirst
    private var variance = Self.varianceAtFirst
    private var last: MonotonicInstant
    public private(set) var proximity = BeaconProximity.unknown

    public init(at instant: MonotonicInstant) { last = instant }

    /// The constants of the power law.
    public struct Model: Sendable, Hashable {
        /// Decibels by which the strengths at 1 m that beacons state are too low on average.
        public var offset: Double
        /// The path loss exponent: 2 in open space.
        public var exponent: Double
        /// The weight, from 0 to 1, of the measured distance's logarithm in the estimate's logarithm; the logarithm of
        /// a usual distance, 2 m, has the rest of the weight.
        public var measuredShare: Double
        /// The radius that contains the board with a probability of 68 %, as a multiple of the estimated distance.
        public var accuracyShare: Double

        public init(offset: Double, exponent: Double, measuredShare: Double, accuracyShare: Double) {
            self.offset = offset
            self.exponent = exponent
            self.measuredShare = measuredShare
            self.accuracyShare = accuracyShare
        }

        /// The constants of the power law that the daemon uses.
        public static let usual = Model(offset: 2, exponent: 1.8, measuredShare: 0.8, accuracyShare: 1.3)

        private static let usualDistance = 2.0
        private var drawn: Double { (1 - measuredShare) * Logarithm.natural(Model.usualDistance) }

        /// The distance in metres for a path loss in decibels.
        func metres(ofLoss loss: Double) -> Double {
            let measured = (loss + offset) / (10 * exponent)
            return Logarithm.exponential(measuredShare * measured * BeaconDistance.naturalOfTen + drawn)
        }

        /// The strength at 1 m, in dBm, that best fits the strengths received from a beacon at known distances.
        ///
        /// The power law adds `offset`, in dB, to every strength at 1 m, because strengths that beacons state or that
        /// were measured at a single distance are on average too low. A mean over several distances is not too low, so
        /// `offset` is subtracted here in advance.
        ///
        /// - Parameter places: Distances in metres and the strength in dBm that was received at each; one or more.
        public func power(fitting places: [(metres: Double, strength: Double)]) -> Double {
            let powers = places.map {
                $0.strength + 10 * exponent * Logarithm.natural($0.metres) / BeaconDistance.naturalOfTen
            }
            return powers.reduce(0, +) / Double(powers.count) - (places.count > 1 ? offset : 0)
        }

        /// The path loss in decibels for a distance in metres.
        func loss(ofDistance metres: Double) -> Double {
            10 * exponent * (Logarithm.natural(metres) - drawn) / BeaconDistance.naturalOfTen / measuredShare - offset
        }
    }

    /// The variance of one received strength in dB²; `change` is how fast the variance of the path loss grows, in
    /// dB²/s.
    private static let scatter = 36.0
    private static let change = (atRest: 0.05, moving: 2.0)
    /// An advertisement whose strength is more than this many standard deviations from the expected one counts less.
    private static let outlier = 2.0
    /// The path loss in decibels that is assumed before any advertisement: the loss over 3 m, with a large variance.
    private static let lossAtFirst = Model.usual.loss(ofDistance: 3)
    private static let varianceAtFirst = 100.0

    /// Corrects the estimate by an advertisement.
    ///
    /// - Parameters:
    ///   - strength: The received strength, in dBm.
    ///   - power: The strength that the beacon states for 1 m, in dBm.
    public mutating func heard(strength: Int8, power: Int8, isMoving: Bool, at instant: MonotonicInstant) {
        let seconds = max(0, instant.seconds(since: last))
        last = max(last, instant)
        variance += (isMoving ? Self.change.moving : Self.change.atRest) * seconds
        let surprise = Double(power) - Double(strength) - loss
        let expected = (variance + Self.scatter).squareRoot()
        let weight = min(1, Self.outlier * expected / max(abs(surprise), .leastNonzeroMagnitude))
        let gain = weight * variance / (variance + Self.scatter)
        loss += gain * surprise
        variance *= 1 - gain
        proximity = proximity.after(metres)
    }

    /// Metres between the beacon and the board.
    public var metres: Double { metres(by: .usual) }

    /// The distance in metres between the beacon and the board, computed with the given constants; for a benchmark.
    public func metres(by model: Model) -> Double { model.metres(ofLoss: loss) }

    /// The radius about the beacon, in metres, that contains the board with a probability of 68 %.
    public var accuracy: Double { Model.usual.accuracyShare * metres }

    private static let naturalOfTen = Logarithm.natural(10)
}

/// How near a beacon is, in the three classes of Core Location; Apple publishes no distances for them.
public enum BeaconProximity: Int, Sendable, Hashable {
    case unknown = 0
    /// The beacon is less than 0.5 m away.
    case immediate
    /// The beacon is at least 0.5 m and less than 3 m away.
    case near
    case far

    private static let limits = [0.5, 3.0]
    /// The factor by which a distance must pass a limit before the class changes; without this margin, the class would
    /// flicker while the board is at rest.
    static let margin = 1.25

    /// The class of nearness for a new distance; it differs from the present class only if the distance is clearly
    /// beyond that class's limits.
    func after(_ metres: Double) -> BeaconProximity {
        let new = BeaconProximity.of(metres, limits: BeaconProximity.limits)
        guard self != .unknown, new != self else { return new }
        let factor = new.rawValue > rawValue ? BeaconProximity.margin : 1 / BeaconProximity.margin
        let clear = BeaconProximity.of(metres, limits: BeaconProximity.limits.map { $0 * factor })
        // A distance may cross both limits, as from immediate to far, but exceed only the first of them by the margin;
        // the class is then near.
        return new.rawValue > rawValue ? max(self, clear) : min(self, clear)
    }

    private static func of(_ metres: Double, limits: [Double]) -> BeaconProximity {
        metres < limits[0] ? .immediate : metres < limits[1] ? .near : .far
    }
}

extension BeaconProximity: Comparable {
    public static func < (left: BeaconProximity, right: BeaconProximity) -> Bool { left.rawValue < right.rawValue }
}
