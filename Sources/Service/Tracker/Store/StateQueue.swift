internal import Store

/// The changes that wait for the card, those under way, and their tickets.
struct StateQueue {
    /// When changes that the card refused are tried again.
    var retries = StoreRetries()
    private var waiting = StateBatch()
    /// The transactions under way, the first first, each with the last ticket of its changes.
    private var underWay: [(batch: StateBatch, ticket: UInt32)] = []
    /// The last ticket that was given out.
    private var last: UInt32 = 0
    /// The last ticket with a change that clients are told of; the last with such a change of each client's rows, while
    /// it may not be on the card yet; and the last with a decision about any client, or about all of them.
    private var told: UInt32 = 0
    private var toldOf: [String: UInt32] = [:]
    private var decided: UInt32 = 0
    private var decidedOfAll: UInt32 = 0
    /// The last ticket whose changes are on the card or were refused.
    private var settled: UInt32 = 0
    private var wasRefused = false
    /// The last ticket up to which all changes are on the card.
    private var kept: UInt32 = 0

    /// The changes that lines to a connection may report: never another client's.
    enum Concern: Hashable {
        /// The rows of the client, if it has a name, and decisions about all clients; for operators all decisions.
        case own(client: String?, isOperator: Bool)
        case everything
    }

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
    /// This is `add` in the models authorization.pml and outbox.pml.
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
            if isTold { note(fitting) }
            waiting.add(fitting)
        }
        return fitting.count == changes.count
    }

    private mutating func note(_ changes: [StateChange]) {
        told = last
        for change in changes {
            if !change.client.isEmpty { toldOf[change.client] = last }
            guard change.isDecision else { continue }
            decided = last
            if change.client.isEmpty { decidedOfAll = last }
        }
    }

    /// The last ticket with a change that lines of this concern may tell of.
    private func told(_ concern: Concern) -> UInt32 {
        switch concern {
        case .everything: told
        case .own(let client, let isOperator):
            max(client.flatMap { toldOf[$0] } ?? 0, isOperator ? decided : decidedOfAll)
        }
    }

    /// The last ticket with a change that lines of this concern may tell of, while it is not settled; nil otherwise.
    func unsettled(_ concern: Concern = .everything) -> UInt32? {
        let last = told(concern)
        return last > settled ? last : nil
    }

    /// Whether some changes are neither kept nor refused yet.
    var isAwaited: Bool { last > settled }

    /// The fate of the changes that were added last.
    var fateOfLast: StateStore.Fate {
        if isAwaited { return .waiting(ticket: last) }
        return wasRefused ? .refused : .kept
    }

    /// Whether all changes that lines of this concern may tell of are kept, or any of them waits or was refused.
    func fateOfTold(_ concern: Concern = .everything) -> StateStore.Fate {
        if let unsettled = unsettled(concern) { return .waiting(ticket: unsettled) }
        return told(concern) > kept ? .refused : .kept
    }

    /// Takes everything that waits, to be written in one transaction; nil where nothing waits or one is under way.
    ///
    /// This is `begin` in the models authorization.pml and outbox.pml.
    mutating func takeNext() -> [StateChange]? { underWay.isEmpty && !waiting.isEmpty ? takeRest() : nil }

    /// Takes everything that waits, also while a transaction is under way; for the end, after which nothing is added.
    mutating func takeRest() -> [StateChange] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = StateBatch() }
        underWay.append((waiting, last))
        return waiting.changes
    }

    /// Settles the tickets of the first transaction under way; refused changes wait again, before those that came
    /// meanwhile.
    ///
    /// This is `settle` in the models authorization.pml and outbox.pml.
    ///
    /// - Returns: The last of the tickets.
    mutating func finished(isRefused: Bool) -> UInt32 {
        guard !underWay.isEmpty else { return settled }
        var (batch, ticket) = underWay.removeFirst()
        if isRefused {
            batch.add(waiting.changes)
            waiting = batch
        } else {
            kept = ticket
            toldOf = toldOf.filter { $0.value > ticket }
        }
        (settled, wasRefused) = (ticket, isRefused)
        return ticket
    }
}
