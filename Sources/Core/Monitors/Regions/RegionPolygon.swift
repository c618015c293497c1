internal import SextantUnits

/// One or several polygons with holes: rings of straight lines in degrees of longitude and latitude, as in GeoJSON.
///
/// A ring that steps over the antimeridian, in either manner (179 then -179, or 179 then 181), is unwrapped; parts that
/// were cut at the antimeridian are joined. Nearer to a pole than a kilometre, distances to the border are rough.
/// Source: RFC 7946, sections 3.1.6, 3.1.7 and 3.1.9.
public struct RegionPolygon: Sendable, Hashable {
    /// A corner of a ring in degrees; the longitude is unwrapped and can exceed 180, by at most half a turn.
    public struct Position: Sendable, Hashable {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The positions of all rings, one ring after the other; no ring repeats its first position.
    var positions: [Position] = []
    /// For each ring, the index in `positions` after the ring's last position; empty where there is one ring.
    var ringEnds: [Int32] = []
    /// For each part, the number of rings in it and in the parts before; empty where there is one part.
    var partEnds: [Int32] = []
    /// The sorted indices of the edges along which a shape was cut into two parts; no border runs there.
    var seams: [Int32] = []
    /// The longitude halfway between the most western and the most eastern position, in degrees; like theirs, it is
    /// unwrapped and can exceed 180.
    private(set) var middleLongitude = 0.0

    /// - Parameter rings: The outer ring, then its holes. Repeating a ring's first position at its end is optional.
    public init(_ rings: [[Position]]) throws(RegionShapeError) { try self.init(parts: [rings]) }

    /// - Parameter parts: The polygons, each given as its outer ring and then its holes.
    public init(parts: [[[Position]]]) throws(RegionShapeError) {
        // Longitudes up to 360 are accepted because some map editors write them for shapes across the antimeridian.
        try self.init(unchecked: parts, longitudes: -360...360)
        try PolygonCheck(self).run()
    }

    /// Makes a polygon from the `parts` of a polygon that was checked before, without a new search for crossing edges.
    ///
    /// Versions up to 0.1.0 stored a ring's first longitude as up to 360 degrees, and the other longitudes up to half a
    /// turn beyond it.
    public init(checked parts: [[[Position]]]) throws(RegionShapeError) {
        try self.init(unchecked: parts, longitudes: -540...540)
    }

    private init(unchecked parts: [[[Position]]], longitudes: ClosedRange<Double>) throws(RegionShapeError) {
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { throw RegionShapeError(.noRings) }
        self.positions.reserveCapacity(parts.reduce(0) { $1.reduce($0) { $0 + $1.count } })
        var ring = 0
        for part in parts {
            for positions in part {
                try append(positions, ring: ring, longitudes)
                ring += 1
            }
            partEnds.append(Int32(truncatingIfNeeded: ring))
        }
        if partEnds.count == 1 { partEnds = [] }
        if ringEnds.count == 1 { ringEnds = [] }
        try measureWidth()
        try findSeams()
    }

    /// The number of positions of all rings, on which the cost of computing with the polygon depends.
    public var positionCount: Int { positions.count }

    var ringCount: Int { max(1, ringEnds.count) }
    var partCount: Int { max(1, partEnds.count) }

    /// The indices of a ring's positions.
    @inline(__always)
    func range(ofRing ring: Int) -> Range<Int> {
        guard !ringEnds.isEmpty else { return 0..<positions.count }
        return (ring == 0 ? 0 : Int(ringEnds[ring - 1]))..<Int(ringEnds[ring])
    }

    @inline(__always)
    func rings(ofPart part: Int) -> Range<Int> {
        guard !partEnds.isEmpty else { return 0..<ringCount }
        return (part == 0 ? 0 : Int(partEnds[part - 1]))..<Int(partEnds[part])
    }
}

// MARK: Reading

extension RegionPolygon {
    private mutating func append(
        _ ring: [Position], ring number: Int, _ longitudes: ClosedRange<Double>
    ) throws(RegionShapeError) {
        let start = positions.count
        for (index, position) in ring.enumerated() {
            try RegionPolygon.check(position, ring: number, position: index, longitudes)
            let longitude = unwrapped(position.longitude, after: start)
            let next = Position(latitude: position.latitude, longitude: longitude)
            if positions.count > start, positions.last == next { continue }
            positions.append(next)
        }
        try close(from: start, ring: number)
        guard hasThreePoints(from: start) else { throw RegionShapeError(.fewerThanThreePoints, ring: number) }
        guard !isOnOneLine(start..<positions.count) else { throw RegionShapeError(.noArea, ring: number) }
        ringEnds.append(Int32(truncatingIfNeeded: positions.count))
    }

    private static func check(
        _ position: Position, ring: Int, position index: Int, _ longitudes: ClosedRange<Double>
    ) throws(RegionShapeError) {
        let (latitude, longitude) = (position.latitude, position.longitude)
        guard latitude.isFinite, longitude.isFinite else {
            throw RegionShapeError(.notANumber, ring: ring, position: index)
        }
        guard abs(latitude) <= 90 else {
            throw RegionShapeError(.latitudeOutOfRange(latitude), ring: ring, position: index)
        }
        guard longitudes.contains(longitude) else {
            throw RegionShapeError(.longitudeOutOfRange(longitude), ring: ring, position: index)
        }
        guard abs(latitude) < 90 else { throw RegionShapeError(.coversPole, ring: ring, position: index) }
    }

    /// The longitude, moved by whole turns to be nearest to the ring's previous position.
    ///
    /// A ring's first longitude is moved to be nearest to that of the first ring, and the first longitude of all to be
    /// nearest to 0.
    private func unwrapped(_ longitude: Double, after start: Int) -> Double {
        let before = (positions.count > start ? positions.last : positions.first)?.longitude ?? 0
        // If two longitudes differ by exactly half a turn, rounding to even gives 0 turns, so the longitude stays as it
        // is written.
        let turns = ((before - longitude) / 360).rounded(.toNearestOrEven)
        return longitude + 360 * turns
    }

    /// Removes the repeated first position from the ring's end.
    ///
    /// A ring whose end is a turn of longitude away from its first position goes round a pole, and is refused.
    private mutating func close(from start: Int, ring: Int) throws(RegionShapeError) {
        guard positions.count - start > 1, let last = positions.last else { return }
        let first = positions[start]
        if LocalFrame.wrapped(last.longitude - first.longitude) == 0, last.latitude == first.latitude {
            guard abs(last.longitude - first.longitude) < 180 else { throw RegionShapeError(.coversPole, ring: ring) }
            positions.removeLast()
        } else if abs(last.longitude - first.longitude) > 180 {
            throw RegionShapeError(.coversPole, ring: ring)
        }
    }

    private func hasThreePoints(from start: Int) -> Bool {
        let ring = positions[start...]
        guard let first = ring.first, let second = ring.first(where: { $0 != first }) else { return false }
        return ring.contains { $0 != first && $0 != second }
    }

    private func isOnOneLine(_ range: Range<Int>) -> Bool {
        let first = positions[range.lowerBound]
        let farthest = positions[range].max { first.squaredDistance(to: $0) < first.squaredDistance(to: $1) } ?? first
        return positions[range].allSatisfy { position in
            (farthest.longitude - first.longitude) * (position.latitude - first.latitude)
                == (farthest.latitude - first.latitude) * (position.longitude - first.longitude)
        }
    }

    private mutating func measureWidth() throws(RegionShapeError) {
        let bounds = self.bounds
        middleLongitude = (bounds.west + bounds.east) / 2
        guard bounds.east - bounds.west < 180 else { throw RegionShapeError(.tooWide) }
    }

    /// Twice the signed area of a ring, in square degrees.
    func doubledArea(_ range: Range<Int>) -> Double {
        var area = 0.0
        var before = positions[range.upperBound - 1]
        let origin = positions[range.lowerBound]
        for index in range {
            let next = positions[index]
            area +=
                (before.longitude - origin.longitude) * (next.latitude - origin.latitude)
                - (next.longitude - origin.longitude) * (before.latitude - origin.latitude)
            before = next
        }
        return area
    }

    var bounds: (south: Double, north: Double, west: Double, east: Double) {
        var bounds = (south: 90.0, north: -90.0, west: Double.infinity, east: -Double.infinity)
        for position in positions {
            bounds.south = min(bounds.south, position.latitude)
            bounds.north = max(bounds.north, position.latitude)
            bounds.west = min(bounds.west, position.longitude)
            bounds.east = max(bounds.east, position.longitude)
        }
        return bounds
    }

    /// The largest number of steps allowed for the search for seams (edges at which two parts join); it needs one step
    /// for each pair of an edge along the 180° meridian and any edge.
    private static let maximumSeamSteps = 1_000_000

    /// Finds the seams: edges along the 180° meridian beyond which another part of the shape continues.
    private mutating func findSeams() throws(RegionShapeError) {
        guard partCount > 1 else { return }
        let edges = meridianEdges
        guard edges.count * positions.count <= RegionPolygon.maximumSeamSteps else {
            throw RegionShapeError(.tooIntricate)
        }
        seams = edges.filter { isSeam(from: positions[$0.from], to: positions[$0.to]) }
            .map { Int32(truncatingIfNeeded: $0.from) }.sorted()
    }

    /// The edges along the 180° meridian, each given by the indices of its two positions.
    private var meridianEdges: [(from: Int, to: Int)] {
        var edges: [(from: Int, to: Int)] = []
        for ring in 0..<ringCount {
            var before = range(ofRing: ring).upperBound - 1
            for index in range(ofRing: ring) {
                let (from, to) = (positions[before].longitude, positions[index].longitude)
                if from == to, abs(LocalFrame.wrapped(from)) == 180 { edges.append((before, index)) }
                before = index
            }
        }
        return edges
    }

    /// Whether the polygon lies on both sides of an edge along a meridian.
    private func isSeam(from: Position, to: Position) -> Bool {
        let latitude = (from.latitude + to.latitude) / 2
        let nudge = 1e-9
        return contains(latitude: latitude, longitude: from.longitude - nudge)
            && contains(latitude: latitude, longitude: from.longitude + nudge)
    }
}

extension RegionPolygon.Position {
    /// The squared distance to another position; square degrees.
    fileprivate func squaredDistance(to other: RegionPolygon.Position) -> Double {
        let (north, east) = (other.latitude - latitude, other.longitude - longitude)
        return north * north + east * east
    }
}
