/// The queue of events that wait for delivery to one manager's delegate, in order.
///
/// Bound: 256 location arrays and headings, and 256 other events. The oldest is dropped first; the daemon later sends a
/// dropped event again if it has an event number. Deferred locations are never dropped; the daemon limits their number.
struct ManagerEvents {
    private static let maximumReports = 256
    private static let maximumOthers = 256
    /// The waiting events in order; once an event is delivered, nil takes its place, so that the event can be released.
    private var events: [ClientEvent?] = []
    private var next = 0
    /// Whether the first authorization has come; it is every manager's first event, and other events wait for it.
    private var hasFirst = false
    private var announcesFirst: Authorization?

    var isEmpty: Bool { announcesFirst == nil && next == events.count }

    /// Adds an event, and returns the event that was dropped for it, if any; the caller must release the dropped event
    /// outside the lock of this queue.
    mutating func append(_ event: ClientEvent) -> ClientEvent? {
        if case .authorization(let authorization) = event, !hasFirst || announcesFirst != nil {
            hasFirst = true
            announcesFirst = authorization
            return nil
        }
        let older = removeOlder(event)
        events.append(event)
        return older ?? dropIfFull()
    }

    mutating func popFirst() -> ClientEvent? {
        if let first = announcesFirst {
            announcesFirst = nil
            return .authorization(first)
        }
        guard hasFirst, next < events.count else { return nil }
        let event = events[next]
        events[next] = nil
        next += 1
        if next == events.count || next >= 64 {
            events.removeFirst(next)
            next = 0
        }
        return event
    }

    /// If the new event is a beacon report, removes and returns the waiting older report of the same ranging request.
    private mutating func removeOlder(_ event: ClientEvent) -> ClientEvent? {
        guard case .beacons(_, let name) = event else { return nil }
        let index = events[next...].firstIndex { older in
            if case .beacons(_, name)? = older { true } else { false }
        }
        return index.flatMap { events.remove(at: $0) }
    }

    private mutating func dropIfFull() -> ClientEvent? {
        guard events.count - next > Self.maximumReports else { return nil }
        let waiting = events.indices[next...]
        let reports = waiting.filter { events[$0]?.isReport ?? false }
        if reports.count > Self.maximumReports { return events.remove(at: reports[0]) }
        let others = waiting.filter { events[$0]?.isDroppable ?? false }
        return others.count > Self.maximumOthers ? events.remove(at: others[0]) : nil
    }
}

extension ClientEvent {
    /// Whether the event is a heading or an array of locations that was not deferred; only the newest 256 of these
    /// wait.
    var isReport: Bool {
        switch self {
        case .locations(_, _, let isDeferred): !isDeferred
        case .heading: true
        default: false
        }
    }

    /// Whether a full queue can drop the event; false for locations and headings, which are dropped at a limit of their
    /// own, and for authorizations, ends of deferrals and answers, which are never dropped.
    fileprivate var isDroppable: Bool {
        switch self {
        case .locations, .heading, .deferralFinished, .fullAccuracy, .history, .locationPushesRefused, .authorization:
            false
        default: true
        }
    }
}
