internal import AllocationCounter
internal import Emulation
internal import Fusion
internal import Monitors
internal import Units

/// What one fix costs on its whole way: the estimator, 100 regions and visits.
struct PathMeasurement {
    /// Seconds of CPU time a fix, in the mean.
    var mean: Double
    /// In the steady state, of all fixes.
    var allocations: Int
    var fixes: Int

    /// A town of 10 km, in which the board drives about and stays.
    private static let regions = 100

    init(fixes: Int) {
        var random = SplitMix64(seed: 23)
        var path = LocationPath()
        let frame = LocalFrame(latitude: 47, longitude: 8)
        for _ in 0..<PathMeasurement.regions {
            let point = LocalPoint(east: random.next(in: -5000...5000), north: random.next(in: -5000...5000))
            let place = frame.coordinate(of: point)
            let radius = random.next(in: 50...200)
            _ = path.regions.add(
                MonitoredRegion(.circle(latitude: place.latitude, longitude: place.longitude, radius: radius)))
        }
        var way = Way(frame)
        // Two rounds: every place is known, and every list has its length.
        for _ in 0..<2 * Way.round { PathMeasurement.take(way.next(), into: &path) }
        let steps = (0..<fixes).map { _ in way.next() }
        let before = allocation_count()
        let begun = IndexMeasurement.processorTime()
        for step in steps { PathMeasurement.take(step, into: &path) }
        mean = (IndexMeasurement.processorTime() - begun) / Double(fixes)
        allocations = Int(allocation_count() - before)
        self.fixes = fixes
    }

    private static func take(_ step: Way.Step, into path: inout LocationPath) {
        guard let location = path.locate(step.fix, at: step.instant) else { return }
        path.follow(location)
    }
}

/// There and back between two places 6 km apart, with 10 minutes at each: a fix a second, with speed and course.
private struct Way {
    struct Step {
        var fix: FilterFix
        var instant: MonotonicInstant
    }

    /// Seconds of a drive, of a stay, and of all until it begins anew.
    private static let drive = 400
    private static let stay = 600
    static let round = 2 * (drive + stay)

    private let frame: LocalFrame
    private var random = SplitMix64(seed: 29)
    private var second = 0

    init(_ frame: LocalFrame) { self.frame = frame }

    mutating func next() -> Step {
        defer { second += 1 }
        let phase = second % Way.round
        let isBack = phase >= Way.drive + Way.stay
        let driven = min(phase % (Way.drive + Way.stay), Way.drive)
        let isMoving = driven < Way.drive
        let east = 15 * Double(isBack ? Way.drive - driven : driven)
        let place = frame.coordinate(
            of: LocalPoint(east: east + 3 * random.nextGaussian(), north: 3 * random.nextGaussian()))
        let fix = FilterFix(
            latitude: place.latitude, longitude: place.longitude, altitude: 400, horizontalAccuracy: 4.5,
            verticalAccuracy: 8, speed: isMoving ? 15 : 0, course: isMoving ? (isBack ? 270 : 90) : nil,
            speedAccuracy: 0.3)
        return Step(fix: fix, instant: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000))
    }
}
