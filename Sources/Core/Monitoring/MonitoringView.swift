public import Access
public import ClientProtocol
public import Parts
public import Power

/// The monitored regions and services, their clients, and the positions and scanning that they need, for other parts of
/// the Engine to read.
public struct MonitoringView: ~Copyable {
    var regions = RegionMonitoring()
    var services = ServiceRegistrations()

    /// The names of the clients that have registrations, sorted.
    private var names: [String] { (regions.clients + services.clients).uniqued }

    /// The position requests that all monitoring makes of the receiver.
    public func needs(_ grants: Grants) -> [AccuracyRequest] {
        let named = payers(grants).flatMap { name in
            services.services(of: name).compactMap { $0.need }.map { MonitoringView.request($0, of: name) }
        }
        return named
            + regions.needs.flatMap { need in regions.clientsOfAreas.map { MonitoringView.request(need, of: $0) } }
    }

    /// The names of the clients to which the energy of monitoring is charged.
    public func payers(_ grants: Grants) -> [String] { names.filter(grants.mayMonitor) }

    private static func request(_ service: AccuracyRequest.Service, of client: String) -> AccuracyRequest {
        AccuracyRequest(client: EnergyLedger.number(ofRegistrations: client), service)
    }

    /// Whether any client gets significant changes or visits from reduced-accuracy estimates only.
    public func hearsEstimates(_ grants: Grants) -> Bool { services.hearsEstimates(grants) }

    public var beaconRegionCount: Int { regions.reaches.count }

    /// The number of regions of all clients.
    public var regionCount: Int { regions.totalCount }

    /// The number of a client's registrations: its regions and the services that it has switched on.
    public func count(of client: String) -> Int { regions.count(of: client) + services.services(of: client).count }

    /// The operators' connections that are sent every change of a region.
    public var regionWatchers: [ClientID] { regions.watchers }

    /// Whether the board is inside a region, as monitoring found; for a region that is not monitored, by the present
    /// location.
    public func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ whereabouts: Whereabouts
    ) -> Bool? {
        regions.isInside(identifier, region, of: client, whereabouts.fused)
    }
}

extension [String] {
    fileprivate var uniqued: [String] {
        sorted().reduce(into: []) { names, name in if names.last != name { names.append(name) } }
    }
}
