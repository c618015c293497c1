public import Fusion
internal import GNSS
public import Units

/// Follows a track whose fixes bring their own time: all that becomes of them, in the order in which it can be known.
///
/// Before a fix is taken, the monitors that wait for a time are told of each that has passed, the earliest first; then
/// come the fused location, what its regions and visits say, and whether it is a significant change.
public struct TrackFollower: Sendable {
    public var path = LocationPath()
    /// Nil where nobody asks for significant changes.
    private var changes: SignificantChangeMonitor?

    public init() {}

    /// Begins to look for significant changes; the next location is the first.
    public mutating func startSignificantChanges(at instant: MonotonicInstant) {
        var monitor = SignificantChangeMonitor()
        _ = monitor.start(latest: nil, isCoarse: false, at: instant)
        changes = monitor
    }

    /// When the next thing happens although no fix comes; nil where nothing does.
    public var deadline: MonotonicInstant? { .earlier(path.deadline, changes?.deadline) }

    /// Lets time pass: appends what happens until then, each at its own time.
    public mutating func advance(to instant: MonotonicInstant, into events: inout [TrackEvent]) {
        while let due = deadline, due <= instant {
            path.advance(to: due)
            takeEvents(into: &events)
            if changes?.advance(to: due) != nil { tellChange(at: due, into: &events) }
            // A deadline that is not met by its own time is left to the next fix.
            guard deadline != due else { break }
        }
    }

    /// Takes a fix, and appends what it leads to.
    ///
    /// - Parameter instant: When it holds.
    /// - Returns: Where the board is then; nil where the fix was skipped, which the filter counts.
    @discardableResult
    public mutating func follow(
        _ fix: FilterFix, at instant: MonotonicInstant, into events: inout [TrackEvent]
    ) -> FusedLocation? {
        guard let location = path.locate(fix, at: instant) else { return nil }
        advance(to: location.instant, into: &events)
        events.append(.location(location))
        path.follow(location)
        takeEvents(into: &events)
        followChanges(location, into: &events)
        return location
    }

    private func takeEvents(into events: inout [TrackEvent]) {
        for event in path.regionEvents { events.append(.region(event)) }
        for event in path.visitEvents { events.append(.visit(event)) }
    }

    private mutating func followChanges(_ location: FusedLocation, into events: inout [TrackEvent]) {
        guard changes != nil, location.standing == .measured else { return }
        var fix = Fix()
        fix.type = .twoD
        fix.latitude = location.latitude
        fix.longitude = location.longitude
        fix.horizontalAccuracy = location.horizontalAccuracy
        guard changes?.follow(fix, isCoarse: false, at: location.instant) != nil else { return }
        tellChange(at: location.instant, into: &events)
    }

    private func tellChange(at instant: MonotonicInstant, into events: inout [TrackEvent]) {
        guard let place = changes?.notified, let measured = changes?.measuredAt else { return }
        events.append(.significantChange(place, measured: measured, confirmed: instant))
    }
}

/// What happened on a track.
public enum TrackEvent: Sendable, Equatable {
    case location(FusedLocation)
    case region(RegionEvent)
    case visit(VisitEvent)
    /// The board is far from where it was last told to be.
    ///
    /// - Parameters:
    ///   - measured: When it was there.
    ///   - confirmed: When it was told: two are five minutes apart at least.
    case significantChange(NotifiedPlace, measured: MonotonicInstant, confirmed: MonotonicInstant)
}
