internal import AllocationCounter
internal import Emulation
internal import Fusion
internal import Monitors
internal import SextantUnits

/// The CPU time of the daemon for one fix, in all stages together: location estimator, monitor of 100 regions, and
/// visit monitor.
struct PathMeasurement {
    /// Mean seconds of CPU time for one fix.
    var mean: Double
    /// The number of heap allocations during all measured fixes, after buffers have reached their final size.
    var allocations: Int
    var fixes: Int

    /// The number of regions; they lie in a town 10 km wide, in which the board drives and stays.
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
        // The trip is made twice before measuring: then the visit monitor knows both places, and every array has its
        // final capacity.
        for _ in 0..<2 * Way.round { PathMeasurement.take(way.next(), into: &path) }
        let steps = (0..<fixes).map { _ in way.next() }
        let before = allocation_count()
        let begun = ProcessorClock.seconds
        for step in steps { PathMeasurement.take(step, into: &path) }
        mean = (ProcessorClock.seconds - begun) / Double(fixes)
        allocations = Int(allocation_count() - before)
        self.fixes = fixes
    }

    private static func take(_ step: Way.Step, into path: inout LocationPath) {
        guard let location = path.locate(step.fix, at: step.instant) else { return }
        path.found(location)
    }
}

/// An endlessly repeated trip between two places 6 km apart, with a stay of 10 minutes at each; there is one fix per
/// second, with speed and course.
private struct Way {
    struct Step {
        var fix: FilterFix
        var instant: MonotonicInstant
    }

    /// The length in seconds of the drive from one place to the other.
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
