internal import Glibc

/// A track of any length, of which the points that make its shape are kept.
///
/// Points come one after the other. Once there are twice as many as may be kept, those are left out that the line
/// through their neighbours goes nearest by. Distances are taken in space, so 180 degrees and the poles are places like
/// any other; over a long leg the line in space is deeper than the ground (10 km: 2 m), which keeps some more of its
/// points. Points beside a gap are the last that are left out.
struct TrackShape {
    private(set) var points: [TrackPoint] = []
    private var positions: [SIMD3<Double>] = []
    /// For each point, metres within which all that was left out between it and the one after it lies about their line.
    private var deviations: [Double] = []
    /// The most points that are kept, at least two.
    let limit: Int

    init(limit: Int) { self.limit = max(2, limit) }

    /// The most metres by which a point that was left out lies beside the line of those that are kept.
    var deviation: Double { deviations.max() ?? 0 }

    mutating func add(_ point: TrackPoint) {
        points.append(point)
        positions.append(point.position)
        deviations.append(0)
        if points.count >= 2 * limit { thin() }
    }

    /// Leaves out as many points as are too many; the first and the last stay.
    mutating func thin() {
        while points.count > limit { leaveOut(atMost: points.count - limit) }
    }

    /// Leaves out points that matter least, no two of them neighbours.
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

    /// Metres farther than any two points of the Earth are apart.
    private static let beyond = 2e7

    /// Metres by which the line may be off, at most, where a point is left out.
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
