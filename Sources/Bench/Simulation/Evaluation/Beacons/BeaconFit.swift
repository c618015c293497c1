public import Monitors

/// Chooses the constants of the daemon's distance estimate on some recordings, so that they can be scored on others.
///
/// The first three (offset in dB, path loss exponent, weight of the measured distance) are the values of a grid with
/// the smallest median relative error. The fourth sets the accuracy radius: it is the multiple of the estimated
/// distance that 68 % of the true distances do not exceed.
public enum BeaconFit {
    private static let offsets = stride(from: -2.0, through: 6, by: 1)
    private static let exponents = stride(from: 1.2, through: 3, by: 0.2)
    private static let shares = stride(from: 0.4, through: 1, by: 0.1)

    /// - Returns: The model with the best constants; nil without recordings.
    public static func model(on places: [RecordedBeacon]) -> BeaconDistance.Model? {
        let estimates = places.flatMap(estimates)
        guard !estimates.isEmpty else { return nil }
        var best: (model: BeaconDistance.Model, error: Double)?
        for offset in offsets {
            for exponent in exponents {
                for share in shares {
                    let model = BeaconDistance.Model(
                        offset: offset, exponent: exponent, measuredShare: share, accuracyShare: 1)
                    let errors = estimates.map { abs($0.estimate.metres(by: model) / $0.metres - 1) }.sorted()
                    if let error = errors.quantile(0.5), error < best?.error ?? .infinity { best = (model, error) }
                }
            }
        }
        guard var model = best?.model else { return nil }
        model.accuracyShare = estimates.map { $0.metres / $0.estimate.metres(by: model) }.sorted().quantile(0.68) ?? 1
        return model
    }

    /// The state of the daemon's distance filter after the last reading of each second, with the true distance in
    /// metres.
    private static func estimates(_ place: RecordedBeacon) -> [(estimate: BeaconDistance, metres: Double)] {
        var estimator = SextantEstimator(place.power)
        var found: [(estimate: BeaconDistance, metres: Double)] = []
        for (index, reading) in place.readings.enumerated() {
            estimator.heard(reading.strength, at: reading.seconds)
            guard BeaconScore.isLastOfSecond(index, of: place.readings), let distance = estimator.distance else {
                continue
            }
            found.append((distance, place.distance))
        }
        return found
    }
}
