internal import AllocationCounter
internal import Emulation
internal import Fusion
internal import Monitors
internal import Programs
internal import SextantUnits

/// The time and memory that the region monitor needs for very many regions.
struct IndexMeasurement {
    var name: String
    var regions: Int
    /// Seconds of CPU time for adding all regions and for the first 30 fixes, which determine whether the board is
    /// inside each region.
    var loading: Double
    /// The number of bytes by which this process grew while the regions were loaded.
    var bytes: Int
    /// Mean seconds of CPU time for one fix.
    var mean: Double
    var slowest: Double
    /// The number of heap allocations during all measured fixes, after buffers have reached their final size.
    var allocations: Int
    var fixes: Int

    /// The arrangement of the regions relative to the board.
    enum Layout: String, CaseIterable {
        /// Regions all over a country 1000 km wide, through which the board drives.
        case country
        /// Regions spread over a town; the board stands 2 km outside the town, and its fixes drift.
        case beside
        /// Circles with a radius of a kilometre or more, all of which contain the board.
        case overlapping
        /// Circles whose borders all pass within 50 m of the board: the most expensive case.
        case crowded
    }

    init(_ layout: Layout, regions count: Int, polygons: Bool, fixes: Int) {
        var random = SplitMix64(seed: 11)
        let shapes = (0..<count).map { _ in IndexMeasurement.shape(layout, polygons, &random) }
        let memory = Int(ProgramMemory.residentBytes)
        let start = ProcessorClock.seconds
        var monitor = RegionMonitor()
        monitor.reserveCapacity(count)
        for shape in shapes { _ = monitor.add(MonitoredRegion(shape)) }
        var events: [RegionEvent] = []
        var course = Course(layout)
        for _ in 0..<30 { monitor.found(course.next(), into: &events) }
        events = []
        loading = ProcessorClock.seconds - start
        bytes = Int(ProgramMemory.residentBytes) - memory
        events.reserveCapacity(max(1024, 4 * count))
        for _ in 0..<fixes / 4 { monitor.found(course.next(), into: &events) }
        events.removeAll(keepingCapacity: true)
        // The first array of a type also allocates the type's metadata; this allocation must come before counting
        // begins.
        _ = course.next(1)
        let before = allocation_count()
        var (whole, made, worst) = (0.0, 0, 0.0)
        let block = 1000
        for _ in 0..<max(1, fixes / block) {
            let locations = course.next(block)
            made += 1
            let begun = ProcessorClock.seconds
            for location in locations { monitor.found(location, into: &events) }
            whole += ProcessorClock.seconds - begun
            if events.count > 1000 { events.removeAll(keepingCapacity: true) }
        }
        allocations = Int(allocation_count() - before) - made
        for _ in 0..<fixes / 10 {
            let location = course.next()
            let begun = ProcessorClock.seconds
            monitor.found(location, into: &events)
            worst = max(worst, ProcessorClock.seconds - begun)
        }
        name = layout.rawValue + (polygons ? ", polygons" : "")
        regions = count
        mean = whole / Double(max(1, fixes / block) * block)
        slowest = worst
        self.fixes = fixes
    }

    private static func shape(_ layout: Layout, _ polygons: Bool, _ random: inout SplitMix64) -> RegionShape {
        let (latitude, longitude, radius): (Double, Double, Double)
        switch layout {
        case .country:
            latitude = random.next(in: 44...53)
            longitude = random.next(in: 2...15)
            radius = random.next(in: 50...300)
        case .beside:
            latitude = random.next(in: 47.02...47.25)
            longitude = random.next(in: 8...8.3)
            radius = random.next(in: 50...150)
        case .overlapping:
            latitude = random.next(in: 46.999...47.001)
            longitude = random.next(in: 7.999...8.001)
            radius = random.next(in: 1000...5000)
        case .crowded:
            latitude = 47
            radius = random.next(in: 1000...5000)
            longitude = 8 + (radius + random.next(in: -50...50)) / 76_000
        }
        guard polygons, let polygon = octagon(latitude, longitude, radius) else {
            return .circle(latitude: latitude, longitude: longitude, radius: radius)
        }
        return .polygon(polygon)
    }

    private static func octagon(_ latitude: Double, _ longitude: Double, _ radius: Double) -> RegionPolygon? {
        let frame = LocalFrame(latitude: latitude, longitude: longitude)
        let ring = (0..<8).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * .pi / 4)
            let place = frame.coordinate(of: LocalPoint(east: radius * cosine, north: radius * sine))
            return RegionPolygon.Position(latitude: place.latitude, longitude: place.longitude)
        }
        return try? RegionPolygon([ring])
    }
}

/// The movements of a board as one location per second: a drive at 20 m/s through a country, or rest with fixes that
/// drift.
private struct Course {
    private var noise = PositionWander(seed: 3)
    private var seconds = 0.0
    private let layout: IndexMeasurement.Layout

    init(_ layout: IndexMeasurement.Layout) { self.layout = layout }

    /// Makes the next `count` locations at once, with a single heap allocation.
    mutating func next(_ count: Int) -> [FusedLocation] {
        var locations: [FusedLocation] = []
        locations.reserveCapacity(count)
        for _ in 0..<count { locations.append(next()) }
        return locations
    }

    mutating func next() -> FusedLocation {
        seconds += 1
        let (east, north) = noise.next()
        let frame = LocalFrame(latitude: 47, longitude: 8)
        // The board repeatedly drives 200 km to the east and back.
        let leg = (20 * seconds).truncatingRemainder(dividingBy: 400_000)
        let driven = layout == .country ? min(leg, 400_000 - leg) : 0
        let position = LocalPoint(east: driven + east, north: north)
        let place = frame.coordinate(of: position)
        return FusedLocation(
            instant: MonotonicInstant(nanoseconds: Int64(seconds * 1e9)), latitude: place.latitude,
            longitude: place.longitude, covariance: HorizontalCovariance(accuracy: 6))
    }
}

/// The drift of the fixes to the east and north, in metres: a random walk that is pulled back to zero.
private struct PositionWander {
    private var random: SplitMix64
    private var east = 0.0
    private var north = 0.0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func next() -> (east: Double, north: Double) {
        east = east * 0.99 + random.next(in: -1.5...1.5)
        north = north * 0.99 + random.next(in: -1.5...1.5)
        return (east, north)
    }
}
