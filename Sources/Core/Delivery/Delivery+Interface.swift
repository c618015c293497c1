public import ClientProtocol
internal import ClientVocabulary
public import GNSS
public import GPSDProtocol
public import Parts
public import Power
internal import SextantJSON
public import SextantUnits

/// What is known of the board's location and of the receiver when something is delivered.
public struct DeliveryContext {
    public let whereabouts: Whereabouts
    public let clock: ReceiverClock
    public let isReceiverOpen: Bool
    /// Whether the daemon has the receiver on, and not asleep to save power.
    public let isReceiverOn: Bool
    /// The reason why no position comes; nil where it is not known.
    public let outageReason: StaticString?
    /// The radius in metres within which the board is now with a probability of 68 %; nil where it is not needed or
    /// known.
    public var uncertainty: Double?

    public init(
        whereabouts: Whereabouts, clock: ReceiverClock, isReceiverOpen: Bool, isReceiverOn: Bool,
        outageReason: StaticString?
    ) {
        self.whereabouts = whereabouts
        self.clock = clock
        self.isReceiverOpen = isReceiverOpen
        self.isReceiverOn = isReceiverOn
        self.outageReason = outageReason
    }
}

/// The clients' sessions and what they need from the receiver, as a copy that other parts of the daemon read.
public struct DeliveryView {
    fileprivate let clients: ClientTable
    fileprivate let deferred: DeferredQueues

    /// The position requests of all connections, from which the receiver's power mode is chosen.
    public var needs: [AccuracyRequest] { clients.requests }

    /// The numbers by which the position requests name the gpsd port's connections.
    public var gpsdConnections: [UInt32] { clients.gpsd.map { $0.id.rawValue } }

    /// The gpsd clients that get the GNSS receiver's raw messages.
    public var readers: [PassthroughReader] { clients.readers }

    /// Whether any client gets estimates of reduced accuracy in place of fixes.
    public var hearsEstimates: Bool {
        clients.local.contains { $0.session.hearsEstimates } || clients.gpsd.contains { $0.grant == .reduced }
    }

    /// The connections with sessions that asked for background reports, whether or not the manifest allows them.
    public var watchersInBackground: [ClientID] {
        clients.local.filter { $0.session.locations.contains { $0.goesOnInBackground } }.map { $0.id }
    }

    /// Whether all location sessions of a connection allow the host to sleep.
    public func allowsHostSleep(_ id: ClientID) -> Bool {
        guard let client = clients.index(of: id) else { return false }
        return clients.local[client].session.locations.allSatisfy { $0.options.allowsHostSleep }
    }

    /// Which locations each location session is allowed; for a connection that receives whole epochs, the session
    /// `LocationSession.epochs` stands for these.
    public var sessionGrants: [SessionGrant] {
        clients.local.flatMap { client in
            var grants = client.session.locations.map {
                SessionGrant(connection: client.id, session: $0.number, grant: $0.grant)
            }
            if client.session.epochs != nil, client.session.index(ofSession: LocationSession.epochs) == nil,
                client.session.grant == .full
            {
                grants.append(SessionGrant(connection: client.id, session: LocationSession.epochs, grant: .full))
            }
            return grants
        }
    }

    /// The number of fixes that are held back for a client.
    public func deferredCount(of client: String) -> Int { deferred.count(of: client) }
}

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
    /// - Parameter mayHave: Whether the fixes under a key can still belong to a client that is served.
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
        var client = DeliveryClient(id: grant.connection, session: LocalSession(userID: userID), access: grant)
        client.session.grant = grant.grant
        client.wasDenied = grant.isDenied
        clients.local.append(client)
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
        for grant in grants {
            guard let client = clients.index(of: grant.connection) else { continue }
            if grant.isForeground, !clients.local[client].access.isForeground { returned.append(grant.connection) }
            if clients.local[client].access.isUndecided, !grant.isUndecided {
                clients.local[client].session.noteAnswer(at: turn.instant)
            }
            clients.local[client].access = grant
            clients.local[client].session.grant = grant.grant
            for session in clients.local[client].session.locations.indices {
                hold(SessionIndex(client: client, session: session), now, &turn)
            }
            let wasDenied = clients.local[client].wasDenied
            clients.local[client].wasDenied = grant.isDenied
            if grant.isDenied, !wasDenied { tellDenied(clientAt: client, &turn) }
            settleLive(clientAt: client, &turn)
        }
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
        for newcomer in newcomers {
            guard let client = clients.index(of: newcomer.connection),
                let session = clients.local[client].session.index(ofSession: newcomer.session)
            else { continue }
            let index = SessionIndex(client: client, session: session)
            tellWhyNothingCame(at: index, &turn)
            // Held-back fixes are sent first. The last known location is one of them, or is newer and is sent after
            // them.
            deliverHeld(at: index, now, &turn) { _ in }
            if isNewerThanHeld(now.whereabouts.last?.fix.time, at: index) {
                deliverKnown(to: index, now, &turn)
            }
            guard let deferral = newcomer.deferral else { continue }
            beginTerm(deferral, onlyInBackground: false, id: newcomer.request, at: index, now, &turn)
        }
        newcomers.removeAll(keepingCapacity: true)
        for id in returned {
            guard let client = clients.index(of: id) else { continue }
            // A deferral that holds fixes back only in the background delivers them when the client comes to the
            // foreground.
            for session in clients.local[client].session.locations.indices {
                let index = SessionIndex(client: client, session: session)
                guard clients[index].term?.onlyInBackground == true else { continue }
                deliverHeld(at: index, now, &turn) { _ in }
            }
        }
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
        guard !clients.gpsd.isEmpty else { return }
        var range: Range<Int>?
        for client in clients.gpsd where client.grant == .full && client.session.reports(device) {
            if range == nil {
                let start = turn.text.count
                gpsdReport.append(epoch, device: device, to: &turn.text)
                range = start..<turn.text.count
            }
            if let range { turn.actions.append(.send(client.id, range)) }
        }
        if speaksUBX, clients.wantNMEA {
            let start = turn.text.count
            PseudoNMEA.append(epoch, to: &turn.text)
            for client in clients.gpsd where client.grant == .full && client.session.wantsNMEA {
                turn.actions.append(.send(client.id, start..<turn.text.count))
            }
        }
    }

    /// Sends the offset of the host's clock from the receiver's time to the gpsd clients that asked for it.
    public func tellGPSD(_ offset: GPSDTimeOffset, _ turn: inout Turn) {
        let start = turn.text.count
        var range: Range<Int>?
        // The times at which the receiver runs reveal when the board moves, so only clients with full access get the
        // offset.
        for client in clients.gpsd where client.grant == .full && client.session.reportsTime(device) {
            if range == nil { offset.append(device: device, to: &turn.text) }
            let written = range ?? start..<turn.text.count
            range = written
            turn.actions.append(.send(client.id, written))
        }
    }

    /// Answers the waiting requests for one position that this fix satisfies, of clients with full accuracy.
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
    /// - Parameter isNeeded: Whether some client needed the fix; only then does it end the loss of position of all
    ///   sessions.
    public mutating func found(_ fix: Fix, isNeeded: Bool, _ now: DeliveryContext, _ turn: inout Turn) {
        if isNeeded { clients.forEachLocation { $0.loss.found(at: turn.instant) } }
        // Consecutive sessions of one number share the text, which contains the number and is written only once.
        var written: (number: UInt8, range: Range<Int>)?
        for client in clients.local.indices {
            for session in clients.local[client].session.locations.indices {
                let index = SessionIndex(client: client, session: session)
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
        let index = clients.local[client].session.index(ofSession: request.session).map {
            SessionIndex(client: client, session: $0)
        }
        switch request.kind {
        case .watch(let satellites):
            watch(EpochWatch(hasSatellites: satellites), request, clientAt: client, now, &turn)
        case .watchPassively(let satellites, let interval):
            let epochs = EpochWatch(hasSatellites: satellites, isPassive: true, minimumInterval: interval)
            watch(epochs, request, clientAt: client, now, &turn)
        case .watchLocations(let settings, let options, let label):
            watch(settings, options, label: label, request, clientAt: client, now, &turn)
        case .change(let settings, let options):
            if let index { change(to: settings, options, at: index, now, &turn) }
        case .defer(let deferral, let onlyInBackground):
            `defer`(deferral, onlyInBackground: onlyInBackground, request, clientAt: client, now, &turn)
        case .undefer: if let index { endTerm(.asked, at: index, now, &turn) }
        case .unwatch:
            endAll(request.session, clientAt: client, now, &turn)
            turn.send(id) {
                ClientEvent.appendWatching(false, session: request.session, id: request.id, to: &$0)
            }
        case .flush: flush(request, clientAt: client, now, &turn)
        case .locate(let seconds, let accuracy):
            let deadline = turn.instant.advanced(bySeconds: seconds)
            wait(LocationWait(.next(accuracy: accuracy), until: deadline, id: request.id), clientAt: client, now, &turn)
        case .locateOnce(let accuracy):
            locateOnce(accuracy, request, clientAt: client, predictedStart: predictedStart, now, &turn)
        case .release: endAll(request.session, clientAt: client, now, &turn)
        default: break
        }
    }

    /// Answers a client of the gpsd port.
    ///
    /// - Parameter lastEpoch: The most recent complete epoch; nil if there has been none.
    public mutating func serve(
        _ id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, _ described: GPSDDevice, lastEpoch: Epoch?,
        _ turn: inout Turn
    ) {
        guard let index = clients.gpsd.firstIndex(where: { $0.id == id }) else { return }
        let described = described.shown(to: clients.gpsd[index].grant)
        switch request {
        case .failure(let problem): turn.send(id) { GPSDReply.appendError(problem.message, to: &$0) }
        case .success(.nothing): break
        case .success(.version):
            turn.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        case .success(.devices): turn.send(id) { GPSDReply.appendDevices(described, to: &$0) }
        case .success(.device): turn.send(id) { GPSDReply.appendDevice(described, to: &$0) }
        case .success(.watch(let policy)):
            if let policy {
                clients.gpsd[index].session.watch(policy)
                turn.tell(.deliveryNeeds)
            }
            let current = clients.gpsd[index].session.policy
            turn.send(id) {
                GPSDReply.appendDevices(described, to: &$0)
                GPSDReply.appendWatch(current, to: &$0)
            }
        case .success(.poll): answerPoll(clients.gpsd[index], described, lastEpoch, &turn)
        }
    }

    /// Tells gpsd clients with a JSON watch that the device came or went.
    public func tellGPSD(_ described: GPSDDevice, _ turn: inout Turn) {
        for client in clients.gpsd where client.session.wantsReports {
            turn.send(client.id) { GPSDReply.appendDevice(described.shown(to: client.grant), to: &$0) }
        }
    }
}
