internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Delivery
internal import Fusion
internal import GNSS
internal import GPSDProtocol
internal import Monitoring
internal import Outbox
internal import Parts
internal import Power
internal import SextantUnits

/// Passes each client's request to the part of the Engine that answers it.
extension Engine {
    func serve(_ id: ClientID, _ request: Result<ClientRequest, RefusedRequest>, _ turn: inout Turn) {
        guard access.view.isConnected(id) else { return }
        switch request {
        case .failure(let refused):
            let problem = refused.problem
            turn.send(id) { ClientEvent.appendError(problem.code, problem.message, id: refused.id, to: &$0) }
        case .success(let request):
            turn.asker = Turn.Asker(connection: id, request: request.id)
            if !request.kind.needsNoManifest,
                access.refuses(id, request: request.id, hasCompass: headings.view.hasCompass, &turn)
            {
                return
            }
            serve(request, of: id, &turn)
            access.serve(request, of: id, &turn)
        }
    }

    /// Answers a request of a client of the gpsd port.
    func serve(gpsd id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, _ turn: inout Turn) {
        delivery.serve(id, request, reception.view.gpsdDevice, lastEpoch: reception.view.knownEpoch, &turn)
        reception.settle(delivery.view.readers)
        guard case .success(.watch(let policy?)) = request, policy.enable != false else { return }
        access.serve(watchOf: id, &turn)
    }

    private func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        switch request.kind {
        case .status: sendStatus(to: id, request: request.id, &turn)
        case .watchStatus(let isWatching): reporting.serve(isWatching, of: id, request: request.id)
        case .energy:
            guard mayKnowEnergy(id, request: request.id, &turn) else { return }
            let report = power.view.energyReport(at: turn.instant)
            guard let report else { return Engine.refuseEnergy(id, request: request.id, &turn) }
            let label = energyLabel(of: id)
            let host = hostSleeping.view.energy(report.sinceBoot, seenBy: label)
            turn.send(id) {
                ClientEvent.appendEnergy(label.map(report.seen) ?? report, host: host, id: request.id, to: &$0)
            }
        case .energyHistory(let window):
            guard mayKnowEnergy(id, request: request.id, &turn) else { return }
            tellEnergy(of: window, to: id, request: request.id, &turn)
        case .ping: turn.send(id) { ClientEvent.appendPong(id: request.id, to: &$0) }
        case .watch, .watchPassively, .watchLocations, .change, .defer, .undefer, .unwatch, .flush, .locate,
            .locateOnce,
            .release:
            let start = power.view.predictedStart(at: turn.instant)
            var context = context
            context.uncertainty = power.view.uncertainty(at: turn.instant)
            delivery.serve(request, of: id, predictedStart: start, context, &turn)
            if case .release = request.kind {
                headings.serve(request, of: id, &turn)
                range(request, of: id, &turn)
            }
            turn.tell(.access)
        // Requests about the client's authorization and service sessions are served by `access` alone.
        case .state, .authorize, .authorizeFullAccuracy, .holdSession, .releaseSession: break
        case .holdHost(let seconds): carryOut(hostSleeping.hold(seconds: seconds, &turn), &turn)
        case .monitoring(let kind):
            guard let client = access.view.client(of: id) else { return }
            monitoring.serve(
                kind, id: request.id, of: client, on: id, access.view.grants, positioning.whereabouts, &turn)
        case .regionState(let identifier, let region):
            let isInside = isInside(identifier, region, for: id)
            turn.send(id) {
                ClientEvent.appendRegionState(identifier, isInside: isInside, id: request.id, to: &$0)
            }
        case .rangeBeacons, .stopRangingBeacons: range(request, of: id, &turn)
        case .acknowledge, .extendWake: outbox.serve(request, of: id, events, &turn)
        case .watchHeading, .changeHeading, .unwatchHeading, .displayHeadingCalibration, .dismissHeadingCalibration:
            headings.serve(request, of: id, &turn)
        case .operator(let kind): serve(kind, id: request.id, of: id, &turn)
        }
    }

    private func range(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let grant = access.view.grant(of: id) else { return }
        let rangingGrant = RangingGrant(grant, isOperator: access.view.isOperator(id))
        ranging.serve(request, rangingGrant, radio.view.state(at: turn.instant), &turn)
    }

    private func isInside(_ identifier: String, _ region: RegionRequest?, for id: ClientID) -> Bool? {
        guard let grant = access.view.grant(of: id), let client = grant.client, grant.grant == .full else { return nil }
        return monitoring.view.isInside(identifier, region, of: client, positioning.whereabouts)
    }

    /// Whether a connection is allowed to know what the receiver does, which reveals when the board moves.
    private func maySeeMovement(_ id: ClientID) -> Bool {
        access.view.isOperator(id) || access.view.grant(of: id)?.grant == .full
    }

    /// Whether a connection is allowed to know the energy used; if not, it is sent an error.
    private func mayKnowEnergy(_ id: ClientID, request: String?, _ turn: inout Turn) -> Bool {
        if maySeeMovement(id) { return true }
        turn.send(id) {
            ClientEvent.appendError(
                .denied,
                "the energy tells when the board moves, so it is for operators and for clients with full "
                    + "accuracy; an operator sees it: sudo sextant energy",
                id: request, to: &$0)
        }
        return false
    }

    /// The name of the energy account (a client's share of the energy used) that a connection is allowed to see; nil
    /// for an operator, who sees all accounts.
    ///
    /// Of the other accounts, the connection sees only the sum.
    private func energyLabel(of id: ClientID) -> String? {
        access.view.isOperator(id) ? nil : access.view.payer(of: id)
    }

    private static func refuseEnergy(_ id: ClientID, request: String?, _ turn: inout Turn) {
        turn.send(id) {
            ClientEvent.appendError(
                .unavailable,
                "the board's power draws are not known; start sextantd with --board, or name a board in sextant.json5",
                id: request, to: &$0)
        }
    }

    /// Sends the energy used in each minute of the last hour, or in each quarter of an hour of the last day.
    private func tellEnergy(
        of window: EnergyLedger.HistoryWindow, to id: ClientID, request: String?,
        _ turn: inout Turn
    ) {
        guard let rows = power.view.energyHistory(of: window, at: turn.instant) else {
            return Engine.refuseEnergy(id, request: request, &turn)
        }
        let (label, clock, instant) = (energyLabel(of: id), positioning.whereabouts.clock, turn.instant)
        turn.send(id) { text in
            for row in rows {
                ClientEvent.appendEnergyRow(
                    label.map(row.spent.seen) ?? row.spent, from: clock.utc(row.began),
                    secondsAgo: instant.seconds(since: row.began), id: request, to: &text)
            }
            ClientEvent.appendEnergyHistory(window, count: rows.count, id: request, to: &text)
        }
    }

    private func sendStatus(to id: ClientID, request: String?, _ turn: inout Turn) {
        let full = status(at: turn.instant, isOperator: access.view.isOperator(id))
        let status = maySeeMovement(id) ? full : full.withoutMovement
        turn.send(id) { ClientEvent.appendStatus(status, id: request, to: &$0) }
    }

    /// Sends the status to each client that follows it, when the reason why no positions come has changed for that
    /// client.
    func tellStatus(_ turn: inout Turn) {
        guard !reporting.isEmpty else { return }
        let state = positionState(at: turn.instant)
        let due = reporting.advance(to: turn.instant) { id in
            state == .absent || maySeeMovement(id) ? state : .comes
        }
        for reader in due { sendStatus(to: reader.id, request: reader.request, &turn) }
    }

    private func positionState(at instant: MonotonicInstant) -> PositionState {
        guard reception.view.isOpen else { return .absent }
        if let state = power.view.positionState(at: instant) { return state }
        guard reception.view.isReceiving else { return .unreachable }
        return reception.view.knownEpoch?.fix.hasPosition == true ? .comes : .noSky
    }

    private func status(at instant: MonotonicInstant, isOperator: Bool) -> DaemonStatus {
        var status = DaemonStatus()
        status.clients = access.view.connectionCount
        status.servicesEnabled = access.view.grants.servicesEnabled
        if let (fix, since) = positioning.whereabouts.last {
            status.secondsSinceFix = instant.seconds(since: since)
            status.horizontalAccuracy = fix.horizontalAccuracy
        }
        var counters = StatusCounters()
        reception.describe(&status, &counters, at: instant)
        power.describe(&status, &counters, positioning.whereabouts.clock, at: instant)
        status.host = hostSleeping.view.status(at: instant)
        status.timeService = timekeeping.status(
            joules: timekeeping.deadline == nil ? nil : power.view.joulesForTime(at: instant), at: instant)
        status.compass = headings.view.status(at: instant)
        status.radio = radio.view.status(
            RadioNeeds(
                regions: monitoring.view.beaconRegionCount, rangings: ranging.view.count,
                senders: ranging.view.senderCount),
            at: instant)
        status.spotTroubles = spots.view.troubles(at: instant)
        status.storeTrouble = access.view.trouble
        reporting.describe(&status, &counters)
        counters.regions = monitoring.view.regionCount
        counters.events = outbox.view.events(isOperator: isOperator)
        status.counters = counters
        return status
    }
}

// MARK: Operators

extension Engine {
    private func serve(_ request: OperatorRequest, id: String?, of connection: ClientID, _ turn: inout Turn) {
        guard access.view.isOperator(connection) else {
            return turn.send(connection) {
                ClientEvent.appendError(
                    .notOperator,
                    "only the board's root, the daemon's user and clients whose manifest says operator may ask this",
                    id: id, to: &$0)
            }
        }
        switch request {
        case .clients: listClients(id: id, to: connection, &turn)
        case .answer(let name, _, _, _):
            guard exists(name, id: id, for: connection, &turn) else { return }
            access.serve(request, id: id, of: connection, &turn)
        case .services, .agent: access.serve(request, id: id, of: connection, &turn)
        case .privacy(let name):
            guard name.map({ exists($0, id: id, for: connection, &turn) }) ?? true else { return }
            listStored(of: name, id: id, to: connection, &turn)
        case .track(let request): positioning.serve(request, id: id, to: connection, &turn)
        case .visits, .regions, .display:
            monitoring.serve(request, id: id, of: connection, access.view.grants, positioning.whereabouts.clock, &turn)
        case .compass(let request):
            headings.serve(request, id: id, of: connection, positioning.whereabouts.clock, &turn)
        case .host(let request):
            carryOut(hostSleeping.serve(request, &turn), &turn)
            let event: EventName =
                switch request {
                case .allowSleep: .allowHostSleep
                case .keepAwake: .keepHostAwake
                case .trySleep: .tryHostSleep
                }
            turn.confirm(connection) { ClientEvent.appendDone(event, id: id, to: &$0) }
        case .knownBeacons, .keepBeacon, .forgetBeacon, .setBeaconGain:
            knownBeacons.serve(request, id: id, of: connection, positioning.whereabouts.clock, &turn)
        case .advertise(let identity, let power):
            radio.serve(identity, measuredPower: power, id: id, of: connection, &turn)
        case .erase(let name, let what):
            guard exists(name, id: id, for: connection, &turn) else { return }
            erase(what, of: name, id: id, connection, &turn)
        }
    }

    /// Whether a client of this name has a manifest; where it has none, the operator is sent an error.
    private func exists(_ name: String, id: String?, for operator: ClientID, _ turn: inout Turn) -> Bool {
        guard !access.view.hasManifest(name) else { return true }
        turn.send(`operator`) {
            ClientEvent.appendError(
                .noSuchClient, "no client has a manifest named \"\(name)\"; sextant clients lists those that have",
                id: id, to: &$0)
        }
        return false
    }

    private func listClients(id: String?, to connection: ClientID, _ turn: inout Turn) {
        var objects = access.view.clientObjects(hasCompass: headings.view.hasCompass)
        for index in objects.indices {
            objects[index].registrations = monitoring.view.count(of: objects[index].name)
            objects[index].pendingEvents = outbox.view.count(of: objects[index].name)
        }
        turn.send(connection) { text in
            for object in objects { ClientEvent.append(object, id: id, to: &text) }
            ClientEvent.appendClients(count: objects.count, id: id, to: &text)
        }
    }

    // MARK: Privacy

    private func listStored(of name: String?, id: String?, to connection: ClientID, _ turn: inout Turn) {
        let names = name.map { [$0] } ?? access.view.clientNames
        let kept = names.flatMap { name in stored(of: name).filter { $0.count > 0 }.map { (name, $0.kind, $0.count) } }
        turn.send(connection) { text in
            for (name, kind, count) in kept {
                ClientEvent.appendStored(client: name, kind: kind, count: count, id: id, to: &text)
            }
            ClientEvent.appendPrivacy(count: kept.count, id: id, to: &text)
        }
    }

    private func stored(of name: String) -> [(kind: OperatorRequest.Stored, count: Int)] {
        [
            (.authorization, access.view.hasRecord(of: name) ? 1 : 0),
            (.registrations, monitoring.view.count(of: name)),
            (.events, outbox.view.count(of: name)), (.track, delivery.view.deferredCount(of: name)),
        ]
    }

    private func erase(
        _ what: OperatorRequest.Stored, of name: String, id: String?, _ connection: ClientID, _ turn: inout Turn
    ) {
        var count = 0
        for (kind, amount) in stored(of: name) where what == .all || what == kind {
            count += amount
        }
        if what == .all || what == .registrations {
            monitoring.forget(name, erase: true, &turn)
            // After the change `access`, monitoring registers the regions of the client's manifest again; whether the
            // board is inside them is not known at first.
            turn.tell(.access)
        }
        if what == .all || what == .track { delivery.forget(name, &turn) }
        // Events of regions and services whose registrations were erased must not be delivered.
        if what == .all || what == .events || what == .registrations {
            outbox.forget(name, access.view.grants, &turn)
        }
        if what == .all || what == .authorization { access.forget(name, .decisions, &turn) }
        if what == .all {
            turn.actions.append(.store(.erase(client: name)))
            access.forget(name, .absence(isDecided: true), &turn)
            if access.view.grants.manifest(of: name)?.isAbsent == false { outbox.erased(name, &turn) }
        }
        turn.confirm(connection) { ClientEvent.appendErased(count: count, id: id, to: &$0) }
    }
}
