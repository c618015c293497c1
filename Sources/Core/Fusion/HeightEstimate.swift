/// The estimate of the altitude: a random walk, observed with noise.
struct HeightEstimate: Sendable {
    private var altitude = 0.0
    private var variance = -1.0
    /// Variance of the slow part of the receiver's error, which lasts for minutes; m².
    private var slow = 0.0

    /// Metres above mean sea level, and the 68 % accuracy in metres; nil before a fix gave an altitude.
    var answer: (altitude: Double?, accuracy: Double?) {
        variance < 0 ? (nil, nil) : (altitude, (variance + slow).squareRoot())
    }

    mutating func advance(_ interval: Double, isStationary: Bool) {
        guard variance >= 0 else { return }
        variance += interval * (isStationary ? 0.02 : 1)
    }

    mutating func found(_ fix: FilterFix) {
        guard let measured = fix.altitude, abs(measured) < HeightEstimate.highest else { return }
        let claimed = fix.verticalAccuracy.flatMap { $0 > 0 && $0 < 10_000 ? $0 : nil } ?? HeightEstimate.usual
        // Half of a receiver's error lasts for minutes: it does not average out.
        let noise = max(1, claimed * claimed / 2)
        slow = noise
        guard variance >= 0 else {
            (altitude, variance) = (measured, noise)
            return
        }
        let innovation = measured - altitude
        let surprise = innovation * innovation / (variance + noise)
        let stretched = noise * max(1, surprise / 4)
        let gain = variance / (variance + stretched)
        altitude += gain * innovation
        variance -= gain * variance
    }

    /// An altitude of at least this, up or down, is ignored; metres.
    private static let highest = 100_000.0
    /// The accuracy assumed where the receiver claims none; metres, 68 %.
    private static let usual = 15.0
}
