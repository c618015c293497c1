internal import Store

/// The changes that wait for the storage card or are being written to it; each group of changes has a number, its
/// ticket.
struct StateQueue {
    /// When changes that could not be stored are tried again.
    var retries = StoreRetries()
    private var waiting = StateBatch()
    /// The transactions that are being written, oldest first, each with the last ticket (number) of its changes.
    private var underWay: [(batch: StateBatch, ticket: UInt32)] = []
    /// The last ticket (number of a group of changes) that was given out.
    private var last: UInt32 = 0
    /// The last tickets (numbers of groups of changes) with a change that is reported to clients: `lastReported` for
    /// all changes, `lastReportedOf` for each client's own rows until they are stored, `decided` for all decisions of
    /// the operator, and `decidedOfAll` for those of his decisions that concern all clients.
    private var lastReported: UInt32 = 0
    private var lastReportedOf: [String: UInt32] = [:]
    private var decided: UInt32 = 0
    private var decidedOfAll: UInt32 = 0
    /// The last ticket (number of a group of changes) whose changes are on the storage card or could not be stored.
    private var settled: UInt32 = 0
    private var wasRefused = false
    /// The last ticket (number of a group of changes) up to which all changes are on the storage card.
    private var kept: UInt32 = 0

    /// A kind of stored changes: all, or those that the lines (JSON objects) on one connection can report.
    enum Concern: Hashable {
        /// The stored rows of a connection's client, if it has a name, and the operator's decisions about all clients;
        /// on an operator's connection, all decisions.
        case own(client: String?, isOperator: Bool)
        case everything
    }

    /// The numbers of waiting changes and bytes of one client above which its requests are refused: enough for all its
    /// regions.
    static let share = (changes: 2048, bytes: 1 << 20)
    /// The largest numbers of changes and bytes that can wait for one client, whether or not its own requests caused
    /// them.
    private static let most = (changes: 4096, bytes: 2 << 20)
    /// The largest numbers of changes and bytes that can wait for all clients together.
    private static let maximumOfAll = (changes: 32_768, bytes: 16 << 20)

    func hasRoom(for client: String) -> Bool {
        waiting.hasRoom(for: client, changes: StateQueue.share.changes, bytes: StateQueue.share.bytes)
    }

    /// Adds a group of changes, and gives it a number, its ticket.
    ///
    /// This is `add` in the Promela models authorization.pml and outbox.pml.
    ///
    /// - Returns: False if some of the changes had no room, and are lost.
    mutating func add(_ changes: [StateChange], isTold: Bool) -> Bool {
        let fitting = changes.filter { change in
            waiting.hasRoom(for: change.client, changes: StateQueue.most.changes, bytes: StateQueue.most.bytes)
                && waiting.hasRoom(changes: StateQueue.maximumOfAll.changes, bytes: StateQueue.maximumOfAll.bytes)
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
        lastReported = last
        for change in changes {
            if !change.client.isEmpty { lastReportedOf[change.client] = last }
            guard change.isDecision else { continue }
            decided = last
            if change.client.isEmpty { decidedOfAll = last }
        }
    }

    /// The ticket (number) of the last group with a change of the given kind that is reported to clients.
    private func lastReported(_ concern: Concern) -> UInt32 {
        switch concern {
        case .everything: lastReported
        case .own(let client, let isOperator):
            max(client.flatMap { lastReportedOf[$0] } ?? 0, isOperator ? decided : decidedOfAll)
        }
    }

    /// The ticket (number) of the last group with a change of the given kind that is reported to clients; nil if that
    /// change is already stored or refused.
    func unsettled(_ concern: Concern = .everything) -> UInt32? {
        let last = lastReported(concern)
        return last > settled ? last : nil
    }

    /// Whether some changes are neither stored nor refused by the storage card yet.
    var isAwaited: Bool { last > settled }

    /// Whether the changes that were added last are stored, could not be stored, or still wait.
    var fateOfLast: StateStore.Fate {
        if isAwaited { return .waiting(ticket: last) }
        return wasRefused ? .refused : .kept
    }

    /// Whether the changes of the given kind that are reported to clients are all stored, some still wait, or some
    /// could not be stored.
    func fateOfTold(_ concern: Concern = .everything) -> StateStore.Fate {
        if let unsettled = unsettled(concern) { return .waiting(ticket: unsettled) }
        return lastReported(concern) > kept ? .refused : .kept
    }

    /// Takes all waiting changes, to write them in one transaction; nil if none wait or a transaction is being written.
    ///
    /// This is `begin` in the Promela models authorization.pml and outbox.pml.
    mutating func takeNext() -> [StateChange]? { underWay.isEmpty && !waiting.isEmpty ? takeRest() : nil }

    /// Takes all waiting changes, even while a transaction is being written; used at the end, when no more changes are
    /// added.
    mutating func takeRest() -> [StateChange] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = StateBatch() }
        underWay.append((waiting, last))
        return waiting.changes
    }

    /// Ends the oldest transaction; if it could not be stored, its changes wait again, before newer changes.
    ///
    /// This is `settle` in the Promela models authorization.pml and outbox.pml.
    ///
    /// - Returns: The last ticket (number of a group of changes) of the transaction.
    mutating func finished(isRefused: Bool) -> UInt32 {
        guard !underWay.isEmpty else { return settled }
        var (batch, ticket) = underWay.removeFirst()
        if isRefused {
            batch.add(waiting.changes)
            waiting = batch
        } else {
            kept = ticket
            lastReportedOf = lastReportedOf.filter { $0.value > ticket }
        }
        (settled, wasRefused) = (ticket, isRefused)
        return ticket
    }
}
