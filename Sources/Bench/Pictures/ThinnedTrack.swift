/// The points of a track of any length, evenly thinned so that their number never exceeds a limit.
struct ThinnedTrack: Sendable {
    struct Point: Sendable {
        /// Degrees north.
        var latitude: Double
        /// Degrees east.
        var longitude: Double
        /// The radius in metres that holds 68 % of the errors; nil if it is unknown.
        var accuracy: Double?
        var nanoseconds: Int64
    }

    private var kept: [Point] = []
    private var last: Point?
    /// The step of the thinning: every `stride`th point is kept.
    private var stride = 1
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func append(_ point: Point) {
        if count % stride == 0 {
            kept.append(point)
            last = nil
        } else {
            last = point
        }
        count += 1
        guard kept.count > limit else { return }
        kept = kept.indices.filter { $0 % 2 == 0 }.map { kept[$0] }
        stride *= 2
    }

    /// The kept points, including the first and the last point of the track.
    var points: [Point] { kept + (last.map { [$0] } ?? []) }

    /// The track's points, divided at each gap: a time step longer than ten median steps and longer than a minute.
    var runs: [ArraySlice<Point>] {
        let points = points
        let steps = zip(points.dropFirst(), points).map { $0.nanoseconds &- $1.nanoseconds }.sorted()
        guard let usual = steps.isEmpty ? nil : steps[steps.count / 2] else { return [points[...]] }
        let gap = max(60_000_000_000, usual.multipliedReportingOverflow(by: 10).partialValue)
        var runs: [ArraySlice<Point>] = []
        var start = 0
        for index in 1..<points.count where points[index].nanoseconds &- points[index - 1].nanoseconds > gap {
            runs.append(points[start..<index])
            start = index
        }
        return runs + [points[start...]]
    }
}
