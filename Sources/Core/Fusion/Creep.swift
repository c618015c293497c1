/// The mean of the Doppler velocities of some seconds: it shows a crawl that hides in the noise of each.
struct Creep: Sendable {
    private var mean = SIMD2<Double>.zero
    /// The variance of the mean on an axis; (m/s)².
    private var variance = 1.0
    /// Fixes that the mean is made of.
    private var count = 0.0

    /// How much likelier a crawl is than rest: a logarithm.
    var evidence: Double {
        max(0, (mean * mean).sum() / (2 * (variance + Creep.floor)) - Creep.chance) / Creep.repeats
    }

    /// - Parameter noise: The variance of the velocity on an axis; (m/s)².
    /// - Parameter pace: Seconds since the fix before.
    mutating func take(_ velocity: SIMD2<Double>, noise: Double, pace: Double) {
        let change = velocity - mean
        // A stop or a start is no crawl: the mean begins anew.
        if (change * change).sum() > 6 * noise { count = 0 }
        count = min(count + 1, max(1, Creep.time / max(pace, 0.05)))
        mean += (velocity - mean) / count
        variance = noise / count
    }

    /// Seconds.
    private static let time = 10.0
    /// The variance of what a receiver at rest gives on average; (m/s)².
    private static let floor = 0.01
    /// What chance gives.
    private static let chance = 5.0
    /// The mean says the same again and again.
    private static let repeats = 8.0
}
