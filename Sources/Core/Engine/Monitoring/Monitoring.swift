internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import JSON
internal import Monitors
internal import Power
internal import Sessions
internal import Units

/// What is monitored for clients, whether they run or not: a small part for each service.
///
/// To add a service, write a part like these and name it where they are named here.
struct Monitoring {
    private var regions = RegionMonitoring()
    private var visits = VisitMonitoring()
    private var changes = SignificantChangeMonitoring()
    /// What others are to do, until they take it.
    private var effects: [MonitoringEffect] = []
    /// Whether it may need something else of the receiver since that was asked last.
    private var hasNewNeeds = false

    /// Under which the energy of what is monitored is accounted for.
    static let client: UInt32 = 0

    mutating func takeEffects() -> [MonitoringEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Whether its needs may have changed since they were asked for last.
    mutating func takeNewNeeds() -> Bool {
        defer { hasNewNeeds = false }
        return hasNewNeeds
    }

    /// What those who monitor need positions for.
    func needs(_ grants: Grants) -> [AccuracyRequest] {
        let named = names.filter(grants.mayMonitor).flatMap { changes.needs(of: $0) + visits.needs(of: $0) }
        return (named + regions.needs).map { AccuracyRequest(client: Monitoring.client, $0) }
    }

    /// The clients for whom something is monitored, sorted.
    private var names: [String] { (regions.clients + visits.clients + changes.clients).uniqued }

    /// When time alone changes something for the monitors that follow the board's place.
    var pathDeadline: MonotonicInstant? { .earlier(regions.deadline, visits.deadline) }

    /// When a significant change is owed.
    func changeDeadline(_ grants: Grants) -> MonotonicInstant? { changes.deadline(grants) }

    /// Whether somebody is told of significant changes by estimates alone.
    func hearsEstimates(_ grants: Grants) -> Bool { changes.hearsEstimates(grants) }

    // MARK: Where the board is

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { visits.sensed(motion: motion, at: instant) }

    /// Follows a location that clients may be told of.
    mutating func follow(
        _ location: FusedLocation, _ clock: FixClock, _ grants: Grants, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        visits.resume(clock, into: &outputs)
        regions.date(clock, at: instant)
        regions.follow(location, clock, grants, &effects, into: &outputs)
        visits.follow(location, clock, grants, &effects, into: &outputs)
        if regions.isWatching { hasNewNeeds = true }
    }

    /// A location was found, for whomever: significant changes are had for nothing.
    ///
    /// - Parameter isCoarse: Whether it is an estimate for those who may see no more.
    mutating func found(
        _ fix: Fix, isCoarse: Bool, _ grants: Grants, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        changes.follow(fix, isCoarse: isCoarse, grants, at: instant, &effects, into: &outputs)
    }

    /// Lets time pass for the monitors that follow the board's place.
    mutating func advancePath(
        to instant: MonotonicInstant, _ clock: FixClock, _ grants: Grants, into outputs: inout Outputs
    ) {
        guard let deadline = pathDeadline, deadline <= instant else { return }
        regions.advance(to: instant, clock, grants, &effects, into: &outputs)
        visits.advance(to: instant, clock, grants, &effects, into: &outputs)
    }

    /// Tells changes that were owed until now.
    mutating func advanceChanges(to instant: MonotonicInstant, _ grants: Grants, into outputs: inout Outputs) {
        changes.advance(to: instant, grants, &effects, into: &outputs)
    }

    /// Access may have changed: what may be told is followed, and nothing else.
    mutating func follow(
        _ grants: Grants, _ whereabouts: Whereabouts, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        changes.begin(whereabouts, grants, at: instant, &effects, into: &outputs)
        regions.follow(grants, whereabouts.clock, at: instant)
        hasNewNeeds = true
    }

    // MARK: Clients

    mutating func serve(
        _ request: ClientRequest, of client: String, on id: ClientID, _ grants: Grants, _ whereabouts: Whereabouts,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        hasNewNeeds = true
        switch request.kind {
        case .monitorSignificantChange(true):
            changes.start(of: client, on: id, whereabouts, grants, at: instant, &effects, into: &outputs)
        case .monitorSignificantChange(false): changes.stop(of: client, &effects, into: &outputs)
        case .monitorVisits(let isEnabled): visits.set(isEnabled, of: client, on: id, &effects, into: &outputs)
        case .monitorRegion(let region):
            regions.add(
                region, of: client, id: request.id, on: id, grants, whereabouts.clock, at: instant, &effects,
                into: &outputs)
        case .unmonitorRegion(let identifier, let monitor):
            regions.remove(RegionKey(identifier: identifier, monitor: monitor), of: client, &effects, into: &outputs)
        case .registrations: list(of: client, grants, id: request.id, on: id, into: &outputs)
        default: break
        }
    }

    /// How a region stands: as it is watched, or by where the board is now.
    func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ whereabouts: Whereabouts
    ) -> Bool? {
        regions.isInside(identifier, region, of: client, whereabouts.fused)
    }

    private mutating func list(
        of client: String, _ grants: Grants, id: String?, on connection: ClientID, into outputs: inout Outputs
    ) {
        let maySeeStates = grants.mayHear(of: .regions, client)
        outputs.send(connection) { text in
            if changes.count(of: client) > 0 { ClientEvent.appendRegistration("significantChange", to: &text) }
            if visits.count(of: client) > 0 { ClientEvent.appendRegistration("visits", to: &text) }
            for region in regions.registrations(of: client) {
                ClientEvent.appendRegistration(
                    region.request, isInside: maySeeStates ? region.isInside : nil,
                    date: maySeeStates ? region.date : nil, to: &text)
            }
            ClientEvent.appendRegistrations(count: count(of: client), id: id, to: &text)
        }
        // Who asks what is monitored for it wants to hear of it; of significant changes it has to ask for itself.
        if regions.count(of: client) > 0 { effects.append(.want(.regions, on: connection)) }
        if visits.count(of: client) > 0 { effects.append(.want(.visits, on: connection)) }
    }

    /// How many things are monitored for a client.
    func count(of client: String) -> Int {
        regions.count(of: client) + visits.count(of: client) + changes.count(of: client)
    }

    /// Forgets all that is monitored for a client; `erase` also where it is kept.
    mutating func forget(_ client: String, erase: Bool, into outputs: inout Outputs) {
        hasNewNeeds = true
        guard count(of: client) > 0 else { return }
        if erase {
            for region in regions.registrations(of: client) { outputs.remove(.registrations, client, region.key.name) }
            outputs.remove(.registrations, client, "visits")
            outputs.remove(.registrations, client, "significantChange")
        }
        regions.forget(client)
        visits.forget(client)
        changes.forget(client)
    }

    // MARK: Operators

    mutating func serve(_ request: VisitRequest, id: String?, on connection: ClientID, into outputs: inout Outputs) {
        visits.serve(request, id: id, on: connection, into: &outputs)
    }

    // MARK: What was kept

    /// - Returns: Whether the row is something that is monitored for its client.
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant) -> Bool {
        hasNewNeeds = true
        switch row.name {
        case "significantChange": return changes.restore(row, at: instant)
        case "visits": return visits.restore(row)
        default: return regions.restore(row)
        }
    }

    /// - Returns: Whether the value is a visit of the past.
    mutating func restoreVisit(_ value: [UInt8]) -> Bool { visits.restoreVisit(value) }

    /// Takes how far the visits had come when the daemon ended, until the time is known.
    mutating func restoreVisitMonitor(_ value: [UInt8]) { visits.restoreMonitor(value) }
}

/// What follows from what is monitored, for others to do.
enum MonitoringEffect {
    /// An event; one that its client does not want is for those of its connections that run, if there are any.
    case post(PendingEvent.Kind, for: String, isWanted: Bool = true)
    /// Events of a service that are no longer to be told; of one region, or of all.
    case withdraw(MonitoredService, RegionKey? = nil, of: String)
    /// A connection wants to hear of a service; `known` is what it is told where it hears of it for the first time, and
    /// nothing waits.
    case want(MonitoredService, on: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil)
}

/// Something of each client, in the order of the clients' names.
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

    /// Changes the entry of a client in place; one that is not there begins as `initial`.
    mutating func update<Result>(
        _ client: String, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        if self[client] == nil { self[client] = initial() }
        let place = entries.firstIndex { $0.client == client } ?? 0
        return body(&entries[place].value)
    }

    /// Changes an entry in place.
    mutating func update<Result>(at place: Int, _ body: (inout Value) -> Result) -> Result {
        body(&entries[place].value)
    }
}

extension [String] {
    /// Sorted, each once.
    fileprivate var uniqued: [String] {
        sorted().reduce(into: []) { names, name in if names.last != name { names.append(name) } }
    }
}
