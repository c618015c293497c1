/// What waits to be told to one manager's delegate, in order.
///
/// Bound: 256 arrays of locations and headings (the oldest goes first; deferred ones are kept, at most as many as the daemon holds) and
/// 256 other events (those with a number come again later).
struct Mailbox {
    private static let mostReports = 256
    private static let mostOthers = 256
    /// Nil where an event was taken already: it must not be kept alive here.
    private var events: [ClientEvent?] = []
    private var next = 0
    /// The first event of every manager says what it may have; nothing is told before that is known.
    private var hasFirst = false
    private var announcesFirst: Authorization?

    var isEmpty: Bool { announcesFirst == nil && next == events.count }

    /// What had no room, to be let go of outside any lock.
    mutating func append(_ event: ClientEvent) -> ClientEvent? {
        if case .authorization(let authorization) = event, !hasFirst || announcesFirst != nil {
            hasFirst = true
            announcesFirst = authorization
            return nil
        }
        events.append(event)
        return dropIfFull()
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
    /// Locations and headings as they come, of which only the newest matter.
    var isReport: Bool {
        switch self {
        case .locations(_, _, let isDeferred): !isDeferred
        case .heading: true
        default: false
        }
    }

    /// Deferred locations, the ends of deferrals and answers are never dropped: each is one that the program asked for.
    fileprivate var isDroppable: Bool {
        switch self {
        case .locations, .heading, .deferralFinished, .fullAccuracy, .authorization: false
        default: true
        }
    }
}
