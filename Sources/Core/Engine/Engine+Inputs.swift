internal import Beacons
internal import ClientProtocol
internal import Fusion
internal import GPSDProtocol
internal import Power
internal import Receivers
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Passes each input to the parts of the Engine that it concerns, in a fixed order.
extension Engine {
    func take(_ input: Input, _ turn: inout Turn) {
        switch input {
        case .started:
            outbox.started(at: turn.instant)
            power.manager?.started(&turn)
            reception.begin(&turn)
            headings.begin(&turn)
        case .deviceOpened(let link, let time): opened(link, time: time, &turn)
        case .deviceFailed(let absence, let detail): failed(absence, detail, &turn)
        case .deviceAppeared: reception.appeared(&turn)
        case .linesOpened(let lines, let problem):
            power.manager?.linesOpened(lines, problem: problem, at: turn.instant)
            delivery.found(indicator: lines.contains(.indicator), &turn)
        case .motion(let moves):
            power.manager?.sensed(motion: moves, at: turn.instant)
            positioning.sensed(motion: moves, at: turn.instant)
            monitoring.sensed(motion: moves, at: turn.instant)
            delivery.sensed(motion: moves, context(at: turn.instant), &turn)
            delivery.ranging.sensed(motion: moves)
            spots.sensed(motion: moves, at: turn.instant)
        case .compassFound(let chips):
            let wasAvailable = headings.isAvailable
            headings.found(chips, &turn)
            if !wasAvailable { access.announce(capabilities, &turn) }
        case .compassAbsent(let detail): headings.absent(detail, &turn)
        case .compassFailed(let detail): headings.failed(detail, &turn)
        case .compassSampled(let sample):
            let hint = headings.sampled(sample, positioning.whereabouts, &turn)
            guard let hint else { return }
            positioning.sensed(heading: hint.degreesTrue, accuracy: hint.accuracy, at: hint.instant)
        case .radioOpened: radio.opened(at: turn.instant)
        case .radioFailed(let detail): radio.failed(detail, at: turn.instant)
        case .radioEvent(let event):
            guard let heard = radio.take(event, at: turn.instant) else { break }
            delivery.ranging.heard(heard, at: turn.instant)
            spots.heard(heard, at: turn.instant)
            monitoring.heard(heard.beacon.identity, radio.standing(at: turn.instant), positioning.clock, &turn)
        case .admission(let admission): admit(admission, &turn)
        case .clientConnected(let id, .local, let identity, _): connected(id, identity, &turn)
        case .clientConnected(let id, .gpsd, let identity, let others):
            delivery.connected(gpsd: id, &turn)
            let manifest = access.connected(
                gpsd: id, (identity.map { [$0] } ?? []) + others, &turn)
            power.manager?.joined(id.rawValue, label: Engine.label(.gpsd, manifest, identity))
        case .clientLine(let id, .local, let line):
            guard line.count <= ClientRequest.maximumStrangersLineBytes || access.mayAskAtLength(id) else {
                return access.refuse(id, request: nil, hasCompass: headings.hasCompass, &turn)
            }
            serve(id, ClientRequestDecoder.decode(line), &turn)
        case .clientLine(let id, .gpsd, let line):
            serve(gpsd: id, GPSDRequestDecoder.decode(line), &turn)
        case .clientLineUnkept(let id, let line):
            refuse(id, ClientRequestDecoder.decode(line), &turn)
        case .clientLineTooLong(let id, .local): serve(id, .failure(.tooLong), &turn)
        case .clientLineTooLong(let id, .gpsd): serve(gpsd: id, .failure(.tooLong), &turn)
        case .clientGone(let id): gone(id, &turn)
        case .deferredFound(let record): delivery.restore(record, access.grants, &turn)
        case .storeFound(let row): restore(row, &turn)
        case .decisionsLost: access.decide(.decisionsLost, &turn)
        case .storeTrouble(let detail): reporting.heard(storeTrouble: detail)
        case .figures(let figures): reporting.heard(figures)
        case .storeRead:
            monitoring.restored()
            access.restored(&turn)
            headings.tellRefusal(&turn)
            for name in access.clientNames {
                outbox.forgetOldChanges(of: name, events(at: turn.instant), &turn)
                outbox.awaken(name, access.grants, &turn)
            }
        case .clockTrusted(let utc): positioning.learned(utc: utc, at: turn.instant)
        case .wakeFailed(let client): outbox.wakeFailed(client, access.grants, &turn)
        case .timePassed: timePassed(&turn)
        case .stopping:
            positioning.stopping(&turn)
            radio.stop()
        // Bytes come through `handle(bytes:)`, which borrows them.
        case .bytes: break
        }
    }

    /// The services that the board offers; deferral only while the receiver's device is open.
    var capabilities: [StaticString] {
        let monitored = MonitoredService.allCases.filter { $0 != .significantChange }.map { $0.name }
        return ["standard", MonitoredService.significantChange.name] + (reception.isOpen ? ["deferral"] : [])
            + monitored
            + (headings.isAvailable ? ["heading"] : []) + (radio.isUsable ? ["beacons"] : [])
    }

    private func timePassed(_ turn: inout Turn) {
        reception.retry(&turn)
        if reception.isSilenceOver(at: turn.instant) { endBurst(&turn) }
        power.manager?.timePassed(to: turn.instant)
        reception.noteSilence(&turn)
        delivery.expireWaits(context(at: turn.instant), &turn)
        access.advance(&turn)
        for client in access.lostClients(at: turn.instant) { forget(client, &turn) }
        outbox.advance(access.grants, &turn)
        if let estimate = positioning.advance(to: turn.instant) { deliver(estimate, &turn) }
        monitoring.advanceChanges(access.grants, &turn)
        if isSomebodyServed {
            monitoring.advancePath(positioning.clock, access.grants, &turn)
        }
        radio.advance(to: turn.instant)
        monitoring.advanceBeacons(radio.standing(at: turn.instant), positioning.clock, &turn)
        delivery.ranging.advance(time: positioning.clock.utc(turn.instant), &turn)
        delivery.advanceIndicator(&turn)
        positioning.keep(&turn)
        let context = context(at: turn.instant)
        delivery.endTerms(context, &turn)
        delivery.tellPauses(.timePassed, context, &turn)
        // After the pauses, because a paused session misses no position.
        delivery.tellLosses(context, &turn)
        reception.flush(&turn)
    }

    // MARK: The device

    private func opened(_ link: ReceiverLink, time: UTCInstant?, _ turn: inout Turn) {
        reception.opened(link, time: time, &turn)
        power.manager?.portOpened(link, baud: reception.rate, at: turn.instant)
        announceDevice(&turn)
    }

    private func failed(_ absence: DeviceSupervisor.Absence, _ detail: String, _ turn: inout Turn) {
        if reception.isOpen { endBurst(&turn) }
        guard reception.failed(absence, detail, &turn) else { return }
        power.manager?.portLost(at: turn.instant)
        // No fix comes before the device is back, so what there is is stored now, and nothing need wake the daemon.
        positioning.keepNow(mayStore: access.grants.servicesEnabled, &turn)
        announceDevice(&turn)
    }

    /// Tells clients that the receiver came or went, and which services the board offers now.
    private func announceDevice(_ turn: inout Turn) {
        delivery.announce(reception.gpsdDevice, &turn)
        access.announce(capabilities, &turn)
    }

    // MARK: Connections

    private func connected(_ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn) {
        let manifest = access.connected(id, identity, &turn)
        power.manager?.joined(id.rawValue, label: Engine.label(.local, manifest, identity))
        headings.connected(id)
        let reason = manifest.flatMap { outbox.connected(id, as: $0.name, at: turn.instant) }
        // The other programs of the unit that was started for an event work unseen too, and so do those that systemd starts
        // anew in it.
        let isInWokenUnit = manifest.map { $0.wakeUnit == identity?.unit && outbox.isLeased($0.name) } ?? false
        greet(id, isLaunched: reason != nil || isInWokenUnit, &turn)
        if let grant = access.grant(of: id) { delivery.connected(grant, userID: identity?.userID) }
    }

    private func greet(_ id: ClientID, isLaunched: Bool, _ turn: inout Turn) {
        let (whereabouts, source, instant) = (positioning.whereabouts, configuration.source, turn.instant)
        access.greet(
            id, isLaunched: isLaunched, capabilities: capabilities,
            newest: { whereabouts.newest(for: $0, source: source, at: instant) }, &turn)
    }

    /// The name to which the energy that a connection costs is charged.
    static func label(_ kind: ClientKind, _ manifest: ClientManifest?, _ identity: PeerIdentity?) -> String {
        if let manifest, manifest.selector != ClientSelector() { return manifest.name }
        if kind == .gpsd { return Admission.gpsdClient }
        return identity.map { "user \($0.userID)" } ?? "local"
    }

    private func gone(_ id: ClientID, _ turn: inout Turn) {
        let client = access.gone(id, &turn)
        if let client { outbox.disconnected(id, of: client, access.grants, &turn) }
        delivery.gone(id, &turn)
        headings.gone(id)
        radio.gone(id, at: turn.instant)
        reporting.stop(id)
        monitoring.stopTellingRegions(id)
        power.manager?.left(id.rawValue)
        // Events that the client did not acknowledge wait for it, and may start it again.
        if let client { outbox.awaken(client, access.grants, &turn) }
    }

    /// Erases what is stored about a client whose manifest was removed.
    private func forget(_ client: String, _ turn: inout Turn) {
        outbox.withdraw(of: client, access.grants, &turn)
        monitoring.forget(client, erase: false, &turn)
        turn.actions.append(.store(.erase(client: client)))
        access.forgetAbsent(client, isDecided: false, &turn)
    }

    /// Takes changed manifests and policy.
    private func admit(_ new: Admission, _ turn: inout Turn) {
        let parked = access.admit(new, &turn)
        for row in parked { restore(row, &turn) }
        var launched: [ClientID] = []
        for changed in access.identifyAgain(&turn) {
            if let old = changed.old {
                outbox.disconnected(changed.id, of: old, access.grants, &turn)
            }
            if let new = changed.new {
                let reason = outbox.connected(changed.id, as: new, at: turn.instant)
                if reason != nil { launched.append(changed.id) }
            } else {
                headings.end(changed.id)
            }
        }
        // A client that is greeted again repeats its requests. Those that failed because the manifest, or a purpose
        // text, was missing may succeed now.
        for id in access.connectionsToGreet {
            greet(id, isLaunched: launched.contains(id), &turn)
        }
        for id in headings.sampleWatchers where !access.isOperator(id) { headings.stopSamples(of: id) }
        for id in monitoring.regionWatchers where !access.isOperator(id) { monitoring.stopTellingRegions(id) }
        for client in Set(parked.map({ $0.client })).sorted() { outbox.awaken(client, access.grants, &turn) }
    }

    // MARK: Stored rows

    /// Takes a row that the store held when the daemon started.
    private func restore(_ row: DurableRow, _ turn: inout Turn) {
        guard access.admits(row, &turn) else { return }
        if !restored(row, &turn) {
            turn.actions.append(.log(.unreadableRow(table: row.table, client: row.client, name: row.name)))
            turn.remove(row.table, row.client, row.name)
        }
    }

    private func restored(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        switch row.table {
        case .settings: return restoredSetting(row, &turn)
        case .authorization: access.restore(row, &turn)
        case .registrations: return monitoring.restore(row, &turn)
        case .events: return outbox.restore(row, events(at: turn.instant), &turn)
        case .sessions: return access.restoreSession(row)
        case .visits: return monitoring.restoreVisit(row.value)
        }
        return true
    }

    private func restoredSetting(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        switch row.name {
        case "servicesEnabled" where row.client.isEmpty:
            access.restoreSwitch(row.value, &turn)
        case Access.policyName where row.client.isEmpty:
            access.restorePolicy(row.value, &turn)
        case "lastEventNumber": return outbox.restoreLastNumber(row.value, of: row.client)
        case "visitMonitor": monitoring.restoreVisitMonitor(row.value)
        case "coarseStay": return monitoring.restoreCoarseStay(row.value)
        case "compassCalibration": return headings.restoreCalibration(row.value)
        case "locationFilter": return positioning.restore(row.value)
        case "lastLocation": return positioning.restoreLast(row.value)
        default: return false
        }
        return true
    }
}
