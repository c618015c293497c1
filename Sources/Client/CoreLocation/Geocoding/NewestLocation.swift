internal import SextantPlaces

/// The newest location that this process was given, for places near it to come first.
///
/// It is the one that the client holds, and only as long as its authorization lasts.
enum NewestLocation {
    /// Metres within which places come first.
    private static let radius = 50_000.0

    /// The newest location of this process; nil where it was given none, or may know none any more.
    static var ofProcess: CLLocation? { LocationClient.shared.read { $0.newest } }

    /// The circle about a location, rounded to 0.1° so that no question holds a finer one.
    static func hint(near location: CLLocation?) -> PlaceQuestion.Hint? {
        location.flatMap { location in
            PlaceQuestion.Hint(
                latitude: (location.coordinate.latitude * 10).rounded() / 10,
                longitude: (location.coordinate.longitude * 10).rounded() / 10, radius: radius)
        }
    }
}
