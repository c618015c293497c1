public import Fusion
internal import GNSS
public import SextantUnits

/// Follows a track by the times of its fixes, and gives the events in the order in which they can be known.
///
/// Before a fix is taken, the monitors handle each of their deadlines that has passed, the earliest first; then come
/// the fused location, its region and visit events, and a significant change.
public struct TrackFollower: Sendable {
    public var path = LocationPath()
    /// The monitor of significant changes; nil where they are not asked for.
    private var changes: SignificantChangeMonitor?

    public init() {}

    /// Begins to look for significant changes; the next location is reported as the first change.
    public mutating func startSignificantChanges(at instant: MonotonicInstant) {
        var monitor = SignificantChangeMonitor()
        _ = monitor.start(latest: nil, isCoarse: false, at: instant)
        changes = monitor
    }

    /// When the next event will occur if no fix comes; nil if none will.
    public var deadline: MonotonicInstant? { .earlier(path.deadline, changes?.deadline) }

    /// Appends the events that fall due without a fix up to this instant, each with its own time.
    public mutating func advance(to instant: MonotonicInstant, into events: inout [TrackEvent]) {
        while let due = deadline, due <= instant {
            path.advance(to: due)
            takeEvents(into: &events)
            if changes?.advance(to: due) != nil { tellChange(at: due, into: &events) }
            // A deadline that has not changed when it was handled can change only with the next fix; the loop then
            // ends, so that it does not run for ever.
            guard deadline != due else { break }
        }
    }

    /// Takes a fix, and appends the events that follow from it.
    ///
    /// - Parameter instant: The time for which the fix holds.
    /// - Returns: The board's location at that time; nil if the location filter found the fix unusable and counted it
    ///   as refused.
    @discardableResult
    public mutating func found(
        _ fix: FilterFix, at instant: MonotonicInstant, into events: inout [TrackEvent]
    ) -> FusedLocation? {
        guard let location = path.locate(fix, at: instant) else { return nil }
        advance(to: location.instant, into: &events)
        events.append(.location(location))
        path.found(location)
        takeEvents(into: &events)
        followChanges(location, into: &events)
        return location
    }

    private func takeEvents(into events: inout [TrackEvent]) {
        for event in path.regionEvents { events.append(.region(event)) }
        for event in path.visitEvents { events.append(.visit(event)) }
    }

    private mutating func followChanges(_ location: FusedLocation, into events: inout [TrackEvent]) {
        guard changes != nil, location.support == .measured else { return }
        var fix = Fix()
        fix.type = .twoD
        fix.latitude = location.latitude
        fix.longitude = location.longitude
        fix.horizontalAccuracy = location.horizontalAccuracy
        guard changes?.found(fix, isCoarse: false, at: location.instant) != nil else { return }
        tellChange(at: location.instant, into: &events)
    }

    private func tellChange(at instant: MonotonicInstant, into events: inout [TrackEvent]) {
        guard let place = changes?.notified, let measured = changes?.measuredAt else { return }
        events.append(.significantChange(place, measured: measured, confirmed: instant))
    }
}

/// An event on a track.
public enum TrackEvent: Sendable, Equatable {
    case location(FusedLocation)
    case region(RegionEvent)
    case visit(VisitEvent)
    /// A significant change: the board is at this place, which is the first place known, or far from the place last
    /// notified.
    ///
    /// - Parameters:
    ///   - measured: When the board was at the place.
    ///   - confirmed: When the change was notified; two notifications are at least five minutes apart.
    case significantChange(NotifiedPlace, measured: MonotonicInstant, confirmed: MonotonicInstant)
}
