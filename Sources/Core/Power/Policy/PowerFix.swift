internal import Units

/// A fix reduced to what the power policy needs.
public struct PowerFix: Sendable, Equatable {
    /// Degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// Metres; the radius that holds 68 % of errors.
    public var horizontalAccuracy: Double
    /// Metres a second over ground; nil where the receiver does not say.
    public var speed: Double?

    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double, speed: Double?) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.speed = speed
    }

    /// Metres to another place.
    func distance(to other: PowerFix) -> Double {
        GreatCircle.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
