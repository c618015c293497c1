internal import ClientProtocol
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Decides which clients may know where the board is, by manifests, operators' decisions and users' answers.
///
/// The other parts read the result in `grants`, and are told of changes by the turn.
struct Access: ~Copyable {
    /// The user that the daemon runs as; clients of this user may do what an operator may.
    let userID: UInt32?
    /// The manifests and the policy; no client is served until they are given.
    var admission = Admission.nobody
    var book = AuthorizationBook()
    /// The service sessions that clients hold, or may take again after a restart, in the order in which the clients
    /// came.
    var holders: [Holder] = []
    /// The connections of the local socket, in the order in which they came.
    var connections: [Connection] = []
    /// The connections of the gpsd port, in the order in which they came.
    var gpsd: [PortConnection] = []
    /// Requests for full accuracy that were decided, until their clients are answered.
    private var accuracyAnswers: [AccuracyAnswer] = []
    /// Stored rows of clients whose manifests cannot be read now.
    var parked: [DurableRow] = []
    /// Stored rows about authorizations that this version does not know; they go when an operator decides anew.
    var strangeRows: [DurableRow] = []
    /// The denials of the operator's policy that are stored; they hold while its file is missing.
    var keptPolicy = OperatorPolicy()
    /// Whether all stored rows were given, so that it is known what is stored.
    var isRestored = false
    /// When the data of clients whose manifests are missing are to be erased; nil where they were.
    var absences: [String: MonotonicInstant?] = [:]
    /// Whether the stored master switch has a value that this version does not know.
    var isSwitchUnreadable = false
    /// Whether agents were last told that a session asks its user to turn the device about.
    var isCalibrationShown = false

    /// One connection of the local socket.
    struct Connection {
        let id: ClientID
        /// The user, groups and unit of the client's process; nil where they are not known.
        let identity: PeerIdentity?
        /// The client's name; nil where no manifest applies to the process.
        var client: String?
        /// Whether the client says that it is in the foreground.
        var isForeground = true
        /// The authorization that the client was last told.
        var told: AccessObject
        /// The manifest and purpose texts that the last greeting went by; nil before the first greeting.
        var greeted: Greeting?
        var isOperator = false
        /// Whether the connection is an agent, which is sent the questions to the user.
        var isAgent = false
        /// What the program said with its last request that it wants the locations for.
        var statedPurpose: String?
        /// Whether the connection has made a request yet.
        var hasAsked = false
    }

    /// One connection of the gpsd port.
    struct PortConnection {
        let id: ClientID
        /// The processes of this board that may have made the connection; empty where none is known.
        let identities: [PeerIdentity]
        /// The clients that it may belong to, each once; nil for a process to which no manifest applies.
        ///
        /// Where there are several, the connection sees what the least of them may.
        var clients: [String?]

        /// The only client that the connection can belong to; nil where several are possible, or none.
        var client: String? { clients.count == 1 ? clients[0] : nil }
    }

    /// The client whose manifest a greeting went by, and the purpose texts in that manifest.
    struct Greeting: Equatable {
        let client: String?
        let purposes: PurposeStrings?
    }

    /// The result of a request for full accuracy.
    private struct AccuracyAnswer {
        let client: ClientID
        let id: String?
        let errorCode: Int?
    }

    init(userID: UInt32?) { self.userID = userID }

    var grants: Grants { Grants(book, admission, holders: holders) }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? {
        let own = MonotonicInstant.earlier(book.deadline, sessionsDeadline)
        // Nothing is allocated at each input while no manifest is missing.
        return absences.isEmpty ? own : .earlier(own, absences.values.compactMap { $0 }.min())
    }

    /// Lets time pass.
    mutating func advance(_ turn: inout Turn) {
        decide(.timePassed, &turn)
        if let deadline = sessionsDeadline, deadline <= turn.instant { turn.tell(.access) }
    }

    /// Passes an event to the book of authorizations, and carries out its effects.
    mutating func decide(_ event: AuthorizationEvent, _ turn: inout Turn) {
        var effects: [AuthorizationEffect] = []
        book.handle(event, at: turn.instant, into: &effects)
        for effect in effects { heed(effect, &turn) }
        // After all effects, because this decides anew.
        if effects.contains(.enableServices) { enableServices(true, &turn) }
    }

    private mutating func heed(_ effect: AuthorizationEffect, _ turn: inout Turn) {
        switch effect {
        case .keep(let client, let record):
            turn.keep(record, of: client)
            for row in strangeRows where row.client == client { turn.remove(row.table, client, row.name) }
            strangeRows.removeAll { $0.client == client }
        case .changed(let client):
            turn.tell(.access)
            turn.tell(.changed(client))
        case .useChanged: turn.tell(.access)
        case .fullAccuracyAnswered(let client, let id, let errorCode):
            accuracyAnswers.append(AccuracyAnswer(client: client, id: id, errorCode: errorCode))
            turn.tell(.access)
        case .provisionalSettled(let client, let mayDeliver):
            turn.tell(.eventDecided(client, mayDeliver: mayDeliver))
        case .promptRaised(let prompt):
            tellAgents(&turn) { ClientEvent.append(object(prompt), to: &$0) }
            turn.tell(.access)
        case .promptWithdrawn(let client):
            tellAgents(&turn) { ClientEvent.appendPromptWithdrawn(client: client, to: &$0) }
            turn.tell(.access)
        case .enableServices: break
        case .note(let client, let note): turn.actions.append(.log(.client(client, note.message)))
        }
    }

    // MARK: Settling

    /// Asks users for the authorizations that sessions need, and notes which background clients count as in use.
    ///
    /// - Parameter watchers: Connections whose watches asked to go on in the background, whether or not they may.
    mutating func settle(watchers: [ClientID], _ turn: inout Turn) {
        turn.changes.remove(.access)
        settleSessions(&turn)
        for connection in connections where connection.client != nil {
            let uses = grant(of: connection)
                .usesBackground(watchesInBackground: watchers.contains(connection.id))
            decide(.usesBackground(connection.id, uses), &turn)
        }
        if turn.changes.contains(.access) { settleSessions(&turn) }
        turn.changes.remove(.access)
    }

    /// Tells every connection its client's authorization, where that has changed.
    mutating func tellChanges(_ turn: inout Turn) {
        for place in connections.indices {
            let access = access(of: connections[place].client)
            guard access != connections[place].told else { continue }
            connections[place].told = access
            turn.send(connections[place].id) { ClientEvent.appendAuthorization(access, to: &$0) }
        }
    }

    /// Answers the decided requests for full accuracy; called after clients were told their changed authorization.
    mutating func answerAccuracy(_ turn: inout Turn) {
        for answer in accuracyAnswers {
            turn.send(answer.client) { ClientEvent.appendFullAccuracy(answer.errorCode, id: answer.id, to: &$0) }
        }
        accuracyAnswers.removeAll(keepingCapacity: true)
    }

    /// The authorization that a client is told.
    func access(of client: String?) -> AccessObject {
        guard let client else {
            return AccessObject(
                status: book.standingOfStrangers.status.name, accuracy: AccuracyAuthorization.full.name,
                servicesEnabled: book.servicesEnabled)
        }
        let standing = book.standing(of: client)
        return AccessObject(
            status: standing.status.name, accuracy: standing.accuracy.name, servicesEnabled: book.servicesEnabled,
            mayBeWoken: standing.mayBeWoken)
    }

    /// What each connection may see now, in the order in which the connections came.
    var connectionGrants: [ConnectionGrant] { connections.map { grant(of: $0) } }

    func grant(of id: ClientID) -> ConnectionGrant? {
        connections.first { $0.id == id }.map { grant(of: $0) }
    }

    private func grant(of connection: Connection) -> ConnectionGrant {
        guard let name = connection.client else {
            let status = book.standingOfStrangers.status
            return ConnectionGrant(
                connection: connection.id, client: nil, grant: .none, status: status,
                isForeground: connection.isForeground, isInUse: false, hasBackgroundMode: false,
                holdsBackgroundActivity: false, lacksPurpose: false,
                live: LiveGate(of: ServiceSessions(), under: conditions(of: "")))
        }
        let standing = book.standing(of: name)
        let isSeen = standing.isInUse || standing.status == .authorizedAlways
        let most: LocationGrant = standing.accuracy == .full ? .full : .reduced
        return ConnectionGrant(
            connection: connection.id, client: name, grant: standing.status.isAuthorized && isSeen ? most : .none,
            status: standing.status, isForeground: connection.isForeground, isInUse: standing.isInUse,
            hasBackgroundMode: admission[name]?.backgroundMode == true,
            holdsBackgroundActivity: holder(of: name).map { holders[$0].isBackgroundActive } ?? false,
            lacksPurpose: admission[name]?.purposes.whenInUse == nil,
            live: liveGate(of: name))
    }
}

// MARK: Connections

extension Access {
    func place(of id: ClientID) -> Int? { connections.firstIndex { $0.id == id } }

    /// The name of the client that a connection belongs to; nil where no manifest applies.
    func client(of id: ClientID) -> String? { place(of: id).flatMap { connections[$0].client } }

    /// The connections of these clients, in the order in which they came.
    func connections(of clients: Set<String>) -> [ClientID] {
        connections.filter { $0.client.map(clients.contains) ?? false }.map { $0.id }
    }

    var connectionCount: Int { connections.count + gpsd.count }

    /// Adds a new connection.
    ///
    /// - Returns: The manifest of the client that the connection belongs to; nil where none applies.
    mutating func connected(_ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn) -> ClientManifest? {
        let manifest = admission.client(for: identity)
        var connection = Connection(
            id: id, identity: identity, client: manifest?.name, told: access(of: manifest?.name))
        connection.isOperator = admission.isOperator(identity, daemonUser: userID)
        connections.append(connection)
        turn.tell(.access)
        guard let manifest else {
            noManifest(identity?.printableName ?? "local", &turn)
            return nil
        }
        decide(.connected(id, client: manifest.name), &turn)
        joinSessions(id, as: manifest.name, at: turn.instant)
        return manifest
    }

    /// Adds a new connection of the gpsd port.
    ///
    /// - Parameter identities: The processes of this board that may have made it; empty where none is known.
    /// - Returns: The manifest of the only client that the connection can belong to; nil where several are possible, or none.
    mutating func connected(gpsd id: ClientID, _ identities: [PeerIdentity], _ turn: inout Turn) -> ClientManifest? {
        let manifests = admission.portClients(of: identities)
        let connection = PortConnection(id: id, identities: identities, clients: manifests.map { $0?.name })
        gpsd.append(connection)
        turn.tell(.access)
        if let client = connection.client {
            decide(.connected(id, client: client), &turn)
        } else if connection.clients == [nil] {
            noManifest(connection.printableName, &turn)
        }
        return manifests.count == 1 ? manifests[0] : nil
    }

    private func noManifest(_ name: String, _ turn: inout Turn) {
        let why =
            admission.isComplete
            ? "it has no manifest, so it gets no locations; write one"
            : "no client is served, because the manifests or the policy cannot be read"
        turn.actions.append(.log(.client(name, why)))
    }

    /// Sends a new connection its first line: the client's name, its authorization and the board's services.
    ///
    /// - Parameters:
    ///   - isLaunched: Whether the client was started for an event, and so begins in the background.
    ///   - newest: Writes the newest location that the client may see.
    mutating func greet(
        _ id: ClientID, isLaunched: Bool, capabilities: [StaticString],
        newest: (LocationGrant) -> ((inout TextBuffer) -> Void)?,
        _ turn: inout Turn
    ) {
        guard let place = place(of: id) else { return }
        let name = connections[place].client
        if isLaunched {
            connections[place].isForeground = false
            decide(.beganInBackground(id), &turn)
        }
        let access = access(of: name)
        connections[place].told = access
        connections[place].greeted = greeting(of: name)
        var hello = HelloObject(client: name, access: access)
        if let manifest = name.flatMap({ admission[$0] }) { hello.describe(manifest) }
        hello.isLaunchedForLocation = isLaunched
        hello.capabilities = capabilities
        let location = newest(grant(of: connections[place]).grant)
        turn.send(id) { ClientEvent.append(hello, location: location, to: &$0) }
    }

    /// The connections that were greeted with another manifest, or with other purpose texts, than the ones they have now.
    var connectionsToGreet: [ClientID] { connections.filter { $0.greeted != greeting(of: $0.client) }.map { $0.id } }

    private func greeting(of client: String?) -> Greeting {
        Greeting(client: client, purposes: client.flatMap { admission[$0]?.purposes })
    }

    /// Tells all connections which services the board offers now.
    func announce(_ capabilities: [StaticString], _ turn: inout Turn) {
        for connection in connections {
            turn.send(connection.id) { ClientEvent.appendCapabilities(capabilities, to: &$0) }
        }
    }

    /// Removes a connection that ended.
    ///
    /// - Returns: The name of the client that it belonged to; nil where no manifest applied, or it was on the gpsd
    ///   port.
    mutating func gone(_ id: ClientID, _ turn: inout Turn) -> String? {
        turn.tell(.access)
        gpsd.removeAll { $0.id == id }
        var name: String?
        if let place = place(of: id) {
            let connection = connections.remove(at: place)
            name = connection.client
            if connection.isAgent { countAgents(&turn) }
            if let name { leaveSessions(id, of: name) }
        }
        decide(.gone(id), &turn)
        return name
    }

    /// The error with which a connection's requests are refused; nil where the client is served.
    func refusal(
        of id: ClientID, hasCompass: Bool
    ) -> (code: StaticString, message: String)? {
        guard let name = client(of: id) else {
            let why =
                admission.isComplete
                ? "no manifest names this process, so it gets no locations; write one in clients.d"
                : "no client is served, because the manifests or the policy cannot be read; see sextant status"
            return ("noManifest", why)
        }
        return missing(for: name, hasCompass: hasCompass).map { ("unmetRequirement", $0) }
    }

    /// Tells a connection why its request is refused.
    ///
    /// - Parameter request: The request's id; nil where it has none, or was not read.
    func refuse(_ id: ClientID, request: String?, hasCompass: Bool, _ turn: inout Turn) {
        guard let (code, message) = refusal(of: id, hasCompass: hasCompass) else { return }
        turn.send(id) { ClientEvent.appendError(code, message, id: request, to: &$0) }
    }

    /// Whether a connection's long lines are read: those of operators and of clients that are served.
    func mayAskAtLength(_ id: ClientID) -> Bool { isOperator(id) || client(of: id) != nil }

    /// A sentence that names the hardware that a client requires and the board lacks; nil where nothing is missing.
    func missing(for client: String, hasCompass: Bool) -> String? {
        // The receiver always counts as present, even while the daemon waits for it; a compass until it is found
        // missing.
        let present: Set<ClientManifest.Requirement> = hasCompass ? [.receiver, .magnetometer] : [.receiver]
        let unmet = admission[client]?.unmetRequirements(with: present) ?? []
        guard !unmet.isEmpty else { return nil }
        let names = unmet.map { $0.rawValue }.joined(separator: ", ")
        return "its manifest requires what this board does not have: \(names); it is not served"
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
