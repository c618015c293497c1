internal import ClientProtocol
internal import GNSS
internal import JSONText
internal import Power
internal import Sessions
internal import Units

/// Reports to those who watch locations: filtered, paused, held back.
extension Engine {
    /// Whether a solution is good enough to be reported.
    func accepts(_ fix: Fix) -> Bool { DeliveryFilter.isValid(fix) }

    /// Gives an accepted solution to all whose filter it passes; to those who defer, later.
    mutating func deliver(
        _ fix: Fix, errors: ErrorStatistics?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        var written: Range<Int>?
        for place in clients.local.indices {
            guard clients.local[place].session.location?.takes(fix, at: instant) == true else { continue }
            if clients.local[place].session.location?.term != nil {
                hold(fix, clientAt: place, at: instant, into: &outputs)
                continue
            }
            let start = outputs.text.count
            if written == nil { LocationObject.append(fix, errors: errors, age: 0, id: nil, to: &outputs.text) }
            let line = written ?? start..<outputs.text.count
            written = line
            outputs.actions.append(.send(clients.local[place].id, line))
        }
    }

    /// Begins or changes a client's reports.
    mutating func watch(
        _ settings: LocationSettings, label: String, id: String?, clientAt place: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let client = clients.local[place].id
        let key = DeferredKey(userID: clients.local[place].session.userID, label: label)
        guard settings.deferral == nil || claim(key, for: client, id: id, into: &outputs) else { return }
        outputs.send(client) { ClientEvent.appendWatching(true, id: id, to: &$0) }
        clients.local[place].session.watchesSatellites = nil
        if clients.local[place].session.location == nil {
            begin(settings, key: key, clientAt: place, at: instant, into: &outputs)
        } else {
            change(to: settings, key: key, clientAt: place, at: instant, into: &outputs)
        }
        deliverHeld(clientAt: place, at: instant, into: &outputs) { _ in }
        if let deferral = settings.deferral {
            beginTerm(deferral, settings, id: id, clientAt: place, at: instant, into: &outputs)
        }
    }

    private mutating func begin(
        _ settings: LocationSettings, key: DeferredKey, clientAt place: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        var session = LocationSession(settings, key: key, at: instant)
        if let isMoving { _ = session.handle(.motion(isMoving), at: instant) }
        // What is known already comes at once, with its own time; the filter counts from it.
        if let (fix, since) = lastLocation, session.takes(fix, at: instant) {
            let age = Double(instant.nanoseconds(since: since)) * 1e-9
            outputs.send(clients.local[place].id) {
                LocationObject.append(fix, errors: nil, age: age, id: nil, to: &$0)
            }
        }
        clients.local[place].session.location = session
    }

    private mutating func change(
        to settings: LocationSettings, key: DeferredKey, clientAt place: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let client = clients.local[place].id
        endTerm(settings.deferral == nil ? .asked : .canceled, clientAt: place, at: instant, into: &outputs)
        if let old = clients.local[place].session.location?.key, old != key { deferred.release(old, of: client) }
        guard clients.local[place].session.location?.change(to: settings, key: key, at: instant) == true else { return }
        if let isMoving { _ = clients.local[place].session.location?.handle(.motion(isMoving), at: instant) }
        outputs.send(client) { ClientEvent.appendResumed(reason: ResumeReason.asked.name, to: &$0) }
    }

    /// Ends a client's reports, if it has any; what was held back for it is delivered.
    mutating func endLocations(ofClientAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard clients.local[place].session.location != nil else { return }
        endTerm(.asked, clientAt: place, at: instant, into: &outputs)
        clients.local[place].session.location = nil
        deferred.release(clients.local[place].id)
    }
}

// MARK: Pauses

extension Engine {
    mutating func sensed(motion moves: Bool, at instant: MonotonicInstant, into outputs: inout Outputs) {
        isMoving = moves
        managed?.sensed(motion: moves, at: instant)
        tellPauses(.motion(moves), at: instant, into: &outputs)
    }

    /// Tells every client's monitor, and its client what it finds.
    mutating func tellPauses(_ event: PauseEvent, at instant: MonotonicInstant, into outputs: inout Outputs) {
        var hasChanged = false
        for place in clients.local.indices {
            guard let outcome = clients.local[place].session.location?.handle(event, at: instant) else { continue }
            hasChanged = true
            let client = clients.local[place].id
            switch outcome {
            case .didPause(let reason):
                endTerm(.notUpdating, clientAt: place, at: instant, into: &outputs)
                outputs.send(client) { ClientEvent.appendPaused(reason: reason.name, to: &$0) }
            case .didResume(let reason):
                outputs.send(client) { ClientEvent.appendResumed(reason: reason.name, to: &$0) }
            case .probeBegan, .probeEnded: break
            }
        }
        if hasChanged { demandChanged() }
    }
}
