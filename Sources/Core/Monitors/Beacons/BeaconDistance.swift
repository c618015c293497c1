public import SextantUnits

/// How far away one sender of a beacon is, estimated from how strongly it is heard.
///
/// A Kalman filter follows the loss on the way, the stated strength at 1 m minus the strength that is heard; the
/// distance is a power law of it, drawn a fifth of the way towards 2 m, since walls and bodies make beacons seem far.
/// One estimate is rough: on recordings at known distances half of them err by more than 24 to 50 %.
/// The numbers were chosen on three sets of recordings; Sources/Bench/Benchmarks/README.md scores two of them.
public struct BeaconDistance: Sendable, Hashable {
    /// Decibels lost on the way, and their variance in dB².
    private var loss = Self.lossAtFirst
    private var variance = Self.varianceAtFirst
    private var last: MonotonicInstant
    public private(set) var proximity = BeaconProximity.unknown

    public init(at instant: MonotonicInstant) { last = instant }

    /// The constants of the power law.
    public struct Model: Sendable, Hashable {
        /// Decibels that a stated strength is too low on average.
        public var offset: Double
        /// How the strength falls with the distance: 2 in open space.
        public var exponent: Double
        /// The share of what is measured, against that of the usual distance, in the distance's logarithm.
        public var measuredShare: Double
        /// The part by which a radius that holds the board with 68 % is larger than the distance.
        public var accuracyShare: Double

        public init(offset: Double, exponent: Double, measuredShare: Double, accuracyShare: Double) {
            self.offset = offset
            self.exponent = exponent
            self.measuredShare = measuredShare
            self.accuracyShare = accuracyShare
        }

        /// The model that the daemon uses.
        public static let usual = Model(offset: 2, exponent: 1.8, measuredShare: 0.8, accuracyShare: 1.3)

        private static let usualDistance = 2.0
        private var drawn: Double { (1 - measuredShare) * Logarithm.natural(Model.usualDistance) }

        /// The distance in metres of so many decibels lost on the way.
        func metres(ofLoss loss: Double) -> Double {
            let measured = (loss + offset) / (10 * exponent)
            return Logarithm.exponential(measuredShare * measured * BeaconDistance.naturalOfTen + drawn)
        }

        /// The strength at 1 m, in dBm, that fits best what was heard of a beacon at known distances.
        ///
        /// At one distance it is off by a fading dip, and `offset` too low on the average, as beacons' own statements
        /// are; the mean of several is not, which the offset would be added to again.
        ///
        /// - Parameter places: Metres, and the strength in dBm that was heard there; one or more.
        public func power(fitting places: [(metres: Double, strength: Double)]) -> Double {
            let powers = places.map {
                $0.strength + 10 * exponent * Logarithm.natural($0.metres) / BeaconDistance.naturalOfTen
            }
            return powers.reduce(0, +) / Double(powers.count) - (places.count > 1 ? offset : 0)
        }

        /// The decibels lost on a way of so many metres.
        func loss(ofDistance metres: Double) -> Double {
            10 * exponent * (Logarithm.natural(metres) - drawn) / BeaconDistance.naturalOfTen / measuredShare - offset
        }
    }

    /// Variance of one advertisement's strength in dB², and by how much the loss changes at rest and moving, dB²/s.
    private static let scatter = 36.0
    private static let change = (atRest: 0.05, moving: 2.0)
    /// An advertisement that is more than so many standard deviations off counts less.
    private static let outlier = 2.0
    /// The loss of 3 m, as uncertain as can be.
    private static let lossAtFirst = Model.usual.loss(ofDistance: 3)
    private static let varianceAtFirst = 100.0

    /// Takes an advertisement.
    ///
    /// - Parameters:
    ///   - strength: As heard, in dBm.
    ///   - power: Stated by the beacon for 1 m, in dBm.
    public mutating func heard(strength: Int8, power: Int8, isMoving: Bool, at instant: MonotonicInstant) {
        let seconds = max(0, Double(instant.nanoseconds(since: last)) * 1e-9)
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

    /// The same by other constants, as a benchmark compares them.
    public func metres(by model: Model) -> Double { model.metres(ofLoss: loss) }

    /// Metres: the radius about the beacon that holds the board with 68 %.
    public var accuracy: Double { Model.usual.accuracyShare * metres }

    private static let naturalOfTen = Logarithm.natural(10)
}

/// How near a beacon is, in the three classes of Core Location; Apple publishes no distances for them.
public enum BeaconProximity: Int, Sendable, Hashable {
    case unknown = 0
    /// Below 0.5 m.
    case immediate
    /// Below 3 m.
    case near
    case far

    private static let limits = [0.5, 3.0]
    /// By how much a limit must be passed before the class changes: at rest it would flicker otherwise.
    static let margin = 1.25

    /// The class after a new distance: another one only where the distance is clearly beyond this one's limits.
    func after(_ metres: Double) -> BeaconProximity {
        let new = BeaconProximity.of(metres, limits: BeaconProximity.limits)
        guard self != .unknown, new != self else { return new }
        let factor = new.rawValue > rawValue ? BeaconProximity.margin : 1 / BeaconProximity.margin
        let clear = BeaconProximity.of(metres, limits: BeaconProximity.limits.map { $0 * factor })
        // Far away from both limits the nearer of the two is passed clearly.
        return new.rawValue > rawValue ? max(self, clear) : min(self, clear)
    }

    private static func of(_ metres: Double, limits: [Double]) -> BeaconProximity {
        metres < limits[0] ? .immediate : metres < limits[1] ? .near : .far
    }
}

extension BeaconProximity: Comparable {
    public static func < (left: BeaconProximity, right: BeaconProximity) -> Bool { left.rawValue < right.rawValue }
}
