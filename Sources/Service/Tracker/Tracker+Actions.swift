internal import Boards
internal import Configuration
internal import Engine
internal import Logging
internal import Parts
internal import Receivers
internal import SextantJSON
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// The Engine's actions, carried out.
extension Tracker {
    /// Carries out the outputs of one input: first stores all changes as a whole, then does the rest in order.
    func carryOut(_ turn: borrowing Turn) {
        for index in turn.actions.indices { keep(turn.actions[index], turn.text) }
        let sending = Sending(turn.actions, stateStore.flush(concern(of: turn)))
        if case .waiting(let ticket) = sending.fate {
            for client in sending.holding { heldSends.wait(client, for: ticket) }
        }
        for index in turn.actions.indices { carryOut(turn.actions[index], turn.text, sending) }
        stateStore.flush()
        setWake()
    }

    private func keep(_ action: Action, _ text: borrowing TextBuffer) {
        switch action {
        case .store(let change): stateStore.change(change)
        case .persist(.deferred(let key), let sequence, let range):
            stateStore.keepDeferred(text.copy(range), key, sequence: sequence)
        default: break
        }
    }

    private func carryOut(_ action: Action, _ text: borrowing TextBuffer, _ sending: Sending) {
        switch action {
        case .openDevice(let baud): openPort(baud: baud)
        case .port(let order): give(order)
        case .setLine(let role, let level): setLine(role, level)
        case .rest(let until): rest(until: until)
        case .send(let client, let range): send(text, range, to: client, sending.condition(of: range), sending.fate)
        case .hold(let client, _, let refusal):
            if let refusal { send(text, refusal, to: client, .ifRefused, sending.fate) }
        case .store, .persist: break  // Kept already.
        case .keepTrack(let places): keepTrack(places)
        case .serveTrack(let client, let id, let request): serveTrack(client, id: id, request)
        case .wake(let client, let unit, let service): wake(client, unit: unit, service)
        case .endWake(let client, let unit): endWake(client, unit: unit)
        case .wakeDone(_, let unit): wakeDone(unit: unit)
        case .startUnit(let start): startUnit(start)
        case .expireStart(let start): expireStart(start)
        case .acknowledge(.deferred(let key), let sequence): stateStore.forgetDeferred(key, through: sequence)
        case .remember(let baud): stateStore.keepLearned(.rate(device: settings.device), LearnedRate.encode(baud))
        case .keepLearned(let range): keepLearned(text.copy(range))
        case .findCompass: order(.find)
        case .sampleCompass: order(.sample)
        case .radio(let range): command(text.copy(range))
        case .host(let order): self.order(order)
        case .readClock: readClock()
        case .tellTime(let sample): tellTime(sample)
        case .log(let event): log(event)
        }
    }

    /// Sends a line, at once or when its client's earlier lines and the changes that it tells of are settled.
    ///
    /// However long the card takes, no line is sent before: a client for which too much waits is dropped.
    ///
    /// This is `send` in the models authorization.pml and outbox.pml.
    func send(
        _ text: borrowing TextBuffer, _ range: Range<Int>, to client: ClientID,
        _ condition: HeldSends.Condition = .always, _ fate: StateStore.Fate = .kept
    ) {
        guard let connection = connections[client], condition.mayHold(after: fate) else { return }
        if heldSends.isWaiting(client) {
            heldSends.hold(text.copy(range), for: client, fate.isSettled ? .always : condition)
            guard heldSends.byteCount(of: client) <= Tracker.localOutputCapacity else {
                return drop(client, because: "has too many lines waiting for the card")
            }
            keepBounds(after: client)
        } else {
            settle(client, wasSent: text.withBytes(range, { connection.send($0) }))
        }
    }

    /// Holds a new client's lines back until earlier changes, which they may tell of, are on the card; those of other
    /// clients it does not wait for, however long the card takes.
    ///
    /// This is `await` in the models authorization.pml and outbox.pml.
    func awaitStore(for client: ClientID) {
        if let ticket = stateStore.unsettled(concern(of: client)) { heldSends.wait(client, for: ticket) }
    }

    private func concern(of client: ClientID) -> StateQueue.Concern {
        guard let holder = places[client] else { return .everything }
        let name: String? = if case .client(let name) = holder.owner { name } else { nil }
        return .own(client: name, isOperator: holder.isOperator)
    }

    /// The concern of the lines that are held back: that of their connection, where they go to one alone.
    private func concern(of turn: borrowing Turn) -> StateQueue.Concern {
        var held: StateQueue.Concern?
        for index in turn.actions.indices {
            guard case .hold(let client, _, _) = turn.actions[index] else { continue }
            let concern = concern(of: client)
            guard held == nil || held == concern else { return .everything }
            held = concern
        }
        return held ?? .everything
    }

    /// Sends the lines that waited for a ticket.
    ///
    /// This is `tell` in the models authorization.pml and outbox.pml.
    func sendHeld(through ticket: UInt32, isRefused: Bool) {
        for line in heldSends.release(through: ticket, isRefused: isRefused) {
            guard let connection = connections[line.client] else { continue }
            settle(line.client, wasSent: connection.send(line.bytes))
        }
        if !isCarryingOut { feedPending() }
        setWake()
    }

    func forgetSends(to client: ClientID) { heldSends.forget(client) }

    /// Drops a client that could not be sent a line, or others where too much waits.
    private func settle(_ client: ClientID, wasSent: Bool) {
        guard wasSent else { return drop(client, because: "does not read") }
        if connections[client]?.queuedByteCount ?? 0 > 0 { keepBounds(after: client) }
    }

    /// Drops whichever client most waits for, while too much waits after a line for this client was added.
    private func keepBounds(after client: ClientID) {
        guard let owner = places[client]?.owner else { return }
        while let excess = OutputBounds.excess(waiting, addedFor: owner) {
            drop(excess, because: "does not read, and too many bytes wait for it and others")
        }
    }

    /// The bytes that wait for each connection: until it reads them, or until changes are on the card.
    private var waiting: [OutputBounds.Waiting] {
        connections.compactMap { client, connection in
            let byteCount = connection.queuedByteCount + heldSends.byteCount(of: client)
            guard byteCount > 0, let owner = places[client]?.owner else { return nil }
            return OutputBounds.Waiting(client: client, owner: owner, byteCount: byteCount)
        }
    }

    private func drop(_ client: ClientID, because why: String) {
        note("client \(client.rawValue) \(why); it is dropped", kind: why)
        droppedCount += 1
        connections.removeValue(forKey: client)?.close()
        places.release(client)
        heldSends.forget(client)
        pending.append(.clientGone(client))
    }

    private func keepLearned(_ bytes: [UInt8]) {
        guard let board = settings.board else { return }
        stateStore.keepLearned(.receiver(board.receiver.model, device: settings.device), bytes)
    }
}

/// How one input's lines are sent, by what became of its changes.
private struct Sending {
    let fate: StateStore.Fate
    /// The clients whose lines tell of the changes.
    let holding: [ClientID]
    /// The lines that are true only once the changes are on the card.
    private let confirmations: [Range<Int>]

    init(_ actions: [Action], _ fate: StateStore.Fate) {
        self.fate = fate
        var (holding, confirmations): ([ClientID], [Range<Int>]) = ([], [])
        for case .hold(let client, let own, _) in actions {
            holding.append(client)
            confirmations += own
        }
        (self.holding, self.confirmations) = (holding, confirmations)
    }

    func condition(of range: Range<Int>) -> HeldSends.Condition { confirmations.contains(range) ? .ifKept : .always }
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
    /// Whether the condition holds, or is not decided yet.
    fileprivate func mayHold(after fate: StateStore.Fate) -> Bool {
        switch fate {
        case .kept: holds(whereRefused: false)
        case .refused: holds(whereRefused: true)
        case .waiting: true
        }
    }
}

extension TextBuffer {
    /// A copy of the bytes of a range, for receivers that keep them.
    fileprivate borrowing func copy(_ range: Range<Int>) -> [UInt8] {
        withBytes(range) { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }
}
