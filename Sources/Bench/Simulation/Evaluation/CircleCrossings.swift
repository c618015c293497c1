/// For each point of a path, the later points at which the path leaves or enters the circle around that point.
///
/// If a position fix is made at a point and then kept, it is wrong while the path is outside the circle. The crossings
/// divide the rest of the path into runs that are alternately inside and outside; the first run begins at the point
/// itself and is inside.
struct CircleCrossings {
    /// The margin in metres by which a skip along the path ends before a crossing, so that rounding cannot hide the
    /// crossing.
    private static let margin = 1e-6

    private var ends: [Int32] = []
    private var offsets: [Int] = [0]

    /// - Parameters:
    ///   - radius: The circles' radius, in metres.
    ///   - horizon: The number of points that are examined for each circle; the circle's own point is the first of
    ///     them.
    init(east: [Double], north: [Double], radius: Double, horizon: Int) {
        var travelled = [0.0]
        for index in east.indices.dropFirst() {
            let (across, along) = (east[index] - east[index - 1], north[index] - north[index - 1])
            travelled.append(travelled[index - 1] + (across * across + along * along).squareRoot())
        }
        for start in east.indices {
            let limit = min(start + horizon, east.count)
            var isInside = true
            var index = start
            while index < limit {
                let (across, along) = (east[index] - east[start], north[index] - north[start])
                let distance = (across * across + along * along).squareRoot()
                if (distance <= radius) != isInside {
                    ends.append(Int32(index))
                    isInside.toggle()
                }
                index = Self.next(after: index, travelling: abs(distance - radius) - Self.margin, in: travelled)
            }
            ends.append(Int32(limit))
            offsets.append(ends.count)
        }
    }

    /// The ends, as indices of path points, of the runs inside and outside the circle around `point`: the first run is
    /// inside, the second outside, and so on.
    func ends(of point: Int) -> ArraySlice<Int32> { ends[offsets[point]..<offsets[point + 1]] }

    /// The first point after `index` that is at least `distance` metres farther along the path.
    ///
    /// The points in between can be skipped: if the circle's edge is `distance` metres away from `index`, none of them
    /// reaches the edge.
    private static func next(after index: Int, travelling distance: Double, in travelled: [Double]) -> Int {
        let target = travelled[index] + distance
        guard index + 1 < travelled.count, travelled[index + 1] < target else { return index + 1 }
        var (before, stride) = (index + 1, 1)
        while before + stride < travelled.count, travelled[before + stride] < target {
            before += stride
            stride *= 2
        }
        var after = min(before + stride, travelled.count)
        while after - before > 1 {
            let middle = (before + after) / 2
            if travelled[middle] < target { before = middle } else { after = middle }
        }
        return after
    }
}
