/// Why a shape cannot be a region.
public struct RegionShapeError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        case noRings
        case fewerThanThreePoints
        case noArea
        /// An edge crosses or overlaps another edge of its own ring.
        case crossesItself
        /// An edge crosses an edge of another ring.
        case crossesRing(Int)
        case coversPole
        /// The shape spans half of the Earth or more, so that its inside is ambiguous.
        case tooWide
        /// So many edges overlap in latitude and longitude that checking the polygon for crossing edges would take too
        /// long.
        case tooIntricate
        case notANumber
        case latitudeOutOfRange(Double)
        case longitudeOutOfRange(Double)
        case radiusOutOfRange(Double)
    }

    public var reason: Reason
    /// The faulty ring, counted from 0 through all polygons of a multi-polygon; nil where no ring is at fault.
    public var ring: Int?
    /// The faulty position of the ring, counted from 0; for a faulty edge, the position where the edge begins.
    public var position: Int?

    public init(_ reason: Reason, ring: Int? = nil, position: Int? = nil) {
        self.reason = reason
        self.ring = ring
        self.position = position
    }

    public var description: String {
        let place = ring.map { "ring \($0)" + (position.map { ", position \($0)" } ?? "") + ": " } ?? ""
        return place + explanation
    }

    private var explanation: String {
        switch reason {
        case .noRings: "the polygon has no rings; give at least its outer one"
        case .fewerThanThreePoints: "fewer than 3 different positions; a ring needs 3 or more"
        case .noArea: "all positions lie on one line; a ring must enclose an area"
        case .crossesItself: "the edge from here crosses another edge of the ring; order the positions round the area"
        case .crossesRing(let other): "the edge from here crosses ring \(other); holes lie inside, and parts apart"
        case .coversPole: "it covers or touches a pole, where no longitude holds; use a circle, or cut it off at 89.9°"
        case .tooWide: "it spans 180° of longitude or more; cut it into several regions"
        case .tooIntricate: "too many long edges side by side to check it; cut it into several regions, or simplify it"
        case .notANumber: "not a number; latitude, longitude and radius must be finite"
        case .latitudeOutOfRange(let value):
            "latitude \(value) is out of range; -90 to 90" + order("after the longitude")
        case .longitudeOutOfRange(let value):
            "longitude \(value) is out of range; -180 to 180" + order("before the latitude")
        case .radiusOutOfRange(let value): "radius \(value) m is out of range; more than 0, at most 5000 km"
        }
    }

    /// A hint about the order of longitude and latitude; empty for a circle, where both are given by name.
    private func order(_ words: String) -> String { ring == nil ? "" : ", \(words)" }
}
