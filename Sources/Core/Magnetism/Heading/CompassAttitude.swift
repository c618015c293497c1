internal import Units

/// How a device lies to the field and to gravity, and how sure that is.
struct CompassAttitude: Sendable, Hashable {
    /// The direction up in the device's frame.
    var up: SIMD3<Double>
    /// The horizontal direction to magnetic north in the device's frame.
    var north: SIMD3<Double>
    /// One standard deviation of north's turn about up; degrees.
    var deviation: Double
    /// One standard deviation of up about any level axis; degrees.
    var tiltDeviation: Double

    /// Degrees of elevation beyond which a front points nowhere.
    private static let steepest = 75.0
    /// Degrees beyond which a heading tells nothing: half of it is then as likely behind as before.
    private static let hopeless = 60.0

    init(up: SIMD3<Double>, north: SIMD3<Double>, deviation: Double, tiltDeviation: Double) {
        (self.up, self.north, self.deviation, self.tiltDeviation) = (up, north, deviation, tiltDeviation)
    }

    init(_ view: FieldView, deviation: Double, _ up: UpDirection) {
        self.init(up: view.up, north: view.north, deviation: deviation, tiltDeviation: up.deviation)
    }

    /// Where a front points, in degrees, and how sure that is.
    func heading(of front: SIMD3<Double>) -> (degrees: Double, accuracy: Double) {
        let (ahead, aside) = (north.dot(front), north.cross(up).dot(front))
        let degrees = Trigonometry.arctangent(y: aside, x: ahead) * Trigonometry.degreesPerRadian
        // The steeper the front, the more a wrong idea of up turns its projection.
        let level = (ahead * ahead + aside * aside).squareRoot()
        let byTilt = level > 0 ? tiltDeviation * abs(up.dot(front)) / level : .infinity
        return (Angle.turn(degrees), (deviation * deviation + byTilt * byTilt).squareRoot())
    }

    func problem(of front: SIMD3<Double>, accuracy: Double) -> HeadingProblem? {
        let elevation = abs(Trigonometry.arcsine(up.dot(front))) * Trigonometry.degreesPerRadian
        guard elevation <= CompassAttitude.steepest else { return .axisIsVertical }
        return accuracy <= CompassAttitude.hopeless ? nil : .inaccurate
    }
}

/// Angles on the circle.
enum Angle {
    static let degreesPerRadian = Trigonometry.degreesPerRadian

    /// The same angle from 0 up to 360 degrees.
    static func turn(_ degrees: Double) -> Double {
        let rest = degrees - 360 * (degrees / 360).rounded(.down)
        // A very small negative angle rounds up to the whole turn.
        return rest < 360 ? rest : 0
    }
}
