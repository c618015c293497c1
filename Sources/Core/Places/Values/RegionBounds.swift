/// The box around an imported region, in degrees; it does not cross the antimeridian.
public struct RegionBounds: Sendable, Hashable {
    public var south: Double
    public var west: Double
    public var north: Double
    public var east: Double

    /// Parses south, west, north and east, separated by commas; nil if they are not a valid box.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard numbers.count == 4, PlaceRules.isPlace(latitude: numbers[0], longitude: numbers[1]),
            PlaceRules.isPlace(latitude: numbers[2], longitude: numbers[3]), numbers[0] <= numbers[2],
            numbers[1] <= numbers[3]
        else { return nil }
        (south, west, north, east) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Extends a box so that it contains an object; if there is no box, begins one at the object's point.
    public init(_ bounds: RegionBounds?, with object: ImportedObject) {
        south = min(bounds?.south ?? 90, object.latitude)
        west = min(bounds?.west ?? 180, object.longitude)
        north = max(bounds?.north ?? -90, object.latitude)
        east = max(bounds?.east ?? -180, object.longitude)
    }

    public var text: String { "\(south),\(west),\(north),\(east)" }

    public func contains(latitude: Double, longitude: Double) -> Bool {
        (south...north).contains(latitude) && (west...east).contains(longitude)
    }
}
