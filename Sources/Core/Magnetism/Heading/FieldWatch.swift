internal import SextantUnits

/// Watches whether the field is the Earth's alone, by comparing its norm and its dip with those expected.
///
/// A disturbing field shows in two of its three components at most, in the norm and in the dip; the third, across to
/// magnetic north, turns the heading and cannot be seen. So the visible two tell how large the third may be. With
/// hysteresis: one sample can raise the alarm, and only some seconds without doubt end it.
struct FieldWatch: Sendable {
    private(set) var isDisturbed = false
    /// Seconds for which the field has been without doubt.
    private var calmSeconds = 0.0
    /// The averaged deviations of the two visible components, by the norm and by the dip; µT.
    private var deviations = SIMD2<Double>()
    /// Whether the dip's deviation is known; nil before the first sample.
    private var hasDip: Bool?

    /// One standard deviation of the disturbing field that may remain, along any axis; µT.
    var remaining: Double {
        let square = (deviations * deviations).sum()
        let spread = hasDip == true ? FieldWatch.spreadOfTwo / 2.0.squareRoot() : FieldWatch.spreadOfOne
        return spread * square.squareRoot()
    }

    /// The radius that holds 68 % of Student's distribution, with two degrees of freedom and with one.
    ///
    /// It is a multiple of the visible deviation, and estimates the unseen component from the few visible ones.
    private static let spreadOfTwo = 1.32
    static let spreadOfOne = 1.84
    /// The limit in standard deviations beyond which the field is disturbed; chance exceeds it once in a hundred times.
    private static let alarmOfTwo = 3.0
    private static let alarmOfOne = 2.6
    /// The share of the alarm limit below which the field is calm.
    private static let calm = 2.0 / 3
    /// Seconds of calm that end a disturbance.
    private static let recovery = 3.0
    private static let timeConstant = 0.5
    /// The multiple of the alarm limit that a single sample must exceed to raise the alarm.
    private static let suddenness = 1.4

    /// - Parameters:
    ///   - norm: The measured norm; µT.
    ///   - inclination: The measured dip; degrees.
    mutating func update(norm: Double, inclination: Double, expected: ExpectedField, seconds: Double) {
        let dip = expected.inclination.map { (inclination - $0) / Trigonometry.degreesPerRadian * norm }
        let sample = SIMD2(expected.excess(of: norm), dip ?? 0)
        let weight = SmoothingWeight.weight(seconds: seconds, timeConstant: FieldWatch.timeConstant)
        deviations += (hasDip == (dip != nil) ? weight : 1) * (sample - deviations)
        hasDip = dip != nil
        let scale = SIMD2(expected.normDeviation, expected.inclinationDeviation / Trigonometry.degreesPerRadian * norm)
        let alarm = dip == nil ? FieldWatch.alarmOfOne : FieldWatch.alarmOfTwo
        let (now, lately) = (sample / scale, deviations / scale)
        // A single sample is noisy, so its limit is higher.
        let doubt = max((now * now).sum().squareRoot() / FieldWatch.suddenness, (lately * lately).sum().squareRoot())
        judge(doubt / alarm, seconds: seconds)
    }

    /// - Parameter doubt: The deviation as a share of the alarm limit; above 1 it raises the alarm.
    private mutating func judge(_ doubt: Double, seconds: Double) {
        if doubt > 1 {
            (isDisturbed, calmSeconds) = (true, 0)
        } else if doubt < FieldWatch.calm {
            // A long gap does not prove that the field was calm in it.
            calmSeconds += min(seconds, 1)
            if calmSeconds >= FieldWatch.recovery { isDisturbed = false }
        } else {
            calmSeconds = 0
        }
    }
}
