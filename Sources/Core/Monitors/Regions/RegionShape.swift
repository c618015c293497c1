/// The ground that a region covers.
public enum RegionShape: Sendable, Hashable {
    /// All points within `radius` metres, over the ground, of a centre in degrees.
    case circle(latitude: Double, longitude: Double, radius: Double)
    case polygon(RegionPolygon)

    /// The largest radius in metres; with a larger one, a circle's inside cannot be told from its outside.
    static let largestRadius = 5_000_000.0

    /// Makes a circle, and refuses numbers that are out of range.
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
