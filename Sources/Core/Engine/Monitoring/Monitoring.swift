internal import Beacons
internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Monitors
internal import Power
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Monitors regions, visits and significant changes for clients, whether or not they run.
///
/// Each service is a small part of its own. To add one, write a part like these and add it wherever they are named
/// here.
struct Monitoring: ~Copyable {
    private var regions = RegionMonitoring()
    private var visits = VisitMonitoring()
    private var changes = SignificantChangeMonitoring()
    /// Whether all stored registrations were given: a manifest's region that is registered earlier would lose its state.
    private var isRestored = false

    /// The position requests of all monitoring, for the receiver's power.
    func needs(_ grants: Grants) -> [AccuracyRequest] {
        let named = payers(grants).flatMap { name in
            (changes.needs(of: name) + visits.needs(of: name)).map { Monitoring.request($0, of: name) }
        }
        return named
            + regions.needs.flatMap { need in regions.clients(ofBeacons: false).map { Monitoring.request(need, of: $0) }
            }
    }

    private static func request(_ service: AccuracyRequest.Service, of client: String) -> AccuracyRequest {
        AccuracyRequest(client: EnergyLedger.number(ofRegistrations: client), service)
    }

    /// The clients to which the energy of monitoring is charged.
    func payers(_ grants: Grants) -> [String] { names.filter(grants.mayMonitor) }

    /// The numbers of those to which the radio's energy is charged.
    var radioPayers: [UInt32] { regions.clients(ofBeacons: true).map(EnergyLedger.number(ofRegistrations:)) }

    /// The names of the clients that have registrations, sorted.
    private var names: [String] { (regions.clients + visits.clients + changes.clients).uniqued }

    /// The next instant at which time alone changes something for regions or visits.
    var pathDeadline: MonotonicInstant? { .earlier(regions.deadline, visits.deadline) }

    /// The next instant at which a delayed significant change must be told.
    func changeDeadline(_ grants: Grants) -> MonotonicInstant? { changes.deadline(grants) }

    /// Whether any client is told of significant changes or visits by reduced-accuracy estimates only.
    func hearsEstimates(_ grants: Grants) -> Bool { changes.hearsEstimates(grants) || visits.hearsEstimates(grants) }

    // MARK: Locations

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { visits.sensed(motion: motion, at: instant) }

    /// Passes a location to the region and visit monitors.
    mutating func follow(_ location: FusedLocation, _ clock: FixClock, _ grants: Grants, _ turn: inout Turn) {
        visits.resume(clock, &turn)
        regions.date(clock, at: turn.instant)
        regions.follow(location, clock, &turn)
        visits.follow(location, clock, grants, &turn)
        if regions.isWatching { turn.tell(.monitoringNeeds) }
    }

    /// Checks any new fix for significant changes, whichever client it was found for.
    ///
    /// - Parameter isCoarse: Whether the fix is an estimate for clients with reduced accuracy.
    mutating func found(_ fix: Fix, isCoarse: Bool, _ grants: Grants, _ turn: inout Turn) {
        changes.follow(fix, isCoarse: isCoarse, grants, &turn)
        if isCoarse { visits.follow(estimate: fix, grants, &turn) }
    }

    /// Lets time pass for the region and visit monitors.
    mutating func advancePath(_ clock: FixClock, _ grants: Grants, _ turn: inout Turn) {
        guard let deadline = pathDeadline, deadline <= turn.instant else { return }
        regions.advance(clock, &turn)
        regions.tellDelays(&turn)
        visits.advance(clock, grants, &turn)
    }

    /// Takes the instant since which a needed fix does not come; nil while fixes come.
    mutating func outage(since: MonotonicInstant?) { regions.outage(since: since) }

    /// Tells delayed significant changes that are due.
    mutating func advanceChanges(_ grants: Grants, _ turn: inout Turn) {
        changes.advance(grants, &turn)
    }

    /// Applies changed access: monitors only what clients may be told of.
    mutating func follow(_ grants: Grants, _ whereabouts: Whereabouts, _ turn: inout Turn) {
        changes.begin(whereabouts, grants, &turn)
        if isRestored { regions.adopt(grants, whereabouts.clock, &turn) }
        regions.follow(grants, whereabouts.clock, &turn)
        turn.tell(.monitoringNeeds)
    }

    // MARK: Beacons

    /// How the radio must listen for regions; nil where it need not.
    func radioNeed(at instant: MonotonicInstant) -> ScanTiming? { regions.radioNeed(at: instant) }

    /// The next instant at which time alone changes something about the beacons of regions.
    var beaconDeadline: MonotonicInstant? { regions.beaconDeadline }

    var beaconRegionCount: Int { regions.beaconCount }

    /// Takes what the radio does at the beginning of an input.
    mutating func sense(_ radio: RadioStanding) { regions.sense(radio) }

    /// Takes what the radio does now.
    mutating func follow(_ radio: RadioStanding, at instant: MonotonicInstant) { regions.follow(radio, at: instant) }

    mutating func heard(_ beacon: BeaconIdentity, _ radio: RadioStanding, _ clock: FixClock, _ turn: inout Turn) {
        regions.heard(beacon, radio, clock, &turn)
    }

    mutating func advanceBeacons(_ radio: RadioStanding, _ clock: FixClock, _ turn: inout Turn) {
        guard let deadline = beaconDeadline, deadline <= turn.instant else { return }
        regions.advanceBeacons(radio, clock, &turn)
    }

    /// Tells clients that asked for it of the beacons' regions that the board is inside, because a person looks at it.
    mutating func displayed(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        regions.displayed(grants, clock, &turn)
    }

    // MARK: Clients

    mutating func serve(
        _ request: MonitoringRequest, id: String?, of client: String, on connection: ClientID, _ grants: Grants,
        _ whereabouts: Whereabouts, _ turn: inout Turn
    ) {
        turn.tell(.monitoringNeeds)
        switch request {
        case .significantChange(true):
            changes.start(of: client, on: connection, whereabouts, grants, &turn)
        case .significantChange(false): changes.stop(of: client, &turn)
        case .visits(let isEnabled): visits.set(isEnabled, of: client, on: connection, &turn)
        case .region(let region):
            regions.add(
                region, of: client, id: id, on: connection, grants, whereabouts.clock,
                isLocated: whereabouts.fused != nil, &turn)
        case .endRegion(let identifier, let monitor):
            regions.remove(RegionKey(identifier: identifier, monitor: monitor), of: client, &turn)
        case .list: list(of: client, grants, id: id, on: connection, &turn)
        }
    }

    /// Whether the board is inside a region, by its monitor where it has one, else by the present location.
    func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ whereabouts: Whereabouts
    ) -> Bool? {
        regions.isInside(identifier, region, of: client, whereabouts.fused)
    }

    private mutating func list(
        of client: String, _ grants: Grants, id: String?, on connection: ClientID, _ turn: inout Turn
    ) {
        let maySeeStates = grants.mayHear(of: .regions, client)
        // The regions of its manifest are the operator's: the client could neither be told of them nor end them.
        let own = count(of: client) - regions.manifestCount(of: client)
        turn.send(connection) { text in
            if changes.count(of: client) > 0 { ClientEvent.appendRegistration("significantChange", to: &text) }
            if visits.count(of: client) > 0 { ClientEvent.appendRegistration("visits", to: &text) }
            for region in regions.registrations(of: client) where !region.isOfManifest {
                ClientEvent.appendRegistration(
                    region.request, isInside: maySeeStates ? region.isInside : nil,
                    date: maySeeStates ? region.date : nil,
                    exitAfter: maySeeStates ? regions.exitAfter(region) : nil, to: &text)
            }
            ClientEvent.appendRegistrations(count: own, id: id, to: &text)
        }
        // A client that lists its registrations also wants their events, except significant changes, for which it must
        // ask.
        if regions.count(of: client) > regions.manifestCount(of: client) {
            turn.tell(.want(.regions, on: connection))
        }
        if visits.count(of: client) > 0 { turn.tell(.want(.visits, on: connection)) }
    }

    /// The number of a client's registrations.
    func count(of client: String) -> Int {
        regions.count(of: client) + visits.count(of: client) + changes.count(of: client)
    }

    /// Ends all monitoring for a client; `erase` removes it from the store too.
    mutating func forget(_ client: String, erase: Bool, _ turn: inout Turn) {
        turn.tell(.monitoringNeeds)
        guard count(of: client) > 0 else { return }
        if erase {
            for region in regions.registrations(of: client) { turn.remove(.registrations, client, region.key.name) }
            turn.remove(.registrations, client, "visits")
            turn.remove(.registrations, client, "significantChange")
        }
        regions.forget(client, &turn)
        visits.forget(client)
        changes.forget(client)
    }

    // MARK: Operators

    mutating func serve(_ request: VisitRequest, id: String?, on connection: ClientID, _ turn: inout Turn) {
        visits.serve(request, id: id, on: connection, &turn)
    }

    /// Lists the regions of all clients for an operator, and tells it of each change from then on; or ends that.
    mutating func serveRegions(isEnabled: Bool, offset: Int, id: String?, on connection: ClientID, _ turn: inout Turn) {
        regions.serve(isEnabled: isEnabled, offset: offset, id: id, on: connection, &turn)
    }

    /// The regions of all clients.
    var regionCount: Int { regions.totalCount }

    /// The operators' connections that are told of every change of a region.
    var regionWatchers: [ClientID] { regions.watchers }

    mutating func stopTellingRegions(_ connection: ClientID) { regions.stopTelling(connection) }

    // MARK: Stored rows

    /// Notes that all stored registrations were given.
    mutating func restored() { isRestored = true }

    /// Takes a stored registration.
    ///
    /// - Returns: Whether the row could be decoded.
    mutating func restore(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        turn.tell(.monitoringNeeds)
        switch row.name {
        case "significantChange": return changes.restore(row, at: turn.instant)
        case "visits": return visits.restore(row)
        default: return regions.restore(row)
        }
    }

    /// Takes a stored past visit.
    ///
    /// - Returns: Whether the value could be decoded.
    mutating func restoreVisit(_ value: [UInt8]) -> Bool { visits.restoreVisit(value) }

    /// Takes the stored state of the visit monitor, and keeps it until the time is known.
    mutating func restoreVisitMonitor(_ value: [UInt8]) { visits.restoreMonitor(value) }

    mutating func restoreCoarseStay(_ value: [UInt8]) -> Bool { visits.restoreCoarseStay(value) }
}

/// A consequence of monitoring that the outbox carries out.
enum MonitoringEffect {
    /// Deliver an event; where `isWanted` is false, only if its client is connected.
    case post(PendingEvent.Kind, for: String, isWanted: Bool = true)
    /// Start the unit that the client's manifest names for an event of its region with this name.
    case cross(region: String, RegionEventObject.Kind, of: String)
    /// Forget undelivered events of a service: of one region, or all.
    case withdraw(MonitoredService, RegionKey? = nil, of: String)
    /// Tell a client that runs that the events of its regions are delayed, with Core Location's error code.
    case delayed(errorCode: Int, of: String)
    /// Let a connection have the events of a service.
    ///
    /// `known` is the location that it is told where it asks for the first time and no event waits.
    case want(MonitoredService, on: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil)
}

/// A value for each client, in the order of the clients' names.
struct PerClient<Value> {
    private(set) var entries: [(client: String, value: Value)] = []

    subscript(client: String) -> Value? {
        get { entries.first { $0.client == client }?.value }
        set {
            let known = entries.firstIndex { $0.client == client }
            switch (known, newValue) {
            case (let place?, let value?): entries[place].value = value
            case (let place?, nil): entries.remove(at: place)
            case (nil, let value?):
                entries.insert((client, value), at: entries.firstIndex { $0.client > client } ?? entries.count)
            case (nil, nil): break
            }
        }
    }

    /// Changes a client's entry in place; a missing entry begins as `initial`.
    mutating func update<Result>(
        _ client: String, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        if self[client] == nil { self[client] = initial() }
        let place = entries.firstIndex { $0.client == client } ?? 0
        return body(&entries[place].value)
    }

    /// Changes the entry at an index in place.
    mutating func update<Result>(at place: Int, _ body: (inout Value) -> Result) -> Result {
        body(&entries[place].value)
    }
}

extension [String] {
    /// The strings in order, each once.
    fileprivate var uniqued: [String] {
        sorted().reduce(into: []) { names, name in if names.last != name { names.append(name) } }
    }
}
