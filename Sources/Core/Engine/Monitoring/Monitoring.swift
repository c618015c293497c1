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
    /// Consequences for other parts, until these take them.
    private var effects: [MonitoringEffect] = []
    /// Whether the needs from the receiver may have changed since `takeNewNeeds` was last called.
    private var hasNewNeeds = false

    /// Whether all stored registrations were given: a manifest's region that is registered earlier would lose its state.
    private var isRestored = false

    mutating func takeEffects() -> [MonitoringEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Whether the needs from the receiver may have changed since the last call.
    mutating func takeNewNeeds() -> Bool {
        defer { hasNewNeeds = false }
        return hasNewNeeds
    }

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
    mutating func follow(
        _ location: FusedLocation, _ clock: FixClock, _ grants: Grants, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        visits.resume(clock, into: &outputs)
        regions.date(clock, at: instant)
        regions.follow(location, clock, &effects, into: &outputs)
        visits.follow(location, clock, grants, &effects, into: &outputs)
        if regions.isWatching { hasNewNeeds = true }
    }

    /// Checks any new fix for significant changes, whichever client it was found for.
    ///
    /// - Parameter isCoarse: Whether the fix is an estimate for clients with reduced accuracy.
    mutating func found(
        _ fix: Fix, isCoarse: Bool, _ grants: Grants, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        changes.follow(fix, isCoarse: isCoarse, grants, at: instant, &effects, into: &outputs)
        if isCoarse { visits.follow(estimate: fix, grants, &effects, into: &outputs) }
    }

    /// Lets time pass for the region and visit monitors.
    mutating func advancePath(
        to instant: MonotonicInstant, _ clock: FixClock, _ grants: Grants, into outputs: inout Outputs
    ) {
        guard let deadline = pathDeadline, deadline <= instant else { return }
        regions.advance(to: instant, clock, &effects, into: &outputs)
        regions.tellDelays(at: instant, &effects)
        visits.advance(to: instant, clock, grants, &effects, into: &outputs)
    }

    /// Takes the instant since which a needed fix does not come; nil while fixes come.
    mutating func outage(since: MonotonicInstant?) { regions.outage(since: since) }

    /// Tells delayed significant changes that are due.
    mutating func advanceChanges(to instant: MonotonicInstant, _ grants: Grants, into outputs: inout Outputs) {
        changes.advance(to: instant, grants, &effects, into: &outputs)
    }

    /// Applies changed access: monitors only what clients may be told of.
    mutating func follow(
        _ grants: Grants, _ whereabouts: Whereabouts, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        changes.begin(whereabouts, grants, at: instant, &effects, into: &outputs)
        if isRestored { regions.adopt(grants, whereabouts.clock, at: instant, into: &outputs) }
        regions.follow(grants, whereabouts.clock, at: instant, into: &outputs)
        hasNewNeeds = true
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

    mutating func heard(
        _ beacon: BeaconIdentity, _ radio: RadioStanding, _ clock: FixClock, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        regions.heard(beacon, radio, clock, at: instant, &effects, into: &outputs)
    }

    mutating func advanceBeacons(
        to instant: MonotonicInstant, _ radio: RadioStanding, _ clock: FixClock, into outputs: inout Outputs
    ) {
        guard let deadline = beaconDeadline, deadline <= instant else { return }
        regions.advanceBeacons(to: instant, radio, clock, &effects, into: &outputs)
    }

    /// Tells clients that asked for it of the beacons' regions that the board is inside, because a person looks at it.
    mutating func displayed(_ grants: Grants, _ clock: FixClock, at instant: MonotonicInstant) {
        regions.displayed(grants, clock, at: instant, &effects)
    }

    // MARK: Clients

    mutating func serve(
        _ request: MonitoringRequest, id: String?, of client: String, on connection: ClientID, _ grants: Grants,
        _ whereabouts: Whereabouts, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        hasNewNeeds = true
        switch request {
        case .significantChange(true):
            changes.start(of: client, on: connection, whereabouts, grants, at: instant, &effects, into: &outputs)
        case .significantChange(false): changes.stop(of: client, &effects, into: &outputs)
        case .visits(let isEnabled): visits.set(isEnabled, of: client, on: connection, &effects, into: &outputs)
        case .region(let region):
            regions.add(
                region, of: client, id: id, on: connection, grants, whereabouts.clock,
                isLocated: whereabouts.fused != nil, at: instant, &effects, into: &outputs)
        case .endRegion(let identifier, let monitor):
            regions.remove(RegionKey(identifier: identifier, monitor: monitor), of: client, &effects, into: &outputs)
        case .list: list(of: client, grants, id: id, on: connection, into: &outputs)
        }
    }

    /// Whether the board is inside a region, by its monitor where it has one, else by the present location.
    func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ whereabouts: Whereabouts
    ) -> Bool? {
        regions.isInside(identifier, region, of: client, whereabouts.fused)
    }

    private mutating func list(
        of client: String, _ grants: Grants, id: String?, on connection: ClientID, into outputs: inout Outputs
    ) {
        let maySeeStates = grants.mayHear(of: .regions, client)
        // The regions of its manifest are the operator's: the client could neither be told of them nor end them.
        let own = count(of: client) - regions.manifestCount(of: client)
        outputs.send(connection) { text in
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
            effects.append(.want(.regions, on: connection))
        }
        if visits.count(of: client) > 0 { effects.append(.want(.visits, on: connection)) }
    }

    /// The number of a client's registrations.
    func count(of client: String) -> Int {
        regions.count(of: client) + visits.count(of: client) + changes.count(of: client)
    }

    /// Ends all monitoring for a client; `erase` removes it from the store too.
    mutating func forget(_ client: String, erase: Bool, into outputs: inout Outputs) {
        hasNewNeeds = true
        guard count(of: client) > 0 else { return }
        if erase {
            for region in regions.registrations(of: client) { outputs.remove(.registrations, client, region.key.name) }
            outputs.remove(.registrations, client, "visits")
            outputs.remove(.registrations, client, "significantChange")
        }
        regions.forget(client, into: &outputs)
        visits.forget(client)
        changes.forget(client)
    }

    // MARK: Operators

    mutating func serve(_ request: VisitRequest, id: String?, on connection: ClientID, into outputs: inout Outputs) {
        visits.serve(request, id: id, on: connection, into: &outputs)
    }

    /// Lists the regions of all clients for an operator, and tells it of each change from then on; or ends that.
    mutating func serveRegions(
        isEnabled: Bool, offset: Int, id: String?, on connection: ClientID, into outputs: inout Outputs
    ) {
        regions.serve(isEnabled: isEnabled, offset: offset, id: id, on: connection, into: &outputs)
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
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant) -> Bool {
        hasNewNeeds = true
        switch row.name {
        case "significantChange": return changes.restore(row, at: instant)
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
