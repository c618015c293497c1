internal import Units

/// Whether the field is the Earth's alone: its norm against what is expected, and its dip.
///
/// Another field shows in two of its three parts at most; the third, across to the magnetic north, is what turns the
/// heading and shows in nothing. So the two that show tell how large the third may be. With hysteresis: one sample
/// disturbs, and only a while without any doubt makes it good again.
struct FieldWatch: Sendable {
    private(set) var isDisturbed = false
    /// Seconds without doubt.
    private var calmSeconds = 0.0
    /// The averaged deviations of the parts that show: of the norm, and at right angles to it of the dip; µT.
    private var deviations = SIMD2<Double>()
    /// Whether the second is known; nil before the first sample.
    private var hasDip: Bool?

    /// One standard deviation of what remains, along any axis; µT.
    var remaining: Double {
        let square = (deviations * deviations).sum()
        let spread = hasDip == true ? FieldWatch.spreadOfTwo / 2.0.squareRoot() : FieldWatch.spreadOfOne
        return spread * square.squareRoot()
    }

    /// The radius that holds 68 % of Student's distribution with two degrees of freedom and with one, as a multiple of
    /// the deviation that was seen: what an unseen part is where so few were.
    private static let spreadOfTwo = 1.32
    static let spreadOfOne = 1.84
    /// In standard deviations of what is seen, which chance exceeds once in a hundred times: beyond it is disturbed.
    private static let alarmOfTwo = 3.0
    private static let alarmOfOne = 2.6
    /// The part of it under which it is calm.
    private static let calm = 2.0 / 3
    /// Seconds of calm that end a disturbance.
    private static let recovery = 3.0
    private static let timeConstant = 0.5
    /// How many times the alarm's deviation one sample must have to be one.
    private static let suddenness = 1.4

    /// - Parameters:
    ///   - norm: What was measured; µT.
    ///   - inclination: What was measured; degrees.
    mutating func update(norm: Double, inclination: Double, expected: ExpectedField, seconds: Double) {
        let dip = expected.inclination.map { (inclination - $0) / Trigonometry.degreesPerRadian * norm }
        let sample = SIMD2(expected.excess(of: norm), dip ?? 0)
        let weight = SmoothingWeight.weight(seconds: seconds, timeConstant: FieldWatch.timeConstant)
        deviations += (hasDip == (dip != nil) ? weight : 1) * (sample - deviations)
        hasDip = dip != nil
        let scale = SIMD2(expected.normDeviation, expected.inclinationDeviation / Trigonometry.degreesPerRadian * norm)
        let alarm = dip == nil ? FieldWatch.alarmOfOne : FieldWatch.alarmOfTwo
        let (now, lately) = (sample / scale, deviations / scale)
        // Of one sample alone much is noise.
        let doubt = max((now * now).sum().squareRoot() / FieldWatch.suddenness, (lately * lately).sum().squareRoot())
        judge(doubt / alarm, seconds: seconds)
    }

    /// - Parameter doubt: 1 is the alarm.
    private mutating func judge(_ doubt: Double, seconds: Double) {
        if doubt > 1 {
            (isDisturbed, calmSeconds) = (true, 0)
        } else if doubt < FieldWatch.calm {
            // A long gap is no proof of what was in it.
            calmSeconds += min(seconds, 1)
            if calmSeconds >= FieldWatch.recovery { isDisturbed = false }
        } else {
            calmSeconds = 0
        }
    }
}
