/// The World Geodetic System's ellipsoid.
///
/// Source: NGA.STND.0036, table 3.1.
public enum WGS84 {
    /// The semi-major axis in metres.
    public static let semiMajorAxis = 6_378_137.0
    public static let flattening = 1 / 298.257223563
    public static let eccentricitySquared = flattening * (2 - flattening)

    /// A position and the sines and cosines of its angles, as a rotation to the local frame needs them.
    public struct Geodetic: Sendable {
        /// The latitude in degrees north.
        public var latitude: Double
        /// The longitude in degrees east.
        public var longitude: Double
        /// The height in metres above the ellipsoid.
        public var height: Double
        var sineLatitude: Double
        var cosineLatitude: Double
        var sineLongitude: Double
        var cosineLongitude: Double

        /// Converts an Earth-fixed vector to the local north, east and down axes.
        public func northEastDown(x: Double, y: Double, z: Double) -> (north: Double, east: Double, down: Double) {
            let outward = cosineLongitude * x + sineLongitude * y
            return (
                -sineLatitude * outward + cosineLatitude * z,
                -sineLongitude * x + cosineLongitude * y,
                -cosineLatitude * outward - sineLatitude * z
            )
        }
    }

    /// The geodetic position of an Earth-fixed point in metres, or nil within 100 km of the Earth's centre.
    ///
    /// Bowring's formula, iterated four times on the reduced latitude; right to millimetres from the surface to orbit.
    /// Source: B. R. Bowring, Survey Review 23 (1976), 323.
    public static func geodetic(x: Double, y: Double, z: Double) -> Geodetic? {
        let axisDistance = (x * x + y * y).squareRoot()
        guard axisDistance + abs(z) > 100_000 else { return nil }
        let semiMinorAxis = semiMajorAxis * (1 - flattening)
        let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
        var tangent = (z, (1 - flattening) * axisDistance)
        var direction = (sine: 0.0, cosine: 1.0)
        for _ in 0..<4 {
            let length = (tangent.0 * tangent.0 + tangent.1 * tangent.1).squareRoot()
            let (sine, cosine) = (tangent.0 / length, tangent.1 / length)
            let up = z + secondEccentricitySquared * semiMinorAxis * sine * sine * sine
            let out = axisDistance - eccentricitySquared * semiMajorAxis * cosine * cosine * cosine
            let norm = (up * up + out * out).squareRoot()
            direction = (up / norm, out / norm)
            tangent = ((1 - flattening) * direction.sine, direction.cosine)
        }
        let normal = semiMajorAxis / (1 - eccentricitySquared * direction.sine * direction.sine).squareRoot()
        let height =
            axisDistance * direction.cosine + z * direction.sine
            - normal * (1 - eccentricitySquared * direction.sine * direction.sine)
        return Geodetic(
            latitude: Trigonometry.arctangent(y: direction.sine, x: direction.cosine) * Trigonometry.degreesPerRadian,
            longitude: Trigonometry.arctangent(y: y, x: x) * Trigonometry.degreesPerRadian,
            height: height,
            sineLatitude: direction.sine,
            cosineLatitude: direction.cosine,
            sineLongitude: axisDistance > 0 ? y / axisDistance : 0,
            cosineLongitude: axisDistance > 0 ? x / axisDistance : 1
        )
    }
}
