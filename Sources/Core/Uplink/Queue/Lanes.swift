internal import SextantUnits

/// Everything that waits to be sent: messages, the newest location, events, and the history of fixes.
struct Lanes: Sendable {
    private static let liveSeconds = 10.0
    private static let outboxLimit = 64
    private static let keptRecords = 1000
    private static let keptSeconds = 600.0

    var outbox: [UplinkMessage] = []
    var newest: (fix: UplinkFix, n: Int64?)?
    var isNewestDue = false
    var lastLive: MonotonicInstant?
    /// Why the next location is sent without waiting for its turn; nil if nobody has requested a location.
    var asked: OwnTracksPayloads.Trigger?
    /// Whether the broker retains a location of this device (`hasRetained`), and whether this location must be cleared
    /// (`isClearing`).
    var hasRetained = false
    var isClearing = false
    /// A denied client's connection stays open until this instant, to clear the location that the broker retains.
    var clearUntil: MonotonicInstant?
    var events = Lane()
    var history = Lane()
    /// The record number up to which the history has been sent or skipped in the present pass, which began at the
    /// oldest record.
    var covered: Int64 = 0
    var lastBatch: MonotonicInstant?
    private var kept: [(record: UplinkRecord, at: MonotonicInstant)] = []

    /// When the newest location can be sent; nil if there is none to send.
    var liveDue: MonotonicInstant? {
        guard isNewestDue, newest != nil else { return nil }
        guard let lastLive, asked == nil else { return .zero }
        return lastLive.advanced(bySeconds: Lanes.liveSeconds)
    }

    /// Whether nothing waits to be sent; `withHistory` says whether fixes that have not been read from the queue yet
    /// count.
    func areEmpty(withHistory: Bool) -> Bool {
        outbox.isEmpty && events.isDone && history.waiting.isEmpty && (history.isAtEnd || !withHistory)
    }

    mutating func queue(_ message: UplinkMessage) {
        guard outbox.count < Lanes.outboxLimit else { return }
        outbox.append(message)
    }

    /// Adds a newly stored event to the events to be sent, and also to the history if it comes next there in the order
    /// of record numbers.
    mutating func offer(event: UplinkRecord) {
        events.offer(event)
        // The history is sent in the order of record numbers, so the event is not added behind a fix with a higher
        // number.
        let isNext = history.waiting.last.map { $0.n < event.n } ?? (history.cursor <= event.n)
        if history.isAtEnd, isNext { history.offer(event) }
    }

    /// Makes the events and the history be sent again from the oldest record on.
    mutating func rewind() {
        events.rewind()
        history.rewind()
    }

    mutating func forget(_ numbers: ClosedRange<Int64>, into outputs: inout [UplinkOutput]) {
        events.waiting.removeAll { numbers.contains($0.n) }
        history.waiting.removeAll { numbers.contains($0.n) }
        outputs.append(.remove(numbers))
    }

    /// Forgets the newest location, the delivered records and all messages that wait, and has the retained location
    /// cleared.
    mutating func erase() {
        (newest, isNewestDue, kept, outbox) = (nil, false, [], [])
        isClearing = hasRetained
    }

    /// Stores on the card whether the broker retains a location, because the broker keeps that location when this
    /// process ends.
    mutating func holdsRetained(_ isThere: Bool, into outputs: inout [UplinkOutput]) {
        guard hasRetained != isThere else { return }
        hasRetained = isThere
        outputs.append(.noteRetained(isThere))
    }
}

/// The delivered records that are sent again if the broker loses them with its session.
extension Lanes {
    mutating func keep(_ record: UplinkRecord, at now: MonotonicInstant) {
        forgetKept(at: now)
        if kept.count >= Lanes.keptRecords { kept.removeFirst(Lanes.keptRecords / 8) }
        kept.append((record, now))
    }

    /// Has the records sent again that the broker acknowledged in the last 10 min and then lost with its session.
    mutating func repeatKept(at now: MonotonicInstant) {
        forgetKept(at: now)
        let again = kept.map { $0.record }.sorted { $0.n < $1.n }
        kept = []
        // The records that are sent again cannot be read from the queue, because they were removed from it when the
        // broker acknowledged them.
        events.waiting = again.filter { $0.kind == .event }
        history.waiting = again.filter { $0.kind == .fix }
    }

    private mutating func forgetKept(at now: MonotonicInstant) {
        kept.removeAll { now.nanoseconds(since: $0.at) > Int64(Lanes.keptSeconds * 1e9) }
    }
}
