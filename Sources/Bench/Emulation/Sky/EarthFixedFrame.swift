import GNSS
import Glibc
import SextantUnits

/// A place on the WGS 84 ellipsoid with its local east, north and up axes.
///
/// Source: NIMA TR8350.2, section 4 (conversion to Cartesian coordinates).
struct EarthFixedFrame: Sendable {
    private let sinLatitude: Double
    private let cosLatitude: Double
    private let sinLongitude: Double
    private let cosLongitude: Double
    /// The place in Earth-fixed Cartesian coordinates, in metres.
    let origin: ECEFVector

    let metresPerDegreeNorth: Double
    let metresPerDegreeEast: Double

    /// Makes the frame of a place; latitude and longitude in degrees, height in metres above the ellipsoid.
    init(latitude: Double, longitude: Double, height: Double) {
        sinLatitude = sin(latitude * .pi / 180)
        cosLatitude = cos(latitude * .pi / 180)
        sinLongitude = sin(longitude * .pi / 180)
        cosLongitude = cos(longitude * .pi / 180)
        let root = (1 - WGS84.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
        let normal = WGS84.semiMajorAxis / root
        let meridian = normal * (1 - WGS84.eccentricitySquared) / (root * root)
        metresPerDegreeNorth = (meridian + height) * .pi / 180
        metresPerDegreeEast = (normal + height) * cosLatitude * .pi / 180
        origin = ECEFVector(
            x: (normal + height) * cosLatitude * cosLongitude,
            y: (normal + height) * cosLatitude * sinLongitude,
            z: (normal * (1 - WGS84.eccentricitySquared) + height) * sinLatitude
        )
    }

    /// Converts a vector in local north, east and down to Earth-fixed Cartesian coordinates.
    func earthFixed(_ vector: VelocityNED) -> ECEFVector {
        let outward = -sinLatitude * vector.north - cosLatitude * vector.down
        return ECEFVector(
            x: cosLongitude * outward - sinLongitude * vector.east,
            y: sinLongitude * outward + cosLongitude * vector.east,
            z: cosLatitude * vector.north - sinLatitude * vector.down)
    }

    /// The direction of a point in space as seen from this place.
    func direction(to point: ECEFVector) -> SkyDirection {
        let (dx, dy, dz) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
        let east = -sinLongitude * dx + cosLongitude * dy
        let outward = cosLongitude * dx + sinLongitude * dy
        let north = -sinLatitude * outward + cosLatitude * dz
        let up = cosLatitude * outward + sinLatitude * dz
        let azimuth = atan2(east, north)
        return SkyDirection(
            elevation: atan2(up, hypot(east, north)),
            azimuth: azimuth < 0 ? azimuth + 2 * .pi : azimuth
        )
    }
}

/// A direction in the sky, in radians; the azimuth is counted from true north.
struct SkyDirection: Sendable, Hashable {
    var elevation: Double
    var azimuth: Double
}
