internal import SextantUnits

/// A place on WGS84: latitude and longitude in degrees.
///
/// The type is deliberately not `Equatable`, because code written for Apple's module adds that conformance itself.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude; north of the equator is positive.
    ///
    /// Unit: degree, −90 to 90.
    public var latitude: CLLocationDegrees

    /// The longitude; east of the prime meridian is positive.
    ///
    /// Unit: degree, −180 to 180.
    public var longitude: CLLocationDegrees

    /// The place at latitude 0 and longitude 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The length in metres of the shortest line over the ellipsoid to another coordinate.
    func distance(to other: CLLocationCoordinate2D) -> Double {
        Geodesic.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}

/// A coordinate that names no place; `CLLocationCoordinate2DIsValid` refuses it.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a coordinate from a latitude and a longitude, both in degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude is within ±90° and the longitude within ±180°; false for NaN.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90.0...90.0).contains(coord.latitude) && (-180.0...180.0).contains(coord.longitude)
}
