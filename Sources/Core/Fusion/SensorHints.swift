internal import SextantUnits

/// The last reports of the other sensors.
struct SensorHints: Sendable {
    /// Whether the accelerometer feels motion; nil where the board has no accelerometer.
    var isMoved: Bool?
    var motionInstant = MonotonicInstant(nanoseconds: .min)
    /// When the accelerometer last stopped feeling motion; nil while it feels motion, and on a board without an
    /// accelerometer.
    var stillSince: MonotonicInstant?
    var heading: FusedHeading?
    var headingInstant = MonotonicInstant.zero

    /// The course, where the velocity is certain enough to have one; otherwise the compass heading, if it is recent.
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
    /// Nanoseconds for which a compass heading counts as recent.
    private static let freshness: Int64 = 5_000_000_000
}
