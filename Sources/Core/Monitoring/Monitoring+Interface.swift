public import Access
public import Beacons
public import ClientProtocol
internal import ClientVocabulary
public import Fusion
public import GNSS
public import Parts
public import SextantUnits

/// Monitors regions, visits and significant changes for clients, even for clients that do not run.
///
/// `ServiceRegistrations` keeps which services (such as visits) each client has switched on. Regions, visits and
/// significant changes have a struct each, which finds their events.
public struct Monitoring: ~Copyable {
    /// All values that other parts of the Engine read from monitoring, except the deadline.
    public internal(set) var view = MonitoringView()
    var visits = VisitMonitoring()
    var changes = SignificantChangeMonitoring()
    /// The period before this run of the daemon in which the board's position is not known.
    var gap = UnfollowedTime()

    public init() {}

    /// The next instant at which a region or a visit changes without a new location; nil for none.
    var pathDeadline: MonotonicInstant? { .earlier(view.regions.deadline, visits.deadline) }
}

/// Values that the Engine reads from `Monitoring`.
extension Monitoring {
    /// The next instant at which monitoring has something to do, if no input comes before; nil for none.
    ///
    /// - Parameter isServed: Whether any client is served, so that the board's path is followed.
    public func deadline(_ grants: Grants, isServed: Bool) -> MonotonicInstant? {
        let told = MonotonicInstant.earlier(changes.deadline(grants), view.regions.reaches.deadline)
        return isServed ? .earlier(told, pathDeadline) : told
    }

    /// How the Bluetooth radio must listen for beacon regions; nil if it need not listen.
    public mutating func radioNeed(at instant: MonotonicInstant) -> ScanTiming? {
        view.regions.reaches.radioNeed(at: instant)
    }
}

/// Commands that the Engine gives to `Monitoring`.
extension Monitoring {
    /// Restores a row of the store, such as a registration or a past visit, when the daemon starts.
    ///
    /// - Returns: Whether the row belongs to monitoring and could be decoded.
    public mutating func restore(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        switch (row.table, row.name) {
        case (.registrations, let name):
            turn.tell(.monitoringNeeds)
            guard let service = MonitoredService(switched: name) else { return view.regions.restore(row) }
            guard service.canRead(row.value) else { return false }
            view.services.restore(row.value, of: service, row.client)
            changes.restore(view.services, at: turn.instant)
        case (.visits, _): return visits.restoreVisit(row.value)
        // The row with the visit monitor's state is kept undecoded until the first location, because decoding it needs
        // the time.
        case (.settings, VisitMonitoring.monitorName): visits.restoreMonitor(row.value)
        case (.settings, VisitMonitoring.coarseName): return visits.restoreCoarseStay(row.value)
        default: return false
        }
        return true
    }

    /// Takes the last time at which the board's position was known; nil where that time is not known.
    ///
    /// Events that happened between that time and the next location have a range of times that begins with that time.
    ///
    /// - Parameter isDoubted: Whether the board was perhaps moved while the host slept, so that it is not known until
    ///   the first fix which regions the board is inside.
    public mutating func unfollowed(since time: UTCInstant?, isDoubted: Bool = false) {
        if let time { gap.begin(time) }
        if isDoubted { view.regions.isDoubted = true }
    }

    /// Takes the state of the Bluetooth radio before the Engine handles an input.
    public mutating func sensed(_ radio: RadioState) { view.regions.reaches.sensed(radio) }

    public mutating func sensed(motion: Bool, at instant: MonotonicInstant) {
        visits.sensed(motion: motion, at: instant)
        view.regions.reaches.isMoving = motion
    }

    /// Checks a new fix for significant changes, whichever client the fix was found for.
    ///
    /// - Parameter isCoarse: Whether the fix is an estimate for clients with reduced accuracy.
    public mutating func found(_ fix: Fix, isCoarse: Bool, _ grants: Grants, _ turn: inout Turn) {
        changes.found(fix, isCoarse: isCoarse, &view.services, grants, &turn)
        if isCoarse { visits.found(estimate: fix, &view.services, grants, &turn) }
    }

    /// Passes a fused location to the region and visit monitors.
    public mutating func found(_ location: FusedLocation, _ clock: FixClock, _ grants: Grants, _ turn: inout Turn) {
        visits.resume(clock, &turn)
        view.regions.date(clock, at: turn.instant)
        if let time = clock.utc(location.instant) { gap.end(time) }
        view.regions.found(location, clock, gap, &turn)
        visits.found(location, clock, gap, &view.services, grants, &turn)
        if view.regions.isWatching { turn.tell(.monitoringNeeds) }
    }

    public mutating func heard(_ heard: HeardBeacon, _ radio: RadioState, _ clock: FixClock, _ turn: inout Turn) {
        view.regions.heard(heard, radio, clock, &turn)
    }

    /// Takes the instant since which no fix has come although one is needed; nil while fixes come.
    public mutating func outage(since: MonotonicInstant?) { view.regions.outage(since: since) }

    /// Reports what is due by now for significant changes, for regions and visits (if the board's path is followed),
    /// and for beacons.
    public mutating func advance(
        _ radio: RadioState, _ clock: FixClock, _ grants: Grants, isServed: Bool, _ turn: inout Turn
    ) {
        changes.advance(&view.services, grants, &turn)
        if isServed, let due = pathDeadline, due <= turn.instant {
            view.regions.advance(clock, gap, &turn)
            view.regions.tellDelays(&turn)
            visits.advance(clock, gap, &view.services, grants, &turn)
        }
        if let due = view.regions.reaches.deadline, due <= turn.instant {
            view.regions.advanceBeacons(radio, clock, &turn)
        }
    }

    /// Applies changed authorizations: from then on, monitors only the events that clients are allowed to have.
    public mutating func settle(_ grants: Grants, _ whereabouts: Whereabouts, _ turn: inout Turn) {
        changes.begin(&view.services, whereabouts, grants, &turn)
        // The manifests' regions are registered only after all stored rows were restored; otherwise the stored
        // knowledge whether the board is inside them would be lost.
        if grants.areRestored { view.regions.adopt(grants, whereabouts.clock, &turn) }
        view.regions.settle(grants, whereabouts.clock, &turn)
        turn.tell(.monitoringNeeds)
    }

    /// Takes the radio's present state.
    ///
    /// - Returns: The numbers of the energy accounts to which the radio's energy is charged.
    public mutating func settle(_ radio: RadioState, at instant: MonotonicInstant) -> [UInt32] {
        view.regions.reaches.settle(radio, at: instant)
        return view.regions.radioPayers()
    }

    public mutating func serve(
        _ request: MonitoringRequest, id: String?, of client: String, on connection: ClientID, _ grants: Grants,
        _ whereabouts: Whereabouts, _ turn: inout Turn
    ) {
        turn.tell(.monitoringNeeds)
        switch request {
        case .service(let service, let isEnabled):
            set(service, isEnabled, of: client, on: connection, whereabouts, grants, &turn)
        case .region(let region):
            view.regions.add(
                region, of: client, id: id, on: connection, grants, whereabouts.clock,
                isLocated: whereabouts.fused != nil, &turn)
        case .endRegion(let identifier, let monitor):
            view.regions.remove(RegionKey(identifier: identifier, monitor: monitor), of: client, &turn)
        case .list: list(of: client, grants, id: id, on: connection, &turn)
        }
    }

    /// Answers an operator's request that is about visits or regions.
    public mutating func serve(
        _ request: OperatorRequest, id: String?, of connection: ClientID, _ grants: Grants, _ clock: FixClock,
        _ turn: inout Turn
    ) {
        switch request {
        case .visits(let request): visits.serve(request, id: id, on: connection, &turn)
        case .regions(let isEnabled, let offset):
            view.regions.serve(isEnabled: isEnabled, offset: offset, id: id, on: connection, &turn)
        // By this request the operator says that a person looks at the board, as if its display had lit up. Clients
        // that want to know it are then sent the beacon regions that the board is inside.
        case .display:
            view.regions.displayed(grants, clock, &turn)
            turn.send(connection) { ClientEvent.appendDone(.displayed, id: id, to: &$0) }
        default: break
        }
    }

    /// Stops sending changes of regions to an operator's connection that has ended.
    public mutating func gone(_ connection: ClientID) { view.regions.stopTelling(connection) }

    /// Ends all monitoring for a client; `erase` removes the client's registrations from the store too.
    public mutating func forget(_ client: String, erase: Bool, _ turn: inout Turn) {
        turn.tell(.monitoringNeeds)
        guard view.count(of: client) > 0 else { return }
        if erase {
            for region in view.regions.registrations(of: client) {
                turn.remove(.registrations, client, region.key.name)
            }
            for service in MonitoredService.switched { _ = view.services.remove(service, client, &turn) }
        }
        view.regions.forget(client, &turn)
        view.services.forget(client)
        changes.settle(view.services)
    }
}
