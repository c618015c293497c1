/// A place in a local frame: metres east and north of the frame's origin.
public struct LocalPoint: Sendable, Hashable {
    public var east: Double
    public var north: Double

    public init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    /// The distance to another point, in metres.
    @inlinable
    public func distance(to other: LocalPoint) -> Double {
        let (east, north) = (other.east - east, other.north - north)
        return (east * east + north * north).squareRoot()
    }
}

/// A flat map of the surroundings of one place on WGS 84: metres east and north of that place, the origin.
///
/// The radii of curvature are taken at the latitude midway to the point. A distance from the origin agrees with the
/// geodesic to 0.04 mm at 1 km, 4 cm at 10 km and 40 m at 100 km below 80 degrees of latitude, and to 0.2 mm at 1 km
/// and 16 cm at 10 km at 85 degrees; the error grows with the third power of the distance. At 89 degrees the error is 4
/// mm at 1 km and 4 m at 10 km; if the pole is not several times farther away than the point, the map is useless.
/// Between two places that are both r away from the origin, at latitude φ on an Earth of radius R, the relative error
/// of the distance is at most r tan φ / 2R, and so is the error of the direction in radians: 0.14 % at 10 km and 60
/// degrees. So the origin should be one of the two places, or close to them. Source of the radii: NGA.STND.0036,
/// section 4.
public struct LocalFrame: Sendable, Hashable {
    /// The origin's latitude in degrees north.
    public let latitude: Double
    /// The origin's longitude in degrees east.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Converts a latitude and longitude to a point of the map; across the antimeridian, the shorter way round is
    /// taken.
    public func point(latitude: Double, longitude: Double) -> LocalPoint {
        let scale = LocalFrame.metresPerDegree(atLatitude: (latitude + self.latitude) / 2)
        return LocalPoint(
            east: LocalFrame.wrapped(longitude - self.longitude) * scale.east,
            north: (latitude - self.latitude) * scale.north)
    }

    /// Converts a point of the map to latitude and longitude: degrees, longitude from -180 up to 180.
    public func coordinate(of point: LocalPoint) -> (latitude: Double, longitude: Double) {
        var latitude = self.latitude
        // The radius at the latitude midway depends on the latitude that is sought; two approximations of that latitude
        // suffice to make it exact to a nanometre.
        for _ in 0..<2 {
            let scale = LocalFrame.metresPerDegree(atLatitude: (latitude + self.latitude) / 2)
            latitude = self.latitude + point.north / scale.north
        }
        let scale = LocalFrame.metresPerDegree(atLatitude: (latitude + self.latitude) / 2)
        return (latitude, LocalFrame.wrapped(longitude + point.east / scale.east))
    }

    /// Metres over the ground from one place to another that is near it.
    public static func distance(
        fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) -> Double {
        let point = LocalFrame(latitude: latitude, longitude: longitude)
            .point(latitude: otherLatitude, longitude: otherLongitude)
        return (point.east * point.east + point.north * point.north).squareRoot()
    }

    /// The length in metres of a degree of longitude along the parallel, and of a degree of latitude along the
    /// meridian.
    private static func metresPerDegree(atLatitude latitude: Double) -> (east: Double, north: Double) {
        let (sine, cosine) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
        let flatness = 1 - WGS84.eccentricitySquared * sine * sine
        let normal = WGS84.semiMajorAxis / flatness.squareRoot()
        let meridional = normal * (1 - WGS84.eccentricitySquared) / flatness
        return (normal * cosine / Trigonometry.degreesPerRadian, meridional / Trigonometry.degreesPerRadian)
    }

    /// The equivalent longitude in degrees that is at least -180 and below 180.
    public static func wrapped(_ longitude: Double) -> Double {
        guard longitude < -180 || longitude >= 180 else { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        return (turned < 0 ? turned + 360 : turned) - 180
    }
}
