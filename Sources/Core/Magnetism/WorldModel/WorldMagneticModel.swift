public import SextantUnits

/// The World Magnetic Model of 2025: the Earth's main field, and how it changes until 2030.
///
/// It has spherical harmonics to degree and order 12. Source: NOAA NCEI and BGS, "The US/UK World Magnetic Model for
/// 2025-2030", section 1.2; the comments in this folder refer to its equations.
public enum WorldMagneticModel {
    public static let name = "WMM2025"
    /// The year for which the coefficients are given, and from whose beginning the model is valid.
    public static let epoch = 2025.0
    /// The year from which the model is no longer valid.
    public static let end = 2030.0
    /// The range of altitudes for which the model holds, in metres above the ellipsoid.
    public static let altitudes = -1000.0...850_000.0

    /// Whether the model is valid at a time, given as a year with its fraction.
    public static func validity(decimalYear year: Double) -> WorldModelValidity {
        year < epoch ? .before : year < end ? .valid : .after
    }

    /// The field at a place and time.
    ///
    /// - Parameters:
    ///   - altitude: Metres above the ellipsoid, not above the sea. A difference of some metres hardly matters: 1 km
    ///     changes the field by 0.05 %.
    ///   - instant: The time; outside 2025 to 2030 the change is extrapolated, and `validity` tells that.
    /// - Returns: Nil where the coordinates are invalid, or the altitude is outside `altitudes`.
    public static func field(
        latitude: Double, longitude: Double, altitude: Double, at instant: UTCInstant
    ) -> GeomagneticField? {
        field(latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: decimalYear(of: instant))
    }

    /// The field at a place and a time, which is given as a year with its fraction: 2025.5 is the middle of 2025.
    public static func field(
        latitude: Double, longitude: Double, altitude: Double, decimalYear year: Double
    ) -> GeomagneticField? {
        guard abs(latitude) <= 90, abs(longitude) <= 360, altitudes.contains(altitude), year.isFinite else {
            return nil
        }
        let place = GeocentricPlace(latitude: latitude, longitude: longitude, altitude: altitude)
        let vector = SphericalHarmonics(at: place, years: year - epoch).vector
        // The vector, rotated from the frame of the sphere into that of the ellipsoid by equation 17 of the model's
        // report.
        return GeomagneticField(
            north: vector.north * place.turn.cosine - vector.down * place.turn.sine,
            east: vector.east,
            down: vector.north * place.turn.sine + vector.down * place.turn.cosine,
            validity: validity(decimalYear: year))
    }

    /// The time as a year with its fraction: 2025-01-01T00:00Z is 2025.0; the length of leap years is taken into
    /// account.
    public static func decimalYear(of instant: UTCInstant) -> Double {
        let year = instant.date.year
        guard let first = CivilDate(year: year, month: 1, day: 1),
            let next = CivilDate(year: year + 1, month: 1, day: 1)
        else { return Double(year) }
        let passed = Double(instant.nanoseconds(since: UTCInstant(date: first, timeOfDay: 0)))
        let days = Double(next.daysSince1970 - first.daysSince1970)
        return Double(year) + passed / (days * Double(UTCInstant.nanosecondsPerDay))
    }
}

/// A geodetic place in the form that the harmonics need: on a sphere, with the sines and cosines of its angles.
struct GeocentricPlace {
    /// The distance from the Earth's centre in metres.
    let radius: Double
    let sineLatitude: Double
    /// The latitude's cosine, 0 at the poles and never negative.
    let cosineLatitude: Double
    let sineLongitude: Double
    let cosineLongitude: Double
    /// The sine and cosine of the difference between the geocentric and the geodetic latitude, the geocentric less the
    /// geodetic.
    let turn: (sine: Double, cosine: Double)

    /// Converts a geodetic place, by equations 7 and 8 of the model's report.
    init(latitude: Double, longitude: Double, altitude: Double) {
        let geodetic = GeocentricPlace.direction(latitude)
        let turnSquared = WGS84.eccentricitySquared * geodetic.sine * geodetic.sine
        let normal = WGS84.semiMajorAxis / (1 - turnSquared).squareRoot()
        let out = (normal + altitude) * max(0, geodetic.cosine)
        let up = (normal * (1 - WGS84.eccentricitySquared) + altitude) * geodetic.sine
        radius = (out * out + up * up).squareRoot()
        (sineLatitude, cosineLatitude) = (up / radius, out / radius)
        (sineLongitude, cosineLongitude) = GeocentricPlace.direction(longitude)
        turn = (
            sineLatitude * geodetic.cosine - cosineLatitude * geodetic.sine,
            cosineLatitude * geodetic.cosine + sineLatitude * geodetic.sine
        )
    }

    /// The sine and cosine of an angle in degrees; they are exact for 90° and 180°.
    private static func direction(_ degrees: Double) -> (sine: Double, cosine: Double) {
        switch abs(degrees) {
        case 90: (degrees < 0 ? -1 : 1, 0)
        case 180: (0, -1)
        default: Trigonometry.sineAndCosine(degrees / Trigonometry.degreesPerRadian)
        }
    }
}
