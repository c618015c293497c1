internal import Glibc

/// Reduces a track of any length to the points that make up its shape.
///
/// Points are added one after the other. Once there are twice as many as the limit, those nearest to the line between
/// their neighbours are left out. Distances are computed in three dimensions, so that 180 degrees and the poles need no
/// special care. A long straight line runs below the ground (by 2 m for 10 km), so a few more points are kept there.
/// Points beside a gap are the last to be left out.
struct TrackShape {
    private(set) var points: [DrawnPoint] = []
    private var positions: [SIMD3<Double>] = []
    /// For each kept point a distance in metres: no left-out point between it and the next kept point is farther than
    /// this from the straight line that joins the two.
    private var deviations: [Double] = []
    /// The largest number of points that are kept; it is at least two.
    let limit: Int

    init(limit: Int) { self.limit = max(2, limit) }

    /// An upper bound, in metres, for the distance of any left-out point from the line that joins the kept points.
    var deviation: Double { deviations.max() ?? 0 }

    mutating func add(_ point: DrawnPoint) {
        points.append(point)
        positions.append(point.position)
        deviations.append(0)
        if points.count >= 2 * limit { thin() }
    }

    /// Leaves points out until no more than the limit are left; the first and the last point stay.
    mutating func thin() {
        while points.count > limit { leaveOut(atMost: points.count - limit) }
    }

    /// Leaves out the points that change the line least, but never two neighbours in one pass.
    private mutating func leaveOut(atMost excess: Int) {
        let costs = points.indices.dropFirst().dropLast().map { (index: $0, metres: cost(of: $0)) }
        var isLeftOut = [Bool](repeating: false, count: points.count)
        for (index, metres) in costs.sorted(by: { $0.metres < $1.metres }).prefix(excess)
        where !isLeftOut[index - 1] && !isLeftOut[index + 1] {
            isLeftOut[index] = true
            deviations[index - 1] = min(metres, TrackShape.beyond)
            points[index - 1].isBeforeGap = points[index - 1].isBeforeGap || points[index].isBeforeGap
        }
        let kept = points.indices.filter { !isLeftOut[$0] }
        points = kept.map { points[$0] }
        positions = kept.map { positions[$0] }
        deviations = kept.map { deviations[$0] }
    }

    /// A distance in metres that is longer than the distance between any two points of the Earth.
    private static let beyond = 2e7

    /// How far in metres the line through the kept points can miss a left-out point once this point is left out too; a
    /// huge distance is added for a point at a gap, so that it is left out last.
    private func cost(of index: Int) -> Double {
        let isAtGap = points[index].isBeforeGap || points[index - 1].isBeforeGap
        let off = TrackShape.distance(positions[index], from: positions[index - 1], to: positions[index + 1])
        return max(deviations[index - 1], deviations[index]) + off + (isAtGap ? TrackShape.beyond : 0)
    }

    /// Metres from a position to the straight line between two others.
    private static func distance(
        _ position: SIMD3<Double>, from start: SIMD3<Double>, to end: SIMD3<Double>
    ) -> Double {
        let (way, there) = (end - start, position - start)
        let length = (way * way).sum()
        let share = length > 0 ? min(1, max(0, (way * there).sum() / length)) : 0
        let off = there - share * way
        return (off * off).sum().squareRoot()
    }
}
