internal import SextantUnits

/// Detects fields other than the Earth's, by comparing the norm and the dip with the expected ones.
///
/// At most two of the three components of a disturbing field can be seen: one changes the norm and one the dip. The
/// third, which is horizontal and perpendicular to magnetic north, rotates the heading and cannot be seen, so its size
/// is estimated from the two visible components. There is hysteresis: one sample can raise the alarm, and only some
/// seconds without doubt end it.
struct FieldWatch: Sendable {
    private(set) var isDisturbed = false
    /// The time for which the field has been clearly undisturbed, in seconds.
    private var calmSeconds = 0.0
    /// The averaged deviations of the two visible components, by the norm and by the dip; µT.
    private var deviations = SIMD2<Double>()
    /// Whether the dip's deviation is known; nil before the first sample.
    private var hasDip: Bool?

    /// One standard deviation along any axis of the disturbing field that can be present undetected; µT.
    var remaining: Double {
        let square = (deviations * deviations).sum()
        let spread = hasDip == true ? FieldWatch.spreadOfTwo / 2.0.squareRoot() : FieldWatch.spreadOfOne
        return spread * square.squareRoot()
    }

    /// The radius that contains 68 % of Student's distribution, for two degrees of freedom and for one.
    ///
    /// The radius is a multiple of the visible deviation. With it the invisible component is estimated from the one or
    /// two visible components.
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
