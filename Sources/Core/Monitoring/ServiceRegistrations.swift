internal import Access
internal import ClientVocabulary
internal import Monitors
internal import Parts
internal import Power
internal import SextantUnits

/// The services that clients have switched on, each with its stored row.
struct ServiceRegistrations {
    private var rows = PerClient<[MonitoredService: [UInt8]]>()

    /// The clients that have any service on, in the order of their names.
    var clients: [String] { rows.entries.map { $0.client } }

    func clients(of service: MonitoredService) -> [String] {
        rows.entries.filter { $0.value[service] != nil }.map { $0.client }
    }

    /// The services that a client has on, in the order of `MonitoredService.switched`.
    func services(of client: String) -> [MonitoredService] {
        guard let own = rows[client] else { return [] }
        return MonitoredService.switched.filter { own[$0] != nil }
    }

    /// Whether any client with reduced accuracy has a service on that needs positions; such a client gets its events
    /// from estimates (rounded positions).
    func hearsEstimates(_ grants: Grants) -> Bool {
        rows.entries.contains { client, own in
            grants.isReduced(client) && own.keys.contains { $0.need != nil }
        }
    }

    /// The stored registration of a client for a service, as the bytes of its row; nil where the service is off.
    subscript(service: MonitoredService, client: String) -> [UInt8]? { rows[client]?[service] }

    /// Stores a client's registration for a service, which switches the service on for that client.
    mutating func keep(_ row: [UInt8], of service: MonitoredService, _ client: String, _ turn: inout Turn) {
        restore(row, of: service, client)
        turn.put(.registrations, client, service.name.description, row)
    }

    mutating func restore(_ row: [UInt8], of service: MonitoredService, _ client: String) {
        rows.change(client, initial: [:]) { $0[service] = row }
    }

    /// Switches a service off for a client, and removes its row from the store.
    ///
    /// The row is removed even if the service was not on, because the store can hold rows that could not be read.
    ///
    /// - Returns: Whether the service was on.
    mutating func remove(_ service: MonitoredService, _ client: String, _ turn: inout Turn) -> Bool {
        turn.remove(.registrations, client, service.name.description)
        guard rows[client]?[service] != nil else { return false }
        let isLast = rows.change(client, initial: [:]) { own in
            own[service] = nil
            return own.isEmpty
        }
        if isLast { rows[client] = nil }
        return true
    }

    mutating func forget(_ client: String) { rows[client] = nil }
}

/// What differs between the services that a client can switch on or off.
extension MonitoredService {
    /// The service's accuracy request to the receiver; nil where the service needs no positions.
    var need: AccuracyRequest.Service? {
        switch self {
        case .significantChange: .significantChange
        case .visits: .visits
        default: nil
        }
    }

    /// Whether a stored row is valid for the service; the row of a client that was never sent an event is empty.
    func canRead(_ row: [UInt8]) -> Bool {
        switch self {
        case .significantChange: row.isEmpty || NotifiedPlace.decode(row.span) != nil
        case .visits: VisitWatch.decode(row.span) != nil
        default: row.isEmpty
        }
    }
}
