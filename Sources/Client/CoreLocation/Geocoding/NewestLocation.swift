internal import SextantPlaces

/// The newest location that the daemon gave this process; geocoding lists places near it first.
///
/// The client object holds the location, and only as long as the program's authorization lasts.
enum NewestLocation {
    /// The radius in metres of the circle whose places come first.
    private static let radius = 50_000.0

    /// The newest location of this process; nil if the process was given none, or is no longer authorized.
    static var ofProcess: CLLocation? { LocationClient.shared.read { $0.newest } }

    /// The circle about a location, whose centre is rounded to 0.1° so that no request reveals it more exactly.
    static func hint(near location: CLLocation?) -> PlaceQuestion.Hint? {
        location.flatMap { location in
            PlaceQuestion.Hint(
                latitude: (location.coordinate.latitude * 10).rounded() / 10,
                longitude: (location.coordinate.longitude * 10).rounded() / 10, radius: radius)
        }
    }
}
