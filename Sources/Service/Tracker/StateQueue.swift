internal import Store

/// The changes that wait for the card, those under way, and their tickets.
struct StateQueue {
    private var waiting = StateBatch()
    private var underWay: StateBatch?
    /// The last ticket of the changes under way.
    private var underWayTicket: UInt32 = 0
    /// The last ticket that was given out.
    private var last: UInt32 = 0
    /// The last ticket with a change that clients are told of.
    private var told: UInt32 = 0
    /// The last ticket whose changes are on the card or were refused.
    private var settled: UInt32 = 0
    private var wasRefused = false

    /// The changes and bytes of one client that may wait before its requests are refused: all its regions, and more.
    static let share = (changes: 2048, bytes: 1 << 20)
    /// The changes and bytes of one client that may wait at all, with those that nobody asked for.
    private static let most = (changes: 4096, bytes: 2 << 20)
    /// The changes and bytes that may wait in all.
    private static let mostOfAll = (changes: 32_768, bytes: 16 << 20)

    func hasRoom(for client: String) -> Bool {
        waiting.hasRoom(for: client, changes: StateQueue.share.changes, bytes: StateQueue.share.bytes)
    }

    /// Adds changes under a ticket of their own.
    ///
    /// - Returns: False where some of the changes had no room, and are lost.
    mutating func add(_ changes: [StateChange], isTold: Bool) -> Bool {
        let fitting = changes.filter { change in
            waiting.hasRoom(for: change.client, changes: StateQueue.most.changes, bytes: StateQueue.most.bytes)
                && waiting.hasRoom(changes: StateQueue.mostOfAll.changes, bytes: StateQueue.mostOfAll.bytes)
                && change.isWritable
        }
        if !fitting.isEmpty {
            last += 1
            if isTold { told = last }
            waiting.add(fitting)
        }
        return fitting.count == changes.count
    }

    /// The last ticket with a change that clients are told of, while it is not settled; nil otherwise.
    var unsettled: UInt32? { told > settled ? told : nil }

    /// Whether changes wait whose tickets are not settled.
    var isAwaited: Bool { last > settled }

    /// What became of the last changes that were added.
    var fateOfLast: StateStore.Fate {
        if isAwaited { return .waiting(ticket: last) }
        return wasRefused ? .refused : .kept
    }

    /// Takes everything that waits, to be written in one transaction; nil where nothing waits or one is under way.
    mutating func takeNext() -> (changes: [StateChange], ticket: UInt32)? {
        guard underWay == nil, !waiting.isEmpty else { return nil }
        underWay = waiting
        underWayTicket = last
        waiting = StateBatch()
        return (underWay?.changes ?? [], last)
    }

    /// Takes everything that waits, also while a transaction is under way; for the end, after which nothing is added.
    mutating func takeRest() -> (changes: [StateChange], ticket: UInt32)? {
        defer { waiting = StateBatch() }
        return waiting.isEmpty ? nil : (waiting.changes, last)
    }

    /// Settles the tickets under way; refused changes wait again, before those that came meanwhile.
    mutating func finished(isRefused: Bool) {
        guard var batch = underWay else { return }
        if isRefused {
            batch.add(waiting.changes)
            waiting = batch
        }
        (underWay, settled, wasRefused) = (nil, underWayTicket, isRefused)
    }
}
