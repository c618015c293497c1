/// A place in a local frame: metres east and north of the frame's origin.
public struct LocalPoint: Sendable, Hashable {
    public var east: Double
    public var north: Double

    public init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    /// Metres.
    @inlinable
    public func distance(to other: LocalPoint) -> Double {
        let (east, north) = (other.east - east, other.north - north)
        return (east * east + north * north).squareRoot()
    }
}

/// A flat map of the surroundings of one place on WGS 84: metres east and north of it.
///
/// The radii of curvature are those of the latitude half-way to the point. A distance from the origin is the geodesic's
/// to 0.04 mm at 1 km, 4 cm at 10 km and 40 m at 100 km below 80 degrees of latitude, and to 0.2 mm at 1 km and 16 cm
/// at 10 km at 85 degrees; the error grows with the third power of the distance. At 89 degrees it is 4 mm and 4 m, and
/// nearer to a pole than a few times the distance the map is useless. A distance between two places that are both r
/// away from the origin is off by r tan φ / 2R of itself at most, as is a direction: by 0.14 % at 10 km and 60 degrees.
/// So the origin is to be one of the two places, or close to them. Source of the radii: NGA.STND.0036, section 4.
public struct LocalFrame: Sendable, Hashable {
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The point at which a place lies, by the shorter way round where the antimeridian is between.
    public func point(latitude: Double, longitude: Double) -> LocalPoint {
        let scale = LocalFrame.metresPerDegree(atLatitude: (latitude + self.latitude) / 2)
        return LocalPoint(
            east: LocalFrame.wrapped(longitude - self.longitude) * scale.east,
            north: (latitude - self.latitude) * scale.north)
    }

    /// The place of a point: degrees, longitude from -180 up to 180.
    public func coordinate(of point: LocalPoint) -> (latitude: Double, longitude: Double) {
        var latitude = self.latitude
        // The radius at the half-way latitude depends on the answer; the second iteration is exact to a nanometre.
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

    /// Metres of a degree along the parallel and along the meridian.
    private static func metresPerDegree(atLatitude latitude: Double) -> (east: Double, north: Double) {
        let (sine, cosine) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
        let flatness = 1 - WGS84.eccentricitySquared * sine * sine
        let normal = WGS84.semiMajorAxis / flatness.squareRoot()
        let meridional = normal * (1 - WGS84.eccentricitySquared) / flatness
        return (normal * cosine / Trigonometry.degreesPerRadian, meridional / Trigonometry.degreesPerRadian)
    }

    /// Degrees of longitude from -180 up to 180.
    public static func wrapped(_ longitude: Double) -> Double {
        guard longitude < -180 || longitude >= 180 else { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        return (turned < 0 ? turned + 360 : turned) - 180
    }
}
