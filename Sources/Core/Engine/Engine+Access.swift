internal import ClientProtocol
internal import JSONText
internal import Power
internal import Sessions
internal import Units

/// How a request for full accuracy ended.
struct AccuracyAnswer {
    let client: ClientID
    let id: String?
    let errorCode: Int?
}

/// Who may see what: what changes it goes to the book of authorizations, and every session is held to what it says.
extension Engine {
    /// Tells the book of authorizations what happened, and does what follows.
    mutating func decide(_ event: AuthorizationEvent, at instant: MonotonicInstant, into outputs: inout Outputs) {
        var effects: [AuthorizationEffect] = []
        authorization.handle(event, at: instant, into: &effects)
        for effect in effects { heed(effect, at: instant, into: &outputs) }
    }

    private mutating func heed(
        _ effect: AuthorizationEffect, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        switch effect {
        case .keep(let client, let record): outputs.keep(record, of: client)
        case .changed(let client):
            isAccessStale = true
            reconsiderWaking(client, at: instant, into: &outputs)
            reconsiderDeferred(client, into: &outputs)
        case .useChanged: isAccessStale = true
        case .fullAccuracyAnswered(let client, let id, let errorCode):
            accuracyAnswers.append(AccuracyAnswer(client: client, id: id, errorCode: errorCode))
            isAccessStale = true
        case .provisionalSettled(let client, let mayDeliver):
            settleProvisional(client, mayDeliver: mayDeliver, at: instant, into: &outputs)
        case .promptRaised(let prompt):
            tellAgents(into: &outputs) { ClientEvent.append(PromptObject(prompt), to: &$0) }
            isAccessStale = true
        case .promptWithdrawn(let client):
            tellAgents(into: &outputs) { ClientEvent.appendPromptWithdrawn(client: client, to: &$0) }
            isAccessStale = true
        case .note(let client, let note):
            outputs.actions.append(.log(.client(client, note.message)))
        }
    }

    /// What a connection is told of what its client may see.
    func access(of client: String?) -> AccessObject {
        guard let client else {
            return AccessObject(
                status: authorization.standingOfStrangers.status.name, accuracy: AccuracyAuthorization.full.name,
                servicesEnabled: authorization.servicesEnabled)
        }
        let standing = authorization.standing(of: client)
        return AccessObject(
            status: standing.status.name, accuracy: standing.accuracy.name,
            servicesEnabled: authorization.servicesEnabled)
    }

    /// What every session may see may have changed: it is looked at again, and who must know is told.
    mutating func accessChanged(at instant: MonotonicInstant, into outputs: inout Outputs) {
        isAccessStale = false
        settleSessions(at: instant, into: &outputs)
        tellUse(at: instant, into: &outputs)
        if isAccessStale { settleSessions(at: instant, into: &outputs) }
        isAccessStale = false
        startSignificantChanges(at: instant, into: &outputs)
        watchRegions(at: instant)
        for client in clients.local.indices { settleAccess(ofClientAt: client, at: instant, into: &outputs) }
        for client in clients.gpsd.indices { clients.gpsd[client].grant = gpsdGrant }
        answerAccuracy(into: &outputs)
        demandChanged()
        settleIndicator(at: instant, into: &outputs)
    }

    /// Tells the book who is in use although in the background.
    private mutating func tellUse(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for client in clients.local.indices where clients.local[client].session.client != nil {
            let uses = usesBackground(clientAt: client)
            decide(.usesBackground(clients.local[client].id, uses), at: instant, into: &outputs)
        }
    }

    private mutating func settleAccess(
        ofClientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        let access = access(of: clients.local[client].session.client)
        let (wasDenied, isDenied) = (clients.local[client].wasDenied, isDenied(clientAt: client))
        clients.local[client].wasDenied = isDenied
        if access != clients.local[client].told {
            clients.local[client].told = access
            outputs.send(id) { ClientEvent.appendAuthorization(access, to: &$0) }
        }
        clients.local[client].session.grant = grant(ofClientAt: client)
        for session in clients.local[client].session.locations.indices {
            let place = SessionPlace(client: client, session: session)
            let (old, new) = (clients[place].grant, grant(at: place))
            guard old != new else { continue }
            if old == .full { seesLess(new, at: place, at: instant, into: &outputs) }
            clients[place].grant = new
            if new == .full { deliverHeld(at: place, at: instant, into: &outputs) { _ in } }
            guard old == .none else { continue }
            clients[place].begin(receiverIsOn: isReceiverOn, at: instant)
            if let isMoving { _ = clients[place].handle(.motion(isMoving), at: instant) }
        }
        if isDenied, !wasDenied { tellDenied(clientAt: client, into: &outputs) }
        settleLive(clientAt: client, into: &outputs)
        armWanted(clientAt: client, at: instant, into: &outputs)
    }

    /// Ends the requests for full accuracy that were decided, after what they changed was told.
    private mutating func answerAccuracy(into outputs: inout Outputs) {
        for answer in accuracyAnswers {
            outputs.send(answer.client) { ClientEvent.appendFullAccuracy(answer.errorCode, id: answer.id, to: &$0) }
        }
        accuracyAnswers.removeAll(keepingCapacity: true)
    }

    /// Whether a client was told that it may see nothing.
    func isDenied(clientAt client: Int) -> Bool {
        guard let name = clients.local[client].session.client else { return false }
        let status = authorization.standing(of: name).status
        return status == .denied || status == .restricted
    }

    /// Every service that runs hears that it was denied, once, and then nothing more.
    mutating func tellDenied(clientAt client: Int, into outputs: inout Outputs) {
        let id = clients.local[client].id
        for location in clients.local[client].session.locations where !location.options.isLive {
            outputs.send(id) { ClientEvent.appendFailed(1, session: location.number, id: nil, to: &$0) }
        }
        tellWaitsDenied(clientAt: client, into: &outputs)
    }

    /// Every position that is waited for is refused.
    mutating func tellWaitsDenied(clientAt client: Int, into outputs: inout Outputs) {
        let id = clients.local[client].id
        for wait in clients.local[client].session.takeAllWaits() {
            outputs.send(id) { Engine.appendDenial(of: wait, to: &$0) }
        }
    }

    private static func appendDenial(of wait: LocationWait, to text: inout TextBuffer) {
        guard !wait.isOnce else {
            return ClientEvent.appendFailed(1, session: wait.session, id: wait.id, to: &text)
        }
        ClientEvent.appendError(
            "denied", "this client may not see locations; an operator can allow it: sextant clients", id: wait.id,
            to: &text)
    }

    /// A session that began while its client is denied hears so at once.
    mutating func tellWhyNothingCame(at place: SessionPlace, into outputs: inout Outputs) {
        guard isDenied(clientAt: place.client), !clients[place].options.isLive else { return }
        let number = clients[place].number
        outputs.send(clients.id(of: place)) { ClientEvent.appendFailed(1, session: number, id: nil, to: &$0) }
    }
}

// MARK: Grants

extension Engine {
    /// Whether a client is in use now.
    func isInUse(clientAt client: Int) -> Bool {
        clients.local[client].session.client.map { authorization.standing(of: $0).isInUse } ?? false
    }

    /// What a connection may see now: of its own, and at most in its sessions.
    func grant(ofClientAt client: Int) -> LocationGrant {
        guard let name = clients.local[client].session.client else { return .none }
        let standing = authorization.standing(of: name)
        guard standing.status.isAuthorized, standing.isInUse || standing.status == .authorizedAlways else {
            return .none
        }
        return standing.accuracy == .full ? .full : .reduced
    }

    /// What a session may see now.
    ///
    /// In the background a client that is authorized only in use gets reports of sessions that asked for it, and began
    /// while it was in use; one that is always authorized gets them while it runs.
    func grant(at place: SessionPlace) -> LocationGrant {
        let session = clients.local[place.client].session
        guard let name = session.client, session.grant > .none else { return .none }
        if clients[place].options.isLive { return liveGate(of: name).flows ? session.grant : .none }
        guard session.isForeground || isInGrace(clientAt: place.client) else {
            let goesOn = isContinuous(at: place) || authorization.standing(of: name).status == .authorizedAlways
            return goesOn ? session.grant : .none
        }
        return session.grant
    }

    /// Whether a session's reports go on in the background, and the indicator says so.
    func isContinuous(at place: SessionPlace) -> Bool {
        let location = clients[place]
        guard location.options.inBackground, location.beganInUse, let name = clients.local[place.client].session.client
        else { return false }
        return admission[name]?.backgroundMode == true
    }

    /// Whether a connection counts as in use although it is in the background.
    private func usesBackground(clientAt client: Int) -> Bool {
        let session = clients.local[client].session
        guard !session.isForeground, let name = session.client, authorization.standing(of: name).status.isAuthorized
        else { return false }
        return clients.local[client].session.locations.indices.contains {
            isContinuous(at: SessionPlace(client: client, session: $0))
        } || holdsBackgroundActivity(clientAt: client)
    }

    /// Whether a client has just left the foreground, and counts as in use for a moment more.
    private func isInGrace(clientAt client: Int) -> Bool {
        isInUse(clientAt: client) && !usesBackground(clientAt: client)
    }

    private var gpsdGrant: LocationGrant {
        guard let name = admission.gpsd?.name else { return .none }
        let standing = authorization.standing(of: name)
        guard standing.status.isAuthorized else { return .none }
        return standing.accuracy == .full ? .full : .reduced
    }
}
