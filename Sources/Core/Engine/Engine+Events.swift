internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import JSONText
internal import Magnetism
internal import Monitors
internal import Sessions
internal import Units

/// Events that outlive their client: durable before they are delivered, delivered until they are acknowledged.
extension Engine {
    mutating func post(
        _ kind: PendingEvent.Kind, for client: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        follow(pending.post(kind, for: client), at: instant, into: &outputs)
        awaken(client, at: instant, into: &outputs)
    }

    /// A connection asks for a service, and is sent what waits, as soon as its client may have it.
    mutating func arm(
        _ service: MonitoredService, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        if !clients.local[client].wanted.contains(service) { clients.local[client].wanted.append(service) }
        armWanted(clientAt: client, at: instant, into: &outputs)
    }

    /// Sends what waits for the services that a connection wants, and may have now.
    mutating func armWanted(clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard let name = clients.local[client].session.client else { return }
        for service in clients.local[client].wanted where mayHear(of: service, name) {
            follow(pending.arm(service, on: clients.local[client].id), at: instant, into: &outputs)
        }
    }

    mutating func withdraw(
        of client: String, into outputs: inout Outputs, where isWithdrawn: (PendingEvent) -> Bool
    ) {
        for case .forget(let client, let number) in pending.withdraw(of: client, where: isWithdrawn) {
            outputs.remove(.events, client, Engine.name(ofEvent: number))
        }
        // Nobody is started for what is no longer to be told.
        if pending.count(of: client) == 0 { follow(wakes.emptied(client), into: &outputs) }
    }

    mutating func follow(
        _ effects: [PendingEvents.Effect], at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        for effect in effects {
            switch effect {
            case .store(let event):
                outputs.put(.settings, "", "lastEventNumber", Engine.bytes(of: event.number))
                outputs.put(.events, event.client, Engine.name(ofEvent: event.number), event.encode())
                // What is sent after a change of the store leaves after the change is on the card.
                follow(pending.stored(event.number), at: instant, into: &outputs)
            case .forget(let client, let number):
                outputs.remove(.events, client, Engine.name(ofEvent: number))
                guard pending.count(of: client) == 0 else { continue }
                follow(wakes.emptied(client), into: &outputs)
            case .deliver(let event, let connection): deliver(event, to: connection, at: instant, into: &outputs)
            case .dropped(let event):
                outputs.actions.append(
                    .log(
                        .client(
                            event.client, "it takes no events: the oldest of \(PendingEvents.capacity) is dropped")))
            }
        }
    }

    private func deliver(
        _ event: PendingEvent, to connection: ClientID, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        outputs.send(connection) { [source = configuration.source] text in
            switch event.kind {
            case .significantChange(let held):
                let place = isReduced(event.client) ? ReducedAccuracy.coarse(held.fix) ?? held.fix : held.fix
                LocationObject.append(
                    place, age: age(of: held.fix, at: instant), source: source,
                    .init(number: event.number, isSignificantChange: true), to: &text)
            case .region(let region):
                ClientEvent.appendRegionEvent(
                    RegionEventObject(
                        identifier: region.identifier, monitor: region.monitor, kind: region.kind,
                        time: region.time, confirmed: region.confirmed), number: event.number, to: &text)
            case .visit(let visit):
                ClientEvent.appendVisit(
                    shown(visit, to: event.client).object, number: event.number, to: &text)
            }
        }
    }

    /// A visit as far as a client may see it now.
    func shown(_ visit: PendingEvent.VisitReport, to client: String) -> PendingEvent.VisitReport {
        guard isReduced(client) else { return visit }
        var shown = visit
        let place = ReducedAccuracy.coarse(latitude: visit.latitude, longitude: visit.longitude)
        shown.latitude = place.latitude
        shown.longitude = place.longitude
        shown.horizontalAccuracy = max(place.accuracy, visit.horizontalAccuracy)
        return shown
    }

    /// Names of one length, so that the store's order is theirs.
    private static func name(ofEvent number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

// MARK: Waking

extension Engine {
    /// An event waits: a client that does not run is started for it, if it may be.
    mutating func awaken(_ client: String, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard pending.count(of: client) > 0, !clients.isConnected(client),
            authorization.standing(of: client).status == .authorizedAlways
        else { return }
        // Where Always is provisional the user is asked first; nothing happens before the answer.
        decide(.eventDue(client: client), at: instant, into: &outputs)
    }

    /// What a client may is another: it is started for what waits, or no longer.
    mutating func reconsiderWaking(
        _ client: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let standing = authorization.standing(of: client)
        guard standing.status == .authorizedAlways, standing.mayBeWoken else {
            return follow(wakes.emptied(client), into: &outputs)
        }
        awaken(client, at: instant, into: &outputs)
    }

    /// Whether an event that was due may be delivered.
    mutating func settleProvisional(
        _ client: String, mayDeliver: Bool, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard mayDeliver else { return withdraw(of: client, into: &outputs) { _ in true } }
        guard let event = pending.events.first(where: { $0.client == client }), let unit = admission[client]?.wakeUnit,
            authorization.standing(of: client).mayBeWoken
        else { return }
        follow(wakes.eventWaits(for: client, unit: unit, reason: event.service, at: instant), into: &outputs)
    }

    mutating func wakeFailed(_ client: String, at instant: MonotonicInstant, into outputs: inout Outputs) {
        follow(wakes.startFailed(client, at: instant), into: &outputs)
    }

    mutating func follow(_ effects: [WakeEffect], into outputs: inout Outputs) {
        for effect in effects {
            switch effect {
            case .startUnit(let client, let unit, let reason):
                outputs.actions.append(.wake(client, unit: unit, reason))
            case .stopUnit(let client, let unit): outputs.actions.append(.endWake(client, unit: unit))
            case .wakeDone(let client):
                if let unit = admission[client]?.wakeUnit {
                    outputs.actions.append(.wakeDone(client, unit: unit))
                }
            case .note(let client, let unit, let note):
                outputs.actions.append(.log(.client(client, "\(unit): \(note.message)")))
            }
        }
    }
}

// MARK: What was kept

extension Engine {
    /// Takes a row that was durable when the daemon started.
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard !admission.isUnreadable(row.client) else {
            // Its manifest is there and wrong: what is kept about it waits until it is mended.
            parked.append(row)
            return
        }
        guard row.client.isEmpty || admission[row.client] != nil else {
            // Its manifest has gone: so has the client.
            outputs.actions.append(.store(.erase(client: row.client)))
            return
        }
        if !restored(row, at: instant, into: &outputs) {
            outputs.actions.append(.log(.unreadableRow(table: row.table, client: row.client, name: row.name)))
            outputs.remove(row.table, row.client, row.name)
        }
    }

    private mutating func restored(
        _ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs
    ) -> Bool {
        switch row.table {
        case .settings: return restoreSetting(row, at: instant, into: &outputs)
        case .authorization:
            guard let record = AuthorizationRecord.decode(row.value.span) else { return false }
            decide(.restored(client: row.client, record), at: instant, into: &outputs)
        case .registrations: return restoreRegistration(row, at: instant)
        case .events:
            guard let event = PendingEvent.decode(row.value.span), event.client == row.client else { return false }
            follow(pending.restore(event), at: instant, into: &outputs)
        case .sessions: return restoreSession(row)
        case .visits: return visitBook.restore(row.value)
        }
        return true
    }

    private mutating func restoreSetting(
        _ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs
    ) -> Bool {
        switch row.name {
        case "servicesEnabled":
            guard let value = row.value.first else { return false }
            decide(.servicesEnabled(value != 0), at: instant, into: &outputs)
        case "lastEventNumber":
            guard row.value.count == 8 else { return false }
            let number = row.value.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            if pending.lastNumber < number { pending = PendingEvents(lastNumber: number) }
        case "visitMonitor": visitRecord = row.value
        case "compassCalibration":
            guard let record = try? CalibrationRecord(decoding: row.value.span) else { return false }
            compass.calibrate(record)
        case "locationFilter":
            guard let filter = LocationFilter.decodeLearned(row.value.span) else { return false }
            path.filter = filter
        default: return false
        }
        return true
    }

    private mutating func restoreRegistration(_ row: DurableRow, at instant: MonotonicInstant) -> Bool {
        switch row.name {
        case "significantChange":
            let place = row.value.isEmpty ? nil : NotifiedPlace.decode(row.value.span)
            guard row.value.isEmpty || place != nil else { return false }
            registrations.update(row.client) { entry in
                var monitor = SignificantChangeMonitor()
                if let place { monitor.restore(place, at: instant) }
                entry.significantChange = monitor
            }
        case "visits":
            guard let watch = VisitWatch.decode(row.value.span) else { return false }
            registrations.update(row.client) { $0.visits = watch }
        default:
            guard let region = RegionRegistration.decode(row.value.span), region.key.name == row.name else {
                return false
            }
            registrations.update(row.client) { $0[region: region.key] = region }
        }
        return true
    }

    /// All rows were given: events that wait make their clients start.
    mutating func storeRead(at instant: MonotonicInstant, into outputs: inout Outputs) {
        accessChanged(at: instant, into: &outputs)
        tellRefusal(into: &outputs)
        for entry in admission.manifests.manifests { awaken(entry.name, at: instant, into: &outputs) }
    }
}

extension PendingEvent.VisitReport {
    fileprivate var object: VisitObject {
        VisitObject(
            arrival: arrival, departure: departure, latitude: latitude, longitude: longitude,
            horizontalAccuracy: horizontalAccuracy)
    }
}
