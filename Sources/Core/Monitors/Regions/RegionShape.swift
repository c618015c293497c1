/// The ground that a region covers.
public enum RegionShape: Sendable, Hashable {
    /// All that is so many metres over the ground from a place in degrees, or less.
    case circle(latitude: Double, longitude: Double, radius: Double)
    case polygon(RegionPolygon)

    /// Metres; a larger circle cannot be told from its outside.
    static let largestRadius = 5_000_000.0

    /// A circle that can be one.
    public init(latitude: Double, longitude: Double, radius: Double) throws(RegionShapeError) {
        guard latitude.isFinite, longitude.isFinite, radius.isFinite else { throw RegionShapeError(.notANumber) }
        guard abs(latitude) <= 90 else { throw RegionShapeError(.latitudeOutOfRange(latitude)) }
        guard abs(longitude) <= 180 else { throw RegionShapeError(.longitudeOutOfRange(longitude)) }
        guard radius > 0, radius <= RegionShape.largestRadius else {
            throw RegionShapeError(.radiusOutOfRange(radius))
        }
        self = .circle(latitude: latitude, longitude: longitude, radius: radius)
    }
}
