internal import SextantUnits

/// The upward direction and magnetic north in the device's frame, with their uncertainty.
struct CompassAttitude: Sendable, Hashable {
    /// The direction up in the device's frame.
    var up: SIMD3<Double>
    /// The horizontal direction to magnetic north in the device's frame.
    var north: SIMD3<Double>
    /// The standard deviation of magnetic north's direction, as an angle about the vertical; degrees.
    var deviation: Double
    /// The standard deviation of the upward direction, as an angle about any horizontal axis; degrees.
    var tiltDeviation: Double
    /// Whether the device's x and y axes are level and accurate enough to give a heading.
    private(set) var limits = FrontLimits()

    init(up: SIMD3<Double>, north: SIMD3<Double>, deviation: Double, tiltDeviation: Double) {
        (self.up, self.north, self.deviation, self.tiltDeviation) = (up, north, deviation, tiltDeviation)
    }

    init(_ view: FieldView, deviation: Double, _ up: UpDirection) {
        self.init(up: view.up, north: view.north, deviation: deviation, tiltDeviation: up.deviation)
    }

    /// The direction of an axis of the device, in degrees clockwise from magnetic north, with its standard deviation in
    /// degrees.
    func heading(of front: SIMD3<Double>) -> (degrees: Double, accuracy: Double) {
        let (ahead, aside) = (north.dot(front), north.cross(up).dot(front))
        let degrees = Trigonometry.arctangent(y: aside, x: ahead) * Trigonometry.degreesPerRadian
        // The steeper the axis, the more an error of the upward direction rotates the axis's projection on the
        // horizontal.
        let level = (ahead * ahead + aside * aside).squareRoot()
        let byTilt = level > 0 ? tiltDeviation * abs(up.dot(front)) / level : .infinity
        return (Angle.turn(degrees), (deviation * deviation + byTilt * byTilt).squareRoot())
    }

    /// Judges whether the device's x and y axes can give a heading; `before`, the judgement at the previous sample,
    /// provides the hysteresis.
    mutating func judge(after before: FrontLimits) {
        limits = before
        judge(0, HeadingOrientation.landscapeLeft.front)
        judge(1, HeadingOrientation.portrait.front)
    }

    private mutating func judge(_ axis: Int, _ front: SIMD3<Double>) {
        limits.judge(axis, elevation: elevation(of: front), accuracy: heading(of: front).accuracy)
    }

    func problem(of front: SIMD3<Double>) -> HeadingProblem? { limits.problem(ofAxis: front.x == 0 ? 1 : 0) }

    /// The angle of an axis of the device above or below the horizontal; degrees, not negative.
    private func elevation(of front: SIMD3<Double>) -> Double {
        abs(Trigonometry.arcsine(up.dot(front))) * Trigonometry.degreesPerRadian
    }
}
