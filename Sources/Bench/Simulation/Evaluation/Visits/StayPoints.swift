internal import Glibc

/// The stay points by which most programs find visits: consecutive fixes that lie within a distance of the first of
/// them.
///
/// Source: Li, Zheng, Xie, Chen, Liu and Ma, "Mining user similarity based on location history", ACM GIS 2008, section
/// 3.1. The paper does not say whether a stay that lasts until the trace's end counts; here it does.
public struct StayPoints: Sendable {
    /// The largest distance of a fix from the first fix of its stay, in metres.
    public var distance: Double
    /// The shortest time, in seconds, that counts as a stay.
    public var shortest: Double

    public init(distance: Double, shortest: Double) {
        self.distance = distance
        self.shortest = shortest
    }

    public func visits(of fixes: [MeasuredFix]) -> [VisitSpan] {
        var visits: [VisitSpan] = []
        var first = 0
        while first < fixes.count {
            var next = first + 1
            while next < fixes.count, metres(fixes[first], fixes[next]) <= distance { next += 1 }
            let end = fixes[min(next, fixes.count - 1)].time
            if end - fixes[first].time >= shortest {
                visits.append(span(fixes[first..<next], until: end))
                first = next
            } else {
                first += 1
            }
        }
        return visits
    }

    private func span(_ fixes: ArraySlice<MeasuredFix>, until end: Double) -> VisitSpan {
        let count = Double(fixes.count)
        return VisitSpan(
            arrival: fixes[fixes.startIndex].time, departure: end,
            latitude: fixes.reduce(0) { $0 + $1.latitude } / count,
            longitude: fixes.reduce(0) { $0 + $1.longitude } / count, place: 0)
    }

    private func metres(_ one: MeasuredFix, _ other: MeasuredFix) -> Double {
        let north = (one.latitude - other.latitude) * 111_195
        let east = (one.longitude - other.longitude) * 111_320 * cos(other.latitude * .pi / 180)
        return hypot(east, north)
    }
}
