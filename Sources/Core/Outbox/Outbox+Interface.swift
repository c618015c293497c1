public import Access
public import ClientProtocol
public import ClientVocabulary
public import Parts
public import SextantUnits

/// What the delivery of an event depends on: the clients' access, the receiver's clock, and why no position comes.
public struct EventContext {
    let grants: Grants
    let clock: ReceiverClock
    /// The reason why no position comes; nil if it is not known.
    let outageReason: FailureReason?

    public init(grants: Grants, clock: ReceiverClock, outageReason: FailureReason?) {
        self.grants = grants
        self.clock = clock
        self.outageReason = outageReason
    }
}

/// A copy of the waiting events by client and of the counters, for code outside the outbox to read.
public struct OutboxView {
    fileprivate let counted: StatusCounters.Events
    fileprivate let pending: EventsByClient
    fileprivate let wakes: WakeBook

    /// How many events wait for a client.
    public func count(of client: String) -> Int { pending.clients[client]?.events.count ?? 0 }

    /// The counters, and the number of events that wait.
    ///
    /// - Parameter isOperator: Whether an operator asked, who also gets the number of waiting events of each client.
    public func events(isOperator: Bool) -> StatusCounters.Events {
        var events = counted
        events.pending = pending.clients.values.reduce(0) { $0 + $1.events.count }
        guard isOperator else { return events }
        for name in pending.clients.keys.sorted() where count(of: name) > 0 {
            events.waiting.append((client: name, count: count(of: name)))
        }
        return events
    }

    /// Whether a client was started for an event, and its time to run (its lease) is not over yet.
    public func isLeased(_ client: String) -> Bool { wakes.isLeased(client) }
}

/// Values that the Engine reads.
extension Outbox {
    public var view: OutboxView { OutboxView(counted: counted, pending: pending, wakes: wakes) }

    /// The next instant at which the outbox must be advanced even if nothing else happens; nil for none.
    public var deadline: MonotonicInstant? { .earlier(wakes.deadline, borders.deadline) }
}

/// What the Engine tells the outbox to do.
extension Outbox {
    public mutating func started(at instant: MonotonicInstant) { wakes = WakeBook(at: instant) }

    /// Takes over a row that the daemon stored before its restart; called once for each row at the daemon's start.
    ///
    /// - Returns: Whether the row belongs to the outbox and could be decoded.
    public mutating func restore(_ row: DurableRow, _ context: EventContext, _ turn: inout Turn) -> Bool {
        if row.table == .settings, row.name == Outbox.lastNumber || row.name == Outbox.erasure {
            guard row.value.count == 8 else { return false }
            let number = row.value.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            if row.name == Outbox.erasure { erasures[row.client] = number }
            pending.restore(lastNumber: number, of: row.client)
            return true
        }
        guard row.table == .events, let event = PendingEvent.decode(row.value.span), event.client == row.client else {
            return false
        }
        carryOut(pending.change(event.client) { $0.restore(event) }, context, &turn)
        return true
    }

    /// Adds a connection of a client.
    ///
    /// - Returns: The service (such as regions) of the event for which the client was started; nil if it was not
    ///   started for an event.
    public mutating func connected(
        _ id: ClientID, as client: String, at instant: MonotonicInstant
    ) -> MonitoredService? {
        connections.append(Connection(id: id, client: client))
        pending.change(client) { $0.connect(id) }
        return wakes.connected(id, as: client, at: instant)
    }

    /// Removes a connection that was closed, or that belongs to another client from now on.
    public mutating func gone(_ id: ClientID, of client: String, _ grants: Grants, _ turn: inout Turn) {
        connections.removeAll { $0.id == id }
        pending.change(client) { $0.disconnect(id) }
        carryOut(wakes.disconnected(id, of: client, at: turn.instant), grants, &turn)
    }

    /// Does what is due at this instant, such as stopping a client whose time to run is over.
    public mutating func advance(_ grants: Grants, _ turn: inout Turn) {
        carryOut(wakes.advance(to: turn.instant), grants, &turn)
        carryOut(borders.advance(to: turn.instant), grants, &turn)
    }

    /// Carries out what monitoring decided, such as storing an event for a client.
    public mutating func found(_ effect: MonitoringEffect, _ context: EventContext, _ turn: inout Turn) {
        switch effect {
        case .post(let kind, let client, let isWanted):
            post(kind, for: client, isWanted: isWanted, context, &turn)
        case .cross(let transition, let client): crossed(transition, of: client, context, &turn)
        case .withdraw(let service, let key, let client): withdraw(service, key, of: client, context.grants, &turn)
        case .delayed(let errorCode, let client):
            tellDelayed(client, errorCode: errorCode, reason: context.outageReason, &turn)
        case .want(let service, let connection, let known):
            want(service, on: connection, known: known, context, &turn)
        }
    }

    /// Takes a changed fact about a client.
    public mutating func heard(_ news: ClientNews, _ context: EventContext, _ turn: inout Turn) {
        switch news {
        case .changed(let client): reconsiderWaking(client, context, &turn)
        case .eventDue: break
        case .eventDecided(let client, let mayDeliver):
            decided(client, mayDeliver: mayDeliver, context.grants, &turn)
        // Notes that a client is "in use" and so must not be stopped when its lease ends.
        case .cameIntoUse(let client): wakes.cameIntoUse(client)
        case .startFailed(let client):
            carryOut(wakes.startFailed(client, at: turn.instant), context.grants, &turn)
        }
    }

    /// After a change of clients' access, sends waiting events to the connections that asked for them and may have them
    /// from now on.
    public mutating func settle(_ context: EventContext, _ turn: inout Turn) {
        for connection in connections { arm(connection, context, &turn) }
    }

    /// Requests the start of a client that does not run and has a waiting event, if its authorization is Always.
    public mutating func awaken(_ client: String, _ context: EventContext, _ turn: inout Turn) {
        forgetOldChanges(of: client, context, &turn)
        guard !isConnected(client), wakingEvent(of: client, context.grants) != nil else { return }
        // If the authorization Always is provisional, the user is asked first, and the client is started only after the
        // answer.
        turn.tell(.eventDue(client: client))
    }

    /// Serves two kinds of requests: a client acknowledges an event, which is then forgotten, or a client that was
    /// started for an event needs more time to run.
    public mutating func serve(
        _ request: ClientRequest, of id: ClientID, _ context: EventContext, _ turn: inout Turn
    ) {
        guard let client = connections.first(where: { $0.id == id })?.client else { return }
        switch request.kind {
        case .acknowledge(let number):
            if erasures[client] == number {
                erasures[client] = nil
                turn.remove(.settings, client, Outbox.erasure)
            }
            carryOut(pending.change(client) { $0.acknowledge(number, by: id) }, context, &turn)
        case .extendWake(let seconds): wakes.extend(client, bySeconds: seconds)
        default: break
        }
    }

    /// Notes that all data kept about a client was erased, and sends a notice of it to every connection of the client,
    /// until one acknowledges it.
    public mutating func erased(_ client: String, _ turn: inout Turn) {
        let number = pending.change(client) { $0.takeNumber() }
        erasures[client] = number
        for name in [Outbox.lastNumber, Outbox.erasure] {
            turn.put(.settings, client, name, Outbox.bytes(of: number))
        }
        for connection in connections where connection.client == client {
            tell(erasure: number, to: connection.id, &turn)
        }
    }

    /// Sends a new connection the notice of an erasure that its client has not acknowledged yet.
    public func greet(_ id: ClientID, _ turn: inout Turn) {
        guard let client = connections.first(where: { $0.id == id })?.client, let number = erasures[client] else {
            return
        }
        tell(erasure: number, to: id, &turn)
    }

    /// Forgets all of a client's waiting events.
    public mutating func forget(_ client: String, _ grants: Grants, _ turn: inout Turn) {
        withdraw(of: client, grants, &turn) { _ in true }
    }
}
