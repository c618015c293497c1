public import SextantUnits

/// Where the front of the device points, by its compass, and how good that is.
public struct CompassHeading: Sendable, Hashable {
    public var instant: MonotonicInstant
    /// The heading of `orientation`'s front from magnetic north; without meaning where there is a problem.
    ///
    /// Unit: degrees, 0 up to 360.
    public private(set) var magneticHeading = 0.0
    /// The radius that holds 68 % of the magnetic heading's errors; negative where there is no heading.
    ///
    /// Unit: degrees.
    public private(set) var headingAccuracy = -1.0
    /// The orientation whose front the heading is of.
    public private(set) var orientation = HeadingOrientation.portrait
    /// The field in the device's frame: x to the right, y forward, z up; calibrated unless it is `uncalibrated`.
    ///
    /// Unit: microtesla.
    public var field: SIMD3<Double>
    /// From true to magnetic north where the device is, east positive; nil where no world model tells.
    ///
    /// Unit: degrees.
    public var declination: Double?
    /// Why there is no heading; nil where there is one.
    public private(set) var problem: HeadingProblem?
    /// How the device lies; nil where that cannot be told.
    let attitude: CompassAttitude?

    /// Makes a report that there is no heading, and why.
    public init(instant: MonotonicInstant, field: SIMD3<Double>, problem: HeadingProblem) {
        (self.instant, self.field, self.problem, attitude) = (instant, field, problem, nil)
    }

    /// The heading of a device that lies level, in portrait orientation.
    ///
    /// - Parameters:
    ///   - magneticHeading: Degrees.
    ///   - headingAccuracy: Degrees.
    ///   - declination: Degrees; nil where nothing tells it.
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
    /// - Parameter problem: Why the heading must not be used; nil where it may.
    init(
        instant: MonotonicInstant, field: SIMD3<Double>, attitude: CompassAttitude, problem: HeadingProblem?
    ) {
        (self.instant, self.field, self.attitude, self.problem) = (instant, field, attitude, problem)
        face(.portrait)
    }

    /// From true north; nil where there is no heading or nothing tells the declination.
    ///
    /// Unit: degrees, 0 up to 360.
    public var trueHeading: Double? {
        guard problem == nil, let declination else { return nil }
        return Angle.turn(magneticHeading + declination)
    }

    /// The same instant's heading of another front.
    ///
    /// For a level device it differs by a multiple of 90°; for a device tilted both ways it is that front's own
    /// direction over ground.
    public func turned(to orientation: HeadingOrientation) -> CompassHeading {
        var other = self
        other.face(orientation)
        return other
    }

    private mutating func face(_ orientation: HeadingOrientation) {
        self.orientation = orientation
        guard let attitude else { return }
        // A problem of one front need not be a problem of another.
        if problem == .axisIsVertical || problem == .inaccurate { problem = nil }
        (magneticHeading, headingAccuracy) = attitude.heading(of: orientation.front)
        if problem == nil { problem = attitude.problem(of: orientation.front) }
        if problem != nil { headingAccuracy = -1 }
    }
}
