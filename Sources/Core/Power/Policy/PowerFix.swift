public import GNSS
internal import SextantUnits

/// A fix reduced to what the power policy needs.
public struct PowerFix: Sendable, Equatable {
    /// The latitude and the longitude in degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// The horizontal accuracy in metres, 68 %.
    public var horizontalAccuracy: Double
    /// Metres per second over ground; nil where the receiver does not say.
    public var speed: Double?

    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double, speed: Double?) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.speed = speed
    }

    /// Reduces a receiver's solution to the power policy's needs; nil where the solution lacks a position or its
    /// accuracy.
    public init?(_ fix: Fix) {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude,
            let accuracy = fix.horizontalAccuracy
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy, speed: fix.speed)
    }

    /// Metres to another place.
    func distance(to other: PowerFix) -> Double {
        GreatCircle.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
