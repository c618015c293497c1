internal import Power
internal import Sessions
internal import Units

/// The connected clients, in the order in which they came: an order that a replay has too.
struct ClientTable {
    var local: [(id: ClientID, session: LocalSession)] = []
    var gpsd: [(id: ClientID, session: GPSDSession)] = []

    mutating func add(_ id: ClientID, _ kind: ClientKind, userID: UInt32?) {
        switch kind {
        case .local: local.append((id, LocalSession(userID: userID)))
        case .gpsd: gpsd.append((id, GPSDSession()))
        }
    }

    mutating func remove(_ id: ClientID) {
        local.removeAll { $0.id == id }
        gpsd.removeAll { $0.id == id }
    }

    /// Whether some gpsd client wants sentences.
    var wantNMEA: Bool { gpsd.contains { $0.session.wantsNMEA } }

    /// What all of them need positions for.
    var requests: [AccuracyRequest] {
        var requests: [AccuracyRequest] = []
        for (id, session) in local { session.appendRequests(of: id, to: &requests) }
        for (id, session) in gpsd where session.isWatching {
            requests.append(AccuracyRequest(client: id.rawValue, .everyEpoch))
        }
        return requests
    }

    /// The earliest deadline of the positions that are waited for, of pauses and of deferrals.
    var deadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for client in local {
            for wait in client.session.waits { earliest = min(earliest ?? wait.deadline, wait.deadline) }
            if let deadline = client.session.location?.deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        return earliest
    }
}
