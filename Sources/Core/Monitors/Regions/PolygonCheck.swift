/// Looks for edges of a polygon that cross.
///
/// The edges are sorted by their southern ends, and each is compared with those that begin south of its northern end.
struct PolygonCheck {
    private typealias Position = RegionPolygon.Position

    private struct Edge {
        var ring: Int32
        /// The indices of the edge's two positions in the polygon.
        var from: Int32
        var to: Int32
        var south: Double
        var north: Double
        var west: Double
        var east: Double
    }

    private let polygon: RegionPolygon
    private var edges: [Edge] = []

    init(_ polygon: RegionPolygon) {
        self.polygon = polygon
        edges.reserveCapacity(polygon.positions.count)
        for ring in 0..<polygon.ringCount {
            let range = polygon.range(ofRing: ring)
            var before = range.upperBound - 1
            for index in range {
                let (from, to) = (polygon.positions[before], polygon.positions[index])
                edges.append(
                    Edge(
                        ring: Int32(truncatingIfNeeded: ring), from: Int32(truncatingIfNeeded: before),
                        to: Int32(truncatingIfNeeded: index), south: min(from.latitude, to.latitude),
                        north: max(from.latitude, to.latitude), west: min(from.longitude, to.longitude),
                        east: max(from.longitude, to.longitude)))
                before = index
            }
        }
        edges.sort { $0.south < $1.south }
    }

    func run() throws(RegionShapeError) {
        for (index, edge) in edges.enumerated() {
            for other in edges[(index + 1)...] {
                guard other.south <= edge.north else { break }
                guard other.west <= edge.east, edge.west <= other.east, isWrong(edge, other) else { continue }
                throw error(edge, other)
            }
        }
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

    /// Whether two edges cross, or overlap as edges of one ring.
    ///
    /// Edges that only touch are allowed.
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

    /// Whether two edges on one line have more than a point in common.
    private func overlap(_ a: Position, _ b: Position, _ c: Position, _ d: Position) -> Bool {
        let isSteep = abs(b.latitude - a.latitude) > abs(b.longitude - a.longitude)
        func along(_ position: Position) -> Double { isSteep ? position.latitude : position.longitude }
        return max(min(along(a), along(b)), min(along(c), along(d)))
            < min(max(along(a), along(b)), max(along(c), along(d)))
    }
}
