internal import SextantUnits

/// Detects fields other than the Earth's, by comparing the norm and the dip with the expected ones.
///
/// At most two of the three components of a disturbing field can be seen: one changes the norm and one the dip. The
/// third, which is horizontal and perpendicular to magnetic north, rotates the heading and cannot be seen, so its size
/// is estimated from the two visible components. There is hysteresis: one sample can start a disturbance, and only
/// three calm seconds end it.
struct FieldWatch: Sendable {
    private(set) var isDisturbed = false
    /// The seconds for which the deviations have been below two thirds of the limit for a disturbance.
    private var calmSeconds = 0.0
    /// The averaged deviations of the norm and of the dip from the expected ones, the dip's as an arc; µT.
    private var deviations = SIMD2<Double>()
    /// Whether an expected dip was known for the previous sample; nil before the first sample.
    private var hasDip: Bool?

    /// The standard deviation, along any one axis, of a disturbing field that can be present undetected; µT.
    var remaining: Double {
        let square = (deviations * deviations).sum()
        let spread = hasDip == true ? FieldWatch.spreadOfTwo / 2.0.squareRoot() : FieldWatch.spreadOfOne
        return spread * square.squareRoot()
    }

    /// The factor by which the root mean square deviation of two visible components is multiplied to estimate the
    /// invisible component; for one visible component the factor is `spreadOfOne`.
    ///
    /// It is the half width that contains 68 % of Student's distribution with as many degrees of freedom as there are
    /// visible components.
    private static let spreadOfTwo = 1.32
    static let spreadOfOne = 1.84
    /// The deviation, in standard deviations, beyond which the field counts as disturbed: `alarmOfTwo` if norm and dip
    /// are compared, `alarmOfOne` if only the norm is; chance exceeds it once in a hundred times.
    private static let alarmOfTwo = 3.0
    private static let alarmOfOne = 2.6
    /// The share of the limit for a disturbance below which the field counts as calm.
    private static let calm = 2.0 / 3
    /// The seconds without a clear deviation after which a disturbance ends.
    private static let recovery = 3.0
    private static let timeConstant = 0.5
    /// The factor by which a single sample, which is not averaged, must exceed the limit to count as a disturbance.
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
        // A single sample is noisier than the average, so its limit is higher.
        let doubt = max((now * now).sum().squareRoot() / FieldWatch.suddenness, (lately * lately).sum().squareRoot())
        judge(doubt / alarm, seconds: seconds)
    }

    /// - Parameter doubt: The deviation as a share of the limit for a disturbance; above 1 the field counts as
    ///   disturbed.
    private mutating func judge(_ doubt: Double, seconds: Double) {
        if doubt > 1 {
            (isDisturbed, calmSeconds) = (true, 0)
        } else if doubt < FieldWatch.calm {
            // A long gap between samples does not prove that the field was calm meanwhile.
            calmSeconds += min(seconds, 1)
            if calmSeconds >= FieldWatch.recovery { isDisturbed = false }
        } else {
            calmSeconds = 0
        }
    }
}
