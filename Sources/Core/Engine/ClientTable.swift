internal import Sessions
internal import Units

/// The connected clients, in the order in which they came: an order that a replay has too.
struct ClientTable {
    var local: [(id: ClientID, session: LocalSession)] = []
    var gpsd: [(id: ClientID, session: GPSDSession)] = []

    mutating func add(_ id: ClientID, _ kind: ClientKind) {
        switch kind {
        case .local: local.append((id, LocalSession()))
        case .gpsd: gpsd.append((id, GPSDSession()))
        }
    }

    mutating func remove(_ id: ClientID) {
        local.removeAll { $0.id == id }
        gpsd.removeAll { $0.id == id }
    }

    /// Whether some gpsd client wants sentences.
    var wantNMEA: Bool { gpsd.contains { $0.session.wantsNMEA } }

    /// The earliest deadline of the positions that are waited for.
    var deadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for client in local {
            for wait in client.session.waits { earliest = min(earliest ?? wait.deadline, wait.deadline) }
        }
        return earliest
    }
}
