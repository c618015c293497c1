internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import GPSDProtocol
internal import Power
internal import Receivers
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Delivers locations to clients: watches, single requests, deferral, pauses, whole epochs, and gpsd clients.
struct Delivery: ~Copyable {
    let source: LocationObject.Source
    /// The receiver's device, as gpsd's clients name it.
    let device: String
    var clients = ClientTable()
    var deferred = DeferredQueues()
    var gpsdReport = GPSDReport()
    var ranging = Ranging()
    private var indicator = Indicator()
    /// Whether the board has an indicator light that can be switched.
    private var hasIndicator = false
    /// Whether the sessions' last news of an outage was that one has begun.
    private var hadOutage = false
    /// Whether the accelerometer last found that the board moves; nil where there is no accelerometer.
    private var isMoving: Bool?
    /// Sessions that have just begun, until they are sent the last known location.
    private var newcomers: [Newcomer] = []
    /// Connections that came to the foreground, until they are sent the fixes held back for them.
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

    /// The position requests of all connections, for the receiver's power.
    var needs: [AccuracyRequest] { clients.requests }

    /// The numbers of the gpsd port's connections, by which the receiver's power knows them.
    var gpsdConnections: [UInt32] { clients.gpsd.map { $0.id.rawValue } }

    /// The gpsd clients that are sent the receiver's own messages.
    var readers: [PassthroughReader] { clients.readers }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { .earlier(.earlier(clients.deadline, indicator.deadline), ranging.deadline) }

    /// Whether any client may see only reduced-accuracy estimates.
    var hearsEstimates: Bool {
        clients.local.contains { $0.session.hearsEstimates } || clients.gpsd.contains { $0.grant == .reduced }
    }

    /// Connections whose watches asked to go on in the background, whether or not their manifest allows it.
    var watchersInBackground: [ClientID] {
        clients.local.filter { $0.session.locations.contains { $0.goesOnInBackground } }.map { $0.id }
    }

    /// What each session that watches locations may see; a connection that watches epochs counts as session 0.
    var sessionGrants: [SessionGrant] {
        clients.local.flatMap { client in
            var grants = client.session.locations.map {
                SessionGrant(connection: client.id, session: $0.number, grant: $0.grant)
            }
            if client.session.epochs != nil, client.session.place(ofSession: 0) == nil,
                client.session.grant == .full
            {
                grants.append(SessionGrant(connection: client.id, session: 0, grant: .full))
            }
            return grants
        }
    }

    // MARK: Connections

    /// Adds a connection of the local socket, which was told its authorization already.
    mutating func connected(_ grant: ConnectionGrant, userID: UInt32?) {
        var client = DeliveryClient(id: grant.connection, session: LocalSession(userID: userID), access: grant)
        client.session.grant = grant.grant
        client.wasDenied = grant.isDenied
        clients.local.append(client)
    }

    /// Adds a connection of the gpsd port.
    mutating func connected(gpsd id: ClientID, _ turn: inout Turn) {
        clients.gpsd.append(GPSDClient(id: id))
        turn.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
    }

    mutating func gone(_ id: ClientID, _ turn: inout Turn) {
        clients.remove(id)
        deferred.release(id)
        ranging.gone(id)
        turn.tell(.deliveryNeeds)
    }

    // MARK: Access

    /// Applies what each connection may see now to its sessions, and tells the clients that are newly denied.
    mutating func follow(_ grants: [ConnectionGrant], _ now: DeliveryContext, _ turn: inout Turn) {
        turn.tell(.deliveryNeeds)
        for grant in grants {
            guard let client = clients.place(of: grant.connection) else { continue }
            if grant.isForeground, !clients.local[client].access.isForeground { returned.append(grant.connection) }
            if clients.local[client].access.isUndecided, !grant.isUndecided {
                clients.local[client].session.noteAnswer(at: now.instant)
            }
            clients.local[client].access = grant
            clients.local[client].session.grant = grant.grant
            for session in clients.local[client].session.locations.indices {
                hold(SessionPlace(client: client, session: session), now, &turn)
            }
            let wasDenied = clients.local[client].wasDenied
            clients.local[client].wasDenied = grant.isDenied
            if grant.isDenied, !wasDenied { tellDenied(clientAt: client, &turn) }
            settleLive(clientAt: client, &turn)
        }
    }

    /// Applies what a connection of the gpsd port may see now.
    mutating func grant(_ grant: LocationGrant, toGPSD id: ClientID) {
        for client in clients.gpsd.indices where clients.gpsd[client].id == id { clients.gpsd[client].grant = grant }
    }

    /// Applies what a session may see now: ends its deferral where that is less, delivers held fixes where it is more.
    mutating func hold(_ place: SessionPlace, _ now: DeliveryContext, _ turn: inout Turn) {
        let (old, new) = (clients[place].grant, clients.local[place.client].grant(of: clients[place]))
        guard old != new else { return }
        let wasPaused = clients[place].isPaused
        if old == .full {
            // The session may see less than before, so its deferral ends. Held fixes go to a client that has merely
            // left the foreground; where an operator reduced its access, they were forgotten before.
            endTerm(new == .none ? .notUpdating : .accuracyTooLow, at: place, now, &turn)
        }
        clients[place].grant = new
        if wasPaused, new == .reduced { resume(place, now, &turn) }
        if new == .full { deliverHeld(at: place, now, &turn) { _ in } }
        if new == .reduced { noteReduced(place) }
        guard old == .none else { return }
        clients[place].begin(receiverIsOn: now.isReceiverOn, at: now.instant)
        if let isMoving { _ = clients[place].handle(.motion(isMoving), at: now.instant) }
    }

    /// Has `welcome` send the present estimate to a running session that gets estimates from now on: the next one may be
    /// 15 minutes away.
    private mutating func noteReduced(_ place: SessionPlace) {
        let (connection, session) = (clients.id(of: place), clients[place].number)
        guard !newcomers.contains(where: { $0.connection == connection && $0.session == session }) else { return }
        note(Newcomer(connection: connection, session: session, deferral: nil, request: nil))
    }

    /// Ends the pause of a session whose accuracy is reduced from now on.
    private mutating func resume(_ place: SessionPlace, _ now: DeliveryContext, _ turn: inout Turn) {
        clients[place].begin(receiverIsOn: now.isReceiverOn, at: now.instant)
        let (client, number) = (clients.id(of: place), clients[place].number)
        turn.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, session: number, to: &$0) }
    }

    /// Tells each running session and waiting request of a connection, once, that the client is denied locations.
    private mutating func tellDenied(clientAt client: Int, _ turn: inout Turn) {
        let id = clients.local[client].id
        for location in clients.local[client].session.locations where !location.options.isLive {
            turn.send(id) { ClientEvent.appendFailed(1, session: location.number, id: nil, to: &$0) }
        }
        tellWaitsDenied(clientAt: client, &turn)
    }

    /// Tells a connection's live watches why they get no locations, whenever the reasons change.
    private mutating func settleLive(clientAt client: Int, _ turn: inout Turn) {
        guard clients.local[client].access.client != nil else { return }
        let diagnostics = clients.local[client].access.live.diagnostics
        for session in clients.local[client].session.locations.indices {
            let place = SessionPlace(client: client, session: session)
            guard clients[place].options.isLive, clients[place].toldDiagnostics != diagnostics else { continue }
            // A new watch that is not held up by anything needs no message.
            let isNews = clients[place].toldDiagnostics != nil || !diagnostics.isEmpty
            clients[place].toldDiagnostics = diagnostics
            guard isNews else { continue }
            let number = clients[place].number
            turn.send(clients.id(of: place)) {
                ClientEvent.appendLiveDiagnostics(diagnostics.words, session: number, to: &$0)
            }
        }
    }

    /// Sends what is known to sessions that have begun, and held fixes to connections that came to the foreground.
    mutating func welcome(_ now: DeliveryContext, _ turn: inout Turn) {
        for newcomer in newcomers {
            guard let client = clients.place(of: newcomer.connection),
                let session = clients.local[client].session.place(ofSession: newcomer.session)
            else { continue }
            let place = SessionPlace(client: client, session: session)
            tellWhyNothingCame(at: place, &turn)
            // Held fixes come first. The last known location was one of them, unless it is newer than all.
            deliverHeld(at: place, now, &turn) { _ in }
            if isNewerThanHeld(now.whereabouts.last?.fix.time, at: place) {
                deliverKnown(to: place, now, &turn)
            }
            guard let deferral = newcomer.deferral else { continue }
            beginTerm(deferral, onlyInBackground: false, id: newcomer.request, at: place, now, &turn)
        }
        newcomers.removeAll(keepingCapacity: true)
        for id in returned {
            guard let client = clients.place(of: id) else { continue }
            // A deferral for the background alone holds nothing back in the foreground.
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard clients[place].term?.onlyInBackground == true else { continue }
                deliverHeld(at: place, now, &turn) { _ in }
            }
        }
        returned.removeAll(keepingCapacity: true)
    }

    /// Notes a session that has begun; `welcome` sends it the known location once its access is settled.
    mutating func note(_ newcomer: Newcomer) { newcomers.append(newcomer) }

    /// Tells a session that began so at once where its client is denied locations, or cannot be asked about.
    private func tellWhyNothingCame(at place: SessionPlace, _ turn: inout Turn) {
        let access = clients.local[place.client].access
        // A watch waits for an answer as long as it takes, also for one to a question that is put later.
        let lacksPurpose = access.isUndecided && access.lacksPurpose
        guard access.isDenied || lacksPurpose, !clients[place].options.isLive else { return }
        let number = clients[place].number
        turn.send(clients.id(of: place)) {
            ClientEvent.appendFailed(1, reason: lacksPurpose ? "noPurpose" : nil, session: number, id: nil, to: &$0)
        }
    }
}

/// The state of the location and of the receiver at the time of a delivery.
struct DeliveryContext {
    let instant: MonotonicInstant
    let whereabouts: Whereabouts
    let clock: ReceiverClock
    let isReceiverOpen: Bool
    /// Whether the receiver is meant to be on, and not put to rest.
    let isReceiverOn: Bool
    /// The reason why no position comes; nil where it is not known.
    let outageReason: StaticString?
    /// The radius in metres that holds 68 % of where the board may be now; nil where nobody asks, or it is not known.
    var uncertainty: Double?
}

// MARK: Receiver

extension Delivery {
    /// Notes that a usable fix came, which ends every session's lack of one.
    mutating func endLosses(at instant: MonotonicInstant) {
        clients.forEachLocation { $0.loss.found(at: instant) }
    }

    /// Tells all sessions that the receiver was switched on or put to rest.
    mutating func receiverTurned(isOn: Bool, _ now: DeliveryContext, _ turn: inout Turn) {
        clients.forEachLocation { $0.loss.receiver(isOn: isOn, at: now.instant) }
        tellPauses(.receiver(isOn: isOn), now, &turn)
    }

    /// Tells each session that has lacked a position for long so, once.
    mutating func tellLosses(_ now: DeliveryContext, _ turn: inout Turn) {
        for place in clients.places where clients[place].awaitsPositions {
            guard clients[place].loss.advance(to: now.instant) else { continue }
            // With reduced accuracy no position is missing while there is an estimate.
            let hasEstimate = now.whereabouts.estimate(at: now.instant) != nil
            guard clients[place].grant == .full || !hasEstimate else { continue }
            let number = clients[place].number
            turn.send(clients.id(of: place)) {
                ClientEvent.appendFailed(0, reason: now.outageReason, session: number, id: nil, to: &$0)
            }
        }
    }

    /// Tells sessions the instant since which no fix comes for a known reason; nil once fixes come again.
    mutating func outage(since: MonotonicInstant?) {
        guard since != nil || hadOutage else { return }
        hadOutage = since != nil
        clients.forEachLocation { $0.loss.outage(since: since) }
    }

    mutating func sensed(motion moves: Bool, _ now: DeliveryContext, _ turn: inout Turn) {
        isMoving = moves
        tellPauses(.motion(moves), now, &turn)
    }

    /// Gives a session that begins anew the accelerometer's last finding.
    mutating func sense(at place: SessionPlace, at instant: MonotonicInstant) {
        if let isMoving { _ = clients[place].handle(.motion(isMoving), at: instant) }
    }

    /// Passes an event to every session's pause monitor, and tells clients of pauses and resumptions.
    mutating func tellPauses(_ event: PauseEvent, _ now: DeliveryContext, _ turn: inout Turn) {
        for client in clients.local.indices {
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard let outcome = clients[place].handle(event, at: now.instant) else { continue }
                turn.tell(.deliveryNeeds)
                tell(outcome, at: place, now, &turn)
            }
        }
    }

    private mutating func tell(
        _ outcome: PauseOutcome, at place: SessionPlace, _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let (client, number) = (clients.id(of: place), clients[place].number)
        switch outcome {
        case .didPause(let reason):
            endTerm(.notUpdating, at: place, now, &turn)
            turn.send(client) { ClientEvent.appendPaused(reason: reason.name, session: number, to: &$0) }
        case .didResume(let reason):
            clients[place].loss = FixLoss(receiverIsOn: now.isReceiverOn, at: now.instant)
            turn.send(client) { ClientEvent.appendResumed(reason: reason.name, session: number, to: &$0) }
        case .probeBegan, .probeEnded: break
        }
    }
}

// MARK: The indicator

extension Delivery {
    /// Notes whether the board's indicator light can be switched.
    mutating func found(indicator isThere: Bool, _ turn: inout Turn) {
        hasIndicator = isThere
        if indicator.isOn { light(true, &turn) }
    }

    /// Switches the indicator by whether any client uses locations in the background.
    mutating func settleIndicator(_ turn: inout Turn) {
        let isNeeded = clients.local.contains { $0.mustShow }
        if let isOn = indicator.update(isNeeded: isNeeded, at: turn.instant) { light(isOn, &turn) }
    }

    mutating func advanceIndicator(_ turn: inout Turn) {
        if let isOn = indicator.advance(to: turn.instant) { light(isOn, &turn) }
    }

    /// Notes that a location was sent to a client; where the indicator shows that client, it stays on a moment longer.
    mutating func delivered(clientAt client: Int, at instant: MonotonicInstant) {
        guard indicator.isOn, clients.local[client].mustShow else { return }
        indicator.delivered(at: instant)
    }

    private func light(_ isOn: Bool, _ turn: inout Turn) {
        if hasIndicator { turn.actions.append(.setLine(.indicator, isOn)) }
    }
}
