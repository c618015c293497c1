internal import ClientProtocol
internal import JSON
internal import Sessions
internal import Units

/// Changes of the manifests, and stored rows that wait until a client's manifest can be read.
extension Access {
    /// A connection that belongs to another client since the manifests changed.
    struct Reidentified {
        let id: ClientID
        let old: String?
        let new: String?
    }

    /// Takes changed manifests and policy.
    ///
    /// - Returns: The clients that have no manifest any more, whose stored data must be forgotten.
    mutating func admit(_ new: Admission, at instant: MonotonicInstant, into outputs: inout Outputs) -> [String] {
        let gone = admission.manifests.manifests.map(\.name).filter { new[$0] == nil && !new.isUnreadable($0) }
        admission = new
        decide(.policy(new.policy), at: instant, into: &outputs)
        decide(.manifests(new.manifests), at: instant, into: &outputs)
        holders.removeAll { gone.contains($0.client) }
        isStale = true
        return gone
    }

    /// Finds the client of every connection again, after the manifests changed.
    mutating func identifyAgain(at instant: MonotonicInstant, into outputs: inout Outputs) -> [Reidentified] {
        var changed: [Reidentified] = []
        for place in connections.indices {
            let manifest = admission.client(for: connections[place].identity)
            connections[place].isOperator = admission.isOperator(
                connections[place].identity, daemonUser: userID)
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

// MARK: Stored rows

extension Access {
    /// Checks whether a row that the store held when the daemon started belongs to a client that is served.
    ///
    /// - Returns: True where the client is served. Otherwise the row waits for an unreadable manifest to be mended, or
    ///   is erased because the client has no manifest.
    mutating func admits(_ row: DurableRow, into outputs: inout Outputs) -> Bool {
        guard !admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        guard row.client.isEmpty || admission[row.client] != nil else {
            // A client without a manifest no longer exists.
            outputs.actions.append(.store(.erase(client: row.client)))
            return false
        }
        return true
    }

    /// Returns and removes the stored rows that waited for manifests.
    mutating func takeParked() -> [DurableRow] {
        defer { parked = [] }
        return parked
    }

    /// Takes a client's stored authorization.
    ///
    /// A row of another form may deny the client: it does, and stays stored until an operator decides anew.
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let isKnown = row.name == Outputs.authorizationName
        if !isKnown { strangeRows.append(row) }
        let record = isKnown ? AuthorizationRecord.decode(row.value.span) : nil
        if record == nil {
            outputs.actions.append(.log(.client(row.client, AuthorizationNote.unreadableDecision.message)))
        }
        decide(.restored(client: row.client, record), at: instant, into: &outputs)
    }

    /// Takes the stored master switch; a value of another form may mean off, and does.
    mutating func restoreSwitch(_ value: [UInt8], at instant: MonotonicInstant, into outputs: inout Outputs) {
        isSwitchUnreadable = value != [0] && value != [1]
        decide(.servicesEnabled(value == [1]), at: instant, into: &outputs)
    }

    /// What an operator must mend so that clients are served as was decided; nil where nothing is wrong.
    var trouble: String? {
        isSwitchUnreadable
            ? "whether location services are on cannot be read (another version of sextantd wrote it), so they are "
                + "off: decide anew with sextant services on or off" : nil
    }
}
