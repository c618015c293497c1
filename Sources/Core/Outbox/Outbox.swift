internal import Access
public import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import SextantUnits

/// Keeps events until their clients acknowledge them, and stores each event before it is delivered.
///
/// A client that does not run is started for a waiting event, if its authorization allows that.
public struct Outbox: ~Copyable {
    let source: LocationObject.Source
    /// How many region events and visits monitoring found, and how many events were sent, since the daemon started.
    var counted = StatusCounters.Events()
    var pending = EventsByClient()
    var wakes = WakeBook(at: MonotonicInstant(nanoseconds: 0))
    var borders = BorderBook()
    var connections: [Connection] = []
    /// The erasures of clients' data that await acknowledgement: by the client's name, the number to acknowledge.
    var erasures: [String: UInt64] = [:]
    /// The name of the stored row with the number under which a client is to acknowledge an erasure.
    static let erasure = "erasure"
    /// The name of the stored row with the number of a client's last event.
    static let lastNumber = "lastEventNumber"

    /// A connection of a client, and the services (such as regions) whose events it gets as soon as the client may have
    /// them.
    struct Connection {
        let id: ClientID
        let client: String
        var wanted: [MonitoredService] = []
    }

    public init(source: LocationObject.Source) { self.source = source }

    func isConnected(_ client: String) -> Bool { connections.contains { $0.client == client } }

    // MARK: Events

    /// Stores an event for a client; then delivers it, or requests the client's start.
    ///
    /// - Parameter isWanted: Whether the event is kept for the client even while the client is not connected.
    mutating func post(
        _ kind: PendingEvent.Kind, for client: String, isWanted: Bool, _ context: EventContext,
        _ turn: inout Turn
    ) {
        switch kind {
        case .region(let region): counted.transitions[region.kind, default: 0] += 1
        case .visit: counted.visits += 1
        default: break
        }
        guard isWanted || isConnected(client) else { return }
        carryOut(pending.change(client) { $0.post(kind) }, context, &turn)
        awaken(client, context, &turn)
    }

    /// Forgets all significant location changes of a client but the newest, if the client has reduced accuracy.
    mutating func forgetOldChanges(of client: String, _ context: EventContext, _ turn: inout Turn) {
        guard context.grants.isReduced(client), pending.clients[client] != nil else { return }
        carryOut(pending.change(client) { $0.keepNewestChange() }, context, &turn)
    }

    /// Notes that a connection asks for a service's events, and sends those that wait as soon as its client may have
    /// them.
    ///
    /// - Parameter known: The location to send if the connection asks for the first time and no event waits.
    mutating func want(
        _ service: MonitoredService, on id: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil,
        _ context: EventContext, _ turn: inout Turn
    ) {
        guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
        let waiting = pending.clients[connections[index].client]
        let isFirst = waiting.map { !$0.isArmed(service, on: id) && $0.events.isEmpty } ?? true
        if !connections[index].wanted.contains(service) { connections[index].wanted.append(service) }
        arm(connections[index], context, &turn)
        guard isFirst, let (fix, since) = known else { return }
        let age = turn.instant.seconds(since: since)
        turn.send(id) { [source] text in
            LocationObject.append(fix, age: age, source: source, .init(isSignificantChange: true), to: &text)
        }
    }

    /// Tells a client that region events come late, on each of its connections that asked for region events.
    func tellDelayed(_ client: String, errorCode: FailureCode, reason: FailureReason?, _ turn: inout Turn) {
        for connection in connections where connection.client == client && connection.wanted.contains(.regions) {
            turn.send(connection.id) {
                ClientEvent.appendMonitoringFailed(nil, errorCode: errorCode, reason: reason, id: nil, to: &$0)
            }
        }
    }

    mutating func arm(_ connection: Connection, _ context: EventContext, _ turn: inout Turn) {
        for service in connection.wanted where context.grants.mayHear(of: service, connection.client) {
            carryOut(pending.change(connection.client) { $0.arm(service, on: connection.id) }, context, &turn)
        }
    }

    /// Forgets those waiting events of a client that belong to a service or to one region.
    mutating func withdraw(
        _ service: MonitoredService, _ key: RegionKey?, of client: String, _ grants: Grants, _ turn: inout Turn
    ) {
        withdraw(of: client, grants, &turn) { event in
            guard let key else { return event.service == service }
            guard case .region(let region) = event.kind else { return false }
            return region.identifier == key.identifier && region.monitor == key.monitor
        }
    }

    /// Forgets those waiting events of a client for which `isWithdrawn` returns true.
    mutating func withdraw(
        of client: String, _ grants: Grants, _ turn: inout Turn, where isWithdrawn: (PendingEvent) -> Bool
    ) {
        for case .forget(_, let number) in pending.change(client, { $0.remove(where: isWithdrawn) }) {
            turn.remove(.events, client, Outbox.name(ofEvent: number))
        }
        // Without a waiting event the client need not be started.
        if view.count(of: client) == 0 { carryOut(wakes.emptied(client), grants, &turn) }
    }

    mutating func carryOut(_ effects: [PendingEvents.Effect], _ context: EventContext, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .store(let event):
                turn.put(.settings, event.client, Outbox.lastNumber, Outbox.bytes(of: event.number))
                turn.put(.events, event.client, Outbox.name(ofEvent: event.number), event.encode())
                // The event counts as stored at once, although it is written later: whatever the Engine sends after
                // this action goes out only when the event is on the SD card.
                carryOut(pending.change(event.client) { $0.stored(event.number) }, context, &turn)
            case .forget(let client, let number):
                turn.remove(.events, client, Outbox.name(ofEvent: number))
                guard view.count(of: client) == 0 else { continue }
                carryOut(wakes.emptied(client), context.grants, &turn)
            case .deliver(let event, let connection): deliver(event, to: connection, context, &turn)
            case .dropped(let event):
                let dropped = "it takes no events: the oldest of \(PendingEvents.capacity) is dropped"
                turn.log(.client(event.client, dropped))
            }
        }
    }

    private mutating func deliver(
        _ event: PendingEvent, to connection: ClientID, _ context: EventContext, _ turn: inout Turn
    ) {
        let isReduced = context.grants.isReduced(event.client)
        counted.delivered += 1
        turn.told.append(connection)
        let instant = turn.instant
        turn.send(connection) { [source] text in
            event.append(isReduced: isReduced, source: source, clock: context.clock, at: instant, to: &text)
        }
    }

    /// Tells a connection that the data kept about its client was erased.
    func tell(erasure number: UInt64, to connection: ClientID, _ turn: inout Turn) {
        turn.send(connection) { ClientEvent.appendForget(number: number, to: &$0) }
    }

    /// The name of the event's row in the store: its number with 20 digits, so that names sort as numbers do.
    private static func name(ofEvent number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

// MARK: Waking

extension Outbox {
    /// The oldest of a client's waiting events for which the client may be started; nil if there is none.
    func wakingEvent(of client: String, _ grants: Grants) -> PendingEvent? {
        pending.clients[client]?.events.first { grants.mayWake(for: $0) }
    }

    /// After a client's authorization changed, starts the client for its waiting events, or cancels its start.
    mutating func reconsiderWaking(_ client: String, _ context: EventContext, _ turn: inout Turn) {
        let rights = context.grants.rights(of: client)
        if rights.status == .authorizedAlways, rights.mayBeWoken { return awaken(client, context, &turn) }
        forgetOldChanges(of: client, context, &turn)
        carryOut(wakes.emptied(client), context.grants, &turn)
    }

    /// Handles the decision whether an event that is due may be delivered to its client.
    mutating func decided(_ client: String, mayDeliver: Bool, _ grants: Grants, _ turn: inout Turn) {
        guard mayDeliver else { return withdraw(of: client, grants, &turn) { _ in true } }
        guard let event = wakingEvent(of: client, grants),
            let unit = grants.manifest(of: client)?.wakeUnit, grants.rights(of: client).mayBeWoken
        else { return carryOut(wakes.emptied(client), grants, &turn) }
        carryOut(wakes.eventWaits(for: client, unit: unit, reason: event.service, at: turn.instant), grants, &turn)
    }

    func carryOut(_ effects: [WakeEffect], _ grants: Grants, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .startUnit(let client, let unit, let reason):
                turn.actions.append(.wake(client, unit: unit, reason))
            case .stopUnit(let client, let unit): turn.actions.append(.endWake(client, unit: unit))
            case .wakeDone(let client):
                if let unit = grants.manifest(of: client)?.wakeUnit {
                    turn.actions.append(.wakeDone(client, unit: unit))
                }
            case .note(let client, let unit, let note):
                turn.log(.client(client, "\(unit): \(note.message)"))
            }
        }
    }
}

// MARK: Borders

extension Outbox {
    /// Handles a region event of a client's manifest: starts the unit that the manifest names for it, and sends the
    /// client the event.
    ///
    /// The unit's start waits if the unit was started shortly before. The event is sent only if the manifest names a
    /// topic.
    mutating func crossed(
        _ transition: PendingEvent.RegionTransition, of client: String, _ context: EventContext, _ turn: inout Turn
    ) {
        let (region, event, grants) = (transition.identifier, transition.kind, context.grants)
        if event != .dwell { borders.turned(client, region) }
        let declared = grants.manifest(of: client)?.regions.first { $0.name == region }
        // An event of a region that the client may not have now is not kept for later, no matter whether its manifest
        // or the client itself asked for the region.
        if let topic = declared?.topic, grants.mayHear(of: .regions, client) {
            var told = transition
            told.topic = topic
            post(.region(told), for: client, isWanted: true, context, &turn)
        } else {
            counted.transitions[event, default: 0] += 1
        }
        guard let unit = declared?.unit(for: event) else { return }
        let start = BorderStart(client: client, region: region, event: event, unit: unit)
        carryOut(borders.crossed(start, at: turn.instant), grants, &turn)
    }

    func carryOut(_ effects: [BorderEffect], _ grants: Grants, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .start(let start):
                if grants.mayStart(start) { turn.actions.append(.startUnit(start)) }
            case .expire(let start): turn.actions.append(.expireStart(start))
            }
        }
    }
}

extension Grants {
    /// Whether a start, which may have waited, still agrees with the client's manifest and is still allowed.
    fileprivate func mayStart(_ start: BorderStart) -> Bool {
        let region = manifest(of: start.client)?.regions.first { $0.name == start.region }
        return region?.unit(for: start.event) == start.unit && mayCross(start.client)
    }
}
