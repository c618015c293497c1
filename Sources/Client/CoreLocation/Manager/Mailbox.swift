/// The events that wait to be told to one manager's delegate, in order.
///
/// Bound: 256 arrays of locations and headings (the oldest is dropped first; deferred ones are kept, at most as many as
/// the daemon holds) and 256 other events (those with a number come again later).
struct Mailbox {
    private static let mostReports = 256
    private static let mostOthers = 256
    /// The events in order; nil for each that was taken already, so that the mailbox does not keep it alive.
    private var events: [ClientEvent?] = []
    private var next = 0
    /// Whether the authorization, which every manager is told first, has come; until then no event is told.
    private var hasFirst = false
    private var announcesFirst: Authorization?

    var isEmpty: Bool { announcesFirst == nil && next == events.count }

    /// Adds an event, and returns the one dropped for want of room or for a newer one, to be released outside any lock.
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

    /// Removes the waiting beacons of the same ranging, which newer ones replace.
    private mutating func removeOlder(_ event: ClientEvent) -> ClientEvent? {
        guard case .beacons(_, let name) = event else { return nil }
        let index = events[next...].firstIndex { older in
            if case .beacons(_, name)? = older { true } else { false }
        }
        return index.flatMap { events.remove(at: $0) }
    }

    private mutating func dropIfFull() -> ClientEvent? {
        guard events.count - next > Self.mostReports else { return nil }
        let waiting = events.indices[next...]
        let reports = waiting.filter { events[$0]?.isReport ?? false }
        if reports.count > Self.mostReports { return events.remove(at: reports[0]) }
        let others = waiting.filter { events[$0]?.isDroppable ?? false }
        return others.count > Self.mostOthers ? events.remove(at: others[0]) : nil
    }
}

extension ClientEvent {
    /// Whether this is a location or heading that was not deferred; of these only the newest matter.
    var isReport: Bool {
        switch self {
        case .locations(_, _, let isDeferred): !isDeferred
        case .heading: true
        default: false
        }
    }

    /// Whether the event may be dropped for want of room; deferred locations, ends of deferrals and answers may not.
    fileprivate var isDroppable: Bool {
        switch self {
        case .locations, .heading, .deferralFinished, .fullAccuracy, .history, .locationPushesRefused, .authorization:
            false
        default: true
        }
    }
}
