public import ClientProtocol
internal import ClientVocabulary
public import Parts

/// The connections and their permissions, as the Engine reads them to pass them on to the daemon's other parts.
public struct AccessView {
    let state: AccessState

    public var grants: Grants {
        Grants(state.book, state.admission, holders: state.holders, areRestored: state.isRestored)
    }

    /// Whether a client of this name has a manifest.
    public func hasManifest(_ name: String) -> Bool { state.admission[name] != nil }

    /// All names of clients that have manifests.
    public var clientNames: [String] { state.admission.manifests.map { $0.name } }

    /// The clients whose manifests demand that the host stay on while the client has any request open.
    public var clientsAgainstHostSleep: [String] {
        state.admission.manifests.filter { $0.forbidsHostSleep }.map { $0.name }
    }

    /// Whether the user or an operator has decided anything about a client.
    public func hasRecord(of name: String) -> Bool {
        state.book.descriptions.contains { $0.client == name && $0.record != AuthorizationRecord() }
    }

    /// The list for operators: the clients with manifests, then the connections without one; callers add the counts of
    /// monitored regions, other services and waiting events.
    public func clientObjects(hasCompass: Bool) -> [ClientObject] { state.clientObjects(hasCompass: hasCompass) }

    /// A sentence that tells an operator that the setting of location services is unreadable, or the policy file
    /// missing; nil if neither is so.
    public var trouble: String? {
        let services =
            state.isSwitchUnreadable
            ? "whether location services are on cannot be read (another version of sextantd wrote it), so they are "
                + "off: decide anew with sextant services on or off" : nil
        let troubles = [services, state.policyTrouble.map { "policy.json5: \($0)" }].compactMap { $0 }
        return troubles.isEmpty ? nil : troubles.joined(separator: ". ")
    }
}

/// What the Engine reads of connections.
extension AccessView {
    public func isConnected(_ id: ClientID) -> Bool { state.index(of: id) != nil }

    /// The name of the client to which a connection belongs; nil if no manifest applies.
    public func client(of id: ClientID) -> String? { state.index(of: id).flatMap { state.connections[$0].client } }

    /// Whether a connection has an operator's rights.
    public func isOperator(_ id: ClientID) -> Bool {
        state.index(of: id).map { state.connections[$0].isOperator } ?? false
    }

    /// Whether a connection may send long request lines; only operators and clients with a manifest may.
    public func mayAskAtLength(_ id: ClientID) -> Bool { isOperator(id) || client(of: id) != nil }

    /// Whether a connection holds a background activity session that allows the host to sleep.
    public func allowsHostSleep(_ id: ClientID) -> Bool { state.holders.contains { $0.sessions.allowsHostSleep(id) } }

    /// The name under which the energy that a connection costs is accounted.
    public func payer(of id: ClientID) -> String {
        let port = state.gpsd.first { $0.id == id }
        let connection = state.connections.first { $0.id == id }
        if let name = connection?.client ?? port?.client, let manifest = state.admission[name],
            manifest.selector != ClientSelector()
        {
            return manifest.name
        }
        if port != nil { return Admission.gpsdClient }
        return connection?.identity.map { "user \($0.userID)" } ?? "local"
    }

    public func grant(of id: ClientID) -> ConnectionGrant? {
        state.connections.first { $0.id == id }.map { state.grant(of: $0) }
    }

    /// What each connection is permitted at present, in the order in which the connections came.
    public var connectionGrants: [ConnectionGrant] { state.connections.map { state.grant(of: $0) } }

    /// The locations that each connection of the gpsd port is permitted: exact, of reduced accuracy, or none.
    ///
    /// A connection that can belong to one of several clients has the rights of the client with the fewest rights.
    public var portGrants: [(connection: ClientID, grant: LocationGrant)] {
        state.gpsd.map { connection in
            let grants = connection.clients.map { client in
                let rights = client.map { state.book.rights(of: $0) }
                guard let rights, rights.status.isAuthorized else { return LocationGrant.none }
                return rights.accuracy == .full ? .full : .reduced
            }
            return (connection.id, grants.min() ?? .none)
        }
    }

    /// The connections of these clients, in the order in which they came.
    public func connections(of clients: Set<String>) -> [ClientID] {
        state.connections.filter { $0.client.map(clients.contains) ?? false }.map { $0.id }
    }

    /// The connections that need another `hello` line, because their client or its purpose texts have changed since the
    /// last one.
    public var connectionsToGreet: [ClientID] {
        state.connections.filter { $0.greeted != state.greeting(of: $0.client) }.map { $0.id }
    }

    public var connectionCount: Int { state.connections.count + state.gpsd.count }

    /// Whether any connection is an agent, which asks the user the questions about authorization.
    public var hasAgent: Bool { state.connections.contains { $0.isAgent } }
}
