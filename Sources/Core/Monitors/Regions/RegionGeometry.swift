internal import SextantUnits

/// The shapes of all regions, by the region's slot (its number in the monitor): a ball that encloses each shape, and
/// all polygons.
struct RegionGeometry: Sendable {
    /// The ball that encloses the shape of one region.
    struct Ball: Sendable {
        var centre: EarthVector
        /// The ball's radius in metres: for a circle, measured over the ground; for a polygon, along a straight line.
        var radius: Double
        /// The polygon's index in `polygons`; -1 for a circle, -2 where no region has this number.
        var polygon: Int32
        /// A lower bound of how far the innermost point of the shape is from the border; metres.
        var depth: Float

        static let circle: Int32 = -1
        static let empty: Int32 = -2
    }

    private(set) var balls: [Ball] = []
    private var polygons: [RegionPolygon] = []
    private var freePolygons: [Int32] = []

    /// The largest difference between a chord of the ellipsoid and the chord of the same arc on a sphere of the mean
    /// radius, in metres per metre of chord.
    private static let chordTolerance = 3e-5
    /// For a place within this many metres of the ball around a polygon, the distance to the polygon itself is
    /// computed.
    private static let polygonReach = 5_000.0

    mutating func reserve(_ count: Int) { balls.reserveCapacity(count) }

    mutating func set(_ shape: RegionShape, at slot: Int) {
        let ball = self.ball(of: shape)
        if slot == balls.count { balls.append(ball) } else { balls[slot] = ball }
    }

    private mutating func ball(of shape: RegionShape) -> Ball {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            return Ball(
                centre: RegionPlace(latitude: latitude, longitude: longitude).vector, radius: radius,
                polygon: Ball.circle, depth: Float(radius))
        case .polygon(let polygon):
            let (centre, radius) = polygon.ball
            let number: Int32
            if let free = freePolygons.popLast() {
                polygons[Int(free)] = polygon
                number = free
            } else {
                number = Int32(truncatingIfNeeded: polygons.count)
                polygons.append(polygon)
            }
            return Ball(centre: centre.vector, radius: radius, polygon: number, depth: Float(polygon.depth))
        }
    }

    mutating func clear(_ slot: Int) {
        if balls[slot].polygon >= 0 { freePolygons.append(balls[slot].polygon) }
        balls[slot].polygon = Ball.empty
    }

    @inline(__always)
    func isEmpty(_ slot: Int) -> Bool { balls[slot].polygon == Ball.empty }

    /// A place's distance from the border of the region with this number, and the direction away from the region.
    @inline(__always)
    func offset(of place: RegionPlace, to slot: Int) -> BorderOffset {
        let ball = balls[slot]
        guard ball.polygon >= 0 else {
            return RegionCircle.offset(of: place, centre: ball.centre, radius: ball.radius)
        }
        let from = place.vector - ball.centre
        let beyond = from.length - ball.radius
        guard beyond > RegionGeometry.polygonReach else { return polygons[Int(ball.polygon)].offset(of: place) }
        let local = place.local(from)
        let length = max(1e-9, (local.east * local.east + local.north * local.north).squareRoot())
        return BorderOffset(
            distance: beyond, outward: LocalPoint(east: local.east / length, north: local.north / length))
    }

    /// The least and the greatest straight distance from the centre of a region's ball to the region's border; metres.
    func shell(of slot: Int) -> ClosedRange<Double> {
        let ball = balls[slot]
        guard ball.polygon < 0 else { return 0...ball.radius }
        let chord = RegionCircle.chord(ofArc: ball.radius)
        let tolerance = 0.01 + chord * RegionGeometry.chordTolerance
        return max(0, chord - tolerance)...(chord + tolerance)
    }
}
