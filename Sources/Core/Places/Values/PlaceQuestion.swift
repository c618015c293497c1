/// A question for the places of a name.
public struct PlaceQuestion: Sendable, Hashable {
    /// A circle whose places come first; it leaves no other place out.
    public struct Hint: Sendable, Hashable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double
        /// Metres.
        public var radius: Double

        /// Nil where the circle is on no globe.
        public init?(latitude: Double, longitude: Double, radius: Double) {
            guard PlaceRules.isPlace(latitude: latitude, longitude: longitude), radius >= 0 else { return nil }
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }
    }

    public var text: String
    public var hint: Hint?
    /// The most answers.
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
    /// Some of the text is a place, and the rest, a street or a number, is not known.
    case partial([Placemark])
    case nothing
}
