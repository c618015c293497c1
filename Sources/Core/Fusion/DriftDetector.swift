/// Tells a slow crawl from rest by the Doppler velocity averaged over ten seconds, because the noise of a single
/// velocity hides the crawl.
struct DriftDetector: Sendable {
    private var mean = SIMD2<Double>.zero
    /// The variance of the mean velocity on one axis; (m/s)².
    private var variance = 1.0
    /// The number of fixes whose velocities are averaged in `mean`.
    private var count = 0.0

    /// The evidence for a slow crawl against rest, as the logarithm of a likelihood ratio; at least 0.
    var evidence: Double {
        max(0, (mean * mean).sum() / (2 * (variance + DriftDetector.floor)) - DriftDetector.chance)
            / DriftDetector.repeats
    }

    /// - Parameter noise: The variance of the given velocity on one axis; (m/s)².
    /// - Parameter pace: Seconds since the previous fix.
    mutating func found(_ velocity: SIMD2<Double>, noise: Double, pace: Double) {
        let change = velocity - mean
        // A velocity far from the mean shows a stop or a start, not a crawl, so the mean begins anew.
        if (change * change).sum() > 6 * noise { count = 0 }
        count = min(count + 1, max(1, DriftDetector.time / max(pace, 0.05)))
        mean += (velocity - mean) / count
        variance = noise / count
    }

    /// Seconds over which velocities are averaged.
    private static let time = 10.0
    /// The variance, on one axis, of the velocity error that a receiver has at rest and that averaging does not remove;
    /// (m/s)².
    private static let floor = 0.01
    /// The log-likelihood ratio that noise alone can reach; it is subtracted from the evidence for a crawl.
    private static let chance = 5.0
    /// The evidence is divided by this number, because successive means share most of their velocities: eight means
    /// tell only as much as one.
    private static let repeats = 8.0
}
