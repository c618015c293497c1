public import ClientProtocol
internal import ClientVocabulary
public import Parts

/// The connections and their permissions, as a value that the daemon's other parts read; only `Access` changes it.
public struct AccessView {
    /// The manifests and the operator's policy; no client is served until they have been read.
    var admission = Admission.nobody
    var book = AuthorizationBook()
    /// The service sessions that clients hold, or can resume after a restart, in the order in which the clients first
    /// came.
    var holders: [Access.Holder] = []
    /// The connections of the local socket, in the order in which they came.
    var connections: [Access.Connection] = []
    /// The connections of the gpsd port, in the order in which they came.
    var gpsd: [Access.PortConnection] = []
    /// The stored denials of the operator's policy, which apply while the policy's file is missing.
    var keptPolicy = OperatorPolicy()
    /// Whether the stored setting of location services (on or off) has a value that this version does not know.
    var isSwitchUnreadable = false
    /// Whether all database rows that were stored at the daemon's start have been read back.
    var isRestored = false
}

/// The members that the daemon's Engine reads.
extension AccessView {
    public var grants: Grants { Grants(book, admission, holders: holders, areRestored: isRestored) }

    /// Whether a connection holds a background activity session that allows the host to sleep.
    public func allowsHostSleep(_ id: ClientID) -> Bool { holders.contains { $0.sessions.allowsHostSleep(id) } }

    public func isConnected(_ id: ClientID) -> Bool { index(of: id) != nil }

    /// The name of the client to which a connection belongs; nil if no manifest applies.
    public func client(of id: ClientID) -> String? { index(of: id).flatMap { connections[$0].client } }

    /// Whether a connection has an operator's rights.
    public func isOperator(_ id: ClientID) -> Bool { index(of: id).map { connections[$0].isOperator } ?? false }

    /// Whether a connection may send long request lines; only operators and clients with a manifest may.
    public func mayAskAtLength(_ id: ClientID) -> Bool { isOperator(id) || client(of: id) != nil }

    /// The name under which the energy that a connection costs is accounted.
    public func payer(of id: ClientID) -> String {
        let port = gpsd.first { $0.id == id }
        let connection = connections.first { $0.id == id }
        if let name = connection?.client ?? port?.client, let manifest = admission[name],
            manifest.selector != ClientSelector()
        {
            return manifest.name
        }
        if port != nil { return Admission.gpsdClient }
        return connection?.identity.map { "user \($0.userID)" } ?? "local"
    }

    public func grant(of id: ClientID) -> ConnectionGrant? {
        connections.first { $0.id == id }.map { grant(of: $0) }
    }

    /// Whether any connection is an agent, which asks the user the questions about authorization.
    public var hasAgent: Bool { connections.contains { $0.isAgent } }

    /// The clients whose manifests demand that the host stay on while the client has any request open.
    public var clientsAgainstHostSleep: [String] {
        admission.manifests.filter { $0.forbidsHostSleep }.map { $0.name }
    }

    /// What each connection is permitted at present, in the order in which the connections came.
    public var connectionGrants: [ConnectionGrant] { connections.map { grant(of: $0) } }

    /// The locations that each connection of the gpsd port is permitted: exact, of reduced accuracy, or none.
    ///
    /// A connection that can belong to one of several clients has the rights of the client with the fewest rights.
    public var portGrants: [(connection: ClientID, grant: LocationGrant)] {
        gpsd.map { connection in
            let grants = connection.clients.map { client in
                let rights = client.map { book.rights(of: $0) }
                guard let rights, rights.status.isAuthorized else { return LocationGrant.none }
                return rights.accuracy == .full ? .full : .reduced
            }
            return (connection.id, grants.min() ?? .none)
        }
    }

    /// The connections of these clients, in the order in which they came.
    public func connections(of clients: Set<String>) -> [ClientID] {
        connections.filter { $0.client.map(clients.contains) ?? false }.map { $0.id }
    }

    /// The connections that need another `hello` line, because their client or its purpose texts have changed since the
    /// last one.
    public var connectionsToGreet: [ClientID] {
        connections.filter { $0.greeted != greeting(of: $0.client) }.map { $0.id }
    }

    public var connectionCount: Int { connections.count + gpsd.count }

    /// Whether a client of this name has a manifest.
    public func hasManifest(_ name: String) -> Bool { admission[name] != nil }

    /// All names of clients that have manifests.
    public var clientNames: [String] { admission.manifests.map { $0.name } }

    /// Whether the user or an operator has decided anything about a client.
    public func hasRecord(of name: String) -> Bool {
        book.descriptions.contains { $0.client == name && $0.record != AuthorizationRecord() }
    }

    /// The list for operators: the clients with manifests, then the connections without one; callers add the counts of
    /// monitored regions, other services and waiting events.
    public func clientObjects(hasCompass: Bool) -> [ClientObject] {
        var objects: [ClientObject] = []
        for description in book.descriptions {
            let name = description.client
            var object = ClientObject(
                name: name, selector: admission[name]?.selector.description ?? "", access: access(of: name))
            object.connections =
                connections.count { $0.client == name } + gpsd.count { $0.clients.contains(name) }
            object.isInUse = description.rights.isInUse
            object.waiting = description.rights.waiting
            object.problem =
                missing(for: name, hasCompass: hasCompass) ?? description.problem?.message ?? mixedUp(name)
            object.alsoAs = description.rights.status.isAuthorized ? [] : otherClients(ofProgramsOf: name)
            objects.append(object)
        }
        return objects + strangers
    }

    /// A sentence that tells an operator that the setting of location services is unreadable, or the policy file
    /// missing; nil if neither is so.
    public var trouble: String? {
        let services =
            isSwitchUnreadable
            ? "whether location services are on cannot be read (another version of sextantd wrote it), so they are "
                + "off: decide anew with sextant services on or off" : nil
        let troubles = [services, policyTrouble.map { "policy.json5: \($0)" }].compactMap { $0 }
        return troubles.isEmpty ? nil : troubles.joined(separator: ". ")
    }
}

/// The members that only `Access` reads.
extension AccessView {
    /// A client's authorization, in the form in which it is sent to the client.
    func access(of client: String?) -> AccessObject {
        guard let client else {
            return AccessObject(
                status: book.rightsOfStrangers.status, accuracy: .full, servicesEnabled: book.servicesEnabled)
        }
        let rights = book.rights(of: client)
        return AccessObject(
            status: rights.status, accuracy: rights.accuracy, servicesEnabled: book.servicesEnabled,
            mayBeWoken: rights.mayBeWoken)
    }

    func grant(of connection: Access.Connection) -> ConnectionGrant {
        guard let name = connection.client else {
            let status = book.rightsOfStrangers.status
            return ConnectionGrant(
                connection: connection.id, client: nil, grant: .none, status: status,
                isForeground: connection.isForeground, isInUse: false, hasBackgroundMode: false,
                holdsBackgroundActivity: false, lacksPurpose: false,
                live: liveGate(of: ""))
        }
        let (rights, manifest) = (book.rights(of: name), admission[name])
        let holder = holder(of: name).map { holders[$0] }
        let isSeen = rights.isInUse || rights.status == .authorizedAlways
        let most: LocationGrant = rights.accuracy == .full ? .full : .reduced
        return ConnectionGrant(
            connection: connection.id, client: name, grant: rights.status.isAuthorized && isSeen ? most : .none,
            status: rights.status, isForeground: connection.isForeground, isInUse: rights.isInUse,
            hasBackgroundMode: manifest?.backgroundMode == true,
            holdsBackgroundActivity: holder?.isBackgroundActive ?? false,
            lacksPurpose: manifest?.purposes.whenInUse == nil,
            live: LiveGate(of: holder?.sessions ?? ServiceSessions(), under: conditions(rights, manifest)))
    }

    func index(of id: ClientID) -> Int? { connections.firstIndex { $0.id == id } }

    func greeting(of client: String?) -> Access.Greeting {
        Access.Greeting(client: client, purposes: client.flatMap { admission[$0]?.purposes })
    }

    /// A sentence that names the hardware that the client requires and the board lacks; nil if nothing is missing.
    func missing(for client: String, hasCompass: Bool) -> String? {
        // A GNSS receiver always counts as present, even while the daemon waits for it; a compass counts as present
        // until the daemon finds it missing.
        let present: Set<ClientManifest.Requirement> = hasCompass ? [.receiver, .magnetometer] : [.receiver]
        let unmet = admission[client]?.unmetRequirements(with: present) ?? []
        guard !unmet.isEmpty else { return nil }
        let names = unmet.map { $0.rawValue }.joined(separator: ", ")
        return "its manifest requires what this board does not have: \(names); it is not served"
    }

    /// The error with which a connection's requests are refused; nil if the client is served.
    func refusal(of id: ClientID, hasCompass: Bool) -> (code: ErrorCode, message: String)? {
        guard let name = client(of: id) else {
            let why =
                admission.isComplete
                ? "no manifest names this process, so it gets no locations; write one in clients.d"
                : "no client is served, because the manifests or the policy cannot be read; see sextant status"
            return (.noManifest, why)
        }
        return missing(for: name, hasCompass: hasCompass).map { (.unmetRequirement, $0) }
    }

    /// Why a client sees less at the gpsd port than its authorization allows; nil if it does not see less.
    func mixedUp(_ name: String) -> String? {
        guard let mixed = gpsd.first(where: { $0.clients.count > 1 && $0.clients.contains(name) }) else { return nil }
        let names = mixed.clients.compactMap { $0 == name ? nil : $0 ?? "a program without a manifest" }
        return "at the gpsd port it cannot be told from \(names.joined(separator: ", ")) of the same user, so both see "
            + "there what the lesser may; give its programs a user of their own"
    }

    /// The authorized clients as which this client's programs can pose.
    ///
    /// A program cannot move to another systemd unit or become another user, so no program can pose as a client whose
    /// manifest names a unit or another user.
    func otherClients(ofProgramsOf name: String) -> [String] {
        let user = admission[name]?.selector.user
        return admission.manifests.filter { other in
            guard other.name != name, book.rights(of: other.name).status.isAuthorized else { return false }
            let selector = other.selector
            return selector.unit == nil && (selector.user == nil || user == nil || selector.user == user)
        }.map { $0.name }
    }

    /// The connections to which no manifest applies; those of the same process name are one entry with a count.
    var strangers: [ClientObject] {
        var strangers: [ClientObject] = []
        let names =
            connections.filter { $0.client == nil }.map { $0.identity?.printableName ?? "local" }
            + gpsd.filter { $0.clients == [nil] }.map { $0.printableName }
        for name in names {
            if let index = strangers.firstIndex(where: { $0.name == name }) {
                strangers[index].connections += 1
            } else {
                var object = ClientObject(name: name, selector: name, access: access(of: nil))
                object.connections = 1
                object.problem =
                    "no manifest names it, so its requests have no effect; write one in clients.d"
                strangers.append(object)
            }
        }
        return strangers
    }

    func holder(of client: String) -> Int? { holders.firstIndex { $0.client == client } }

    func conditions(of client: String) -> ClientConditions { conditions(book.rights(of: client), admission[client]) }

    private func conditions(_ rights: ClientRights, _ manifest: ClientManifest?) -> ClientConditions {
        let isAsked = rights.waiting != nil && rights.waiting != .services
        return ClientConditions(
            status: rights.status, accuracy: rights.accuracy, isInUse: rights.isInUse,
            isForeground: rights.isForeground,
            requestInProgress: isAsked, isDeniedGlobally: !book.servicesEnabled,
            backgroundMode: manifest?.backgroundMode ?? false,
            requiresServiceSession: manifest?.requiresServiceSession ?? false,
            hasPurpose: manifest?.purposes.whenInUse != nil)
    }

    /// Whether a client's live updates (`CLLocationUpdate`) bring locations, and if not, why.
    func liveGate(of client: String) -> LiveGate {
        let sessions = holder(of: client).map { holders[$0].sessions } ?? ServiceSessions()
        return LiveGate(of: sessions, under: conditions(of: client))
    }

    var policyTrouble: String? {
        guard admission.policySource == .missing, keptPolicy.deniesAnything else { return nil }
        return "the file is missing, and what it denied stays denied: write it again, or with {} in it to deny nothing"
    }
}
