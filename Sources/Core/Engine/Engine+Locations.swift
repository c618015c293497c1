internal import ClientProtocol
internal import GNSS
internal import JSONText
internal import Monitors
internal import Power
internal import Sessions
internal import Units

/// Reports to those who watch locations: filtered, paused, held back.
extension Engine {
    /// Whether a solution is good enough to be reported.
    func accepts(_ fix: Fix) -> Bool { DeliveryFilter.isValid(fix) }

    /// Gives an accepted solution to all whose filter it passes; to those who defer, later.
    mutating func deliver(
        _ fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        // One text does for all sessions of the same number.
        var written: (number: UInt8, range: Range<Int>)?
        for client in clients.local.indices {
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard clients[place].takes(fix, at: instant) else { continue }
                if clients[place].term != nil, take(fix, deferredAt: place, at: instant, into: &outputs) { continue }
                let number = clients[place].number
                if written?.number != number {
                    let start = outputs.text.count
                    LocationObject.append(
                        fix, age: 0, source: configuration.source, .init(session: number),
                        to: &outputs.text)
                    written = (number, start..<outputs.text.count)
                }
                if let range = written?.range { outputs.actions.append(.send(clients.id(of: place), range)) }
                delivered(clientAt: client, at: instant)
            }
        }
    }

    /// Begins a session's reports, or begins them anew with other settings.
    mutating func watch(
        _ settings: LocationSettings, _ options: WatchOptions, label: String, _ request: ClientRequest,
        clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        let session = clients.local[client].session
        let key = DeferredKey(
            userID: session.userID, client: session.client, label: label, session: request.session)
        guard settings.deferral == nil || claim(key, for: id, id: request.id, into: &outputs) else { return }
        outputs.send(id) { ClientEvent.appendWatching(true, session: request.session, id: request.id, to: &$0) }
        if request.session == 0 { clients.local[client].session.watchesSatellites = nil }
        clients.local[client].session.cancelOnce(ofSession: request.session)
        let place: SessionPlace
        if let session = clients.local[client].session.place(ofSession: request.session) {
            place = SessionPlace(client: client, session: session)
            restart(settings, options, key: key, at: place, at: instant, into: &outputs)
            deliverHeld(at: place, at: instant, into: &outputs) { _ in }
        } else {
            place = begin(settings, options, key: key, request.session, clientAt: client, at: instant, into: &outputs)
        }
        if let deferral = settings.deferral {
            beginTerm(deferral, onlyInBackground: false, id: request.id, at: place, at: instant, into: &outputs)
        }
    }

    private mutating func begin(
        _ settings: LocationSettings, _ options: WatchOptions, key: DeferredKey, _ number: UInt8,
        clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) -> SessionPlace {
        let place = SessionPlace(client: client, session: clients.local[client].session.locations.count)
        clients.local[client].session.locations.append(
            LocationSession(
                settings, number: number, options: options, key: key, beganInUse: isInUse(clientAt: client),
                at: instant))
        accessChanged(at: instant, into: &outputs)
        tellWhyNothingCame(at: place, into: &outputs)
        // What was held is older than what is known.
        deliverHeld(at: place, at: instant, into: &outputs) { _ in }
        deliverKnown(to: place, at: instant, into: &outputs)
        return place
    }

    /// What is known already comes at once, with its own time; the filter counts from it.
    private mutating func deliverKnown(
        to place: SessionPlace, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let context = LocationObject.Context(session: clients[place].number)
        let (client, source) = (clients.id(of: place), configuration.source)
        switch clients[place].grant {
        case .none: break
        case .reduced:
            guard let estimate = reduced.current(at: instant) else { return }
            send(estimate, context, clientAt: place.client, at: instant, into: &outputs)
        case .full:
            guard let (fix, since) = lastLocation, clients[place].takes(fix, at: instant) else { return }
            let age = Double(instant.nanoseconds(since: since)) * 1e-9
            outputs.send(client) {
                LocationObject.append(fix, age: age, source: source, context, to: &$0)
            }
        }
    }

    private mutating func restart(
        _ settings: LocationSettings, _ options: WatchOptions, key: DeferredKey, at place: SessionPlace,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let client = clients.id(of: place)
        endTerm(settings.deferral == nil ? .asked : .canceled, at: place, at: instant, into: &outputs)
        if clients[place].key != key { deferred.release(clients[place].key, of: client) }
        let number = clients[place].number
        clients[place].options = options
        let wasPaused = clients[place].restart(settings, key: key, at: instant)
        accessChanged(at: instant, into: &outputs)
        guard wasPaused else { return }
        if let isMoving { _ = clients[place].handle(.motion(isMoving), at: instant) }
        outputs.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, session: number, to: &$0) }
    }

    /// Other settings for a session that goes on.
    mutating func change(
        to settings: LocationSettings, _ options: WatchOptions, at place: SessionPlace, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        clients[place].options = options
        let wasPaused = clients[place].isPaused
        clients[place].change(to: settings, at: instant)
        accessChanged(at: instant, into: &outputs)
        if let refusal = DeferralEnd.refusal(of: settings) {
            endTerm(refusal, at: place, at: instant, into: &outputs)
        }
        guard wasPaused, !clients[place].isPaused else { return }
        let (client, number) = (clients.id(of: place), clients[place].number)
        outputs.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, session: number, to: &$0) }
    }

    /// Ends a session's reports; what was held back for it is delivered.
    mutating func endLocations(at place: SessionPlace, at instant: MonotonicInstant, into outputs: inout Outputs) {
        endTerm(.asked, at: place, at: instant, into: &outputs)
        let (client, key) = (clients.id(of: place), clients[place].key)
        clients.local[place.client].session.locations.remove(at: place.session)
        deferred.release(key, of: client)
        accessChanged(at: instant, into: &outputs)
    }
}

// MARK: Losses

extension Engine {
    /// Whether the receiver looks for positions, or should.
    var isReceiverOn: Bool { managed?.isAsleep != true }

    /// A usable fix came: nobody lacks one.
    mutating func endLosses(at instant: MonotonicInstant) {
        for place in clients.places { clients[place].loss.found(at: instant) }
    }

    mutating func receiverChanged(isOn: Bool, at instant: MonotonicInstant) {
        for place in clients.places { clients[place].loss.receiver(isOn: isOn, at: instant) }
    }

    /// Tells those who lack a position for long, once.
    mutating func tellLosses(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in clients.places where clients[place].isRunning {
            guard clients[place].loss.advance(to: instant) else { continue }
            let number = clients[place].number
            let reason = outageReason
            outputs.send(clients.id(of: place)) {
                ClientEvent.appendFailed(0, reason: reason, session: number, id: nil, to: &$0)
            }
        }
    }

    /// Why no position comes; nil where that is not known.
    var outageReason: StaticString? {
        if let managed { return managed.policy.outageReason?.name }
        // A receiver that is only listened to reports also where it finds nothing.
        return (line.state == .receiving ? OutageReason.noSky : .receiverUnreachable).name
    }

    /// Tells sessions since when no fix comes for a reason that is known, or that it does again.
    mutating func outageChanged() {
        let since = managed?.outage.since
        guard since != nil || hadOutage else { return }
        hadOutage = since != nil
        for place in clients.places { clients[place].loss.outage(since: since) }
    }
}

// MARK: Pauses

extension Engine {
    mutating func sensed(motion moves: Bool, at instant: MonotonicInstant, into outputs: inout Outputs) {
        isMoving = moves
        managed?.sensed(motion: moves, at: instant)
        path.sensed(motion: moves, at: instant)
        tellPauses(.motion(moves), at: instant, into: &outputs)
    }

    /// Tells every session's monitor, and its client what it finds.
    mutating func tellPauses(_ event: PauseEvent, at instant: MonotonicInstant, into outputs: inout Outputs) {
        var hasChanged = false
        for client in clients.local.indices {
            for session in clients.local[client].session.locations.indices {
                let place = SessionPlace(client: client, session: session)
                guard let outcome = clients[place].handle(event, at: instant) else { continue }
                hasChanged = true
                tell(outcome, at: place, at: instant, into: &outputs)
            }
        }
        if hasChanged { demandChanged() }
    }

    private mutating func tell(
        _ outcome: PauseOutcome, at place: SessionPlace, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let (client, number) = (clients.id(of: place), clients[place].number)
        switch outcome {
        case .didPause(let reason):
            endTerm(.notUpdating, at: place, at: instant, into: &outputs)
            outputs.send(client) { ClientEvent.appendPaused(reason: reason.name, session: number, to: &$0) }
        case .didResume(let reason):
            clients[place].loss = FixLoss(receiverIsOn: isReceiverOn, at: instant)
            outputs.send(client) { ClientEvent.appendResumed(reason: reason.name, session: number, to: &$0) }
        case .probeBegan, .probeEnded: break
        }
    }
}
