public import Monitors

/// The accuracy with which one estimator found the distances of one set of recordings.
///
/// There is one estimate for each second that has a reading. All estimates count alike. The estimator starts anew for
/// every combination of sender, distance and angle, because each was recorded separately.
public struct BeaconScore: Sendable {
    private var errors: [Double] = []
    private var rightClasses = 0
    private var changes = 0
    private var seconds = 0.0
    private var held = 0
    private var hasAccuracy = false

    /// The score of the daemon's estimator, with the daemon's own constants or with the given ones.
    public static func sextant(
        _ places: [RecordedBeacon], by model: BeaconDistance.Model = .usual
    ) -> BeaconScore {
        BeaconScore(places) { SextantEstimator($0, by: model) }
    }

    /// The score of android-beacon-library's formulas with its default filter.
    public static func runningAverage(_ places: [RecordedBeacon]) -> BeaconScore {
        BeaconScore(places) { RunningAverageEstimator($0) }
    }

    /// The score of android-beacon-library's formulas with its alternative filter.
    public static func autoregressive(_ places: [RecordedBeacon]) -> BeaconScore {
        BeaconScore(places) { AutoregressiveEstimator($0) }
    }

    private init<Estimator: BeaconEstimator>(_ places: [RecordedBeacon], _ make: (Double) -> Estimator) {
        for place in places {
            var estimator = make(place.power)
            add(place, &estimator)
        }
        errors.sort()
    }

    /// Whether this reading is the last of its second; only the estimate after the last reading of each second is
    /// scored.
    static func isLastOfSecond(_ index: Int, of readings: [BeaconReading]) -> Bool {
        guard readings.indices.contains(index + 1) else { return true }
        return readings[index + 1].seconds.rounded(.down) != readings[index].seconds.rounded(.down)
    }

    private mutating func add(_ place: RecordedBeacon, _ estimator: inout some BeaconEstimator) {
        var last: Int?
        for (index, reading) in place.readings.enumerated() {
            estimator.heard(reading.strength, at: reading.seconds)
            guard BeaconScore.isLastOfSecond(index, of: place.readings) else { continue }
            let estimate = estimator.estimate
            errors.append(abs(estimate.distance - place.distance) / place.distance)
            rightClasses += estimate.class == BeaconScore.class(of: place.distance) ? 1 : 0
            changes += last.map { $0 != estimate.class } ?? false ? 1 : 0
            last = estimate.class
            if let accuracy = estimate.accuracy {
                hasAccuracy = true
                held += place.distance <= accuracy ? 1 : 0
            }
        }
        if let first = place.readings.first, let end = place.readings.last { seconds += end.seconds - first.seconds }
    }

    /// The proximity class of a distance in metres: 0 below 0.5 m, 1 below 3 m, 2 for 3 m or more.
    static func `class`(of distance: Double) -> Int { distance < 0.5 ? 0 : distance < 3 ? 1 : 2 }

    // MARK: Results

    /// The relative error that half of the estimates do not exceed.
    public var medianError: Double { errors.quantile(0.5) ?? .nan }

    /// The relative error that nine of ten estimates do not exceed.
    public var upperError: Double { errors.quantile(0.9) ?? .nan }

    /// The share of estimates that have the proximity class of the true distance.
    public var rightClassShare: Double { Double(rightClasses) / Double(errors.count) }

    /// The number of changes of the proximity class per minute; nothing moves, so each change is an error.
    public var changesPerMinute: Double { Double(changes) / seconds * 60 }

    /// The share of estimates whose accuracy radius is at least the true distance; nil if the estimator states no
    /// accuracy.
    public var heldShare: Double? { hasAccuracy ? Double(held) / Double(errors.count) : nil }
}
