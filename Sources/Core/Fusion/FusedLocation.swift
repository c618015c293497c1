public import SextantUnits

/// The estimator's output: the board's location, merged from all receivers and sensors.
///
/// The frame is WGS 84. The stated accuracies are calibrated: 68 % of the errors are within them.
public struct FusedLocation: Sendable, Hashable {
    /// The basis of the location: a fix that was measured at the location's instant, or a prediction from an earlier
    /// fix.
    public enum Support: UInt8, Sendable {
        /// A fix was measured at the location's instant, and the estimate includes the fix.
        case measured
        /// The estimate is predicted from the last fix and grows less certain with time.
        case coasting
    }

    /// The instant for which the location holds.
    public var instant: MonotonicInstant
    /// The latitude in degrees north, -90 to 90.
    public var latitude: Double
    /// The longitude in degrees east, -180 to 180.
    public var longitude: Double
    public var covariance: HorizontalCovariance
    /// Velocity east and north in metres per second; nil where it is not known.
    public var velocity: LocalVelocity?
    /// Whether the estimator judges that the board stands still.
    public var isStationary: Bool
    public var support: Support
    /// Altitude in metres above mean sea level; nil where no receiver gives an altitude.
    public var altitude: Double?
    /// Vertical accuracy; metres, 68 %.
    public var verticalAccuracy: Double?
    /// The direction in which the board moves; while the board is too slow to have a course, the heading of its nose by
    /// the compass.
    public var heading: FusedHeading?

    public init(
        instant: MonotonicInstant, latitude: Double, longitude: Double, covariance: HorizontalCovariance,
        velocity: LocalVelocity? = nil, isStationary: Bool = false, support: Support = .measured,
        altitude: Double? = nil, verticalAccuracy: Double? = nil, heading: FusedHeading? = nil
    ) {
        self.instant = instant
        self.latitude = latitude
        self.longitude = longitude
        self.covariance = covariance
        self.velocity = velocity
        self.isStationary = isStationary
        self.support = support
        self.altitude = altitude
        self.verticalAccuracy = verticalAccuracy
        self.heading = heading
    }

    /// Radius that holds 68 % of the horizontal errors; metres.
    public var horizontalAccuracy: Double { covariance.accuracy }
}

/// The direction in which the board moves or points, and whether it comes from the course or the compass.
public struct FusedHeading: Sendable, Hashable {
    public enum Source: UInt8, Sendable {
        /// The course: the direction in which the board moves.
        case course
        /// The compass: where the board's nose points.
        case compass
    }

    /// The direction in degrees from true north, 0 up to 360.
    public var degrees: Double
    /// The direction's accuracy in degrees, 68 %.
    public var accuracy: Double
    public var source: Source

    public init(degrees: Double, accuracy: Double, source: Source) {
        self.degrees = degrees
        self.accuracy = accuracy
        self.source = source
    }
}

/// A velocity over ground, with its uncertainty.
public struct LocalVelocity: Sendable, Hashable {
    /// The eastward component in metres per second.
    public var east: Double
    /// The northward component in metres per second.
    public var north: Double
    /// One standard deviation of the velocity on each axis; metres per second.
    public var deviation: Double

    public init(east: Double, north: Double, deviation: Double) {
        self.east = east
        self.north = north
        self.deviation = deviation
    }

    /// The speed over ground in metres per second.
    public var speed: Double { (east * east + north * north).squareRoot() }

    /// The direction of the velocity, in degrees from true north, 0 up to 360.
    public var courseOverGround: Double {
        let degrees = Trigonometry.arctangent(y: east, x: north) * Trigonometry.degreesPerRadian
        return degrees < 0 ? degrees + 360 : degrees
    }
}
