public import SextantUnits

/// The heading of the device by its compass: a direction with its accuracy, or the reason why there is none.
public struct CompassHeading: Sendable, Hashable {
    public var instant: MonotonicInstant
    /// The direction of the device's side that `orientation` selects, clockwise from magnetic north; meaningless if
    /// there is a problem.
    ///
    /// Unit: degrees, 0 up to 360.
    public private(set) var magneticHeading = 0.0
    /// The size of the magnetic heading's error that is not exceeded in 68 % of cases; negative where there is no
    /// heading.
    ///
    /// Unit: degrees.
    public private(set) var headingAccuracy = -1.0
    /// How the device is held, which selects the side of the device whose direction is the heading.
    public private(set) var orientation = HeadingOrientation.portrait
    /// The field in the device's frame (x to the right, y forward, z up); calibrated unless the problem is
    /// `uncalibrated`.
    ///
    /// Unit: microtesla.
    public var field: SIMD3<Double>
    /// The angle from true to magnetic north at the device's position, east positive; nil without a world model's
    /// value.
    ///
    /// Unit: degrees.
    public var declination: Double?
    /// Why there is no heading; nil where there is one.
    public private(set) var problem: HeadingProblem?
    /// The device's attitude; nil where it is not known.
    let attitude: CompassAttitude?

    /// Makes a result without a heading, which tells why there is none.
    public init(instant: MonotonicInstant, field: SIMD3<Double>, problem: HeadingProblem) {
        (self.instant, self.field, self.problem, attitude) = (instant, field, problem, nil)
    }

    /// Makes the heading of a device that lies level, in portrait orientation.
    ///
    /// - Parameters:
    ///   - magneticHeading: The heading from magnetic north, clockwise; degrees.
    ///   - headingAccuracy: The heading's accuracy, 68 %; degrees.
    ///   - declination: The angle from true to magnetic north, east positive; degrees, nil where it is not known.
    public init(
        instant: MonotonicInstant, field: SIMD3<Double>, magneticHeading: Double, headingAccuracy: Double,
        declination: Double? = nil
    ) {
        let turn = Trigonometry.sineAndCosine(magneticHeading / Trigonometry.degreesPerRadian)
        var attitude = CompassAttitude(
            up: SIMD3(0, 0, 1), north: SIMD3(-turn.sine, turn.cosine, 0), deviation: headingAccuracy, tiltDeviation: 0)
        attitude.judge(after: FrontLimits())
        self.init(instant: instant, field: field, attitude: attitude, problem: nil)
        self.declination = declination
    }

    /// A heading in portrait orientation.
    ///
    /// - Parameter problem: Why the heading must not be used; nil where it can be used.
    init(
        instant: MonotonicInstant, field: SIMD3<Double>, attitude: CompassAttitude, problem: HeadingProblem?
    ) {
        (self.instant, self.field, self.attitude, self.problem) = (instant, field, attitude, problem)
        face(.portrait)
    }

    /// The heading from true north; nil where there is no heading or the declination is not known.
    ///
    /// Unit: degrees, 0 up to 360.
    public var trueHeading: Double? {
        guard problem == nil, let declination else { return nil }
        return Angle.turn(magneticHeading + declination)
    }

    /// The heading at this instant for another orientation, that is, for another side of the device.
    ///
    /// For a level device the two headings differ by a multiple of 90°. For a device that is tilted in both axes the
    /// heading is the direction of the other side, projected on the horizontal.
    public func turned(to orientation: HeadingOrientation) -> CompassHeading {
        var other = self
        other.face(orientation)
        return other
    }

    private mutating func face(_ orientation: HeadingOrientation) {
        self.orientation = orientation
        guard let attitude else { return }
        // Another side of the device need not have the problem of this side, such as too steep a tilt.
        if problem == .axisIsVertical || problem == .inaccurate { problem = nil }
        (magneticHeading, headingAccuracy) = attitude.heading(of: orientation.front)
        if problem == nil { problem = attitude.problem(of: orientation.front) }
        if problem != nil { headingAccuracy = -1 }
    }
}
