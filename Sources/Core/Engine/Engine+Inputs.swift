internal import Access
internal import Beacons
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
internal import Receivers
internal import SextantUnits

/// Passes each input to the parts of the Engine that it concerns, in a fixed order.
extension Engine {
    func pass(_ input: Input, _ turn: inout Turn) {
        switch input {
        case .started:
            outbox.started(at: turn.instant)
            power.started(&turn)
            reception.begin(&turn)
            motion.begin(&turn)
            headings.begin(&turn)
        case .deviceOpened(let link, let time): opened(link, time: time, &turn)
        case .deviceFailed(let absence, let detail): failed(absence, detail, &turn)
        case .deviceAppeared: reception.appeared(&turn)
        case .linesOpened(let lines, let problem):
            power.sensed(.lines(lines, problem: problem), at: turn.instant)
            delivery.found(indicator: lines.contains(.indicator), &turn)
        case .motion(let moves):
            motion.heard(moves: moves)
            sensed(motion: moves, &turn)
        case .lineChanged(let line): sensed(motion: motion.sensed(line, &turn), &turn)
        case .motionAnswered(let problem): sensed(motion: motion.heard(problem: problem, at: turn.instant), &turn)
        case .compassFound(let chips):
            let wasAvailable = headings.view.isAvailable
            headings.found(chips, &turn)
            if !wasAvailable { access.tell(.capabilities(capabilities), &turn) }
            // The search for the compass also sets the accelerometer to watch for motion.
            sensed(motion: motion.heard(problem: nil, at: turn.instant), &turn)
        case .compassAbsent(let detail):
            headings.failed(detail, isAbsent: true, &turn)
            motion.compassFailed(&turn)
        case .compassFailed(let detail):
            headings.failed(detail, isAbsent: false, &turn)
            motion.compassFailed(&turn)
        case .compassSampled(let sample):
            let hint = headings.sampled(sample, positioning.whereabouts, delivery.view.sessionGrants, &turn)
            guard let hint else { return }
            positioning.sensed(heading: hint.degreesTrue, accuracy: hint.accuracy, at: hint.instant)
        case .radioOpened: radio.opened(at: turn.instant)
        case .radioFailed(let detail): radio.failed(detail, at: turn.instant)
        case .radioEvent(let event):
            guard let hearing = radio.heard(event, at: turn.instant) else { break }
            heard(hearing, &turn)
        case .admission(let admission): admit(admission, &turn)
        case .clientConnected(let id, .local, let identity, _): connected(id, identity, &turn)
        case .clientConnected(let id, .gpsd, let identity, let others):
            delivery.connected(gpsd: id, &turn)
            _ = access.connected(id, .gpsd, (identity.map { [$0] } ?? []) + others, &turn)
            power.connected(id, payer: access.view.payer(of: id))
        case .clientLine(let id, .local, let line):
            guard line.count <= ClientRequest.maximumStrangersLineBytes || access.view.mayAskAtLength(id) else {
                _ = access.refuses(id, request: nil, hasCompass: headings.view.hasCompass, &turn)
                return
            }
            serve(id, ClientRequestDecoder.decode(line), &turn)
        case .clientLine(let id, .gpsd, let line):
            serve(gpsd: id, GPSDRequestDecoder.decode(line), &turn)
        case .clientLineUnkept(let id, let line):
            refuse(id, ClientRequestDecoder.decode(line), &turn)
        case .clientLineTooLong(let id, .local): serve(id, .failure(.tooLong), &turn)
        case .clientLineTooLong(let id, .gpsd): serve(gpsd: id, .failure(.tooLong), &turn)
        case .clientGone(let id): gone(id, &turn)
        case .deferredFound(let record): delivery.restore(record, &turn) { access.view.grants.mayHave($0) }
        case .storeFound(let row): restore(row, &turn)
        case .decisionsLost: access.decisionsLost(&turn)
        case .storeTrouble(let detail): reporting.heard(storeTrouble: detail)
        case .figures(let figures): reporting.heard(figures)
        case .storeRead:
            access.restored(&turn)
            headings.restored(&turn)
            for name in access.view.clientNames {
                outbox.awaken(name, events, &turn)
            }
        case .clockTrusted(let utc):
            let estimate = positioning.learned(utc: utc, at: turn.instant)
            if let estimate { delivery.found(estimate, &turn) }
            spots.learned(utc: utc, at: turn.instant)
        case .host(let report): carryOut(hostSleeping.reported(report, &turn), &turn)
        case .timeServed(let configuration):
            timekeeping.begin(configuration, canSwitch: power.view.isManaged, at: turn.instant)
        case .clockRead(let reading):
            let offsets = timekeeping.read(reading, &turn)
            if let pulse = offsets.pulse { delivery.tellGPSD(pulse, &turn) }
            guard let epoch = offsets.epoch else { break }
            delivery.tellGPSD(epoch, &turn)
            timekeeping.ask(forLeapSeconds: power.view.leapSecondsQuestion, &turn)
        case .timeSink(let state, let source): timekeeping.heard(state, of: source)
        case .wakeFailed(let client): turn.tell(.startFailed(client))
        case .timePassed: timePassed(&turn)
        case .stopping:
            positioning.stopping(&turn)
            if !hostSleeping.view.isStopping, let spent = power.view.energyReport(at: turn.instant)?.sinceBoot {
                hostSleeping.countBoot(spent, &turn)
            }
            radio.stop()
        // The receiver's bytes come through `handle(bytes:)`, which borrows them, and not as an input.
        case .bytes: break
        }
    }

    /// Tells the parts of the Engine that the board began to move (true) or came to rest (false); does nothing for nil,
    /// which stands for no change.
    private func sensed(motion moves: Bool?, _ turn: inout Turn) {
        guard let moves else { return }
        power.sensed(.motion(moves), at: turn.instant)
        positioning.sensed(motion: moves, at: turn.instant)
        monitoring.sensed(motion: moves, at: turn.instant)
        delivery.sensed(.motion(moves), context, &turn)
        ranging.sensed(motion: moves)
        spots.sensed(motion: moves, at: turn.instant)
        carryOut(hostSleeping.sensed(motion: moves, &turn), &turn)
    }

    private func heard(_ hearing: BeaconHearing, _ turn: inout Turn) {
        let hearing = knownBeacons.heard(hearing, at: turn.instant)
        ranging.heard(hearing, at: turn.instant)
        guard case .beacon(let heard) = hearing else { return }
        spots.heard(heard, at: turn.instant)
        monitoring.heard(heard, radio.view.state(at: turn.instant), positioning.whereabouts.clock, &turn)
    }

    /// The services that the board offers now; deferred delivery is among them only while the receiver's device is
    /// open.
    var capabilities: [StaticString] {
        let monitored = MonitoredService.allCases.filter { $0 != .significantChange }.map { $0.name }
        return ["standard", MonitoredService.significantChange.name] + (reception.view.isOpen ? ["deferral"] : [])
            + monitored
            + (headings.view.isAvailable ? ["heading"] : []) + (radio.view.isUsable ? ["beacons"] : [])
    }

    private func timePassed(_ turn: inout Turn) {
        if reception.view.isSilenceOver(at: turn.instant) { endBurst(&turn) }
        power.sensed(.timePassed, at: turn.instant)
        reception.advance(&turn)
        delivery.expireWaits(context, &turn)
        for client in access.advance(&turn) { forget(client, &turn) }
        outbox.advance(access.view.grants, &turn)
        if let estimate = positioning.advance(to: turn.instant) { deliver(estimate, &turn) }
        radio.advance(to: turn.instant)
        let clock = positioning.whereabouts.clock
        monitoring.advance(
            radio.view.state(at: turn.instant), clock, access.view.grants, isServed: isSomebodyServed, &turn)
        ranging.advance(time: clock.utc(turn.instant), knownBeacons.book, &turn)
        positioning.keep(&turn)
        timekeeping.advance(&turn)
        delivery.advance(context, &turn)
        reception.flush(&turn)
    }

    // MARK: The device

    private func opened(_ link: ReceiverLink, time: UTCInstant?, _ turn: inout Turn) {
        reception.opened(link, time: time, &turn)
        power.sensed(.portOpened(link, baud: reception.view.rate), at: turn.instant)
        announceDevice(&turn)
    }

    private func failed(_ absence: DeviceSupervisor.Absence, _ detail: String, _ turn: inout Turn) {
        if reception.view.isOpen { endBurst(&turn) }
        guard reception.failed(absence, detail, &turn) else { return }
        power.sensed(.portLost, at: turn.instant)
        // No fix comes until the receiver's device is back. So the last location is stored at once, and not minutes
        // later as usual to spare the SD card.
        positioning.keepNow(mayStore: access.view.grants.servicesEnabled, &turn)
        announceDevice(&turn)
    }

    /// Tells clients that the receiver came or went, and which services the board offers now.
    private func announceDevice(_ turn: inout Turn) {
        delivery.tellGPSD(reception.view.gpsdDevice, &turn)
        access.tell(.capabilities(capabilities), &turn)
    }

    // MARK: Connections

    private func connected(_ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn) {
        let manifest = access.connected(id, .local, identity.map { [$0] } ?? [], &turn)
        power.connected(id, payer: access.view.payer(of: id))
        headings.connected(id)
        let reason = manifest.flatMap { outbox.connected(id, as: $0.name, at: turn.instant) }
        // A client whose systemd unit was started for an event begins in the background; so does a program that systemd
        // restarts in that unit.
        let isInWokenUnit = manifest.map { $0.wakeUnit == identity?.unit && outbox.view.isLeased($0.name) } ?? false
        greet(id, isLaunched: reason != nil || isInWokenUnit, &turn)
        outbox.greet(id, &turn)
        if let grant = access.view.grant(of: id) { delivery.connected(grant, userID: identity?.userID) }
    }

    private func greet(_ id: ClientID, isLaunched: Bool, _ turn: inout Turn) {
        let (whereabouts, source, instant) = (positioning.whereabouts, configuration.source, turn.instant)
        access.greet(
            id, isLaunched: isLaunched, capabilities: capabilities,
            newest: { whereabouts.newest(for: $0, source: source, at: instant) }, &turn)
    }

    private func gone(_ id: ClientID, _ turn: inout Turn) {
        let client = access.gone(id, &turn)
        if let client { outbox.gone(id, of: client, access.view.grants, &turn) }
        delivery.gone(id, &turn)
        headings.gone(id)
        radio.gone(id, at: turn.instant)
        reporting.gone(id)
        monitoring.gone(id)
        power.gone(id)
        // Events that the client left unacknowledged stay in its outbox, and can cause its unit to be started again.
        if let client { outbox.awaken(client, events, &turn) }
    }

    /// Erases what is stored about a client whose manifest was removed.
    private func forget(_ client: String, _ turn: inout Turn) {
        outbox.forget(client, access.view.grants, &turn)
        monitoring.forget(client, erase: false, &turn)
        turn.actions.append(.store(.erase(client: client)))
        access.forget(client, .absence(isDecided: false), &turn)
    }

    /// Puts changed client manifests and a changed policy into effect.
    private func admit(_ new: Admission, _ turn: inout Turn) {
        let parked = access.admit(new, &turn)
        for row in parked { restore(row, &turn) }
        var launched: [ClientID] = []
        for changed in access.identifyAgain(&turn) {
            if let old = changed.old {
                outbox.gone(changed.id, of: old, access.view.grants, &turn)
            }
            if let new = changed.new {
                let reason = outbox.connected(changed.id, as: new, at: turn.instant)
                if reason != nil { launched.append(changed.id) }
            } else {
                headings.end(changed.id)
            }
        }
        // A client that is sent another `hello` repeats its requests. Requests that failed because the manifest or a
        // purpose text was missing can succeed now.
        for id in access.view.connectionsToGreet {
            greet(id, isLaunched: launched.contains(id), &turn)
        }
        for id in headings.view.sampleWatchers where !access.view.isOperator(id) { headings.stopSamples(of: id) }
        for id in monitoring.view.regionWatchers where !access.view.isOperator(id) { monitoring.gone(id) }
        // A changed manifest can name another unit to be started, or can make known a client whose events have waited.
        for client in access.view.clientNames { outbox.awaken(client, events, &turn) }
    }

    // MARK: Stored rows

    /// Takes a row that the store held when the daemon started.
    private func restore(_ row: DurableRow, _ turn: inout Turn) {
        switch access.restore(row, &turn) {
        case .restored, .waits: break
        case .notMine:
            guard !restored(row, &turn) else { break }
            turn.log(.unreadableRow(table: row.table, client: row.client, name: row.name))
            turn.remove(row.table, row.client, row.name)
        }
    }

    private func restored(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        monitoring.restore(row, &turn) || outbox.restore(row, events, &turn)
            || row.table == .settings && restoredSetting(row, at: turn.instant)
    }

    private func restoredSetting(_ row: DurableRow, at instant: MonotonicInstant) -> Bool {
        switch positioning.restore(row) {
        case .filter: return true
        case .last(let last):
            spots.restored(last, at: instant)
            hostSleeping.restored(last)
            monitoring.unfollowed(since: last.time)
            return true
        case .unreadable: return false
        case .notMine: return headings.restore(row) ?? knownBeacons.restore(row) ?? hostSleeping.restore(row) ?? false
        }
    }
}
