public import Units

/// What kind of solution the receiver found.
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
    /// A time fix rests on a position that was surveyed.
    public var hasPosition: Bool { self != .noFix }
    /// Whether a solution of this kind measures the height, or rests on one that was surveyed.
    public var hasHeight: Bool { self == .threeD || self == .gnssPlusDeadReckoning || self == .timeOnly }
}

/// By what means the solution was made better than a plain one, or what else sets it apart.
public enum FixQuality: UInt8, Sendable, CaseIterable {
    /// The receiver has not said.
    case unknown
    case invalid
    case autonomous
    /// Corrected: DGPS, SBAS or PPP.
    case differential
    case rtkFixed
    case rtkFloat
    case deadReckoning
    case surveyedTime
    case manualInput
    case simulated
    case precise
}

/// Dilution of precision: geometry alone, without unit; never an accuracy.
public struct DilutionOfPrecision: Sendable, Hashable {
    @Known public var horizontal: Double?
    @Known public var vertical: Double?
    @Known public var position: Double?
    @Known public var time: Double?
    @Known public var geometric: Double?
    @Known public var northing: Double?
    @Known public var easting: Double?

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
    /// Root mean square of the range residuals.
    @Known public var rangeRMS: Double?
    @Known public var semiMajor: Double?
    @Known public var semiMinor: Double?
    /// Degrees from true north.
    @Known public var orientation: Double?
    @Known public var latitude: Double?
    @Known public var longitude: Double?
    @Known public var altitude: Double?

    public init() {}
}

/// One navigation solution of one receiver: what it said, and nothing that it did not say, but for the altitude.
///
/// A field is nil where the receiver left it empty. The frame is WGS 84.
public struct Fix: Sendable, Hashable {
    public var type: FixType = .noFix
    public var quality: FixQuality = .unknown

    /// When the solution holds, after week rollover was mended.
    public var time: UTCInstant?
    /// The GPS time of the solution, where the receiver gave it as week and time of week (NAV-SOL, NAV-TIMEGPS).
    public var gnssTime: GNSSTime?
    /// Whether the receiver vouches for the date and time (UBX `validDate` and `validTime`, an NMEA status of A).
    public var isTimeValidated = false
    /// Seconds that GPS time is ahead of UTC, where the receiver has said so.
    public var leapSeconds: Int16?

    /// Degrees north, -90 to 90.
    @Known public var latitude: Double?
    /// Degrees east, -180 to 180.
    @Known public var longitude: Double?
    /// Metres above mean sea level: by the receiver's own geoid, or by EGM96 where it gives the height above the ellipsoid
    /// alone.
    @Known public var altitudeAboveMeanSeaLevel: Double?
    /// Metres above the WGS 84 ellipsoid.
    @Known public var heightAboveEllipsoid: Double?
    /// Metres of the geoid above the ellipsoid.
    @Known public var geoidSeparation: Double?

    /// Metres per second over ground.
    @Known public var speed: Double?
    /// Degrees from true north, 0 up to 360.
    @Known public var courseOverGround: Double?
    /// Degrees from true north where the vehicle's nose points, from the receiver.
    @Known public var heading: Double?
    public var velocity: VelocityNED?
    /// Degrees by which magnetic north lies east of true north, from the receiver.
    @Known public var magneticVariation: Double?

    /// Radius that holds 68 % of the horizontal errors, by the receiver's word; metres.
    @Known public var horizontalAccuracy: Double?
    /// Metres, 68 %, by the receiver's word.
    @Known public var verticalAccuracy: Double?
    /// Metres per second, 68 %, by the receiver's word.
    @Known public var speedAccuracy: Double?
    /// Degrees, 68 %, by the receiver's word.
    @Known public var courseAccuracy: Double?
    /// Seconds, by the receiver's word.
    @Known public var timeAccuracy: Double?

    public var ecefPosition: ECEFVector?
    /// Metres, spherical.
    @Known public var ecefPositionAccuracy: Double?
    public var ecefVelocity: ECEFVector?
    /// Metres per second, spherical.
    @Known public var ecefVelocityAccuracy: Double?

    public var dilution = DilutionOfPrecision()
    /// How many satellites the solution uses.
    public var satellitesUsed: UInt8?
    /// Seconds since the last differential correction.
    @Known public var differentialAge: Double?
    public var differentialStation: UInt16?

    public init() {}

    /// Whether the receiver said that it has a fix, or that it has none.
    public var hasStanding: Bool { type != .noFix || quality != .unknown }

    /// Whether it says where the receiver is.
    public var hasPosition: Bool { type.hasPosition && latitude != nil && longitude != nil }

    /// Takes away the position and all that goes with it, because there is no fix: receivers fill what they do not know
    /// with anything, and call it accurate to thousands of kilometres.
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
        verticalAccuracy = nil
        speedAccuracy = nil
        courseAccuracy = nil
        ecefPosition = nil
        ecefPositionAccuracy = nil
        ecefVelocity = nil
        ecefVelocityAccuracy = nil
    }
}
