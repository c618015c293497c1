internal import ClientProtocol
internal import Parts
internal import Power
internal import SextantUnits

/// Location reports to location sessions, which can be filtered, paused or held back.
extension Delivery {
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

    /// Ends a session's location reports and its request for one position; for `LocationSession.epochs` also the
    /// connection's whole epochs.
    mutating func endAll(_ session: UInt8, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        end(session, clientAt: client, now, &turn)
        clients.local[client].session.cancelOnce(ofSession: session)
        if session == LocationSession.epochs { clients.local[client].session.epochs = nil }
    }

    /// Ends a session's reports, and delivers the fixes held back for it.
    mutating func end(_ session: UInt8, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let session = clients.local[client].session.index(ofSession: session) else { return }
        let index = SessionIndex(client: client, session: session)
        endTerm(.asked, at: index, now, &turn)
        let key = clients[index].key
        clients.local[client].session.locations.remove(at: session)
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
        _ settings: LocationSettings, _ options: WatchOptions, label: String, _ request: ClientRequest,
        clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let id = clients.local[client].id
        let access = clients.local[client].access
        let key = DeferredKey(
            userID: clients.local[client].session.userID, client: access.client, label: label, session: request.session)
        guard settings.deferral == nil || claim(key, for: id, id: request.id, &turn) else { return }
        turn.send(id) { ClientEvent.appendWatching(true, session: request.session, id: request.id, to: &$0) }
        if request.session == LocationSession.epochs { clients.local[client].session.epochs = nil }
        clients.local[client].session.cancelOnce(ofSession: request.session)
        guard let session = clients.local[client].session.index(ofSession: request.session) else {
            clients.local[client].session.locations.append(
                LocationSession(
                    settings, number: request.session, options: options, key: key, beganInUse: access.isInUse,
                    at: turn.instant))
            return note(
                Newcomer(
                    connection: id, session: request.session, deferral: settings.deferral, request: request.id))
        }
        let index = SessionIndex(client: client, session: session)
        restart(settings, options, key: key, at: index, now, &turn)
        deliverHeld(at: index, now, &turn) { _ in }
        guard let deferral = settings.deferral else { return }
        beginTerm(deferral, onlyInBackground: false, id: request.id, at: index, now, &turn)
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

    mutating func restart(
        _ settings: LocationSettings, _ options: WatchOptions, key: DeferredKey, at index: SessionIndex,
        _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let client = clients.id(of: index)
        endTerm(settings.deferral == nil ? .asked : .canceled, at: index, now, &turn)
        if clients[index].key != key { deferred.release(clients[index].key, of: client) }
        let number = clients[index].number
        clients[index].options = options
        let wasPaused = clients[index].restart(settings, key: key, at: turn.instant)
        hold(index, now, &turn)
        guard wasPaused else { return }
        sense(at: index, at: turn.instant)
        turn.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, session: number, to: &$0) }
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
        clients[index].change(to: settings, at: turn.instant)
        hold(index, now, &turn)
        if let refusal = DeferralEnd.refusal(of: settings) { endTerm(refusal, at: index, now, &turn) }
        guard wasPaused, !clients[index].isPaused else { return }
        let (client, number) = (clients.id(of: index), clients[index].number)
        turn.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, session: number, to: &$0) }
    }
}
