internal import SextantUnits

/// A plane that touches the WGS 84 ellipsoid at one place; it also works at the poles and across the antimeridian.
///
/// Its points are metres east and north of the origin, along the east and north axes of the origin. Within 10 km of the
/// origin, a conversion there and back is exact to a millimetre, and lengths are exact to two millionths.
struct TangentPlane: Sendable {
    /// A point of the ellipsoid in Earth-centred, Earth-fixed coordinates, with the unit vectors east, north and up.
    struct Place: Sendable {
        var earthFixed: SIMD3<Double>
        var east: SIMD3<Double>
        var north: SIMD3<Double>
        var up: SIMD3<Double>

        /// Creates the place from its latitude and longitude in degrees.
        init(latitude: Double, longitude: Double) {
            let (sineLatitude, cosineLatitude) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
            let (sine, cosine) = Trigonometry.sineAndCosine(longitude / Trigonometry.degreesPerRadian)
            let flatness = 1 - WGS84.eccentricitySquared * sineLatitude * sineLatitude
            let normal = WGS84.semiMajorAxis / flatness.squareRoot()
            earthFixed = SIMD3(
                normal * cosineLatitude * cosine, normal * cosineLatitude * sine,
                normal * (1 - WGS84.eccentricitySquared) * sineLatitude)
            east = SIMD3(-sine, cosine, 0)
            north = SIMD3(-sineLatitude * cosine, -sineLatitude * sine, cosineLatitude)
            up = SIMD3(cosineLatitude * cosine, cosineLatitude * sine, sineLatitude)
        }
    }

    let origin: Place

    /// The point of the plane for a place; for a place more than 100 km away, the point has the place's direction and
    /// its straight-line distance from the origin.
    func point(of place: Place) -> SIMD2<Double> {
        let offset = place.earthFixed - origin.earthFixed
        let flat = SIMD2((offset * origin.east).sum(), (offset * origin.north).sum())
        let distance = (offset * offset).sum().squareRoot()
        guard distance > TangentPlane.horizon else { return flat }
        let length = (flat * flat).sum().squareRoot()
        return length > 1 ? flat * (distance / length) : SIMD2(distance, 0)
    }

    /// Converts a horizontal vector from the east and north axes at `place` to those at the origin.
    func turned(_ vector: SIMD2<Double>, at place: Place) -> SIMD2<Double> {
        let whole = vector.x * place.east + vector.y * place.north
        return SIMD2((whole * origin.east).sum(), (whole * origin.north).sum())
    }

    /// Converts a horizontal vector from the east and north axes at the origin to those at `place`.
    func returned(_ vector: SIMD2<Double>, at place: Place) -> SIMD2<Double> {
        let whole = vector.x * origin.east + vector.y * origin.north
        return SIMD2((whole * place.east).sum(), (whole * place.north).sum())
    }

    /// The latitude and longitude of a point of the plane, in degrees; longitude from -180 up to but not including 180.
    func coordinate(of point: SIMD2<Double>) -> (latitude: Double, longitude: Double) {
        let drop = (point * point).sum() / (2 * WGS84.semiMajorAxis)
        let spot = origin.earthFixed + point.x * origin.east + point.y * origin.north - drop * origin.up
        guard let place = WGS84.geodetic(x: spot.x, y: spot.y, z: spot.z) else { return (0, 0) }
        return (place.latitude, place.longitude >= 180 ? -180 : place.longitude)
    }

    /// If a place is more than this many metres from the origin, its point in the plane is moved outwards to the
    /// straight-line distance between place and origin, because the Earth's curvature makes distances in the plane too
    /// short.
    private static let horizon = 100_000.0
}
