internal import SextantUnits

/// Looks for edges of a polygon that cross.
///
/// The edges are sorted by where they begin along a direction, and each is compared with those that begin before its
/// end. Where that takes too many comparisons, the edges are sorted along another direction, in which long edges may be
/// short. A polygon that takes too many comparisons in all four directions is refused, since no client's shape is
/// allowed to delay the positions of others.
struct PolygonCheck {
    private typealias Position = RegionPolygon.Position

    private struct Edge {
        var ring: Int32
        /// The indices of the edge's two positions in the polygon.
        var from: Int32
        var to: Int32
        /// The edge's extent along the direction by which edges are sorted, and across that direction.
        var along: ClosedRange<Double>
        var across: ClosedRange<Double>
    }

    /// A direction along which the edges are sorted, as a vector in degrees of latitude and longitude.
    private struct Direction {
        var north: Double
        var east: Double

        static let all = [
            Direction(north: 1, east: 0), Direction(north: 0, east: 1), Direction(north: 1, east: 1),
            Direction(north: -1, east: 1),
        ]

        func along(_ position: Position) -> Double { north * position.latitude + east * position.longitude }
        func across(_ position: Position) -> Double { north * position.longitude - east * position.latitude }
    }

    /// The number of comparisons of two edges that every polygon is allowed: enough for all pairs of 360 edges.
    private static let freeComparisons = 65_536
    /// The number of comparisons of two edges that a polygon is allowed for each of its edges, besides those that every
    /// polygon is allowed.
    private static let comparisonsPerEdge = 32

    private let polygon: RegionPolygon

    init(_ polygon: RegionPolygon) { self.polygon = polygon }

    func run() throws(RegionShapeError) {
        let limit = PolygonCheck.freeComparisons + PolygonCheck.comparisonsPerEdge * polygon.positionCount
        for direction in Direction.all {
            let edges = edges(along: direction)
            if PolygonCheck.comparisons(of: edges) <= limit { return try compare(edges) }
        }
        throw RegionShapeError(.tooIntricate)
    }

    private func compare(_ edges: [Edge]) throws(RegionShapeError) {
        for (index, edge) in edges.enumerated() {
            for other in edges[(index + 1)...] {
                guard other.along.lowerBound <= edge.along.upperBound else { break }
                guard other.across.overlaps(edge.across), isWrong(edge, other) else { continue }
                throw error(edge, other)
            }
        }
    }

    /// The edges, sorted by where they begin along a direction.
    private func edges(along direction: Direction) -> [Edge] {
        var edges: [Edge] = []
        edges.reserveCapacity(polygon.positions.count)
        for ring in 0..<polygon.ringCount {
            var before = polygon.range(ofRing: ring).upperBound - 1
            for index in polygon.range(ofRing: ring) {
                edges.append(edge(from: before, to: index, ofRing: ring, direction))
                before = index
            }
        }
        edges.sort { $0.along.lowerBound < $1.along.lowerBound }
        return edges
    }

    private func edge(from: Int, to: Int, ofRing ring: Int, _ direction: Direction) -> Edge {
        let (first, last) = (polygon.positions[from], polygon.positions[to])
        let along = (direction.along(first), direction.along(last))
        let across = (direction.across(first), direction.across(last))
        return Edge(
            ring: Int32(truncatingIfNeeded: ring), from: Int32(truncatingIfNeeded: from),
            to: Int32(truncatingIfNeeded: to), along: min(along.0, along.1)...max(along.0, along.1),
            across: min(across.0, across.1)...max(across.0, across.1))
    }

    /// The number of pairs of sorted edges in which the later edge begins before the earlier one ends.
    private static func comparisons(of edges: [Edge]) -> Int {
        edges.indices.reduce(0) { $0 + beginning(upTo: edges[$1].along.upperBound, in: edges) - $1 - 1 }
    }

    /// The number of edges that begin at `end` or before it, along the direction by which the edges are sorted.
    private static func beginning(upTo end: Double, in edges: [Edge]) -> Int {
        edges.partitioningIndex { $0.along.lowerBound > end }
    }

    private func error(_ edge: Edge, _ other: Edge) -> RegionShapeError {
        let (first, second) = edge.from < other.from ? (edge, other) : (other, edge)
        let reason: RegionShapeError.Reason =
            first.ring == second.ring ? .crossesItself : .crossesRing(Int(first.ring))
        let faulty = first.ring == second.ring ? first : second
        return RegionShapeError(
            reason, ring: Int(faulty.ring),
            position: Int(faulty.from) - polygon.range(ofRing: Int(faulty.ring)).lowerBound)
    }

    /// Whether two edges cross, or belong to one ring and overlap.
    ///
    /// Edges that only touch are allowed, and so is an overlap of edges of two rings.
    private func isWrong(_ edge: Edge, _ other: Edge) -> Bool {
        let (a, b) = (polygon.positions[Int(edge.from)], polygon.positions[Int(edge.to)])
        let (c, d) = (polygon.positions[Int(other.from)], polygon.positions[Int(other.to)])
        let (sideC, sideD) = (side(a, b, c), side(a, b, d))
        let (sideA, sideB) = (side(c, d, a), side(c, d, b))
        if sideA == 0, sideB == 0, sideC == 0, sideD == 0 { return edge.ring == other.ring && overlap(a, b, c, d) }
        return sideA * sideB < 0 && sideC * sideD < 0
    }

    /// The side of a line on which a point lies: -1 right of it, 0 on it, 1 left of it.
    private func side(_ from: Position, _ to: Position, _ point: Position) -> Int {
        let cross =
            (to.longitude - from.longitude) * (point.latitude - from.latitude)
            - (to.latitude - from.latitude) * (point.longitude - from.longitude)
        return cross > 0 ? 1 : cross < 0 ? -1 : 0
    }

    /// Whether two edges that lie on one line have more than a point in common.
    private func overlap(_ a: Position, _ b: Position, _ c: Position, _ d: Position) -> Bool {
        let isSteep = abs(b.latitude - a.latitude) > abs(b.longitude - a.longitude)
        func along(_ position: Position) -> Double { isSteep ? position.latitude : position.longitude }
        return max(min(along(a), along(b)), min(along(c), along(d)))
            < min(max(along(a), along(b)), max(along(c), along(d)))
    }
}
