public import Fusion
public import SextantUnits

/// The chain from a fix to its events: the estimator, then regions, then visits.
///
/// The chain is for a recorded track, with no clients and no permissions; the Engine runs the three parts separately.
/// The events of a call of `found` or `advance` stay readable until the next such call.
public struct LocationPath: Sendable {
    public var filter = LocationFilter()
    public var regions = RegionMonitor()
    public var visits = VisitMonitor()
    public private(set) var regionEvents: [RegionEvent] = []
    public private(set) var visitEvents: [VisitEvent] = []

    public init() {}

    /// The next instant at which a region or a visit changes without a new fix; nil for none.
    public var deadline: MonotonicInstant? { .earlier(regions.deadline, visits.deadline) }

    /// Handles the accelerometer's report that the board is moved about or rests.
    public mutating func sensed(motion: Bool, at instant: MonotonicInstant) {
        filter.sensed(motion: motion, at: instant)
        visits.sensed(motion: motion, at: instant)
    }

    /// Takes the heading of the device's front in degrees from true north, and its accuracy: 68 % of the errors are
    /// smaller.
    public mutating func sensed(heading degreesTrue: Double, accuracy: Double, at instant: MonotonicInstant) {
        filter.sensed(heading: degreesTrue, accuracy: accuracy, at: instant)
    }

    /// Takes a fix.
    ///
    /// - Returns: The board's location at the time of the fix; nil if the location filter found the fix unusable and
    ///   counted it as refused.
    public mutating func locate(_ fix: FilterFix, at instant: MonotonicInstant) -> FusedLocation? {
        filter.update(fix, at: instant)
    }

    /// Passes a location to the monitors of regions and visits, and replaces the events by those that this location
    /// brings.
    public mutating func found(_ location: FusedLocation) {
        forgetEvents()
        regions.found(location, into: &regionEvents)
        visits.found(location, into: &visitEvents)
    }

    /// Replaces the events by those that fall due by this instant without a fix.
    public mutating func advance(to instant: MonotonicInstant) {
        forgetEvents()
        regions.advance(to: instant, into: &regionEvents)
        visits.advance(to: instant, into: &visitEvents)
    }

    private mutating func forgetEvents() {
        regionEvents.removeAll(keepingCapacity: true)
        visitEvents.removeAll(keepingCapacity: true)
    }
}
