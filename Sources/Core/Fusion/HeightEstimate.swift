/// The estimate of the altitude: a random walk that is observed with noise.
struct HeightEstimate: Sendable {
    private var altitude = 0.0
    private var variance = -1.0
    /// Variance of the part of the receiver's altitude error that lasts for minutes; m².
    private var slow = 0.0

    /// The altitude in metres above mean sea level and its accuracy in metres, 68 %; nil until a fix has given an
    /// altitude.
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
        // Half of the claimed variance is error that lasts for minutes and so does not average out; the other half is
        // noise.
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

    /// Altitudes of at least this many metres above or below sea level are ignored.
    private static let highest = 100_000.0
    /// The vertical accuracy assumed where the receiver claims none; metres, 68 %.
    private static let usual = 15.0
}
