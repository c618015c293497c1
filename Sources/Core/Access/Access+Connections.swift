internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The beginning and the end of connections, and the clients to which they belong.
extension Access {
    mutating func connectedLocally(
        _ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn
    ) -> ClientManifest? {
        let manifest = state.admission.client(for: identity)
        var connection = LocalConnection(
            id: id, identity: identity, client: manifest?.name, lastSent: state.access(of: manifest?.name))
        connection.isOperator = state.admission.isOperator(identity, daemonUser: userID)
        state.connections.append(connection)
        guard let manifest else {
            noManifest(identity?.printableName ?? "local", &turn)
            return nil
        }
        turn.tell(.access)
        decide(.connected(id, client: manifest.name), &turn)
        joinSessions(id, as: manifest.name, at: turn.instant)
        return manifest
    }

    mutating func connectedToPort(_ id: ClientID, _ identities: [PeerIdentity], _ turn: inout Turn) {
        turn.tell(.access)
        let manifests = state.admission.portClients(of: identities)
        let connection = PortConnection(id: id, identities: identities, clients: manifests.map { $0?.name })
        state.gpsd.append(connection)
        if let client = connection.client {
            decide(.connected(id, client: client), &turn)
        } else if connection.clients == [nil] {
            noManifest(connection.printableName, &turn)
        }
    }

    private func noManifest(_ name: String, _ turn: inout Turn) {
        let why =
            state.admission.isComplete
            ? "it has no manifest, so it gets no locations; write one"
            : "no client is served, because the manifests or the policy cannot be read"
        turn.log(.client(name, why))
    }

    /// The `hello` line for a connection, without the services of the board, which the caller adds; records the line's
    /// content as sent to the client.
    mutating func hello(toConnectionAt index: Int, isLaunched: Bool, _ turn: inout Turn) -> HelloObject {
        let name = state.connections[index].client
        if isLaunched {
            state.connections[index].isForeground = false
            decide(.beganInBackground(state.connections[index].id), &turn)
        }
        let access = state.access(of: name)
        state.connections[index].lastSent = access
        state.connections[index].greeted = state.greeting(of: name)
        var hello = HelloObject(client: name, access: access)
        if let manifest = name.flatMap({ state.admission[$0] }) { hello.describe(manifest) }
        hello.isLaunchedForLocation = isLaunched
        return hello
    }

    /// Finds out again to which client a connection of the local socket belongs.
    ///
    /// - Returns: The connection's old and new client; nil if it still belongs to the same.
    mutating func identify(connectionAt index: Int, _ turn: inout Turn) -> Reidentified? {
        let (id, identity, old) = (
            state.connections[index].id, state.connections[index].identity, state.connections[index].client
        )
        let manifest = state.admission.client(for: identity)
        state.connections[index].isOperator = state.admission.isOperator(identity, daemonUser: userID)
        guard manifest?.name != old else { return nil }
        decide(.gone(id), &turn)
        if let old { leaveSessions(id, of: old) }
        state.connections[index].client = manifest?.name
        state.connections[index].usesBackground = false
        if let manifest {
            decide(.connected(id, client: manifest.name), &turn)
            if !state.connections[index].isForeground { decide(.beganInBackground(id), &turn) }
            joinSessions(id, as: manifest.name, at: turn.instant)
        }
        return Reidentified(id: id, old: old, new: manifest?.name)
    }

    /// Finds out again to which clients a connection of the gpsd port can belong.
    mutating func identify(portConnectionAt index: Int, _ turn: inout Turn) {
        let (id, old) = (state.gpsd[index].id, state.gpsd[index].client)
        state.gpsd[index].clients = state.admission.portClients(of: state.gpsd[index].identities).map { $0?.name }
        let new = state.gpsd[index].client
        guard new != old else { return }
        decide(.gone(id), &turn)
        if let new { decide(.connected(id, client: new), &turn) }
    }

    /// Finds out which connections count as in use because of a session in the background, and passes on each change of
    /// this.
    mutating func noteBackgroundUse(_ watchers: [ClientID], _ turn: inout Turn) {
        for index in state.connections.indices where state.connections[index].client != nil {
            let id = state.connections[index].id
            let uses = state.grant(of: state.connections[index])
                .usesBackground(watchesInBackground: watchers.contains(id))
            guard uses != state.connections[index].usesBackground else { continue }
            state.connections[index].usesBackground = uses
            decide(.usesBackground(id, uses), &turn)
        }
    }

    mutating func gone(connectionAt index: Int, _ turn: inout Turn) -> String? {
        let connection = state.connections.remove(at: index)
        if connection.isAgent { countAgents(&turn) }
        // A process without a manifest belongs to no client, so nothing more need be done, even if a hundred such
        // connections end at once.
        guard let name = connection.client else {
            if connection.isOperator { turn.tell(.access) }
            return nil
        }
        turn.tell(.access)
        leaveSessions(connection.id, of: name)
        decide(.gone(connection.id), &turn)
        return name
    }

    mutating func goneFromPort(_ id: ClientID, _ turn: inout Turn) {
        turn.tell(.access)
        state.gpsd.removeAll { $0.id == id }
        decide(.gone(id), &turn)
    }
}

extension HelloObject {
    fileprivate mutating func describe(_ manifest: ClientManifest) {
        maximumRegions = manifest.maximumRegions
        hasBackgroundMode = manifest.backgroundMode
        hasWhenInUsePurpose = manifest.purposes.whenInUse != nil
        hasAlwaysPurpose = manifest.purposes.always != nil
        temporaryPurposes = manifest.purposes.temporaryKeys
        requiresServiceSession = manifest.requiresServiceSession
    }
}
