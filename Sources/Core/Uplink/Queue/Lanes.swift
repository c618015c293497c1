internal import SextantUnits

/// The messages and records that wait to be sent.
struct Lanes: Sendable {
    private static let liveSeconds = 10.0
    private static let outboxLimit = 64
    private static let keptRecords = 1000
    private static let keptSeconds = 600.0

    var outbox: [UplinkMessage] = []
    var newest: (fix: UplinkFix, n: Int64?)?
    var isNewestDue = false
    var lastLive: MonotonicInstant?
    /// Why the next location is sent at once; nil if nobody has requested it.
    var asked: OwnTracksPayloads.Trigger?
    /// Whether the broker retains a location, and whether it must be cleared.
    var hasRetained = false
    var isClearing = false
    /// The instant until which a connection of a denied client stays open to clear the retained location.
    var clearUntil: MonotonicInstant?
    var events = Lane()
    var history = Lane()
    /// The highest record number that the current pass through the history has covered.
    var covered: Int64 = 0
    var lastBatch: MonotonicInstant?
    private var kept: [(record: UplinkRecord, at: MonotonicInstant)] = []

    /// When the newest location can be sent; nil if there is none to send.
    var liveDue: MonotonicInstant? {
        guard isNewestDue, newest != nil else { return nil }
        guard let lastLive, asked == nil else { return .zero }
        return lastLive.advanced(bySeconds: Lanes.liveSeconds)
    }

    /// Whether everything is sent, with or without the history of fixes.
    func areEmpty(withHistory: Bool) -> Bool {
        outbox.isEmpty && events.isDone && history.waiting.isEmpty && (history.isAtEnd || !withHistory)
    }

    mutating func queue(_ message: UplinkMessage) {
        guard outbox.count < Lanes.outboxLimit else { return }
        outbox.append(message)
    }

    /// Appends a newly stored event to the lanes.
    mutating func offer(event: UplinkRecord) {
        events.offer(event)
        // The history is in the order of numbers, so the event is not added behind a fix with a higher number.
        let isNext = history.waiting.last.map { $0.n < event.n } ?? (history.cursor <= event.n)
        if history.isAtEnd, isNext { history.offer(event) }
    }

    /// Sets both lanes back to the oldest record.
    mutating func rewind() {
        events.rewind()
        history.rewind()
    }

    mutating func forget(_ numbers: ClosedRange<Int64>, into outputs: inout [UplinkOutput]) {
        events.waiting.removeAll { numbers.contains($0.n) }
        history.waiting.removeAll { numbers.contains($0.n) }
        outputs.append(.remove(numbers))
    }

    /// Forgets all places outside the two lanes, and has the retained location cleared.
    mutating func erase() {
        (newest, isNewestDue, kept, outbox) = (nil, false, [], [])
        isClearing = hasRetained
    }

    /// Stores whether the broker retains a location, because the broker keeps it when this process ends.
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

    /// Puts the records that the broker acknowledged and then lost with its session back into the lanes.
    mutating func repeatKept(at now: MonotonicInstant) {
        forgetKept(at: now)
        let again = kept.map { $0.record }.sorted { $0.n < $1.n }
        kept = []
        // The lanes cannot read these records from the queue, which no longer has them.
        events.waiting = again.filter { $0.kind == .event }
        history.waiting = again.filter { $0.kind == .fix }
    }

    private mutating func forgetKept(at now: MonotonicInstant) {
        kept.removeAll { now.nanoseconds(since: $0.at) > Int64(Lanes.keptSeconds * 1e9) }
    }
}
