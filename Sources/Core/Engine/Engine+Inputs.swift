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
    func take(_ input: Input, at instant: MonotonicInstant, into outputs: inout Outputs) {
        switch input {
        case .started:
            outbox.started(at: instant)
            power.manager?.started(at: instant, into: &outputs)
            reception.begin(into: &outputs)
            headings.begin(at: instant, into: &outputs)
        case .deviceOpened(let link, let time): opened(link, time: time, at: instant, into: &outputs)
        case .deviceFailed(let absence, let detail): failed(absence, detail, at: instant, into: &outputs)
        case .deviceAppeared: reception.appeared(into: &outputs)
        case .linesOpened(let lines, let problem):
            power.manager?.linesOpened(lines, problem: problem, at: instant)
            delivery.found(indicator: lines.contains(.indicator), into: &outputs)
        case .motion(let moves):
            power.manager?.sensed(motion: moves, at: instant)
            positioning.sensed(motion: moves, at: instant)
            monitoring.sensed(motion: moves, at: instant)
            delivery.sensed(motion: moves, context(at: instant), into: &outputs)
            delivery.ranging.sensed(motion: moves)
            spots.sensed(motion: moves, at: instant)
        case .compassFound(let chips):
            let wasAvailable = headings.isAvailable
            headings.found(chips, at: instant, into: &outputs)
            if !wasAvailable { access.announce(capabilities, into: &outputs) }
        case .compassAbsent(let detail): headings.absent(detail, at: instant, into: &outputs)
        case .compassFailed(let detail): headings.failed(detail, at: instant, into: &outputs)
        case .compassSampled(let sample):
            let hint = headings.sampled(sample, positioning.whereabouts, at: instant, into: &outputs)
            guard let hint else { return }
            positioning.sensed(heading: hint.degreesTrue, accuracy: hint.accuracy, at: hint.instant)
        case .radioOpened: radio.opened(at: instant)
        case .radioFailed(let detail): radio.failed(detail, at: instant)
        case .radioEvent(let event):
            guard let heard = radio.take(event, at: instant) else { break }
            delivery.ranging.heard(heard, at: instant)
            spots.heard(heard, at: instant)
            monitoring.heard(
                heard.beacon.identity, radio.standing(at: instant), positioning.clock, at: instant, into: &outputs)
        case .admission(let admission): admit(admission, at: instant, into: &outputs)
        case .clientConnected(let id, .local, let identity, _): connected(id, identity, at: instant, into: &outputs)
        case .clientConnected(let id, .gpsd, let identity, let others):
            delivery.connected(gpsd: id, into: &outputs)
            let manifest = access.connected(
                gpsd: id, (identity.map { [$0] } ?? []) + others, at: instant, into: &outputs)
            power.manager?.joined(id.rawValue, label: Engine.label(.gpsd, manifest, identity))
        case .clientLine(let id, .local, let line):
            guard line.count <= ClientRequest.maximumStrangersLineBytes || access.mayAskAtLength(id) else {
                return access.refuse(id, request: nil, hasCompass: headings.hasCompass, into: &outputs)
            }
            serve(id, ClientRequestDecoder.decode(line), at: instant, into: &outputs)
        case .clientLine(let id, .gpsd, let line):
            serve(gpsd: id, GPSDRequestDecoder.decode(line), at: instant, into: &outputs)
        case .clientLineUnkept(let id, let line):
            refuse(id, ClientRequestDecoder.decode(line), at: instant, into: &outputs)
        case .clientLineTooLong(let id, .local): serve(id, .failure(.tooLong), at: instant, into: &outputs)
        case .clientLineTooLong(let id, .gpsd): serve(gpsd: id, .failure(.tooLong), at: instant, into: &outputs)
        case .clientGone(let id): gone(id, at: instant, into: &outputs)
        case .deferredFound(let record): delivery.restore(record, access.grants, into: &outputs)
        case .storeFound(let row): restore(row, at: instant, into: &outputs)
        case .decisionsLost: access.decide(.decisionsLost, at: instant, into: &outputs)
        case .storeTrouble(let detail): outbox.storeTrouble = detail
        case .figures(let figures): outbox.figures = figures
        case .storeRead:
            monitoring.restored()
            access.restored(into: &outputs)
            headings.tellRefusal(into: &outputs)
            for name in access.clientNames {
                outbox.forgetOldChanges(of: name, events(at: instant), into: &outputs)
                outbox.awaken(name, access.grants)
            }
        case .clockTrusted(let utc): positioning.learned(utc: utc, at: instant)
        case .wakeFailed(let client): outbox.wakeFailed(client, access.grants, at: instant, into: &outputs)
        case .timePassed: timePassed(to: instant, into: &outputs)
        case .stopping:
            positioning.stopping(into: &outputs)
            radio.stop()
        // Bytes come through `handle(bytes:)`, which borrows them.
        case .bytes: break
        }
    }

    /// The services that the board offers; deferral only while the receiver's device is open.
    var capabilities: [StaticString] {
        let monitored = MonitoredService.allCases.filter { $0 != .significantChange }.map(\.name)
        return ["standard", MonitoredService.significantChange.name] + (reception.isOpen ? ["deferral"] : [])
            + monitored
            + (headings.isAvailable ? ["heading"] : []) + (radio.isUsable ? ["beacons"] : [])
    }

    private func timePassed(to instant: MonotonicInstant, into outputs: inout Outputs) {
        reception.retry(at: instant, into: &outputs)
        if reception.isSilenceOver(at: instant) { endBurst(at: instant, into: &outputs) }
        power.manager?.timePassed(to: instant)
        reception.noteSilence(at: instant, into: &outputs)
        delivery.expireWaits(context(at: instant), into: &outputs)
        access.advance(to: instant, into: &outputs)
        for client in access.lostClients(at: instant) { forget(client, at: instant, into: &outputs) }
        outbox.advance(to: instant, access.grants, into: &outputs)
        if let estimate = positioning.advance(to: instant) { deliver(estimate, at: instant, into: &outputs) }
        monitoring.advanceChanges(to: instant, access.grants, into: &outputs)
        if isSomebodyServed {
            monitoring.advancePath(to: instant, positioning.clock, access.grants, into: &outputs)
        }
        radio.advance(to: instant)
        monitoring.advanceBeacons(to: instant, radio.standing(at: instant), positioning.clock, into: &outputs)
        delivery.ranging.advance(to: instant, time: positioning.clock.utc(instant), into: &outputs)
        delivery.advanceIndicator(to: instant, into: &outputs)
        positioning.keep(at: instant, into: &outputs)
        let context = context(at: instant)
        delivery.endTerms(context, into: &outputs)
        delivery.tellPauses(.timePassed, context, into: &outputs)
        // After the pauses, because a paused session misses no position.
        delivery.tellLosses(context, into: &outputs)
        reception.flush(into: &outputs)
    }

    // MARK: The device

    private func opened(
        _ link: ReceiverLink, time: UTCInstant?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        reception.opened(link, time: time, into: &outputs)
        power.manager?.portOpened(link, baud: reception.rate, at: instant)
        announceDevice(into: &outputs)
    }

    private func failed(
        _ absence: DeviceSupervisor.Absence, _ detail: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        if reception.isOpen { endBurst(at: instant, into: &outputs) }
        guard reception.failed(absence, detail, at: instant, into: &outputs) else { return }
        power.manager?.portLost(at: instant)
        // No fix comes before the device is back, so what there is is stored now, and nothing need wake the daemon.
        positioning.keepNow(mayStore: access.grants.servicesEnabled, into: &outputs)
        announceDevice(into: &outputs)
    }

    /// Tells clients that the receiver came or went, and which services the board offers now.
    private func announceDevice(into outputs: inout Outputs) {
        delivery.announce(reception.gpsdDevice, into: &outputs)
        access.announce(capabilities, into: &outputs)
    }

    // MARK: Connections

    private func connected(
        _ id: ClientID, _ identity: PeerIdentity?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let manifest = access.connected(id, identity, at: instant, into: &outputs)
        power.manager?.joined(id.rawValue, label: Engine.label(.local, manifest, identity))
        headings.connected(id)
        let reason = manifest.flatMap { outbox.connected(id, as: $0.name, at: instant) }
        // The other programs of the unit that was started for an event work unseen too, and so do those that systemd starts
        // anew in it.
        let isInWokenUnit = manifest.map { $0.wakeUnit == identity?.unit && outbox.isLeased($0.name) } ?? false
        greet(id, isLaunched: reason != nil || isInWokenUnit, at: instant, into: &outputs)
        if let grant = access.grant(of: id) { delivery.connected(grant, userID: identity?.userID) }
    }

    private func greet(
        _ id: ClientID, isLaunched: Bool, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let (whereabouts, source) = (positioning.whereabouts, configuration.source)
        access.greet(
            id, isLaunched: isLaunched, capabilities: capabilities,
            newest: { whereabouts.newest(for: $0, source: source, at: instant) }, at: instant, into: &outputs)
    }

    /// The name to which the energy that a connection costs is charged.
    static func label(_ kind: ClientKind, _ manifest: ClientManifest?, _ identity: PeerIdentity?) -> String {
        if let manifest, manifest.selector != ClientSelector() { return manifest.name }
        if kind == .gpsd { return Admission.gpsdClient }
        return identity.map { "user \($0.userID)" } ?? "local"
    }

    private func gone(_ id: ClientID, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let client = access.gone(id, at: instant, into: &outputs)
        if let client { outbox.disconnected(id, of: client, at: instant, access.grants, into: &outputs) }
        delivery.gone(id)
        headings.gone(id)
        radio.gone(id, at: instant)
        statusReaders.stop(id)
        monitoring.stopTellingRegions(id)
        power.manager?.left(id.rawValue)
        // Events that the client did not acknowledge wait for it, and may start it again.
        if let client { outbox.awaken(client, access.grants) }
    }

    /// Erases what is stored about a client whose manifest was removed.
    private func forget(_ client: String, at instant: MonotonicInstant, into outputs: inout Outputs) {
        outbox.withdraw(of: client, access.grants, into: &outputs)
        monitoring.forget(client, erase: false, into: &outputs)
        outputs.actions.append(.store(.erase(client: client)))
        access.forgetAbsent(client, isDecided: false, at: instant, into: &outputs)
    }

    /// Takes changed manifests and policy.
    private func admit(_ new: Admission, at instant: MonotonicInstant, into outputs: inout Outputs) {
        access.admit(new, at: instant, into: &outputs)
        let parked = access.takeParked()
        for row in parked { restore(row, at: instant, into: &outputs) }
        var launched: [ClientID] = []
        for changed in access.identifyAgain(at: instant, into: &outputs) {
            if let old = changed.old {
                outbox.disconnected(changed.id, of: old, at: instant, access.grants, into: &outputs)
            }
            if let new = changed.new {
                let reason = outbox.connected(changed.id, as: new, at: instant)
                if reason != nil { launched.append(changed.id) }
            } else {
                headings.end(changed.id)
            }
        }
        // A client that is greeted again repeats its requests. Those that failed because the manifest, or a purpose
        // text, was missing may succeed now.
        for id in access.connectionsToGreet {
            greet(id, isLaunched: launched.contains(id), at: instant, into: &outputs)
        }
        for id in headings.sampleWatchers where !access.isOperator(id) { headings.stopSamples(of: id) }
        for id in monitoring.regionWatchers where !access.isOperator(id) { monitoring.stopTellingRegions(id) }
        for client in Set(parked.map(\.client)).sorted() { outbox.awaken(client, access.grants) }
    }

    // MARK: Stored rows

    /// Takes a row that the store held when the daemon started.
    private func restore(_ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard access.admits(row, at: instant, into: &outputs) else { return }
        if !restored(row, at: instant, into: &outputs) {
            outputs.actions.append(.log(.unreadableRow(table: row.table, client: row.client, name: row.name)))
            outputs.remove(row.table, row.client, row.name)
        }
    }

    private func restored(
        _ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs
    ) -> Bool {
        switch row.table {
        case .settings: return restoredSetting(row, at: instant, into: &outputs)
        case .authorization: access.restore(row, at: instant, into: &outputs)
        case .registrations: return monitoring.restore(row, at: instant)
        case .events: return outbox.restore(row, events(at: instant), into: &outputs)
        case .sessions: return access.restoreSession(row)
        case .visits: return monitoring.restoreVisit(row.value)
        }
        return true
    }

    private func restoredSetting(
        _ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs
    ) -> Bool {
        switch row.name {
        case "servicesEnabled" where row.client.isEmpty:
            access.restoreSwitch(row.value, at: instant, into: &outputs)
        case Access.policyName where row.client.isEmpty:
            access.restorePolicy(row.value, at: instant, into: &outputs)
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
