/// A search for the places with a name.
public struct PlaceQuestion: Sendable, Hashable {
    /// A circle whose places come first in the results; places outside it are not excluded.
    public struct Hint: Sendable, Hashable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double
        /// The circle's radius in metres.
        public var radius: Double

        /// Returns nil if the coordinates are out of range or the radius is negative.
        public init?(latitude: Double, longitude: Double, radius: Double) {
            guard PlaceRules.isPlace(latitude: latitude, longitude: longitude), radius >= 0 else { return nil }
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }
    }

    public var text: String
    public var hint: Hint?
    /// The largest number of results.
    public var limit: Int

    public init(_ text: String, hint: Hint? = nil, limit: Int = PlaceQuestion.maximumAnswers) {
        self.text = text
        self.hint = hint
        self.limit = max(1, min(limit, PlaceQuestion.maximumAnswers))
    }

    public static let maximumAnswers = 10
}

/// The results for a name, best first.
public enum PlaceAnswer: Sendable, Hashable {
    case places([Placemark])
    /// Only a part of the text names a place; the rest, such as a street or a number, was not found.
    case partial([Placemark])
    case nothing
}
