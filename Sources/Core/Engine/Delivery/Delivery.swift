internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import JSON
internal import Power
internal import Receivers
internal import Sessions
internal import Units

/// Who is told of locations, and how: watches, single requests, deferral, pauses, whole epochs, and gpsd's clients.
struct Delivery {
    let source: LocationObject.Source
    /// The receiver's device, as gpsd's clients name it.
    let device: String
    var clients = ClientTable()
    var deferred = DeferredQueues()
    var gpsdReport = GPSDReport()
    private var indicator = Indicator()
    /// Whether the board has a light that can be set.
    private var hasIndicator = false
    /// Whether sessions were told last that a fix is missing.
    private var hadOutage = false
    /// What the accelerometer said last; nil where there is none.
    private var isMoving: Bool?
    /// Whether what is needed of the receiver may have changed since that was asked last.
    var hasNewNeeds = false
    /// Sessions that have just begun, until they are told what is known.
    private var newcomers: [Newcomer] = []
    /// Connections that came to the foreground, until they are given what was held back for them.
    private var returned: [ClientID] = []

    /// A session that has just begun, and the deferral that it asks for.
    struct Newcomer {
        let connection: ClientID
        let session: UInt8
        let deferral: Deferral?
        let request: String?
    }

    init(_ configuration: EngineConfiguration) {
        source = configuration.source
        device = configuration.device
    }

    /// Whether what is needed of the receiver may have changed since that was asked last.
    mutating func takeNewNeeds() -> Bool {
        defer { hasNewNeeds = false }
        return hasNewNeeds
    }

    /// What all clients need positions for.
    var needs: [AccuracyRequest] { clients.requests }

    /// The connections of the gpsd port, as the receiver's power knows them.
    var gpsdConnections: [UInt32] { clients.gpsd.map(\.id.rawValue) }

    /// Who reads the receiver's own messages.
    var readers: [PassthroughReader] { clients.readers }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { .earlier(clients.deadline, indicator.deadline) }

    /// Whether somebody is told estimates alone.
    var hearsEstimates: Bool {
        clients.local.contains { $0.session.grant == .reduced } || clients.gpsd.contains { $0.grant == .reduced }
    }

    /// Connections with watches that go on in the background, as far as it is theirs to say.
    var watchersInBackground: [ClientID] {
        clients.local.filter { $0.session.locations.contains(where: \.goesOnInBackground) }.map(\.id)
    }

    /// What every session that watches locations may see, and epoch watchers as session 0.
    var sessionGrants: [SessionGrant] {
        clients.local.flatMap { client in
            var grants = client.session.locations.map {
                SessionGrant(connection: client.id, session: $0.number, grant: $0.grant)
            }
            if client.session.watchesSatellites != nil, client.session.place(ofSession: 0) == nil,
                client.session.grant == .full
            {
                grants.append(SessionGrant(connection: client.id, session: 0, grant: .full))
            }
            return grants
        }
    }

    // MARK: Connections

    /// A connection of the local socket began; what it may see it has been told.
    mutating func connected(_ grant: ConnectionGrant, userID: UInt32?) {
        var client = LocalClient(id: grant.connection, session: LocalSession(userID: userID), access: grant)
        client.session.grant = grant.grant
        client.wasDenied = grant.isDenied
        clients.local.append(client)
    }

    /// A connection of the gpsd port began.
    mutating func connected(gpsd id: ClientID, into outputs: inout Outputs) {
        clients.gpsd.append(GPSDClient(id: id))
        outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
    }

    mutating func gone(_ id: ClientID) {
        clients.remove(id)
        deferred.release(id)
        hasNewNeeds = true
    }

    // MARK: Access

    /// Access may have changed: every session is held to what it may see now, and who is refused is told.
    mutating func follow(
        _ grants: [ConnectionGrant], gpsd: LocationGrant, _ now: DeliveryContext, into outputs: inout Outputs
    ) {
        hasNewNeeds = true
        for grant in grants {
            guard let client = clients.place(of: grant.connection) else { continue }
            if grant.isForeground, !clients.local[client].access.isForeground { returned.append(grant.connection) }
            clients.local[client].access = grant
            clients.local[client].session.grant = grant.grant
            for session in clients.local[client].session.locations.indices {
                hold(SessionPlace(client: client, session: session), now, into: &outputs)
            }
            let wasDenied = clients.local[client].wasDenied
            clients.local[client].wasDenied = grant.isDenied
            if grant.isDenied, !wasDenied { tellDenied(clientAt: client, into: &outputs) }
            settleLive(clientAt: client, into: &outputs)
        }
        for client in clients.gpsd.indices { clients.gpsd[client].grant = gpsd }
    }

    /// Holds a session to what it may see now.
    mutating func hold(_ place: SessionPlace, _ now: DeliveryContext, into outputs: inout Outputs) {
        let (old, new) = (clients[place].grant, clients.local[place.client].grant(of: clients[place]))
        guard old != new else { return }
        if old == .full {
            // It sees less: its deferral is over. What was held back goes to a client that has merely left the
            // foreground; where the operator took back what it may see, it is forgotten by now.
            endTerm(new == .none ? .notUpdating : .accuracyTooLow, at: place, now, into: &outputs)
        }
        clients[place].grant = new
        if new == .full { deliverHeld(at: place, now, into: &outputs) { _ in } }
        guard old == .none else { return }
        clients[place].begin(receiverIsOn: now.isReceiverOn, at: now.instant)
        if let isMoving { _ = clients[place].handle(.motion(isMoving), at: now.instant) }
    }

    /// Every service that runs hears that it was denied, once, and then nothing more.
    private mutating func tellDenied(clientAt client: Int, into outputs: inout Outputs) {
        let id = clients.local[client].id
        for location in clients.local[client].session.locations where !location.options.isLive {
            outputs.send(id) { ClientEvent.appendFailed(1, session: location.number, id: nil, to: &$0) }
        }
        tellWaitsDenied(clientAt: client, into: &outputs)
    }

    /// Tells live watches why they are silent, with every change.
    private mutating func settleLive(clientAt client: Int, into outputs: inout Outputs) {
        guard clients.local[client].access.client != nil else { return }
        let diagnostics = clients.local[client].access.live.diagnostics
        for session in clients.local[client].session.locations.indices {
            let place = SessionPlace(client: client, session: session)
            guard clients[place].options.isLive, clients[place].toldDiagnostics != diagnostics else { continue }
            // Nothing is said where nothing was missing from the start.
            let isNews = clients[place].toldDiagnostics != nil || !diagnostics.isEmpty
            clients[place].toldDiagnostics = diagnostics
            guard isNews else { continue }
            let number = clients[place].number
            outputs.send(clients.id(of: place)) {
                ClientEvent.appendLiveDiagnostics(diagnostics.words, session: number, to: &$0)
            }
        }
    }

    /// Sessions that began, and connections that came to the foreground, are told what they have not heard.
    mutating func welcome(_ now: DeliveryContext, into outputs: inout Outputs) {
        for newcomer in newcomers {
            guard let client = clients.place(of: newcomer.connection),
                let session = clients.local[client].session.place(ofSession: newcomer.session)
            else { continue }
            let place = SessionPlace(client: client, session: session)
            tellWhyNothingCame(at: place, into: &outputs)
            // What was held is older than what is known.
            deliverHeld(at: place, now, into: &outputs) { _ in }
            deliverKnown(to: place, now, into: &outputs)
            guard let deferral = newcomer.deferral else { continue }
            beginTerm(deferral, onlyInBackground: false, id: newcomer.request, at: place, now, into: &outputs)
        }
        newcomers.removeAll(keepingCapacity: true)
        for id in returned {
            guard let client = clients.place(of: id) else { continue }
            // In the foreground nothing is held back.
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard clients[place].term?.onlyInBackground == true else { continue }
                deliverHeld(at: place, now, into: &outputs) { _ in }
            }
        }
        returned.removeAll(keepingCapacity: true)
    }

    /// A session has begun: it is told what is known as soon as it is known what it may see.
    mutating func note(_ newcomer: Newcomer) { newcomers.append(newcomer) }

    /// A session that began while its client is denied hears so at once.
    private func tellWhyNothingCame(at place: SessionPlace, into outputs: inout Outputs) {
        guard clients.local[place.client].access.isDenied, !clients[place].options.isLive else { return }
        let number = clients[place].number
        outputs.send(clients.id(of: place)) { ClientEvent.appendFailed(1, session: number, id: nil, to: &$0) }
    }
}

/// What is known of the place and of the receiver when something is delivered.
struct DeliveryContext {
    let instant: MonotonicInstant
    let whereabouts: Whereabouts
    let clock: ReceiverClock
    let isReceiverOpen: Bool
    /// Whether the receiver looks for positions, or should.
    let isReceiverOn: Bool
    /// Why no position comes; nil where that is not known.
    let outageReason: StaticString?
}

// MARK: What the receiver does

extension Delivery {
    /// A usable fix came: nobody lacks one.
    mutating func endLosses(at instant: MonotonicInstant) {
        for place in clients.places { clients[place].loss.found(at: instant) }
    }

    /// The receiver rests, or no longer does.
    mutating func receiverTurned(isOn: Bool, _ now: DeliveryContext, into outputs: inout Outputs) {
        for place in clients.places { clients[place].loss.receiver(isOn: isOn, at: now.instant) }
        tellPauses(.receiver(isOn: isOn), now, into: &outputs)
    }

    /// Tells those who lack a position for long, once.
    mutating func tellLosses(_ now: DeliveryContext, into outputs: inout Outputs) {
        for place in clients.places where clients[place].isRunning {
            guard clients[place].loss.advance(to: now.instant) else { continue }
            let number = clients[place].number
            outputs.send(clients.id(of: place)) {
                ClientEvent.appendFailed(0, reason: now.outageReason, session: number, id: nil, to: &$0)
            }
        }
    }

    /// Tells sessions since when no fix comes for a reason that is known; nil that it does again.
    mutating func outage(since: MonotonicInstant?) {
        guard since != nil || hadOutage else { return }
        hadOutage = since != nil
        for place in clients.places { clients[place].loss.outage(since: since) }
    }

    mutating func sensed(motion moves: Bool, _ now: DeliveryContext, into outputs: inout Outputs) {
        isMoving = moves
        tellPauses(.motion(moves), now, into: &outputs)
    }

    /// What the accelerometer said last, for a session that begins anew.
    mutating func sense(at place: SessionPlace, at instant: MonotonicInstant) {
        if let isMoving { _ = clients[place].handle(.motion(isMoving), at: instant) }
    }

    /// Tells every session's monitor, and its client what it finds.
    mutating func tellPauses(_ event: PauseEvent, _ now: DeliveryContext, into outputs: inout Outputs) {
        for client in clients.local.indices {
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard let outcome = clients[place].handle(event, at: now.instant) else { continue }
                hasNewNeeds = true
                tell(outcome, at: place, now, into: &outputs)
            }
        }
    }

    private mutating func tell(
        _ outcome: PauseOutcome, at place: SessionPlace, _ now: DeliveryContext, into outputs: inout Outputs
    ) {
        let (client, number) = (clients.id(of: place), clients[place].number)
        switch outcome {
        case .didPause(let reason):
            endTerm(.notUpdating, at: place, now, into: &outputs)
            outputs.send(client) { ClientEvent.appendPaused(reason: reason.name, session: number, to: &$0) }
        case .didResume(let reason):
            clients[place].loss = FixLoss(receiverIsOn: now.isReceiverOn, at: now.instant)
            outputs.send(client) { ClientEvent.appendResumed(reason: reason.name, session: number, to: &$0) }
        case .probeBegan, .probeEnded: break
        }
    }
}

// MARK: The indicator

extension Delivery {
    /// The board's light can be set, or not.
    mutating func found(indicator isThere: Bool, into outputs: inout Outputs) {
        hasIndicator = isThere
        if indicator.isOn { light(true, into: &outputs) }
    }

    /// Shows whether somebody follows the board from the background.
    mutating func settleIndicator(at instant: MonotonicInstant, into outputs: inout Outputs) {
        let isNeeded = clients.local.contains(where: \.mustShow)
        if let isOn = indicator.update(isNeeded: isNeeded, at: instant) { light(isOn, into: &outputs) }
    }

    mutating func advanceIndicator(to instant: MonotonicInstant, into outputs: inout Outputs) {
        if let isOn = indicator.advance(to: instant) { light(isOn, into: &outputs) }
    }

    /// A location was sent to a client: who is seen is seen for a moment more.
    mutating func delivered(clientAt client: Int, at instant: MonotonicInstant) {
        guard indicator.isOn, clients.local[client].mustShow else { return }
        indicator.delivered(at: instant)
    }

    private func light(_ isOn: Bool, into outputs: inout Outputs) {
        if hasIndicator { outputs.actions.append(.setLine(.indicator, isOn)) }
    }
}
