internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import GNSS
internal import Monitors
internal import Parts
internal import SextantUnits

/// Finds the board's visits, and reports them to the clients that monitor visits.
struct VisitMonitoring: ~Copyable {
    private var monitor = VisitMonitor()
    private var book = VisitBook()
    private var found: [VisitEvent] = []
    /// The stored state of the visit monitor, kept undecoded until the first location; nil after that, or where none
    /// was stored.
    private var record: [UInt8]?
    private var keptGeneration: UInt64 = 0
    /// The stay in a grid cell that is reported to clients with reduced accuracy; nil if no such client monitors
    /// visits.
    private var coarseStay: CoarseStay?

    /// The names of the rows in the store that hold the visit monitor's state and the stay for clients with reduced
    /// accuracy.
    static let (monitorName, coarseName) = ("visitMonitor", "coarseStay")

    var deadline: MonotonicInstant? { monitor.deadline }

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { monitor.sensed(motion: motion, at: instant) }

    // MARK: Estimates

    /// Follows the estimates (rounded positions) for clients with reduced accuracy, and reports the visits that they
    /// show.
    mutating func found(
        estimate: Fix, _ services: inout ServiceRegistrations, _ grants: Grants, _ turn: inout Turn
    ) {
        let clients = services.clients(of: .visits).filter(grants.isReduced)
        guard !clients.isEmpty else {
            if coarseStay != nil { turn.remove(.settings, "", VisitMonitoring.coarseName) }
            return coarseStay = nil
        }
        let event = coarseStay?.found(estimate)
        if coarseStay == nil { coarseStay = CoarseStay(estimate) }
        if let coarseStay { turn.put(.settings, "", VisitMonitoring.coarseName, coarseStay.encode()) }
        guard let event else { return }
        for client in clients where grants.mayMonitor(client) {
            let watch = VisitMonitoring.watch(of: client, services)
            // The event names the visit by its arrival time. Where the client was not sent the arrival, the departure
            // event omits the arrival time.
            let visit = event.arrival.map { UInt64(bitPattern: $0.nanoseconds) }
            let next = VisitWatch(toldVisit: event.departure == nil ? visit : nil)
            services.keep(next.encode(), of: .visits, client, &turn)
            var told = event
            if event.departure != nil, watch.toldVisit != visit { told.arrival = nil }
            turn.tell(.post(.visit(told), for: client))
        }
    }

    // MARK: Locations

    mutating func found(
        _ location: FusedLocation, _ clock: FixClock, _ gap: UnfollowedTime, _ services: inout ServiceRegistrations,
        _ grants: Grants, _ turn: inout Turn
    ) {
        found.removeAll(keepingCapacity: true)
        monitor.found(location, into: &found)
        tell(clock, gap, &services, grants, &turn)
    }

    mutating func advance(
        _ clock: FixClock, _ gap: UnfollowedTime, _ services: inout ServiceRegistrations, _ grants: Grants,
        _ turn: inout Turn
    ) {
        found.removeAll(keepingCapacity: true)
        monitor.advance(to: turn.instant, into: &found)
        tell(clock, gap, &services, grants, &turn)
    }

    /// Reports the visit events found to all clients that monitor visits, and adds them to the list of past visits.
    private mutating func tell(
        _ clock: FixClock, _ gap: UnfollowedTime, _ services: inout ServiceRegistrations, _ grants: Grants,
        _ turn: inout Turn
    ) {
        for event in found {
            let stay = VisitObject(event, clock, after: gap)
            keep(book.note(event, clock: clock, after: gap), &turn)
            for client in services.clients(of: .visits) { tell(event, stay, to: client, &services, grants, &turn) }
        }
        // The monitor's state is stored with every visit event, when a stay begins, and every 5 minutes while no stay
        // is reported or the board seems to have left the reported one.
        guard monitor.generation != keptGeneration else { return }
        keptGeneration = monitor.generation
        turn.put(.settings, "", VisitMonitoring.monitorName, monitor.encode(offset: clock.offset))
    }

    private func tell(
        _ event: VisitEvent, _ known: VisitObject, to client: String, _ services: inout ServiceRegistrations,
        _ grants: Grants, _ turn: inout Turn
    ) {
        // A client with reduced accuracy gets visits only from the estimates, not from the board's path.
        guard grants.mayMonitor(client), !grants.isReduced(client) else { return }
        var stay = known
        let watch = VisitMonitoring.watch(of: client, services)
        switch event.kind {
        case .arrival:
            // A stay that was under way when monitoring began is reported only when it ends.
            guard event.arrival != nil else { return }
            services.keep(VisitWatch(toldVisit: event.visit).encode(), of: .visits, client, &turn)
        case .departure:
            if watch.toldVisit != event.visit { (stay.arrival, stay.arrivalRange) = (nil, nil) }
            if watch.toldVisit != nil { services.keep(VisitWatch().encode(), of: .visits, client, &turn) }
        }
        turn.tell(.post(.visit(stay), for: client))
    }

    private static func watch(of client: String, _ services: ServiceRegistrations) -> VisitWatch {
        services[.visits, client].flatMap { VisitWatch.decode($0.span) } ?? VisitWatch()
    }

    private func keep(_ changes: [VisitBook.Change], _ turn: inout Turn) {
        for change in changes {
            switch change {
            case .put(let name, let value): turn.put(.visits, "", name, value)
            case .remove(let name): turn.remove(.visits, "", name)
            }
        }
    }

    // MARK: Stored rows

    mutating func restoreVisit(_ value: [UInt8]) -> Bool { book.restore(value) }

    mutating func restoreMonitor(_ value: [UInt8]) { record = value }

    /// - Returns: Whether the record could be decoded.
    mutating func restoreCoarseStay(_ value: [UInt8]) -> Bool {
        coarseStay = CoarseStay.decode(value.span)
        return coarseStay != nil
    }

    /// Restores the monitor's stored state at the first location, with which the time is usually known; if it is not,
    /// data that depend on it are dropped.
    mutating func resume(_ clock: FixClock, _ turn: inout Turn) {
        guard let record else { return }
        self.record = nil
        guard let kept = VisitMonitor(decoding: record.span, offset: clock.offset) else {
            turn.log(.unreadableRow(table: .settings, client: "", name: VisitMonitoring.monitorName))
            return turn.remove(.settings, "", VisitMonitoring.monitorName)
        }
        replaceMonitor(by: kept)
    }

    /// Replaces the monitor, and passes the accelerometer's state on to the new one, because the accelerometer reports
    /// only changes.
    private mutating func replaceMonitor(by next: VisitMonitor) {
        let motion = monitor.motion
        monitor = next
        keptGeneration = monitor.generation
        if let motion { monitor.sensed(motion: motion.isMoving, at: motion.since) }
    }

    // MARK: Operators

    mutating func serve(_ request: VisitRequest, id: String?, on connection: ClientID, _ turn: inout Turn) {
        switch request {
        case .list(let before, let limit):
            let total = book.visits.count
            let visits = book.visits.filter { $0.visit < before ?? .max }.suffix(limit)
            turn.send(connection) { text in
                for visit in visits { ClientEvent.append(visit, id: id, to: &text) }
                ClientEvent.appendVisits(count: visits.count, total: total, id: id, to: &text)
            }
        case .erase:
            let count = book.visits.count
            keep(book.erase(), &turn)
            // The learned places are erased with the visits, and a stay in progress counts as begun now.
            replaceMonitor(by: VisitMonitor())
            record = nil
            coarseStay = nil
            turn.remove(.settings, "", VisitMonitoring.monitorName)
            turn.remove(.settings, "", VisitMonitoring.coarseName)
            turn.confirm(connection) { ClientEvent.appendErased(count: count, id: id, to: &$0) }
        }
    }
}
