internal import Units

/// What the other sensors last said.
struct SensorHints: Sendable {
    /// Whether the accelerometer feels motion; nil where there is none.
    var isMoved: Bool?
    var motionInstant = MonotonicInstant(nanoseconds: .min)
    /// When the accelerometer last stopped feeling motion; nil while it feels motion, and on a board without one.
    var stillSince: MonotonicInstant?
    var heading: FusedHeading?
    var headingInstant = MonotonicInstant.zero

    /// The course of a velocity that is sure enough to have one, else the compass if it spoke of late.
    func heading(of velocity: LocalVelocity, at instant: MonotonicInstant) -> FusedHeading? {
        if velocity.speed > 3 * velocity.deviation, velocity.speed > SensorHints.walking {
            let angle = Trigonometry.arctangent(y: velocity.deviation, x: velocity.speed)
            return FusedHeading(
                degrees: velocity.courseOverGround, accuracy: angle * Trigonometry.degreesPerRadian, source: .course)
        }
        let (age, overflow) = instant.nanoseconds.subtractingReportingOverflow(headingInstant.nanoseconds)
        return !overflow && abs(age) < SensorHints.freshness ? heading : nil
    }

    /// Metres per second.
    private static let walking = 1.0
    /// Nanoseconds.
    private static let freshness: Int64 = 5_000_000_000
}
