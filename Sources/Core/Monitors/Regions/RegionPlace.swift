internal import SextantUnits

/// A vector in the Earth-fixed frame; metres.
struct EarthVector: Sendable, Hashable {
    var x: Double
    var y: Double
    var z: Double

    @inline(__always)
    static func - (left: EarthVector, right: EarthVector) -> EarthVector {
        EarthVector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    @inline(__always)
    var length: Double { (x * x + y * y + z * z).squareRoot() }
}

/// A place on the ellipsoid, with values computed once for distances from it.
///
/// Distances are chords, straight lines through the Earth, which need no special case at a pole or the antimeridian. A
/// chord of 20 km is 8 mm shorter than the way over the ground; this difference is corrected.
struct RegionPlace: Sendable {
    var latitude: Double
    var longitude: Double
    var vector: EarthVector
    /// Unit vectors of the local horizon, east and north; the eastern one has no z component.
    var east: EarthVector
    var north: EarthVector
    /// The length of a degree of longitude along the parallel and of latitude along the meridian, in metres.
    var metresPerDegreeEast: Double
    var metresPerDegreeNorth: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        let (sine, cosine) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
        let (sineEast, cosineEast) = Trigonometry.sineAndCosine(longitude / Trigonometry.degreesPerRadian)
        let flatness = 1 - WGS84.eccentricitySquared * sine * sine
        let normal = WGS84.semiMajorAxis / flatness.squareRoot()
        let meridional = normal * (1 - WGS84.eccentricitySquared) / flatness
        vector = EarthVector(
            x: normal * cosine * cosineEast, y: normal * cosine * sineEast,
            z: normal * (1 - WGS84.eccentricitySquared) * sine)
        east = EarthVector(x: -sineEast, y: cosineEast, z: 0)
        north = EarthVector(x: -sine * cosineEast, y: -sine * sineEast, z: cosine)
        metresPerDegreeEast = normal * cosine / Trigonometry.degreesPerRadian
        metresPerDegreeNorth = meridional / Trigonometry.degreesPerRadian
    }

    /// The east and north components of a vector, in the plane of this place's horizon.
    @inline(__always)
    func local(_ vector: EarthVector) -> LocalPoint {
        LocalPoint(
            east: vector.x * east.x + vector.y * east.y,
            north: vector.x * north.x + vector.y * north.y + vector.z * north.z)
    }

    /// The place at a fraction, from 0 to 1, of the way to another place that is some kilometres away at most.
    func interpolated(to other: RegionPlace, at fraction: Double) -> RegionPlace {
        RegionPlace(
            latitude: latitude + (other.latitude - latitude) * fraction,
            longitude: LocalFrame.wrapped(
                longitude + LocalFrame.wrapped(other.longitude - longitude) * fraction))
    }
}

/// A place's distance from the border of a region, and the direction away from that region.
struct BorderOffset: Sendable {
    /// Metres to the border, positive outside; a value above some kilometres can be smaller than the true distance.
    var distance: Double
    /// The direction straight away from the region, of unit length.
    var outward: LocalPoint
}
