/// Tells a slow crawl from rest by the mean Doppler velocity of ten seconds, because noise hides the crawl in a single
/// velocity.
struct DriftDetector: Sendable {
    private var mean = SIMD2<Double>.zero
    /// The variance of the mean on one axis; (m/s)².
    private var variance = 1.0
    /// The number of fixes in the mean.
    private var count = 0.0

    /// The evidence for a slow crawl against rest, as the logarithm of a likelihood ratio; at least 0.
    var evidence: Double {
        max(0, (mean * mean).sum() / (2 * (variance + DriftDetector.floor)) - DriftDetector.chance)
            / DriftDetector.repeats
    }

    /// - Parameter noise: The variance of the velocity on an axis; (m/s)².
    /// - Parameter pace: Seconds since the previous fix.
    mutating func found(_ velocity: SIMD2<Double>, noise: Double, pace: Double) {
        let change = velocity - mean
        // A large change is a stop or a start and no crawl, so the mean begins anew.
        if (change * change).sum() > 6 * noise { count = 0 }
        count = min(count + 1, max(1, DriftDetector.time / max(pace, 0.05)))
        mean += (velocity - mean) / count
        variance = noise / count
    }

    /// Seconds over which velocities are averaged.
    private static let time = 10.0
    /// The variance of the mean velocity that a receiver reports at rest; (m/s)².
    private static let floor = 0.01
    /// The evidence that chance alone gives, which is subtracted.
    private static let chance = 5.0
    /// The number of successive means that count as one, because they share most of their velocities.
    private static let repeats = 8.0
}
