internal import Store

/// The changes that wait for the storage card, those being written, and their tickets (their numbers in order).
struct StateQueue {
    /// When changes that could not be stored are tried again.
    var retries = StoreRetries()
    private var waiting = StateBatch()
    /// The transactions that are being written, oldest first, each with the last ticket of its changes.
    private var underWay: [(batch: StateBatch, ticket: UInt32)] = []
    /// The last ticket that was given out.
    private var last: UInt32 = 0
    /// The last tickets with a change that is reported to clients: of all changes (`told`), of each client's rows while
    /// not stored (`toldOf`), of all decisions (`decided`), and of decisions about all clients (`decidedOfAll`).
    private var told: UInt32 = 0
    private var toldOf: [String: UInt32] = [:]
    private var decided: UInt32 = 0
    private var decidedOfAll: UInt32 = 0
    /// The last ticket whose changes are on the storage card or could not be stored.
    private var settled: UInt32 = 0
    private var wasRefused = false
    /// The last ticket up to which all changes are on the storage card.
    private var kept: UInt32 = 0

    /// The changes that lines to a connection can report; another client's changes are never among them.
    enum Concern: Hashable {
        /// The rows of the client, if it has a name, and decisions about all clients; for an operator all decisions.
        case own(client: String?, isOperator: Bool)
        case everything
    }

    /// How many changes and bytes of one client can wait before its requests are refused: enough for all its regions.
    static let share = (changes: 2048, bytes: 1 << 20)
    /// How many changes and bytes of one client can wait at most, changes without a request included.
    private static let most = (changes: 4096, bytes: 2 << 20)
    /// How many changes and bytes can wait at most for all clients together.
    private static let mostOfAll = (changes: 32_768, bytes: 16 << 20)

    func hasRoom(for client: String) -> Bool {
        waiting.hasRoom(for: client, changes: StateQueue.share.changes, bytes: StateQueue.share.bytes)
    }

    /// Adds changes, and gives them a ticket.
    ///
    /// This is `add` in the Promela models authorization.pml and outbox.pml.
    ///
    /// - Returns: False if some of the changes had no room, and are lost.
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

    /// The last ticket with a change that lines of this concern can report.
    private func told(_ concern: Concern) -> UInt32 {
        switch concern {
        case .everything: told
        case .own(let client, let isOperator):
            max(client.flatMap { toldOf[$0] } ?? 0, isOperator ? decided : decidedOfAll)
        }
    }

    /// The last ticket with a change that lines of this concern can report, if it is not settled yet; otherwise nil.
    func unsettled(_ concern: Concern = .everything) -> UInt32? {
        let last = told(concern)
        return last > settled ? last : nil
    }

    /// Whether some changes are neither stored nor refused yet.
    var isAwaited: Bool { last > settled }

    /// What has become of the changes that were added last.
    var fateOfLast: StateStore.Fate {
        if isAwaited { return .waiting(ticket: last) }
        return wasRefused ? .refused : .kept
    }

    /// Whether the changes that lines of this concern can report are all stored, or some of them wait or were refused.
    func fateOfTold(_ concern: Concern = .everything) -> StateStore.Fate {
        if let unsettled = unsettled(concern) { return .waiting(ticket: unsettled) }
        return told(concern) > kept ? .refused : .kept
    }

    /// Takes everything that waits, to write it in one transaction; nil if nothing waits or a transaction is being
    /// written.
    ///
    /// This is `begin` in the Promela models authorization.pml and outbox.pml.
    mutating func takeNext() -> [StateChange]? { underWay.isEmpty && !waiting.isEmpty ? takeRest() : nil }

    /// Takes everything that waits, even while a transaction is being written; used at the end, when nothing more is
    /// added.
    mutating func takeRest() -> [StateChange] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = StateBatch() }
        underWay.append((waiting, last))
        return waiting.changes
    }

    /// Settles the tickets of the oldest transaction; if it was refused, its changes wait again, before newer changes.
    ///
    /// This is `settle` in the Promela models authorization.pml and outbox.pml.
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
