public import GNSS
public import SextantUnits

/// The uncertainty of a horizontal position, as the covariance matrix of the position's error.
///
/// Unit: square metres, in the local frame of east and north.
public struct HorizontalCovariance: Sendable, Hashable {
    public var eastEast: Double
    public var eastNorth: Double
    public var northNorth: Double

    public init(eastEast: Double, eastNorth: Double, northNorth: Double) {
        self.eastEast = eastEast
        self.eastNorth = eastNorth
        self.northNorth = northNorth
    }

    /// Creates a covariance that is the same in all directions.
    ///
    /// - Parameter accuracy: Radius that holds 68 % of the errors; metres.
    public init(accuracy: Double) {
        let deviation = accuracy / HorizontalCovariance.radiusPerDeviation
        self.init(eastEast: deviation * deviation, eastNorth: 0, northNorth: deviation * deviation)
    }

    /// Radius that holds 68 % of a normal error with the same variance on both axes, in standard deviations of one
    /// axis: √(-2 ln 0.32).
    public static let radiusPerDeviation = 1.509_592_178_018_553_4

    /// Radius that holds 68 % of the errors; metres.
    ///
    /// It is taken from the mean of both axes' variances: exact where they are equal, and 7 % too wide where one is 0.
    public var accuracy: Double {
        HorizontalCovariance.radiusPerDeviation * ((eastEast + northNorth) / 2).squareRoot()
    }

    /// The ellipse that holds 68 % of the errors.
    public var ellipse: ErrorEllipse {
        let mean = (eastEast + northNorth) / 2
        let half = (northNorth - eastEast) / 2
        let spread = (half * half + eastNorth * eastNorth).squareRoot()
        let angle = Trigonometry.arctangent(y: eastNorth, x: half) * Trigonometry.degreesPerRadian / 2
        return ErrorEllipse(
            semiMajor: HorizontalCovariance.radiusPerDeviation * (mean + spread).squareRoot(),
            semiMinor: HorizontalCovariance.radiusPerDeviation * max(0, mean - spread).squareRoot(),
            orientation: angle < 0 ? angle + 180 : angle)
    }

    /// The variance of the position along a direction, which is given as a vector of length 1; square metres.
    public func variance(along direction: LocalPoint) -> Double {
        eastEast * direction.east * direction.east + 2 * eastNorth * direction.east * direction.north
            + northNorth * direction.north * direction.north
    }
}
