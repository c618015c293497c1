internal import Glibc
internal import Monitors
internal import SextantUnits

/// A method that estimates the distance of one beacon from its received signal strengths.
protocol BeaconEstimator {
    /// - Parameters:
    ///   - strength: The received strength, in dBm.
    ///   - seconds: The time of reception, in seconds from any fixed start.
    mutating func heard(_ strength: Double, at seconds: Double)
    var estimate: BeaconEstimate { get }
}

/// An estimate of the distance of a beacon.
struct BeaconEstimate {
    /// Unit: metre.
    var distance: Double
    /// The proximity class: 0 immediate, 1 near, 2 far.
    var `class`: Int
    /// The radius around the beacon that should contain the board with 68 % probability, in metres; nil for none.
    var accuracy: Double?

    init(distance: Double) {
        self.distance = distance
        self.class = BeaconScore.class(of: distance)
    }
}

/// The distance estimator that the daemon uses.
struct SextantEstimator: BeaconEstimator {
    private(set) var distance: BeaconDistance?
    private let power: Int8
    private let model: BeaconDistance.Model

    init(_ power: Double, by model: BeaconDistance.Model = .usual) {
        self.power = Int8(power.rounded())
        self.model = model
    }

    mutating func heard(_ strength: Double, at seconds: Double) {
        let instant = MonotonicInstant.zero.advanced(byNanoseconds: Int64(seconds * 1e9))
        var distance = distance ?? BeaconDistance(at: instant)
        distance.heard(strength: Int8(strength), power: power, isMoving: false, at: instant)
        self.distance = distance
    }

    var estimate: BeaconEstimate {
        guard let distance else { return BeaconEstimate(distance: .nan) }
        var estimate = BeaconEstimate(distance: distance.metres(by: model))
        // With the daemon's own constants the proximity class changes only beyond a margin, as in the daemon; with
        // other constants the class follows from the estimated distance alone.
        if model == .usual { estimate.class = distance.proximity.rawValue - BeaconProximity.immediate.rawValue }
        estimate.accuracy = estimate.distance * model.accuracyShare
        return estimate
    }
}

/// The default filter of android-beacon-library: the mean of the strengths of the past 20 s without the lowest and
/// highest tenth.
///
/// Source of the filter's figures and of the distance curve (`curve`): android-beacon-library's running average and its
/// default model, the one for the Nexus 5.
struct RunningAverageEstimator: BeaconEstimator {
    private var readings: [(strength: Double, seconds: Double)] = []
    private let power: Double

    init(_ power: Double) { self.power = power.rounded() }

    mutating func heard(_ strength: Double, at seconds: Double) {
        readings.append((strength, seconds))
        readings.removeAll { $0.seconds < seconds - 20 }
    }

    var estimate: BeaconEstimate {
        let sorted = readings.map(\.strength).sorted()
        let cut = sorted.count / 10
        let kept = sorted[cut..<(sorted.count - cut)]
        return BeaconEstimate(distance: Self.curve(kept.reduce(0, +) / Double(kept.count), power))
    }

    /// The distance in metres by android-beacon-library's curve for a Nexus 5, from a received strength and the
    /// strength at 1 m, both in dBm.
    static func curve(_ strength: Double, _ power: Double) -> Double {
        let ratio = strength / power
        return ratio < 1 ? pow(ratio, 10) : 0.42093 * pow(ratio, 6.9476) + 0.54992
    }
}

/// The alternative filter of android-beacon-library: each received strength moves the filtered strength by a tenth of
/// the difference between the two.
struct AutoregressiveEstimator: BeaconEstimator {
    private var mean: Double?
    private let power: Double

    init(_ power: Double) { self.power = power.rounded() }

    mutating func heard(_ strength: Double, at seconds: Double) {
        let last = mean ?? strength
        mean = (last - 0.1 * (last - strength)).rounded(.towardZero)
    }

    var estimate: BeaconEstimate {
        BeaconEstimate(distance: RunningAverageEstimator.curve(mean ?? .nan, power))
    }
}
