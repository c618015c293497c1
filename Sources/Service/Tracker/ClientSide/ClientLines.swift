internal import Engine
internal import Parts
internal import SextantJSON
internal import SextantSockets

/// The connections of the clients, and the sending of protocol lines (a JSON object each) to them.
///
/// A class, because the store calls it back.
final class ClientLines {
    private let feed: Feed
    private let journal: Journal
    let store: StateStore
    var connections: [ClientID: Connection] = [:]
    var slots = ConnectionSlots()
    private var heldSends = HeldSends()
    /// The number of clients' connections closed since the daemon started because too many unsent bytes waited for the
    /// client.
    private(set) var droppedCount: UInt64 = 0

    init(_ feed: Feed, _ journal: Journal, _ store: StateStore) {
        self.feed = feed
        self.journal = journal
        self.store = store
    }

    /// The number of bytes that wait to be sent to clients, without those in the kernel's buffers.
    var unsentByteCount: Int { connections.values.reduce(0) { $0 + $1.queuedByteCount } }

    /// Removes a client that has disconnected.
    func forget(_ client: ClientID) {
        connections.removeValue(forKey: client)
        slots.release(client)
        heldSends.forget(client)
    }

    /// Begins to store the changes that one input has caused, and holds back the lines (JSON objects to clients) that
    /// report these changes.
    func beginSending(_ turn: borrowing Turn) -> Sending {
        let sending = Sending(turn.actions, store.flush(concern(of: turn)))
        if case .waiting(let ticket) = sending.fate {
            for client in sending.holding { heldSends.wait(client, for: ticket) }
        }
        return sending
    }

    func send(_ text: borrowing TextBuffer, _ range: Range<Int>, to client: ClientID, _ sending: Sending) {
        send(text, range, to: client, sending.condition(of: range), sending.fate)
    }

    func sendRefusal(_ text: borrowing TextBuffer, _ range: Range<Int>, to client: ClientID, _ sending: Sending) {
        send(text, range, to: client, .ifRefused, sending.fate)
    }

    /// Sends a line (a JSON object) to a client, or holds it back until the client's earlier lines and the changes that
    /// it reports are settled.
    ///
    /// Changes are settled once they are on the storage card or could not be written to it. The wait has no time limit,
    /// but a client for which too many bytes wait is dropped.
    ///
    /// This is `send` in the Promela models authorization.pml and outbox.pml.
    func send(
        _ text: borrowing TextBuffer, _ range: Range<Int>, to client: ClientID,
        _ condition: HeldSends.Condition = .always, _ fate: StateStore.Fate = .kept
    ) {
        guard let connection = connections[client], condition.mayHold(after: fate) else { return }
        if heldSends.isWaiting(client) {
            heldSends.hold(text.copy(range), for: client, fate.isSettled ? .always : condition)
            guard heldSends.byteCount(of: client) <= Listeners.localCapacity else {
                return drop(client, because: "has too many lines waiting for the card")
            }
            keepBounds(after: client)
        } else {
            settle(client, wasSent: text.withBytes(range, { connection.send($0) }))
        }
    }

    /// Holds back the lines (JSON objects) to a new client until the earlier changes that they could report are on the
    /// storage card.
    ///
    /// Changes that concern only other clients are not waited for.
    ///
    /// This is `await` in the Promela models authorization.pml and outbox.pml.
    func awaitStore(for client: ClientID) {
        if let ticket = store.unsettled(concern(of: client)) { heldSends.wait(client, for: ticket) }
    }

    private func concern(of client: ClientID) -> StateQueue.Concern {
        guard let holder = slots[client] else { return .everything }
        let name: String? = if case .client(let name) = holder.owner { name } else { nil }
        return .own(client: name, isOperator: holder.isOperator)
    }

    /// The kind of stored changes that the held-back lines of one input can report: if all the lines' clients are told
    /// the same kind, this kind; otherwise all changes.
    private func concern(of turn: borrowing Turn) -> StateQueue.Concern {
        var held: StateQueue.Concern?
        for index in turn.actions.indices {
            guard case .hold(let client, let confirmations, _) = turn.actions[index] else { continue }
            // An operator's answer without a change can repeat one about another client's rows.
            guard confirmations.isEmpty else { return .everything }
            let concern = concern(of: client)
            guard held == nil || held == concern else { return .everything }
            held = concern
        }
        return held ?? .everything
    }

    /// Sends the lines that waited for a ticket, which is the number of a group of changes given to the store.
    ///
    /// This is `tell` in the Promela models authorization.pml and outbox.pml.
    func sendHeld(through ticket: UInt32, isRefused: Bool) {
        for line in heldSends.release(through: ticket, isRefused: isRefused) {
            guard let connection = connections[line.client] else { continue }
            settle(line.client, wasSent: connection.send(line.bytes))
        }
        feed.catchUp()
        feed.planWake()
    }

    /// Called after a line to a client: drops this client if the line could not be sent, or some clients if too many
    /// bytes wait.
    private func settle(_ client: ClientID, wasSent: Bool) {
        guard wasSent else { return drop(client, because: "does not read") }
        if connections[client]?.queuedByteCount ?? 0 > 0 { keepBounds(after: client) }
    }

    /// While too many bytes wait for clients, drops the client for which most bytes wait; called after a line for a
    /// client.
    private func keepBounds(after client: ClientID) {
        guard let owner = slots[client]?.owner else { return }
        while let excess = OutputBounds.excess(waiting, addedFor: owner) {
            drop(excess, because: "does not read, and too many bytes wait for it and others")
        }
    }

    /// The bytes that wait for each connection, either until the client reads or until changes are on the storage card.
    private var waiting: [OutputBounds.Waiting] {
        connections.compactMap { client, connection in
            let byteCount = connection.queuedByteCount + heldSends.byteCount(of: client)
            guard byteCount > 0, let owner = slots[client]?.owner else { return nil }
            return OutputBounds.Waiting(client: client, owner: owner, byteCount: byteCount)
        }
    }

    private func drop(_ client: ClientID, because why: String) {
        journal.note("client \(client.rawValue) \(why); it is dropped", kind: why)
        droppedCount += 1
        let connection = connections[client]
        forget(client)
        connection?.close()
        feed.add(.clientGone(client))
    }
}

/// How the lines to clients that one input has caused are sent, depending on whether the input's changes are stored.
struct Sending {
    let fate: StateStore.Fate
    /// The clients that get lines which report the changes.
    let holding: [ClientID]
    /// The byte ranges of the lines that are true only once the changes are on the storage card.
    private let confirmations: [Range<Int>]

    fileprivate init(_ actions: [Action], _ fate: StateStore.Fate) {
        self.fate = fate
        var (holding, confirmations): ([ClientID], [Range<Int>]) = ([], [])
        for case .hold(let client, let own, _) in actions {
            holding.append(client)
            confirmations += own
        }
        (self.holding, self.confirmations) = (holding, confirmations)
    }

    fileprivate func condition(of range: Range<Int>) -> HeldSends.Condition {
        confirmations.contains(range) ? .ifKept : .always
    }
}

extension StateStore.Fate {
    fileprivate var isSettled: Bool {
        switch self {
        case .kept, .refused: true
        case .waiting: false
        }
    }
}

extension HeldSends.Condition {
    /// Whether the condition for sending a line is met, or can still be met because the changes are still being stored.
    fileprivate func mayHold(after fate: StateStore.Fate) -> Bool {
        switch fate {
        case .kept: holds(whereRefused: false)
        case .refused: holds(whereRefused: true)
        case .waiting: true
        }
    }
}

extension TextBuffer {
    /// A copy of a range of bytes, for code that keeps them.
    borrowing func copy(_ range: Range<Int>) -> [UInt8] {
        withBytes(range) { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }
}
