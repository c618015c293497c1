public import ClientProtocol
internal import ClientVocabulary
internal import GPSDProtocol
internal import Parts
internal import Power
internal import Receivers
internal import SextantUnits

/// Delivers locations to clients: reports to location sessions (with deferral and pauses), single positions, whole
/// epochs, and gpsd's reports.
public struct Delivery: ~Copyable {
    let source: LocationObject.Source
    /// The path of the receiver's device, as gpsd clients see it.
    let device: String
    var clients = ClientTable()
    var deferred = DeferredQueues()
    var gpsdReport = GPSDReport()
    var indicator = Indicator()
    var hasIndicator = false
    /// Whether sessions were last told that a known cause prevents fixes.
    var hadOutage = false
    /// Whether the accelerometer last found that the board moves; nil where there is no accelerometer.
    var isMoving: Bool?
    /// Sessions that have just begun and have not been sent the last known location yet.
    var newcomers: [Newcomer] = []
    /// Connections that have come to the foreground and have not been sent the fixes held back for them yet.
    var returned: [ClientID] = []

    /// A session that has just begun, and the deferral that it asks for.
    struct Newcomer {
        let connection: ClientID
        let session: UInt8
        let deferral: Deferral?
        let request: String?
    }

    /// - Parameter device: The path of the receiver's device, as gpsd clients see it.
    public init(source: LocationObject.Source, device: String) {
        self.source = source
        self.device = device
    }

    // MARK: Access

    /// Applies to a connection's sessions what the client is allowed now, and tells the client if it is denied locations
    /// and was not before.
    mutating func apply(_ grant: ConnectionGrant, _ now: DeliveryContext, _ turn: inout Turn) {
        guard let client = clients.index(of: grant.connection) else { return }
        let old = clients.local[client].access
        if grant.isForeground, !old.isForeground { returned.append(grant.connection) }
        clients.local[client].take(grant, at: turn.instant)
        for index in clients.indices(ofClientAt: client) { hold(index, now, &turn) }
        if grant.isDenied, !old.isDenied { tellDenied(clientAt: client, &turn) }
        settleLive(clientAt: client, &turn)
    }

    /// Applies to a session what it is allowed now: if that is less than before, its deferral ends; if it is full
    /// accuracy, its held-back fixes are delivered.
    mutating func hold(_ index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn) {
        let (old, new) = (clients[index].grant, clients.local[index.client].grant(of: clients[index]))
        guard old != new else { return }
        let wasPaused = clients[index].isPaused
        if old == .full {
            // The session is allowed less than before, so its deferral ends. If the client has merely left the
            // foreground, it gets the held-back fixes; if an operator has reduced its access, they have already been
            // deleted.
            endTerm(new == .none ? .notUpdating : .accuracyTooLow, at: index, now, &turn)
        }
        clients[index].grant = new
        if wasPaused, new == .reduced { resume(index, now, &turn) }
        if new == .full { deliverHeld(at: index, now, &turn) { _ in } }
        if new == .reduced { noteReduced(index) }
        // The pause monitor gets no events at reduced accuracy, so it begins anew when the accuracy becomes full.
        guard old == .none || new == .full else { return }
        clients[index].begin(receiverIsOn: now.isReceiverOn, isSought: isSought(now), at: turn.instant)
        if let isMoving { _ = clients[index].sensed(.motion(isMoving), at: turn.instant) }
    }

    /// Has `welcome` send the present estimate to a session whose accuracy has become reduced.
    ///
    /// The next estimate of reduced accuracy can be 15 minutes away.
    private mutating func noteReduced(_ index: SessionIndex) {
        let (connection, session) = (clients.id(of: index), clients[index].number)
        guard !newcomers.contains(where: { $0.connection == connection && $0.session == session }) else { return }
        note(Newcomer(connection: connection, session: session, deferral: nil, request: nil))
    }

    /// Whether a position is sought now: the receiver is on, or sleeps only because searches found nothing.
    func isSought(_ now: DeliveryContext) -> Bool { now.isReceiverOn || hadOutage }

    /// Ends the pause of a session whose accuracy has become reduced.
    mutating func resume(_ index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn) {
        clients[index].begin(receiverIsOn: now.isReceiverOn, isSought: isSought(now), at: turn.instant)
        let (client, number) = (clients.id(of: index), clients[index].number)
        turn.send(client) { ClientEvent.appendResumed(reason: .asked, session: number, to: &$0) }
    }

    /// Tells each running session and waiting request of a connection, once, that the client is denied locations.
    mutating func tellDenied(clientAt client: Int, _ turn: inout Turn) {
        let id = clients.local[client].id
        for location in clients.local[client].session.locations where !location.options.isLive {
            turn.send(id) { ClientEvent.appendFailed(.denied, session: location.number, id: nil, to: &$0) }
        }
        tellWaitsDenied(clientAt: client, &turn)
    }

    /// Tells a connection's live-update sessions why they get no locations, each time the reasons change.
    mutating func settleLive(clientAt client: Int, _ turn: inout Turn) {
        guard clients.local[client].access.client != nil else { return }
        let diagnostics = clients.local[client].access.live.diagnostics
        for index in clients.indices(ofClientAt: client) {
            guard clients[index].options.isLive, clients[index].toldDiagnostics != diagnostics else { continue }
            // A new session gets no message if nothing prevents it from getting locations.
            let isNews = clients[index].toldDiagnostics != nil || !diagnostics.isEmpty
            clients[index].toldDiagnostics = diagnostics
            guard isNews else { continue }
            let number = clients[index].number
            turn.send(clients.id(of: index)) {
                ClientEvent.appendLiveDiagnostics(diagnostics.words, session: number, to: &$0)
            }
        }
    }

    /// Remembers a session that has begun; `welcome` sends it the last known location once its permission has been
    /// applied.
    mutating func note(_ newcomer: Newcomer) { newcomers.append(newcomer) }

    /// Tells a new session that its client is denied locations, or that the user cannot be asked for permission because
    /// the client states no purpose.
    func tellWhyNothingCame(at index: SessionIndex, _ turn: inout Turn) {
        let access = clients.local[index.client].access
        // There is no limit to how long a session waits for the user's permission, even if the user is asked only
        // later.
        let lacksPurpose = access.isUndecided && access.lacksPurpose
        guard access.isDenied || lacksPurpose, !clients[index].options.isLive else { return }
        let number = clients[index].number
        turn.send(clients.id(of: index)) {
            ClientEvent.appendFailed(
                .denied, reason: lacksPurpose ? .noPurpose : nil, session: number, id: nil, to: &$0)
        }
    }
}

// MARK: Receiver

extension Delivery {
    /// Tells each session that has had no position for a long time that the position is unknown, once per loss.
    mutating func tellLosses(_ now: DeliveryContext, _ turn: inout Turn) {
        for index in clients.indices where clients[index].awaitsPositions {
            guard clients[index].loss.advance(to: turn.instant) else { continue }
            // A session with reduced accuracy is not told of a loss as long as there is an estimate for it.
            let hasEstimate = now.whereabouts.estimate(at: turn.instant) != nil
            guard clients[index].grant == .full || !hasEstimate else { continue }
            let number = clients[index].number
            turn.send(clients.id(of: index)) {
                ClientEvent.appendFailed(.locationUnknown, reason: now.outageReason, session: number, id: nil, to: &$0)
            }
        }
    }

    /// Tells the pause monitor of a restarted session whether the accelerometer last found that the board moves.
    mutating func sense(at index: SessionIndex, at instant: MonotonicInstant) {
        if let isMoving { _ = clients[index].sensed(.motion(isMoving), at: instant) }
    }

    /// Passes an event, such as motion, to every session's pause monitor, and tells clients which sessions pause or
    /// resume.
    mutating func tellPauses(_ event: PauseEvent, _ now: DeliveryContext, _ turn: inout Turn) {
        for client in clients.local.indices {
            for index in clients.indices(ofClientAt: client) {
                guard let outcome = clients[index].sensed(event, at: turn.instant) else { continue }
                turn.tell(.deliveryNeeds)
                tell(outcome, at: index, now, &turn)
            }
        }
    }

    mutating func tell(
        _ outcome: PauseOutcome, at index: SessionIndex, _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let (client, number) = (clients.id(of: index), clients[index].number)
        switch outcome {
        case .didPause(let reason):
            endTerm(.notUpdating, at: index, now, &turn)
            turn.send(client) { ClientEvent.appendPaused(reason: reason.name, session: number, to: &$0) }
        case .didResume(let reason):
            clients[index].loss = FixLoss(receiverIsOn: now.isReceiverOn, at: turn.instant)
            turn.send(client) { ClientEvent.appendResumed(reason: reason.name, session: number, to: &$0) }
        case .probeBegan, .probeEnded: break
        }
    }
}

// MARK: The indicator

extension Delivery {
    /// Switches the indicator light on if any client uses locations in the background, otherwise off.
    mutating func settleIndicator(_ turn: inout Turn) {
        let isNeeded = clients.local.contains { $0.mustShow }
        if let isOn = indicator.settle(isNeeded: isNeeded, at: turn.instant) { light(isOn, &turn) }
    }

    /// Records that a location was sent to a client; if the indicator light is on for that client, it stays on for
    /// another second.
    mutating func delivered(clientAt client: Int, at instant: MonotonicInstant) {
        guard indicator.isOn, clients.local[client].mustShow else { return }
        indicator.delivered(at: instant)
    }

    func light(_ isOn: Bool, _ turn: inout Turn) {
        if hasIndicator { turn.actions.append(.setLine(.indicator, isOn)) }
    }
}
