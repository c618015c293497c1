internal import Fusion
internal import Monitors
internal import SextantUnits

/// A rule that decides from fixes whether the board is inside a circle with a radius of 100 m.
protocol RegionRule {
    init()
    /// Takes the board's next measured position, in metres east and north of the circle's centre.
    mutating func follow(_ position: LocalPoint, accuracy: Double, at seconds: Double)
    /// Whether the rule holds the board to be inside the circle; nil if the rule has not decided yet.
    var isInside: Bool? { get }
}

/// The circle with which every rule is tested; it lies on the WGS 84 ellipsoid.
enum RuleCircle {
    static let radius = 100.0
    static let frame = LocalFrame(latitude: 47, longitude: 8)
    static let shape = RegionShape.circle(latitude: frame.latitude, longitude: frame.longitude, radius: radius)
}

/// The daemon's rule: the location estimator filters the fixes, and the region monitor judges the filtered locations.
struct EstimatedRule: RegionRule {
    private var path = LocationPath()
    private let slot: RegionSlot

    init() { slot = path.regions.add(MonitoredRegion(RuleCircle.shape)) }

    var isInside: Bool? { path.regions.isInside(slot) }

    mutating func follow(_ position: LocalPoint, accuracy: Double, at seconds: Double) {
        let (latitude, longitude) = RuleCircle.frame.coordinate(of: position)
        let fix = FilterFix(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
        guard let location = path.locate(fix, at: MonotonicInstant(nanoseconds: Int64(seconds * 1e9))) else { return }
        path.found(location)
    }
}

/// The rule of the daemon's region monitor alone, applied to unfiltered fixes.
struct ConfirmedRule: RegionRule {
    private var monitor = RegionMonitor()
    private let slot: RegionSlot
    private var events: [RegionEvent] = []

    init() { slot = monitor.add(MonitoredRegion(RuleCircle.shape)) }

    var isInside: Bool? { monitor.isInside(slot) }

    mutating func follow(_ position: LocalPoint, accuracy: Double, at seconds: Double) {
        let (latitude, longitude) = RuleCircle.frame.coordinate(of: position)
        events.removeAll(keepingCapacity: true)
        monitor.found(
            FusedLocation(
                instant: MonotonicInstant(nanoseconds: Int64(seconds * 1e9)), latitude: latitude, longitude: longitude,
                covariance: HorizontalCovariance(accuracy: accuracy)),
            into: &events)
    }
}

/// A rule that compares each single position with the circle, without memory, as Traccar does.
struct NaiveRule: RegionRule {
    private(set) var isInside: Bool?

    mutating func follow(_ position: LocalPoint, accuracy: Double, at seconds: Double) {
        isInside = position.distance(to: LocalPoint(east: 0, north: 0)) <= RuleCircle.radius
    }
}

/// A rule that reports a change only after the board has been more than 30 m beyond the circle's border for 20 s, as
/// iPhones seem to do.
struct CushionRule: RegionRule {
    private(set) var isInside: Bool?
    private var since: Double?

    mutating func follow(_ position: LocalPoint, accuracy: Double, at seconds: Double) {
        let distance = position.distance(to: LocalPoint(east: 0, north: 0))
        guard let isInside else {
            isInside = distance <= RuleCircle.radius
            return
        }
        guard isInside ? distance > RuleCircle.radius + 30 : distance < RuleCircle.radius - 30 else {
            since = nil
            return
        }
        if since == nil { since = seconds }
        guard let since, seconds - since >= 20 else { return }
        self.isInside = !isInside
        self.since = nil
    }
}
