internal import ClientProtocol
internal import GNSS
internal import JSON
internal import Monitors
internal import Sessions
internal import Units

/// Events that outlive their client: durable before they are delivered, delivered until they are acknowledged.
///
/// A client that does not run is started for what waits, where it may be.
struct Outbox {
    private let source: LocationObject.Source
    private var pending = PendingEvents()
    private var wakes = WakeBook(at: MonotonicInstant(nanoseconds: 0))
    private var connections: [Connection] = []
    /// Clients for whom something waits that do not run: whether it may start them is to be decided.
    private var due: [String] = []

    /// One connection of a client, and the services whose events it wants as soon as it may have them.
    private struct Connection {
        let id: ClientID
        let client: String
        var wanted: [MonitoredService] = []
    }

    init(source: LocationObject.Source) { self.source = source }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { wakes.deadline }

    /// How many events wait for a client.
    func count(of client: String) -> Int { pending.count(of: client) }

    mutating func started(at instant: MonotonicInstant) { wakes = WakeBook(at: instant) }

    mutating func advance(to instant: MonotonicInstant, _ grants: Grants, into outputs: inout Outputs) {
        follow(wakes.advance(to: instant), grants, into: &outputs)
    }

    // MARK: Connections

    /// A connection is one of this client.
    ///
    /// - Returns: The service of the event that the client was started for; nil where it came by itself.
    mutating func connected(_ id: ClientID, as client: String, at instant: MonotonicInstant) -> MonitoredService? {
        connections.append(Connection(id: id, client: client))
        pending.connect(id, as: client)
        return wakes.connected(id, as: client, at: instant)
    }

    /// A connection is none of this client any more.
    mutating func disconnected(
        _ id: ClientID, of client: String, at instant: MonotonicInstant, _ grants: Grants, into outputs: inout Outputs
    ) {
        connections.removeAll { $0.id == id }
        pending.disconnect(id)
        follow(wakes.disconnected(id, of: client, at: instant), grants, into: &outputs)
    }

    private func isConnected(_ client: String) -> Bool { connections.contains { $0.client == client } }

    // MARK: Events

    /// Takes an event.
    ///
    /// - Parameter isWanted: Whether its client is to be told though it does not run.
    mutating func post(
        _ kind: PendingEvent.Kind, for client: String, isWanted: Bool, _ context: EventContext,
        into outputs: inout Outputs
    ) {
        guard isWanted || isConnected(client) else { return }
        follow(pending.post(kind, for: client), context, into: &outputs)
        awaken(client, context.grants)
    }

    /// A connection asks for a service, and is sent what waits, as soon as its client may have it.
    ///
    /// - Parameter known: A significant change that is no event: what a connection that asks for the first time is told
    ///   where nothing waits.
    mutating func want(
        _ service: MonitoredService, on id: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil,
        _ context: EventContext, into outputs: inout Outputs
    ) {
        guard let place = connections.firstIndex(where: { $0.id == id }) else { return }
        let isFirst = !pending.isArmed(service, on: id) && pending.count(of: connections[place].client) == 0
        if !connections[place].wanted.contains(service) { connections[place].wanted.append(service) }
        arm(connections[place], context, into: &outputs)
        guard isFirst, let (fix, since) = known else { return }
        let age = Double(context.instant.nanoseconds(since: since)) * 1e-9
        outputs.send(id) { [source] text in
            LocationObject.append(fix, age: age, source: source, .init(isSignificantChange: true), to: &text)
        }
    }

    /// Access may have changed: who wants what waits, and may have it now, is sent it.
    mutating func follow(_ context: EventContext, into outputs: inout Outputs) {
        for connection in connections { arm(connection, context, into: &outputs) }
    }

    private mutating func arm(_ connection: Connection, _ context: EventContext, into outputs: inout Outputs) {
        for service in connection.wanted where context.grants.mayHear(of: service, connection.client) {
            follow(pending.arm(service, on: connection.id), context, into: &outputs)
        }
    }

    mutating func acknowledge(
        _ number: UInt64, by id: ClientID, _ context: EventContext, into outputs: inout Outputs
    ) {
        follow(pending.acknowledge(number, by: id), context, into: &outputs)
    }

    /// Forgets events of a service, or of one region, that are no longer to be told.
    mutating func withdraw(
        _ service: MonitoredService, _ key: RegionKey?, of client: String, _ grants: Grants, into outputs: inout Outputs
    ) {
        withdraw(of: client, grants, into: &outputs) { event in
            guard let key else { return event.service == service }
            guard case .region(let region) = event.kind else { return false }
            return region.identifier == key.identifier && region.monitor == key.monitor
        }
    }

    /// Forgets events that are no longer to be told.
    mutating func withdraw(
        of client: String, _ grants: Grants, into outputs: inout Outputs,
        where isWithdrawn: (PendingEvent) -> Bool = { _ in true }
    ) {
        for case .forget(let client, let number) in pending.withdraw(of: client, where: isWithdrawn) {
            outputs.remove(.events, client, Outbox.name(ofEvent: number))
        }
        // Nobody is started for what is no longer to be told.
        if pending.count(of: client) == 0 { follow(wakes.emptied(client), grants, into: &outputs) }
    }

    private mutating func follow(
        _ effects: [PendingEvents.Effect], _ context: EventContext, into outputs: inout Outputs
    ) {
        for effect in effects {
            switch effect {
            case .store(let event):
                outputs.put(.settings, "", "lastEventNumber", Outbox.bytes(of: event.number))
                outputs.put(.events, event.client, Outbox.name(ofEvent: event.number), event.encode())
                // What is sent after a change of the store leaves after the change is on the card.
                follow(pending.stored(event.number), context, into: &outputs)
            case .forget(let client, let number):
                outputs.remove(.events, client, Outbox.name(ofEvent: number))
                guard pending.count(of: client) == 0 else { continue }
                follow(wakes.emptied(client), context.grants, into: &outputs)
            case .deliver(let event, let connection): deliver(event, to: connection, context, into: &outputs)
            case .dropped(let event):
                let dropped = "it takes no events: the oldest of \(PendingEvents.capacity) is dropped"
                outputs.actions.append(.log(.client(event.client, dropped)))
            }
        }
    }

    private func deliver(
        _ event: PendingEvent, to connection: ClientID, _ context: EventContext, into outputs: inout Outputs
    ) {
        let isReduced = context.grants.isReduced(event.client)
        outputs.send(connection) { [source] text in
            switch event.kind {
            case .significantChange(let held):
                let place = isReduced ? ReducedAccuracy.coarse(held.fix) ?? held.fix : held.fix
                LocationObject.append(
                    place, age: context.clock.age(of: held.fix, at: context.instant), source: source,
                    .init(number: event.number, isSignificantChange: true), to: &text)
            case .region(let region):
                ClientEvent.appendRegionEvent(
                    RegionEventObject(
                        identifier: region.identifier, monitor: region.monitor, kind: region.kind,
                        time: region.time, confirmed: region.confirmed), number: event.number, to: &text)
            case .visit(let visit):
                ClientEvent.appendVisit(visit.shown(isReduced: isReduced).object, number: event.number, to: &text)
            }
        }
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

/// What an event is told by: who may hear what, and the clocks.
struct EventContext {
    let grants: Grants
    let clock: ReceiverClock
    let instant: MonotonicInstant
}

// MARK: Waking

extension Outbox {
    /// Takes the clients that do not run and for whom something waits: whether it may start them is to be decided.
    mutating func takeDue() -> [String] {
        defer { due = [] }
        return due
    }

    /// An event waits: a client that does not run is started for it, if it may be.
    mutating func awaken(_ client: String, _ grants: Grants) {
        guard pending.count(of: client) > 0, !isConnected(client),
            grants.standing(of: client).status == .authorizedAlways
        else { return }
        // Where Always is provisional the user is asked first; nothing happens before the answer.
        due.append(client)
    }

    /// What a client may is another: it is started for what waits, or no longer.
    mutating func reconsiderWaking(_ client: String, _ grants: Grants, into outputs: inout Outputs) {
        let standing = grants.standing(of: client)
        guard standing.status == .authorizedAlways, standing.mayBeWoken else {
            return follow(wakes.emptied(client), grants, into: &outputs)
        }
        awaken(client, grants)
    }

    /// It was decided whether an event that was due may be delivered.
    mutating func decided(
        _ client: String, mayDeliver: Bool, _ grants: Grants, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard mayDeliver else { return withdraw(of: client, grants, into: &outputs) }
        guard let event = pending.events.first(where: { $0.client == client }),
            let unit = grants.manifest(of: client)?.wakeUnit, grants.standing(of: client).mayBeWoken
        else { return }
        follow(wakes.eventWaits(for: client, unit: unit, reason: event.service, at: instant), grants, into: &outputs)
    }

    mutating func extendWake(of client: String, bySeconds seconds: Double) { wakes.extend(client, bySeconds: seconds) }

    /// A client that was started came into use: it is no longer to be stopped.
    mutating func cameIntoUse(_ client: String) { wakes.cameIntoUse(client) }

    mutating func wakeFailed(
        _ client: String, _ grants: Grants, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        follow(wakes.startFailed(client, at: instant), grants, into: &outputs)
    }

    private func follow(_ effects: [WakeEffect], _ grants: Grants, into outputs: inout Outputs) {
        for effect in effects {
            switch effect {
            case .startUnit(let client, let unit, let reason):
                outputs.actions.append(.wake(client, unit: unit, reason))
            case .stopUnit(let client, let unit): outputs.actions.append(.endWake(client, unit: unit))
            case .wakeDone(let client):
                if let unit = grants.manifest(of: client)?.wakeUnit {
                    outputs.actions.append(.wakeDone(client, unit: unit))
                }
            case .note(let client, let unit, let note):
                outputs.actions.append(.log(.client(client, "\(unit): \(note.message)")))
            }
        }
    }
}

// MARK: What was kept

extension Outbox {
    /// - Returns: Whether the row is an event of its client.
    mutating func restore(_ row: DurableRow, _ context: EventContext, into outputs: inout Outputs) -> Bool {
        guard let event = PendingEvent.decode(row.value.span), event.client == row.client else { return false }
        follow(pending.restore(event), context, into: &outputs)
        return true
    }

    /// - Returns: Whether the value is the number of the last event.
    mutating func restoreLastNumber(_ value: [UInt8]) -> Bool {
        guard value.count == 8 else { return false }
        let number = value.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        if pending.lastNumber < number { pending = PendingEvents(lastNumber: number) }
        return true
    }
}

extension PendingEvent.VisitReport {
    /// The visit as far as a client may see it.
    func shown(isReduced: Bool) -> PendingEvent.VisitReport {
        guard isReduced else { return self }
        var shown = self
        let place = ReducedAccuracy.coarse(latitude: latitude, longitude: longitude)
        shown.latitude = place.latitude
        shown.longitude = place.longitude
        shown.horizontalAccuracy = max(place.accuracy, horizontalAccuracy)
        return shown
    }

    fileprivate var object: VisitObject {
        VisitObject(
            arrival: arrival, departure: departure, latitude: latitude, longitude: longitude,
            horizontalAccuracy: horizontalAccuracy)
    }
}
