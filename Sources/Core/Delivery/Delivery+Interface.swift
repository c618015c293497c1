public import ClientProtocol
internal import ClientVocabulary
public import GNSS
public import GPSDProtocol
public import Parts
public import Power
internal import SextantJSON
public import SextantUnits

/// Values that the Engine reads.
extension Delivery {
    public var view: DeliveryView { DeliveryView(clients: clients, deferred: deferred) }

    /// The next instant at which `advance` must be called even if nothing else happens; nil for none.
    public var deadline: MonotonicInstant? { .earlier(clients.deadline, indicator.deadline) }
}

/// Commands that the Engine gives to `Delivery`.
extension Delivery {
    /// Takes a held-back fix that was in the durable log when the daemon started.
    ///
    /// - Parameter mayHave: Whether the session that a key identifies can belong to a client that is still served.
    public mutating func restore(_ record: [UInt8], _ turn: inout Turn, mayHave: (DeferredKey) -> Bool) {
        guard let (key, fix) = DeferredFix.decode(record.span) else {
            turn.log(.unreadableDeferredFix(byteCount: record.count))
            return
        }
        guard mayHave(key) else {
            // If the client's manifest is gone, the client no longer exists, so its fix is deleted.
            return turn.actions.append(.acknowledge(.deferred(key), through: fix.sequence))
        }
        deferred.restore(fix, for: key) { turn.actions.append(.acknowledge(.deferred($0), through: $1)) }
    }

    /// Adds a connection of the local socket; its client has already been sent its authorization.
    public mutating func connected(_ grant: ConnectionGrant, userID: UInt32?) {
        clients.local.append(DeliveryClient(grant, userID: userID))
    }

    /// Adds a connection of the gpsd port.
    public mutating func connected(gpsd id: ClientID, _ turn: inout Turn) {
        clients.gpsd.append(GPSDClient(id: id))
        turn.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
    }

    public mutating func gone(_ id: ClientID, _ turn: inout Turn) {
        clients.remove(id)
        deferred.release(id)
        turn.tell(.deliveryNeeds)
    }

    /// Applies to each connection's sessions what the client is allowed now, and tells clients that they are denied if
    /// they were not before.
    public mutating func settle(
        _ grants: [ConnectionGrant], port: [(connection: ClientID, grant: LocationGrant)], _ now: DeliveryContext,
        _ turn: inout Turn
    ) {
        turn.tell(.deliveryNeeds)
        for grant in grants { apply(grant, now, &turn) }
        for (id, grant) in port {
            for client in clients.gpsd.indices where clients.gpsd[client].id == id {
                clients.gpsd[client].grant = grant
            }
        }
    }

    /// Switches the indicator light, sends the last known location to new sessions, and sends held-back fixes to
    /// connections that came to the foreground.
    public mutating func welcome(_ now: DeliveryContext, _ turn: inout Turn) {
        settleIndicator(&turn)
        for newcomer in newcomers { welcome(newcomer, now, &turn) }
        newcomers.removeAll(keepingCapacity: true)
        for id in returned { deliverHeldInBackground(of: id, now, &turn) }
        returned.removeAll(keepingCapacity: true)
    }

    /// Handles an epoch and its fix: sends the epoch to clients that asked for whole epochs, answers requests for one
    /// position, and lets sessions pause or resume.
    public mutating func heard(_ epoch: Epoch, _ fix: Fix, _ now: DeliveryContext, _ turn: inout Turn) {
        publishToWatchers(epoch, hasSatellites: false, &turn)
        publishToWatchers(epoch, hasSatellites: true, &turn)
        if fix.hasPosition { answer(with: fix, &turn) }
        tellPauses(.fix(fix), now, &turn)
    }

    /// Sends an epoch to the gpsd clients that are allowed to see it.
    ///
    /// - Parameter speaksUBX: Whether the receiver sends only UBX frames; NMEA sentences are then made from the epoch.
    public mutating func tellGPSD(_ epoch: Epoch, speaksUBX: Bool, _ turn: inout Turn) {
        report(epoch, speaksUBX: speaksUBX, &turn)
    }

    /// Sends the offset of the host's clock from the receiver's time to the gpsd clients that asked for it.
    public func tellGPSD(_ offset: GPSDTimeOffset, _ turn: inout Turn) { report(offset, &turn) }

    /// Answers, for clients with full accuracy, the waiting requests for one position that this fix satisfies.
    public mutating func answer(with fix: Fix, _ turn: inout Turn) {
        for client in clients.local.indices where !clients.local[client].session.waits.isEmpty {
            guard clients.local[client].session.grant == .full else { continue }
            for wait in clients.local[client].session.takeAnswered(by: fix, at: turn.instant) {
                turn.tell(.deliveryNeeds)
                send(fix, since: turn.instant, wait, clientAt: client, &turn)
            }
        }
    }

    /// Delivers a fix to all sessions whose filter it passes, or holds it back for sessions that defer.
    ///
    /// - Parameter isNeeded: Whether some client needed the fix; if so, it ends every session's loss of position.
    public mutating func found(_ fix: Fix, isNeeded: Bool, _ now: DeliveryContext, _ turn: inout Turn) {
        if isNeeded { clients.forEachLocation { $0.loss.found(at: turn.instant) } }
        deliver(fix, now, &turn)
    }

    /// Delivers an estimate of reduced accuracy to all clients that are allowed only reduced accuracy.
    public mutating func found(_ estimate: ReducedAccuracy.Estimate, _ turn: inout Turn) {
        for index in clients.indices where clients[index].grant == .reduced && !clients[index].isPaused {
            let context = LocationObject.Context(session: clients[index].number)
            send(estimate, context, clientAt: index.client, &turn)
        }
        for client in clients.local.indices {
            answerWaits(with: estimate, clientAt: client, &turn)
        }
        deliverToGPSD(estimate, &turn)
        turn.tell(.deliveryNeeds)
    }

    public mutating func expireWaits(_ now: DeliveryContext, _ turn: inout Turn) {
        for client in clients.local.indices where !clients.local[client].session.waits.isEmpty {
            for wait in clients.local[client].session.takeExpired(at: turn.instant) {
                turn.tell(.deliveryNeeds)
                expire(wait, clientAt: client, now, &turn)
            }
        }
    }

    /// Does what has become due: switches the indicator light off, ends deferrals, pauses sessions, and reports that
    /// positions are missing.
    public mutating func advance(_ now: DeliveryContext, _ turn: inout Turn) {
        if let isOn = indicator.advance(to: turn.instant) { light(isOn, &turn) }
        endTerms(now, &turn)
        tellPauses(.timePassed, now, &turn)
        // Losses come after the pauses, because a session that has just been paused does not lack a position.
        tellLosses(now, &turn)
    }

    /// Tells sessions since when a known cause has prevented fixes; nil once it no longer does.
    public mutating func outage(since: MonotonicInstant?) {
        guard since != nil || hadOutage else { return }
        hadOutage = since != nil
        clients.forEachLocation { $0.loss.outage(since: since) }
    }

    /// Tells all sessions that the board moves or is at rest, or that the receiver was switched on or put to sleep.
    public mutating func sensed(_ event: PauseEvent, _ now: DeliveryContext, _ turn: inout Turn) {
        if case .motion(let moves) = event { isMoving = moves }
        if case .receiver(let isOn) = event {
            clients.forEachLocation { $0.loss.receiver(isOn: isOn, at: turn.instant) }
        }
        tellPauses(event, now, &turn)
    }

    /// Remembers whether the board has an indicator light that can be switched.
    public mutating func found(indicator isThere: Bool, _ turn: inout Turn) {
        hasIndicator = isThere
        if indicator.isOn { light(true, &turn) }
    }

    /// Handles a change of a client's permission: if the client is no longer allowed full accuracy, the fixes held back
    /// for it are deleted.
    public mutating func heard(_ news: ClientNews, _ turn: inout Turn, isLimited: (String) -> Bool) {
        guard case .changed(let client) = news, isLimited(client) else { return }
        forget(client, &turn)
    }

    /// Deletes the fixes that are held back for a client.
    public mutating func forget(_ client: String, _ turn: inout Turn) {
        deferred.forget(client) { turn.actions.append(.acknowledge(.deferred($0), through: $1)) }
    }

    /// Serves a connection's requests about location sessions, whole epochs and single positions.
    ///
    /// - Parameter predictedStart: The time in seconds within which the receiver finds a fix in 95 of 100 cases.
    public mutating func serve(
        _ request: ClientRequest, of id: ClientID, predictedStart: Double?, _ now: DeliveryContext,
        _ turn: inout Turn
    ) {
        guard let client = clients.index(of: id) else { return }
        turn.tell(.deliveryNeeds)
        answer(request, clientAt: client, predictedStart: predictedStart, now, &turn)
    }

    /// Answers a client of the gpsd port.
    ///
    /// - Parameter lastEpoch: The most recent complete epoch; nil if there has been none.
    public mutating func serve(
        _ id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, _ described: GPSDDevice, lastEpoch: Epoch?,
        _ turn: inout Turn
    ) {
        guard let index = clients.gpsd.firstIndex(where: { $0.id == id }) else { return }
        answer(request, of: index, described, lastEpoch: lastEpoch, &turn)
    }

    /// Tells gpsd clients with a JSON watch that the device came or went.
    public func tellGPSD(_ described: GPSDDevice, _ turn: inout Turn) {
        for client in clients.gpsd where client.session.wantsReports {
            turn.send(client.id) { GPSDReply.appendDevice(described.shown(to: client.grant), to: &$0) }
        }
    }
}
