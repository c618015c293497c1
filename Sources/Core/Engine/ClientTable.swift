internal import ClientProtocol
internal import Power
internal import Sessions
internal import Units

/// One connection of the local socket.
struct LocalClient {
    let id: ClientID
    /// Who the process is; nil where that is not known.
    let identity: PeerIdentity?
    var session: LocalSession
    /// What it was told last of what it may see.
    var told: AccessObject
    /// Whether its services were told that it may see nothing.
    var wasDenied = false
    var isOperator = false
    /// Whether it is told of questions.
    var isAgent = false
    /// Whether it is told every sample of the compass.
    var watchesCompass = false
    /// Whether it asked for anything yet.
    var hasAsked = false
    /// The services whose events it wants, as soon as it may have them.
    var wanted: [MonitoredService] = []
}

/// One connection of the gpsd port.
struct GPSDClient {
    let id: ClientID
    var session = GPSDSession()
    /// What it may see now.
    var grant = LocationGrant.none
}

/// Where a session stands: its connection's place, and its own among the connection's.
struct SessionPlace {
    var client: Int
    var session: Int
}

/// The connected clients, in the order in which they came: an order that a replay has too.
struct ClientTable {
    var local: [LocalClient] = []
    var gpsd: [GPSDClient] = []

    mutating func remove(_ id: ClientID) {
        local.removeAll { $0.id == id }
        gpsd.removeAll { $0.id == id }
    }

    /// Whether a process of the client is connected.
    func isConnected(_ name: String) -> Bool { local.contains { $0.session.client == name } }

    func connectionCount(of name: String, isGPSD: Bool) -> Int {
        local.count { $0.session.client == name } + (isGPSD ? gpsd.count : 0)
    }

    /// Every session that watches locations.
    var places: [SessionPlace] {
        local.indices.flatMap { client in
            local[client].session.locations.indices.map { SessionPlace(client: client, session: $0) }
        }
    }

    subscript(place: SessionPlace) -> LocationSession {
        get { local[place.client].session.locations[place.session] }
        _modify { yield &local[place.client].session.locations[place.session] }
    }

    func id(of place: SessionPlace) -> ClientID { local[place.client].id }

    func isForeground(_ place: SessionPlace) -> Bool { local[place.client].session.isForeground }

    /// Whether some gpsd client wants sentences, and may see them.
    var wantNMEA: Bool { gpsd.contains { $0.grant == .full && $0.session.wantsNMEA } }

    /// What all of them need positions for.
    var requests: [AccuracyRequest] {
        var requests: [AccuracyRequest] = []
        for client in local { client.session.appendRequests(of: client.id, to: &requests) }
        for client in gpsd where client.session.isWatching {
            switch client.grant {
            case .none: break
            case .reduced:
                requests.append(AccuracyRequest(client: client.id.rawValue, .standard(.reduced)))
            case .full: requests.append(AccuracyRequest(client: client.id.rawValue, .everyEpoch))
            }
        }
        return requests
    }

    /// The earliest deadline of the positions that are waited for, of pauses and of deferrals.
    var deadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for client in local {
            for wait in client.session.waits { earliest = min(earliest ?? wait.deadline, wait.deadline) }
            for location in client.session.locations {
                if let deadline = location.deadline { earliest = min(earliest ?? deadline, deadline) }
            }
        }
        return earliest
    }
}
