internal import ClientProtocol
internal import JSON
internal import Sessions
internal import Units

/// What changes with the manifests, and what was kept until they could be read.
extension Access {
    /// A connection that is of another client now.
    struct Reidentified {
        let id: ClientID
        let old: String?
        let new: String?
    }

    /// The manifests or the policy are others.
    ///
    /// - Returns: The clients that have no manifest any more: all that was kept of them is to be forgotten.
    mutating func admit(_ new: Admission, at instant: MonotonicInstant, into outputs: inout Outputs) -> [String] {
        let gone = admission.manifests.manifests.map(\.name).filter { new[$0] == nil && !new.isUnreadable($0) }
        admission = new
        decide(.policy(new.policy), at: instant, into: &outputs)
        decide(.manifests(new.manifests), at: instant, into: &outputs)
        holders.removeAll { gone.contains($0.client) }
        isStale = true
        return gone
    }

    /// Every connection is the client that the manifests now say it is.
    mutating func identifyAgain(at instant: MonotonicInstant, into outputs: inout Outputs) -> [Reidentified] {
        var changed: [Reidentified] = []
        for place in connections.indices {
            let manifest = admission.client(for: connections[place].identity)
            connections[place].isOperator = isOperator(manifest, connections[place].identity)
            let (id, old) = (connections[place].id, connections[place].client)
            guard manifest?.name != old else { continue }
            changed.append(Reidentified(id: id, old: old, new: manifest?.name))
            decide(.gone(id), at: instant, into: &outputs)
            if let old { leaveSessions(id, of: old) }
            connections[place].client = manifest?.name
            guard let manifest else { continue }
            decide(.connected(id, client: manifest.name), at: instant, into: &outputs)
            if !connections[place].isForeground { decide(.beganInBackground(id), at: instant, into: &outputs) }
            joinSessions(id, as: manifest.name, at: instant)
        }
        for id in gpsd {
            decide(.gone(id), at: instant, into: &outputs)
            guard let manifest = admission.gpsd else { continue }
            decide(.connected(id, client: manifest.name), at: instant, into: &outputs)
        }
        return changed
    }

    /// Whether a connection may do what an operator may.
    func isOperator(_ id: ClientID) -> Bool { place(of: id).map { connections[$0].isOperator } ?? false }
}

// MARK: What was kept

extension Access {
    /// Looks at a row that was durable when the daemon started.
    ///
    /// - Returns: Whether its client is served: else it waits for its manifest to be mended, or is forgotten.
    mutating func admits(_ row: DurableRow, into outputs: inout Outputs) -> Bool {
        guard !admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        guard row.client.isEmpty || admission[row.client] != nil else {
            // Its manifest has gone: so has the client.
            outputs.actions.append(.store(.erase(client: row.client)))
            return false
        }
        return true
    }

    /// Takes the rows that waited for manifests.
    mutating func takeParked() -> [DurableRow] {
        defer { parked = [] }
        return parked
    }

    /// - Returns: Whether the row is what was decided about its client.
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs) -> Bool {
        guard let record = AuthorizationRecord.decode(row.value.span) else { return false }
        decide(.restored(client: row.client, record), at: instant, into: &outputs)
        return true
    }

    /// - Returns: Whether the value is that of the master switch.
    mutating func restoreSwitch(_ value: [UInt8], at instant: MonotonicInstant, into outputs: inout Outputs) -> Bool {
        guard let value = value.first else { return false }
        decide(.servicesEnabled(value != 0), at: instant, into: &outputs)
        return true
    }
}
