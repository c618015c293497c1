/// The direction of magnetic north in the device's frame, averaged so that noise shrinks but turns are followed.
///
/// It averages a vector, so there is no discontinuity at north. A step of the direction that is larger than the noise
/// is a turn: the larger the step is beside the noise, the more the sample's weight grows towards 1. Small noise is
/// therefore averaged over `timeConstant`, and the average lags behind a turn by little more than the noise, however
/// fast the turn is.
struct NorthFilter: Sendable {
    private var north: SIMD3<Double>?
    /// The average's standard deviation as a share of a single sample's.
    private(set) var noiseFactor = 1.0
    /// The angle by which the average may lag behind a turn; radians.
    private(set) var lag = 0.0

    private static let timeConstant = 0.5
    /// Seconds without samples after which averaging starts anew.
    private static let longestGap = 5.0

    mutating func restart() { north = nil }

    /// - Parameters:
    ///   - sample: The measured direction of north, of length 1 and at right angles to `up`.
    ///   - noise: The standard deviation of the sample's direction; radians.
    /// - Returns: The averaged direction of north, of length 1 and at right angles to `up`.
    mutating func update(
        _ sample: SIMD3<Double>, up: SIMD3<Double>, noise: Double, seconds: Double
    ) -> SIMD3<Double> {
        guard seconds <= NorthFilter.longestGap, let before = north,
            let carried = (before - before.dot(up) * up).direction
        else { return start(sample) }
        let step = (sample - carried).norm
        let byTime = SmoothingWeight.weight(seconds: seconds, timeConstant: NorthFilter.timeConstant)
        let byStep = step * step / (step * step + 9 * noise * noise)
        let weight = byStep.isFinite ? max(byTime, byStep) : byTime
        guard let now = (carried + weight * (sample - carried)).direction else { return start(sample) }
        north = now
        let kept = (1 - weight) * noiseFactor
        noiseFactor = (weight * weight + kept * kept).squareRoot()
        lag = (1 - weight) * max(0, step - 2 * noise)
        return now
    }

    private mutating func start(_ sample: SIMD3<Double>) -> SIMD3<Double> {
        (north, noiseFactor, lag) = (sample, 1, 0)
        return sample
    }
}
