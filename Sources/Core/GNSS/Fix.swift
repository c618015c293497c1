public import SextantUnits

/// The kind of solution that the receiver found.
///
/// Raw values are the UBX `fixType` (UBX-13003221, NAV-PVT).
public enum FixType: UInt8, Sendable, CaseIterable {
    case noFix = 0
    case deadReckoningOnly = 1
    case twoD = 2
    case threeD = 3
    case gnssPlusDeadReckoning = 4
    case timeOnly = 5

    /// Whether a solution of this kind has a horizontal position.
    ///
    /// A time-only fix counts as having one: the surveyed position.
    public var hasPosition: Bool { self != .noFix }
    /// Whether a solution of this kind has a height, measured or surveyed.
    public var hasHeight: Bool { self == .threeD || self == .gnssPlusDeadReckoning || self == .timeOnly }
}

/// How the solution was obtained: with corrections, by dead reckoning, by simulation, or otherwise.
public enum FixQuality: UInt8, Sendable, CaseIterable {
    /// The receiver has not reported a quality.
    case unknown
    case invalid
    case autonomous
    /// The solution is corrected by DGPS, SBAS or PPP.
    case differential
    case rtkFixed
    case rtkFloat
    case deadReckoning
    case surveyedTime
    case manualInput
    case simulated
    case precise
}

/// Dilution of precision, which depends on the satellites' geometry alone; it has no unit and is not an accuracy.
public struct DilutionOfPrecision: Sendable, Hashable {
    @CompactOptional public var horizontal: Double?
    @CompactOptional public var vertical: Double?
    @CompactOptional public var position: Double?
    @CompactOptional public var time: Double?
    @CompactOptional public var geometric: Double?
    @CompactOptional public var northing: Double?
    @CompactOptional public var easting: Double?

    public init() {}
}

/// A vector in the Earth-centred, Earth-fixed frame of WGS 84; metres, or metres per second.
public struct ECEFVector: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// A velocity in the local north, east, down frame; metres per second.
public struct VelocityNED: Sendable, Hashable {
    public var north: Double
    public var east: Double
    public var down: Double

    public init(north: Double, east: Double, down: Double) {
        self.north = north
        self.east = east
        self.down = down
    }
}

/// The error statistics of one solution (GST): metres, one standard deviation.
public struct ErrorStatistics: Sendable, Hashable {
    /// Root mean square of the range residuals, in metres.
    @CompactOptional public var rangeRMS: Double?
    @CompactOptional public var semiMajor: Double?
    @CompactOptional public var semiMinor: Double?
    /// The direction of the error ellipse's semi-major axis, in degrees from true north.
    @CompactOptional public var orientation: Double?
    @CompactOptional public var latitude: Double?
    @CompactOptional public var longitude: Double?
    @CompactOptional public var altitude: Double?

    public init() {}
}

/// The errors of a position to the east, to the north and upwards, in metres, as receivers estimate them (GBS, PGRME).
///
/// Receivers do not state the confidence, so these errors are only passed on to gpsd's clients and are not used as the
/// fix's accuracy.
public struct AxisErrors: Sendable, Hashable {
    @CompactOptional public var easting: Double?
    @CompactOptional public var northing: Double?
    @CompactOptional public var vertical: Double?
    /// The error of the position in three dimensions, in metres; its confidence is not stated.
    @CompactOptional public var spherical: Double?

    public init() {}
}

/// The vehicle's orientation in degrees, as compasses and receivers with several antennas report it.
public struct Attitude: Sendable, Hashable {
    /// The direction of the nose from true north, 0 up to 360.
    @CompactOptional public var heading: Double?
    /// The direction of the nose from magnetic north, 0 up to 360.
    @CompactOptional public var magneticHeading: Double?
    @CompactOptional public var pitch: Double?
    @CompactOptional public var roll: Double?
    /// The rate of turn in degrees per minute, positive to the right.
    @CompactOptional public var rateOfTurn: Double?
    /// The inclination of the magnetic field, in degrees.
    @CompactOptional public var dip: Double?
    /// The temperature inside the sensor, in degrees Celsius.
    @CompactOptional public var temperature: Double?
    /// The sensor's depth under water in metres.
    @CompactOptional public var depth: Double?

    public init() {}

    /// Takes the values of `other`, and keeps its own values where `other` has none.
    public mutating func merge(_ other: Attitude) {
        heading = other.heading ?? heading
        magneticHeading = other.magneticHeading ?? magneticHeading
        pitch = other.pitch ?? pitch
        roll = other.roll ?? roll
        rateOfTurn = other.rateOfTurn ?? rateOfTurn
        dip = other.dip ?? dip
        temperature = other.temperature ?? temperature
        depth = other.depth ?? depth
    }
}

/// The ellipse that holds 68 % of a position's errors.
public struct ErrorEllipse: Sendable, Hashable {
    /// Half the ellipse's length, in metres.
    public var semiMajor: Double
    /// Half the ellipse's width, in metres.
    public var semiMinor: Double
    /// The direction of the longer axis, in degrees from true north, 0 up to 180.
    public var orientation: Double

    public init(semiMajor: Double, semiMinor: Double, orientation: Double) {
        self.semiMajor = semiMajor
        self.semiMinor = semiMinor
        self.orientation = orientation
    }
}

/// One navigation solution as the receiver reported it, with nothing derived except the altitude.
///
/// A field is nil where the receiver left it empty. The frame is WGS 84.
public struct Fix: Sendable, Hashable {
    public var type: FixType = .noFix
    public var quality: FixQuality = .unknown

    /// The time of the solution, corrected for week rollover.
    public var time: UTCInstant?
    /// The GPS time of the solution, where the receiver gave it as week and time of week (NAV-SOL, NAV-TIMEGPS).
    public var gnssTime: GNSSTime?
    /// Whether the receiver says that date and time are valid (UBX `validDate` and `validTime`, an NMEA status of A).
    public var isTimeValidated = false
    /// Seconds by which GPS time is ahead of UTC; nil until the receiver has reported them.
    public var leapSeconds: Int16?

    /// Latitude in degrees north, -90 to 90.
    @CompactOptional public var latitude: Double?
    /// Longitude in degrees east, -180 to 180.
    @CompactOptional public var longitude: Double?
    /// Metres above mean sea level, by the receiver's own geoid, or by EGM96 where it reports only the height above the
    /// ellipsoid.
    @CompactOptional public var altitudeAboveMeanSeaLevel: Double?
    /// Metres above the WGS 84 ellipsoid.
    @CompactOptional public var heightAboveEllipsoid: Double?
    /// The geoid's height above the ellipsoid, in metres.
    @CompactOptional public var geoidSeparation: Double?

    /// Speed over ground in metres per second.
    @CompactOptional public var speed: Double?
    /// Direction of travel in degrees from true north, 0 up to 360.
    @CompactOptional public var courseOverGround: Double?
    /// The direction of the vehicle's nose in degrees from true north, as the receiver reports it.
    @CompactOptional public var heading: Double?
    public var velocity: VelocityNED?
    /// Degrees by which magnetic north lies east of true north, as the receiver reports them.
    @CompactOptional public var magneticVariation: Double?

    /// The radius in metres that holds 68 % of the horizontal errors, as the receiver claims.
    @CompactOptional public var horizontalAccuracy: Double?
    /// The vertical accuracy in metres, 68 %, as the receiver claims.
    @CompactOptional public var verticalAccuracy: Double?
    /// The accuracy of the speed in metres per second, 68 %, as the receiver claims.
    @CompactOptional public var speedAccuracy: Double?
    /// The accuracy of the course in degrees, 68 %, as the receiver claims.
    @CompactOptional public var courseAccuracy: Double?
    /// The accuracy of the time in seconds, as the receiver claims; u-blox states no percentile.
    @CompactOptional public var timeAccuracy: Double?

    /// The ellipse that holds 68 % of the position's errors; nil in a receiver's fix, since only the estimator computes
    /// one.
    public var ellipse: ErrorEllipse?

    public var ecefPosition: ECEFVector?
    /// The three-dimensional accuracy of the ECEF position in metres, as the receiver claims; u-blox states no
    /// percentile.
    @CompactOptional public var ecefPositionAccuracy: Double?
    public var ecefVelocity: ECEFVector?
    /// The three-dimensional accuracy of the ECEF velocity in metres per second; u-blox states no percentile.
    @CompactOptional public var ecefVelocityAccuracy: Double?

    public var dilution = DilutionOfPrecision()
    /// The number of satellites that the solution uses.
    public var satellitesUsed: UInt8?
    /// Seconds since the last differential correction.
    @CompactOptional public var differentialAge: Double?
    public var differentialStation: UInt16?

    public init() {}

    /// Whether the receiver has stated if it has a fix; true also where it stated that it has none.
    public var hasFixStatus: Bool { type != .noFix || quality != .unknown }

    /// Whether the solution has a horizontal position.
    public var hasPosition: Bool { type.hasPosition && latitude != nil && longitude != nil }

    /// Removes the position and all values that depend on it, because there is no fix.
    ///
    /// Without a fix receivers fill these fields with arbitrary values, and state accuracies of thousands of
    /// kilometres.
    public mutating func withdrawPosition() {
        latitude = nil
        longitude = nil
        altitudeAboveMeanSeaLevel = nil
        heightAboveEllipsoid = nil
        geoidSeparation = nil
        speed = nil
        courseOverGround = nil
        velocity = nil
        horizontalAccuracy = nil
        ellipse = nil
        verticalAccuracy = nil
        speedAccuracy = nil
        courseAccuracy = nil
        ecefPosition = nil
        ecefPositionAccuracy = nil
        ecefVelocity = nil
        ecefVelocityAccuracy = nil
    }
}
