public import Fusion
public import SextantUnits

/// Finds stays in the fixes: arrivals and departures, at their true times and reported once each.
///
/// A stay begins with a few successive fixes near each other. A stay is reported once it has lasted as long as the
/// shortest visit, or when a pause in the fixes shows that it has; a fix elsewhere ends the stay only when more fixes
/// agree with it.
public struct VisitMonitor: Sendable {
    let settings: VisitSettings
    var track = RecentTrack()
    var stay: Stay?
    var places = KnownPlaces()
    var nextVisit: UInt64 = 1
    /// Whether the board moves, and since when it moves or rests; nil without an accelerometer's report.
    public internal(set) var motion: (isMoving: Bool, since: MonotonicInstant)?
    /// When the last visit ended; the next visit begins no sooner.
    var lastDeparture: MonotonicInstant?
    /// The latest time of any fix; `staleCount` counts the fixes that came after that fix with a clearly earlier time.
    var newest: MonotonicInstant?
    private var staleCount = 0
    /// A counter that increases whenever the monitor's record should be stored.
    ///
    /// It increases with every event (the record belongs in the event's transaction), when a stay seems to begin, and
    /// every 5 minutes while no stay is reported or the board seems to have left the reported one.
    public internal(set) var generation: UInt64 = 0
    private var savedAt: MonotonicInstant?

    public init(_ settings: VisitSettings = VisitSettings()) { self.settings = settings }

    /// Takes a location.
    public mutating func found(_ location: FusedLocation, into events: inout [VisitEvent]) {
        guard location.support == .measured, location.isPlausible, isInOrder(location.instant) else { return }
        if let last = track.last, location.instant.seconds(since: last.instant) < VisitRules.spacing { return }
        advance(to: location.instant, into: &events)
        forgetIfLeft(before: location.instant)
        let old = track.append(
            latitude: location.latitude, longitude: location.longitude,
            deviation: location.horizontalAccuracy / HorizontalCovariance.radiusPerDeviation, at: location.instant)
        if let old, let middle = stay?.middle { stay?.middle = track.frame.point(old.coordinate(of: middle)) }
        if stay == nil { settle(into: &events) } else { followStay(into: &events) }
        remindToSave(at: location.instant)
    }

    private mutating func remindToSave(at instant: MonotonicInstant) {
        guard stay?.told == nil || stay?.away != nil else { return }
        guard let savedAt, instant.seconds(since: savedAt) < VisitRules.saving else {
            savedAt = instant
            generation &+= 1
            return
        }
    }

    /// When the next arrival or departure will be reported if no fix comes; nil if none will be.
    public var deadline: MonotonicInstant? {
        guard let stay else { return nil }
        if stay.told != nil { return stay.leavesAt }
        guard stay.away == nil, stay.insideCount >= 2,
            stay.lastInside.seconds(since: stay.firstInside) >= VisitRules.minimumRest
        else { return nil }
        return max(
            stay.arrival.advanced(bySeconds: settings.minimumStay + VisitRules.silence),
            stay.lastInside.advanced(bySeconds: VisitRules.silence))
    }

    /// Appends the events that fall due by this instant without a fix.
    public mutating func advance(to instant: MonotonicInstant, into events: inout [VisitEvent]) {
        while let deadline, deadline <= instant {
            if stay?.told == nil {
                tellArrival(confirmed: deadline, isSeen: false, into: &events)
            } else {
                leave(confirmed: deadline, into: &events)
            }
        }
    }

    /// Handles the report of an accelerometer that the board began to move, or that it came to rest.
    public mutating func sensed(motion isMoving: Bool, at instant: MonotonicInstant) {
        guard motion?.isMoving != isMoving else { return }
        motion = (isMoving, instant)
    }

    /// Whether a fix has a later time than all before; many fixes in a row with an earlier time show that the clock
    /// itself went back.
    private mutating func isInOrder(_ instant: MonotonicInstant) -> Bool {
        guard let newest, instant <= newest else {
            newest = instant
            staleCount = 0
            return true
        }
        guard newest.seconds(since: instant) > VisitRules.longestDelay else { return false }
        staleCount += 1
        guard staleCount >= VisitRules.clockChange else { return false }
        self.newest = instant
        staleCount = 0
        forgetTimes(at: instant)
        return true
    }

    /// Forgets all times except those of a visit that was reported, because the clock went back.
    private mutating func forgetTimes(at instant: MonotonicInstant) {
        track.removeAll()
        lastDeparture = nil
        savedAt = nil
        motion = nil
        guard var stay, stay.told != nil else { return self.stay = nil }
        stay.arrival = min(stay.arrival, instant)
        stay.firstInside = stay.arrival
        stay.lastInside = instant
        stay.away = nil
        self.stay = stay
    }
}

extension FusedLocation {
    /// Whether the location is valid, and accurate enough to tell places apart.
    fileprivate var isPlausible: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180 && horizontalAccuracy <= VisitRules.worstAccuracy
    }
}
