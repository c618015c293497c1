internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// Sends location reports to location sessions; a report can be filtered out or held back, and a session can be paused.
extension Delivery {
    /// Delivers a fix to all sessions whose filter it passes, or holds it back for sessions that defer.
    mutating func deliver(_ fix: Fix, _ now: DeliveryContext, _ turn: inout Turn) {
        // The text contains the session's number, so it is written again for each session with another number.
        var written: (number: UInt8, range: Range<Int>)?
        for client in clients.local.indices {
            for index in clients.indices(ofClientAt: client) {
                guard clients[index].takes(fix, at: turn.instant) else { continue }
                if clients[index].term != nil, holdBack(fix, at: index, now, &turn) { continue }
                let number = clients[index].number
                if written?.number != number {
                    let start = turn.text.count
                    LocationObject.append(fix, age: 0, source: source, .init(session: number), to: &turn.text)
                    written = (number, start..<turn.text.count)
                }
                if let range = written?.range { turn.actions.append(.send(clients.id(of: index), range)) }
                delivered(clientAt: client, at: turn.instant)
            }
        }
    }

    mutating func send(
        _ estimate: ReducedAccuracy.Estimate, _ context: LocationObject.Context, clientAt client: Int,
        _ turn: inout Turn
    ) {
        delivered(clientAt: client, at: turn.instant)
        turn.send(clients.local[client].id) { [source, instant = turn.instant] text in
            let age = instant.seconds(since: estimate.measured)
            LocationObject.append(reduced: .init(estimate), age: age, source: source, context, to: &text)
        }
    }

    // MARK: Requests

    /// Ends a session's location reports and its request for one position; if it is the session
    /// `LocationSession.epochs`, ends also the connection's whole epochs.
    mutating func endAll(_ session: UInt8, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        end(session, clientAt: client, now, &turn)
        clients.local[client].session.cancelOnce(ofSession: session)
        if session == LocationSession.epochs { clients.local[client].session.epochs = nil }
    }

    /// Ends a session's reports, and delivers the fixes held back for it.
    mutating func end(_ session: UInt8, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let index = clients.index(ofSession: session, clientAt: client) else { return }
        endTerm(.asked, at: index, now, &turn)
        let key = clients[index].key
        clients.local[client].session.locations.remove(at: index.session)
        deferred.release(key, of: clients.local[client].id)
    }

    mutating func watch(
        _ epochs: EpochWatch, _ request: ClientRequest, clientAt client: Int, _ now: DeliveryContext,
        _ turn: inout Turn
    ) {
        end(LocationSession.epochs, clientAt: client, now, &turn)
        clients.local[client].session.epochs = epochs
        turn.send(clients.local[client].id) { ClientEvent.appendWatching(true, id: request.id, to: &$0) }
    }

    /// Begins a session's reports, or restarts them with other settings.
    mutating func watch(
        _ new: LocationSession, id request: String?, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let (id, number, deferral) = (clients.local[client].id, new.number, new.settings.deferral)
        guard deferral == nil || claim(new.key, for: id, id: request, &turn) else { return }
        turn.send(id) { ClientEvent.appendWatching(true, session: number, id: request, to: &$0) }
        if number == LocationSession.epochs { clients.local[client].session.epochs = nil }
        clients.local[client].session.cancelOnce(ofSession: number)
        guard let index = clients.index(ofSession: number, clientAt: client) else {
            clients.local[client].session.locations.append(new)
            return note(Newcomer(connection: id, session: number, deferral: deferral, request: request))
        }
        restart(index, as: new, now, &turn)
        deliverHeld(at: index, now, &turn) { _ in }
        guard let deferral else { return }
        beginTerm(deferral, onlyInBackground: false, id: request, at: index, now, &turn)
    }

    /// Sends a new session what it could not be sent before its permission was applied: why it gets nothing, the fixes
    /// held back for it, the last known location; then begins its deferral.
    mutating func welcome(_ newcomer: Newcomer, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let client = clients.index(of: newcomer.connection),
            let index = clients.index(ofSession: newcomer.session, clientAt: client)
        else { return }
        tellWhyNothingCame(at: index, &turn)
        // Held-back fixes are sent first. The last known location is one of them, or is newer and is sent after them.
        deliverHeld(at: index, now, &turn) { _ in }
        if isNewerThanHeld(now.whereabouts.last?.fix.time, at: index) { deliverKnown(to: index, now, &turn) }
        guard let deferral = newcomer.deferral else { return }
        beginTerm(deferral, onlyInBackground: false, id: newcomer.request, at: index, now, &turn)
    }

    /// Sends a session the last known location at once, with its age; the session's filter compares later fixes with
    /// that location.
    mutating func deliverKnown(to index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn) {
        let context = LocationObject.Context(session: clients[index].number)
        switch clients[index].grant {
        case .none: break
        case .reduced:
            guard let estimate = now.whereabouts.estimate(at: turn.instant) else { return }
            send(estimate, context, clientAt: index.client, &turn)
        case .full:
            guard let (fix, since) = now.whereabouts.last, clients[index].takes(fix, at: turn.instant) else { return }
            let age = turn.instant.seconds(since: since)
            turn.send(clients.id(of: index)) { [source] text in
                LocationObject.append(fix, age: age, source: source, context, to: &text)
            }
        }
    }

    /// Restarts a session with the settings, options and key of `new`, the session that the client wants in its place.
    private mutating func restart(
        _ index: SessionIndex, as new: LocationSession, _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let client = clients.id(of: index)
        endTerm(new.settings.deferral == nil ? .asked : .canceled, at: index, now, &turn)
        if clients[index].key != new.key { deferred.release(clients[index].key, of: client) }
        clients[index].options = new.options
        let wasPaused = clients[index].restart(
            new.settings, key: new.key, isSought: isSought(now), at: turn.instant)
        hold(index, now, &turn)
        sense(at: index, at: turn.instant)
        guard wasPaused else { return }
        turn.send(client) { ClientEvent.appendResumed(reason: .asked, session: new.number, to: &$0) }
    }

    /// Changes the settings of a session without restarting it.
    mutating func change(
        to settings: LocationSettings, _ options: WatchOptions, at index: SessionIndex, _ now: DeliveryContext,
        _ turn: inout Turn
    ) {
        let wasPaused = clients[index].isPaused
        // A passive session, which never switches the receiver on, stays passive until the client requests locations
        // anew.
        guard !clients[index].options.isPassive else { return }
        clients[index].options = options
        let isNewMonitor = clients[index].change(to: settings, isSought: isSought(now), at: turn.instant)
        hold(index, now, &turn)
        if isNewMonitor { sense(at: index, at: turn.instant) }
        if let refusal = DeferralEnd.refusal(of: settings) { endTerm(refusal, at: index, now, &turn) }
        guard wasPaused, !clients[index].isPaused else { return }
        let (client, number) = (clients.id(of: index), clients[index].number)
        turn.send(client) { ClientEvent.appendResumed(reason: .asked, session: number, to: &$0) }
    }
}
