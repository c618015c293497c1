internal import SextantUnits

extension FilterFix {
    /// The horizontal accuracy in metres, 68 %, that the receiver claims; nil where it claims none, or claims 0, which
    /// is impossible.
    var claimedAccuracy: Double? { horizontalAccuracy.flatMap { $0 > 0 ? $0 : nil } }

    /// Why this fix is refused, judged without any other fix; nil where the fix can be used.
    var refusal: FixRefusal? {
        guard latitude.isFinite, longitude.isFinite else { return .notANumber }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return .outOfRange }
        guard let accuracy = horizontalAccuracy else { return nil }
        guard !accuracy.isNaN else { return .notANumber }
        guard accuracy >= 0 else { return .negativeAccuracy }
        return accuracy > FilterFix.hopeless ? .hopelessAccuracy : nil
    }

    /// The velocity east and north in metres per second, and its standard deviation on one axis; nil where the fix
    /// gives no usable speed and course.
    var doppler: (velocity: SIMD2<Double>, deviation: Double)? {
        guard let speed, speed >= 0, speed < FilterFix.fastest else { return nil }
        let claimed = speedAccuracy.flatMap { $0 > 0 && $0 < 100 ? $0 : nil } ?? FilterFix.usualSpeedAccuracy
        let deviation = max(FilterFix.minimumSpeedAccuracy, claimed)
        // A receiver that hardly moves repeats its last course, and the speed that it reports is mere noise.
        guard speed >= FilterFix.crawling else { return (.zero, deviation + speed / 2) }
        guard let course, course >= 0, course <= 360 else {
            return speed < FilterFix.slow ? (.zero, deviation + speed) : nil
        }
        let (sine, cosine) = Trigonometry.sineAndCosine(course / Trigonometry.degreesPerRadian)
        return (SIMD2(speed * sine, speed * cosine), deviation)
    }

    /// A fix that claims a worse accuracy than this is refused; metres.
    private static let hopeless = 100_000.0
    /// From a fix with at least this speed no velocity is used, because only spacecraft are so fast; metres per second.
    private static let fastest = 1_000.0
    /// A fix that has no course and a speed below this counts as velocity 0; metres per second.
    private static let slow = 1.5
    /// Below this speed, a receiver's course is not used; metres per second.
    private static let crawling = 0.3
    private static let usualSpeedAccuracy = 0.2
    private static let minimumSpeedAccuracy = 0.1
}
