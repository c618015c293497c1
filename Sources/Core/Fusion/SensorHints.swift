internal import SextantUnits

/// The last reports of the accelerometer and the compass.
struct SensorHints: Sendable {
    /// Whether the accelerometer feels motion; nil until it has reported, and on a board without an accelerometer.
    var isMoved: Bool?
    var motionInstant = MonotonicInstant(nanoseconds: .min)
    /// When the accelerometer last stopped feeling motion; nil while it feels motion, and on a board without an
    /// accelerometer.
    var stillSince: MonotonicInstant?
    var heading: FusedHeading?
    var headingInstant = MonotonicInstant.zero

    /// The course, where the velocity is certain and fast enough to give one; otherwise the compass heading, if it is
    /// recent.
    func heading(of velocity: LocalVelocity, at instant: MonotonicInstant) -> FusedHeading? {
        if velocity.speed > 3 * velocity.deviation, velocity.speed > SensorHints.walking {
            let angle = Trigonometry.arctangent(y: velocity.deviation, x: velocity.speed)
            return FusedHeading(
                degrees: velocity.courseOverGround, accuracy: angle * Trigonometry.degreesPerRadian, source: .course)
        }
        let (age, overflow) = instant.nanoseconds.subtractingReportingOverflow(headingInstant.nanoseconds)
        return !overflow && abs(age) < SensorHints.freshness ? heading : nil
    }

    /// Speed above which a course is used; metres per second.
    private static let walking = 1.0
    /// A compass heading counts as recent for this many nanoseconds.
    private static let freshness: Int64 = 5_000_000_000
}
