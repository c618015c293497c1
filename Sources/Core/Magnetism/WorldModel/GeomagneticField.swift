internal import SextantUnits

/// The Earth's main field at a place and time, as a world model gives it.
///
/// The frame is north, east and down on the WGS 84 ellipsoid; at a pole, north is along the meridian of the given
/// longitude.
public struct GeomagneticField: Sendable, Hashable {
    /// The northward component, X in the model's documents; nT.
    public var north: Double
    /// The eastward component, Y; nT.
    public var east: Double
    /// The downward component, Z; nT.
    public var down: Double
    /// Whether the model covers the time for which the field was computed.
    public var validity: WorldModelValidity

    public init(north: Double, east: Double, down: Double, validity: WorldModelValidity = .valid) {
        self.north = north
        self.east = east
        self.down = down
        self.validity = validity
    }

    /// The strength of the horizontal part, H; nT.
    public var horizontal: Double { (north * north + east * east).squareRoot() }
    /// The total strength, F; nT.
    public var total: Double { (north * north + east * east + down * down).squareRoot() }
    /// The declination D: degrees from true north to the field's horizontal part, east positive, -180 to 180.
    public var declination: Double { Trigonometry.arctangent(y: east, x: north) * Trigonometry.degreesPerRadian }
    /// The inclination I: degrees from the horizontal to the field, down positive, -90 to 90.
    public var inclination: Double { Trigonometry.arctangent(y: down, x: horizontal) * Trigonometry.degreesPerRadian }

    /// How far a compass can be relied on where the field was computed.
    public var compassZone: CompassZone { CompassZone(horizontal: horizontal) }

    /// The standard deviations of the model's errors at this place; nil at a time that the model does not cover,
    /// because its errors are not known then.
    public var uncertainty: GeomagneticUncertainty? {
        validity == .valid ? GeomagneticUncertainty(horizontal: horizontal) : nil
    }
}

/// How far a compass can be relied on, by the horizontal field's strength.
///
/// Source: the blackout and caution zones about the magnetic poles of NOAA NCEI, for WMM2025.
public enum CompassZone: UInt8, Sendable, Hashable {
    case usable
    /// The horizontal field is 2000 to 6000 nT, so a compass is inaccurate here.
    case caution
    /// The horizontal field is under 2000 nT, so a compass is of no use here.
    case blackout

    public init(horizontal: Double) {
        self = horizontal < 2000 ? .blackout : horizontal < 6000 ? .caution : .usable
    }
}

/// The standard deviations of the difference between the actual field and the world model's.
///
/// The difference comes mostly from the crust and from the disturbed ionosphere. Source: the error model in the WMM2025
/// report.
public struct GeomagneticUncertainty: Sendable, Hashable {
    /// The standard deviation of the northward component; nT.
    public let north = 137.0
    /// The standard deviation of the eastward component; nT.
    public let east = 89.0
    /// The standard deviation of the downward component; nT.
    public let down = 141.0
    /// The standard deviation of the horizontal part's strength; nT.
    public let horizontal = 133.0
    /// The standard deviation of the total strength; nT.
    public let total = 138.0
    /// The standard deviation of the inclination; degrees.
    public let inclination = 0.20
    /// The standard deviation of the declination: degrees, at most 180, because there is no declination without a
    /// horizontal field.
    public let declination: Double

    /// - Parameter horizontal: The horizontal field, in nT.
    public init(horizontal: Double) {
        let byStrength = horizontal > 0 ? 5417 / horizontal : .infinity
        declination = min(180, (0.26 * 0.26 + byStrength * byStrength).squareRoot())
    }
}
