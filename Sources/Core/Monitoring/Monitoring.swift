internal import Access
internal import Beacons
internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Monitors
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// Monitors regions, visits and significant changes for clients, whether or not they run.
///
/// Each service is a struct of its own. To add one, write a struct like these, and name it here and in the interface
/// wherever the others are named.
public struct Monitoring: ~Copyable {
    var regions = RegionMonitoring()
    var visits = VisitMonitoring()
    var changes = SignificantChangeMonitoring()
    /// Whether all stored registrations were given: a manifest's region that is registered earlier would lose its state.
    var isRestored = false
    /// The time for which the board was not followed before this run.
    var gap = UnfollowedTime()

    public init() {}

    /// The next instant at which time alone changes something for regions or visits.
    var pathDeadline: MonotonicInstant? { .earlier(regions.deadline, visits.deadline) }

    static func request(_ service: AccuracyRequest.Service, of client: String) -> AccuracyRequest {
        AccuracyRequest(client: EnergyLedger.number(ofRegistrations: client), service)
    }

    /// The names of the clients that have registrations, sorted.
    var names: [String] { (regions.clients + visits.clients + changes.clients).uniqued }

    mutating func list(
        of client: String, _ grants: Grants, id: String?, on connection: ClientID, _ turn: inout Turn
    ) {
        let maySeeStates = grants.mayHear(of: .regions, client)
        // The regions of its manifest are the operator's: the client cannot end them.
        let own = count(of: client) - regions.manifestCount(of: client)
        turn.send(connection) { text in
            if changes.count(of: client) > 0 { ClientEvent.appendRegistration("significantChange", to: &text) }
            if visits.count(of: client) > 0 { ClientEvent.appendRegistration("visits", to: &text) }
            for region in regions.registrations(of: client) where !region.isOfManifest {
                ClientEvent.appendRegistration(
                    region.request, isInside: maySeeStates ? regions.shownState(of: region) : nil,
                    date: maySeeStates ? region.date : nil,
                    exitAfter: maySeeStates ? regions.exitAfter(region) : nil, to: &text)
            }
            ClientEvent.appendRegistrations(count: own, id: id, to: &text)
        }
        // A client that lists its registrations also wants their events, except significant changes, for which it must
        // ask.
        let hasTopic = grants.manifest(of: client)?.regions.contains { $0.topic != nil } ?? false
        if hasTopic || regions.count(of: client) > regions.manifestCount(of: client) {
            turn.tell(.want(.regions, on: connection))
        }
        if visits.count(of: client) > 0 { turn.tell(.want(.visits, on: connection)) }
    }
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
