internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// Deferral: fixes that are held back for a session, stored durably, and delivered together.
extension Delivery {
    /// Gives a connection the queue of held-back fixes with this key; where that is impossible, sends the reason to the
    /// connection.
    mutating func claim(_ key: DeferredKey, for client: ClientID, id: String?, _ turn: inout Turn) -> Bool {
        let claim = deferred.claim(key, for: client) {
            turn.actions.append(.acknowledge(.deferred($0), through: $1))
        }
        switch claim {
        case .granted: return true
        case .taken:
            turn.send(client) {
                ClientEvent.appendError(
                    .labelInUse, "another connection of this client defers under this label; give each its own",
                    id: id, to: &$0)
            }
        case .clientFull:
            turn.send(client) {
                ClientEvent.appendError(
                    .tooMany, "at most \(DeferredQueues.maximumQueuesOfClient) sessions of one client can defer",
                    id: id, to: &$0)
            }
        case .full:
            turn.send(client) {
                ClientEvent.appendError(
                    .tooMany, "at most \(DeferredQueues.maximumQueues) sessions can defer", id: id, to: &$0)
            }
        }
        return false
    }

    /// Begins the deferral that a location session asks for; if it is impossible, the client is told at once that it
    /// has ended, and why.
    mutating func `defer`(
        _ deferral: Deferral, onlyInBackground: Bool, _ request: ClientRequest, clientAt client: Int,
        _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let id = clients.local[client].id
        func refuse(_ end: DeferralEnd, _ turn: inout Turn) {
            turn.send(id) { ClientEvent.appendDeferredFinished(end, session: request.session, id: request.id, to: &$0) }
        }
        guard now.isReceiverOpen else { return refuse(.failed, &turn) }
        guard let index = clients.index(ofSession: request.session, clientAt: client) else {
            return refuse(.notUpdating, &turn)
        }
        endTerm(.canceled, at: index, now, &turn)
        guard claim(clients[index].key, for: id, id: request.id, &turn) else {
            return refuse(.failed, &turn)
        }
        beginTerm(deferral, onlyInBackground: onlyInBackground, id: request.id, at: index, now, &turn)
    }

    mutating func beginTerm(
        _ deferral: Deferral, onlyInBackground: Bool, id: String?, at index: SessionIndex,
        _ now: DeliveryContext, _ turn: inout Turn
    ) {
        if let refusal = clients[index].refusal {
            let number = clients[index].number
            return turn.send(clients.id(of: index)) {
                ClientEvent.appendDeferredFinished(refusal, session: number, id: id, to: &$0)
            }
        }
        clients[index].term = DeferralTerm(
            deferral, onlyInBackground: onlyInBackground, id: id, from: now.whereabouts.last?.fix, at: turn.instant)
    }

    /// Holds back a fix for a session with a deferral, and delivers all held fixes if the deferral ends or the queue is
    /// nearly full.
    ///
    /// - Returns: Whether the fix was held back, so that the caller must not deliver it.
    mutating func holdBack(_ fix: Fix, at index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn) -> Bool {
        let end = clients[index].term?.heard(fix)
        guard clients[index].holds(isForeground: clients.isForeground(index)),
            let queue = deferred.index(of: clients[index].key)
        else {
            if let end { endTerm(end, at: index, now, &turn) }
            return false
        }
        if let held = deferred.change(queue, { $0.append(fix) }) { turn.persist(held, for: clients[index].key) }
        if let end {
            endTerm(end, at: index, now, &turn)
        } else if deferred.queues[queue].isNearlyFull {
            deliverHeld(at: index, now, &turn) { _ in }
        }
        return true
    }

    /// Ends the deferrals whose time is over.
    mutating func endTerms(_ now: DeliveryContext, _ turn: inout Turn) {
        for index in clients.indices {
            guard let deadline = clients[index].term?.deadline, deadline <= turn.instant else { continue }
            endTerm(.timeout, at: index, now, &turn)
        }
    }

    /// Ends a session's deferral, if one is in progress: sends the news of its end and then all held-back fixes, in one
    /// write.
    mutating func endTerm(_ end: DeferralEnd, at index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let term = clients[index].term else { return }
        clients[index].term = nil
        let number = clients[index].number
        deliverHeld(at: index, now, &turn) {
            ClientEvent.appendDeferredFinished(end, session: number, id: term.id, to: &$0)
        }
    }

    /// Delivers a session's held-back fixes because the client asks for them; the session's deferral goes on.
    mutating func flush(_ request: ClientRequest, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let index = clients.index(ofSession: request.session, clientAt: client) else {
            return turn.send(clients.local[client].id) {
                ClientEvent.appendFlushed(locations: 0, session: request.session, id: request.id, to: &$0)
            }
        }
        let count = held(at: index).map { deferred.queues[$0].fixes.count } ?? 0
        deliverHeld(at: index, now, &turn) {
            ClientEvent.appendFlushed(locations: count, session: request.session, id: request.id, to: &$0)
        }
    }

    /// Sends the text that `head` appends and then all fixes held back for a session, in one write, and has these fixes
    /// deleted from the durable log.
    mutating func deliverHeld(
        at index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn,
        after head: (inout TextBuffer) -> Void
    ) {
        let start = turn.text.count
        let (client, key) = (clients.id(of: index), clients[index].key)
        head(&turn.text)
        var acknowledged: Action?
        if let queue = held(at: index), let newest = deferred.queues[queue].fixes.last {
            clients[index].lastHeld = newest.fix.time
            var left = deferred.queues[queue].fixes.count
            for held in deferred.queues[queue].fixes {
                left -= 1
                LocationObject.append(
                    held.fix, age: now.clock.age(of: held.fix, at: turn.instant), source: source,
                    .init(session: clients[index].number, hasMore: left > 0), to: &turn.text)
            }
            let last = deferred.empty(queue)
            acknowledged = last.map { .acknowledge(.deferred(key), through: $0) }
        }
        guard turn.text.count > start else { return }
        turn.actions.append(.send(client, start..<turn.text.count))
        if let acknowledged {
            turn.actions.append(acknowledged)
            delivered(clientAt: index.client, at: turn.instant)
        }
    }

    /// Delivers the fixes that were held back only in the background, because the client came to the foreground.
    mutating func deliverHeldInBackground(of id: ClientID, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let client = clients.index(of: id) else { return }
        for index in clients.indices(ofClientAt: client) where clients[index].term?.onlyInBackground == true {
            deliverHeld(at: index, now, &turn) { _ in }
        }
    }

    /// Whether a location of this time is newer than every held-back fix that was delivered to the session.
    func isNewerThanHeld(_ time: UTCInstant?, at index: SessionIndex) -> Bool {
        guard let time, let lastHeld = clients[index].lastHeld else { return true }
        return time > lastHeld
    }

    /// The index of the queue of fixes held back for a session; nil where the session is not allowed to have them now.
    func held(at index: SessionIndex) -> Int? {
        guard clients[index].grant == .full, let queue = deferred.index(of: clients[index].key) else { return nil }
        let owner = deferred.queues[queue].owner
        return owner == nil || owner == clients.id(of: index) ? queue : nil
    }
}
