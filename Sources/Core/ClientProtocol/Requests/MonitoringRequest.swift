public import ClientVocabulary

/// A client's request about a service that goes on while the client does not run.
public enum MonitoringRequest: Sendable, Equatable {
    /// Switch a service on or off.
    case service(MonitoredService, Bool)
    case region(RegionRequest)
    case endRegion(identifier: String, monitor: String?)
    /// List what is monitored for the client.
    case list

    /// Decodes a request's members; nil if no request about monitoring has this name.
    init?(_ name: RequestName, _ request: inout RequestMembers) throws(ClientRequestError) {
        switch name {
        case .monitor:
            let word = try request.needed(.service, word: MonitoredService.switched.map { $0.name.description })
            guard let service = MonitoredService(switched: word) else { return nil }
            self = .service(service, try request.needed(.enabled))
        // Significant changes and visits can be switched on or off by `monitor`, and also each by a request of its own.
        case .monitorSignificantChange: self = .service(.significantChange, try request.needed(.enabled))
        case .monitorVisits: self = .service(.visits, try request.needed(.enabled))
        case .monitorRegion: self = .region(try MonitoringRequest.region(&request))
        case .unmonitorRegion:
            self = .endRegion(
                identifier: try RegionMembers.identifier(&request), monitor: try MonitoringRequest.monitor(&request))
        case .registrations: self = .list
        default: return nil
        }
    }

    /// Whether the request starts a service, which makes the daemon ask the user while the client's authorization is
    /// not determined.
    public var asksUser: Bool {
        switch self {
        case .service(_, let isEnabled): isEnabled
        case .region: true
        case .endRegion, .list: false
        }
    }

    private static func region(_ request: inout RequestMembers) throws(ClientRequestError) -> RegionRequest {
        let identifier = try RegionMembers.identifier(&request)
        guard let condition = try RegionMembers.condition(&request) else {
            throw .missing(key: MemberKey.latitude.name)
        }
        var region = RegionRequest(identifier: identifier, condition)
        region.notifyOnEntry = try request.bool(.notifyOnEntry) ?? true
        region.notifyOnExit = try request.bool(.notifyOnExit) ?? true
        region.dwell = try request.number(.dwell, in: ClientRequest.dwellRange, "seconds")
        if region.beacons != nil {
            region.notifyEntryStateOnDisplay = try request.bool(.notifyEntryStateOnDisplay) ?? false
            region.within = try request.number(.within, in: RegionRequest.withinRange, "metres")
        }
        region.cushion = try request.number(.cushion, in: ClientRequest.distanceRange, "metres")
        region.monitor = try monitor(&request)
        region.assumed = try request.word(.assumed, of: AssumedState.allCases).map { $0 == .satisfied }
        return region
    }

    private static func monitor(_ request: inout RequestMembers) throws(ClientRequestError) -> String? {
        try request.text(.monitor, maximumBytes: ClientRequest.maximumIdentifierBytes)
    }
}
