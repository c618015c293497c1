internal import SextantPlaces

/// The newest location that the daemon gave this process; geocoding lists places near it first.
///
/// The process's client object holds the location only as long as the program is authorized.
enum NewestLocation {
    /// The radius in metres of the circle about the newest location; places in the circle come first.
    private static let radius = 50_000.0

    /// The newest location of this process; nil if the process was given none, or is no longer authorized.
    static var ofProcess: CLLocation? { LocationClient.shared.read { $0.newest } }

    /// A circle about a location, for a geocoding request; its centre is rounded to 0.1°, so that the request does not
    /// reveal the location.
    static func hint(near location: CLLocation?) -> PlaceQuestion.Hint? {
        location.flatMap { location in
            PlaceQuestion.Hint(
                latitude: (location.coordinate.latitude * 10).rounded() / 10,
                longitude: (location.coordinate.longitude * 10).rounded() / 10, radius: radius)
        }
    }
}
