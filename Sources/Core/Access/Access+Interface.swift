public import ClientProtocol
internal import ClientVocabulary
public import Parts
public import SextantJSON
public import SextantUnits

/// What the Engine may ask of this part; an answer changes nothing that others see.
extension Access {
    public var grants: Grants { Grants(book, admission, holders: holders) }

    /// Whether a connection holds a background activity session that lets the host be switched off.
    public func allowsHostSleep(_ id: ClientID) -> Bool { holders.contains { $0.sessions.allowsHostSleep(id) } }

    /// The next instant at which time alone changes something.
    public var deadline: MonotonicInstant? {
        let own = MonotonicInstant.earlier(book.deadline, sessionsDeadline)
        // Nothing is allocated at each input while no manifest is missing.
        return absences.isEmpty ? own : .earlier(own, absences.values.compactMap { $0 }.min())
    }

    public func isConnected(_ id: ClientID) -> Bool { place(of: id) != nil }

    /// The name of the client that a connection belongs to; nil where no manifest applies.
    public func client(of id: ClientID) -> String? { place(of: id).flatMap { connections[$0].client } }

    /// Whether a connection may do what an operator may.
    public func isOperator(_ id: ClientID) -> Bool { place(of: id).map { connections[$0].isOperator } ?? false }

    /// Whether a connection's long lines are read: those of operators and of clients that are served.
    public func mayAskAtLength(_ id: ClientID) -> Bool { isOperator(id) || client(of: id) != nil }

    /// The name to which the energy that a connection costs is charged.
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

    /// Whether any connection is an agent, which answers questions for the user.
    public var hasAgent: Bool { connections.contains { $0.isAgent } }

    /// The clients whose manifests keep the host on while they ask for anything.
    public var clientsAgainstHostSleep: [String] {
        admission.manifests.manifests.filter { $0.forbidsHostSleep }.map { $0.name }
    }

    /// What each connection may see now, in the order in which the connections came.
    public var connectionGrants: [ConnectionGrant] { connections.map { grant(of: $0) } }

    /// What each connection of the gpsd port may see.
    ///
    /// A connection that may belong to one of several clients sees what the one with the least rights may.
    public var portGrants: [(connection: ClientID, grant: LocationGrant)] {
        gpsd.map { connection in
            let grants = connection.clients.map { client in
                let standing = client.map { book.standing(of: $0) }
                guard let standing, standing.status.isAuthorized else { return LocationGrant.none }
                return standing.accuracy == .full ? .full : .reduced
            }
            return (connection.id, grants.min() ?? .none)
        }
    }

    /// The connections of these clients, in the order in which they came.
    public func connections(of clients: Set<String>) -> [ClientID] {
        connections.filter { $0.client.map(clients.contains) ?? false }.map { $0.id }
    }

    /// The connections that were greeted with another manifest, or with other purpose texts, than the ones they have now.
    public var connectionsToGreet: [ClientID] {
        connections.filter { $0.greeted != greeting(of: $0.client) }.map { $0.id }
    }

    public var connectionCount: Int { connections.count + gpsd.count }

    /// All names of clients that have manifests.
    public var clientNames: [String] { admission.manifests.manifests.map { $0.name } }

    /// Whether anything was decided about a client.
    public func hasRecord(of name: String) -> Bool {
        book.descriptions.contains { $0.client == name && $0.record != AuthorizationRecord() }
    }

    /// The clients that have manifests, then the connections without one; callers add the counts of registrations and
    /// events.
    public func clientObjects(hasCompass: Bool) -> [ClientObject] {
        var objects: [ClientObject] = []
        for description in book.descriptions {
            let name = description.client
            var object = ClientObject(
                name: name, selector: admission[name]?.selector.description ?? "", access: access(of: name))
            object.connections =
                connections.count { $0.client == name } + gpsd.count { $0.clients.contains(name) }
            object.isInUse = description.standing.isInUse
            object.waiting = description.standing.waiting?.name
            object.problem =
                missing(for: name, hasCompass: hasCompass) ?? description.problem?.message ?? mixedUp(name)
            object.alsoAs = description.standing.status.isAuthorized ? [] : otherClients(ofProgramsOf: name)
            objects.append(object)
        }
        return objects + strangers
    }

    /// The clients whose manifests have been missing for so long that what is stored about them is to be erased now.
    public func lostClients(at instant: MonotonicInstant) -> [String] {
        guard !absences.isEmpty else { return [] }
        return absences.compactMap { name, due in due.map { $0 <= instant } == true ? name : nil }.sorted()
    }

    /// A sentence for an operator: which decisions cannot be read, or lack their file, and how to mend that; nil where all
    /// is well.
    public var trouble: String? {
        let services =
            isSwitchUnreadable
            ? "whether location services are on cannot be read (another version of sextantd wrote it), so they are "
                + "off: decide anew with sextant services on or off" : nil
        let troubles = [services, policyTrouble.map { "policy.json5: \($0)" }].compactMap { $0 }
        return troubles.isEmpty ? nil : troubles.joined(separator: ". ")
    }
}

/// What the Engine has this part do.
extension Access {
    /// A connection that belongs to another client since the manifests changed.
    public struct Reidentified {
        public let id: ClientID
        public let old: String?
        public let new: String?
    }

    /// Takes changed manifests and policy.
    ///
    /// A client whose manifest is missing is not served. What is stored about it waits for a day, because a file may be
    /// missing for a while, as on a disk that is not mounted yet; only an operator forgets what denies it something.
    ///
    /// - Returns: The stored rows that waited for manifests, which are to be restored now.
    public mutating func admit(_ new: Admission, _ turn: inout Turn) -> [DurableRow] {
        defer { parked = [] }
        let wasMissing = admission.policySource == .missing
        admission = new.remembering(admission.manifests.manifests)
        noteAbsences(at: turn.instant)
        keepPolicy(&turn)
        if isRestored, !wasMissing { tellMissingPolicy(&turn) }
        decide(.policy(policy), &turn)
        decide(.manifests(admission.manifests), &turn)
        turn.tell(.access)
        return parked
    }

    /// Finds the client of every connection again, after the manifests changed.
    public mutating func identifyAgain(_ turn: inout Turn) -> [Reidentified] {
        var changed: [Reidentified] = []
        for place in connections.indices {
            let manifest = admission.client(for: connections[place].identity)
            connections[place].isOperator = admission.isOperator(
                connections[place].identity, daemonUser: userID)
            let (id, old) = (connections[place].id, connections[place].client)
            guard manifest?.name != old else { continue }
            changed.append(Reidentified(id: id, old: old, new: manifest?.name))
            decide(.gone(id), &turn)
            if let old { leaveSessions(id, of: old) }
            connections[place].client = manifest?.name
            guard let manifest else { continue }
            decide(.connected(id, client: manifest.name), &turn)
            if !connections[place].isForeground { decide(.beganInBackground(id), &turn) }
            joinSessions(id, as: manifest.name, at: turn.instant)
        }
        for place in gpsd.indices {
            let old = gpsd[place].client
            gpsd[place].clients = admission.portClients(of: gpsd[place].identities).map { $0?.name }
            guard gpsd[place].client != old else { continue }
            decide(.gone(gpsd[place].id), &turn)
            guard let new = gpsd[place].client else { continue }
            decide(.connected(gpsd[place].id, client: new), &turn)
        }
        return changed
    }

    /// Checks whether a row that the store held when the daemon started belongs to a client that is served.
    ///
    /// A client without a manifest becomes an absent one, which its row waits for.
    ///
    /// - Returns: False where the row waits for an unreadable manifest to be mended.
    public mutating func admits(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        guard !admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        if !row.client.isEmpty, admission[row.client] == nil {
            admission = admission.remembering([.absent(row.client)])
            noteAbsences(at: turn.instant)
            decide(.manifests(admission.manifests), &turn)
        }
        return true
    }

    /// Takes a stored row of this part.
    ///
    /// - Returns: Whether the row is this part's and could be decoded.
    public mutating func restore(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        switch row.table {
        case .authorization: restoreDecision(row, &turn)
        case .sessions: return restoreSessions(row)
        case .settings where row.client.isEmpty && row.name == "servicesEnabled":
            // A value of another form may mean off, and does.
            isSwitchUnreadable = row.value != [0] && row.value != [1]
            decide(.servicesEnabled(row.value == [1]), &turn)
        case .settings where row.client.isEmpty && row.name == Access.policyName: restorePolicy(row.value, &turn)
        default: return false
        }
        return true
    }

    /// All stored rows were given.
    public mutating func restored(_ turn: inout Turn) {
        isRestored = true
        turn.tell(.access)
        keepPolicy(&turn)
        tellMissingPolicy(&turn)
    }

    /// Notes that stored decisions were lost, so that what they denied is not known.
    public mutating func decisionsLost(_ turn: inout Turn) { decide(.decisionsLost, &turn) }

    /// Adds a new connection.
    ///
    /// - Returns: The manifest of the client that the connection belongs to; nil where none applies.
    public mutating func connected(_ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn) -> ClientManifest? {
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
    public mutating func connected(gpsd id: ClientID, _ identities: [PeerIdentity], _ turn: inout Turn) {
        let manifests = admission.portClients(of: identities)
        let connection = PortConnection(id: id, identities: identities, clients: manifests.map { $0?.name })
        gpsd.append(connection)
        turn.tell(.access)
        if let client = connection.client {
            decide(.connected(id, client: client), &turn)
        } else if connection.clients == [nil] {
            noManifest(connection.printableName, &turn)
        }
    }

    /// Sends a new connection its first line: the client's name, its authorization and the board's services.
    ///
    /// - Parameters:
    ///   - isLaunched: Whether the client was started for an event, and so begins in the background.
    ///   - newest: Writes the newest location that the client may see.
    public mutating func greet(
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

    /// Tells all connections which services the board offers now.
    public func announce(_ capabilities: [StaticString], _ turn: inout Turn) {
        for connection in connections {
            turn.send(connection.id) { ClientEvent.appendCapabilities(capabilities, to: &$0) }
        }
    }

    /// Tells all connections of a sleep of the host.
    public func announce(_ news: HostNews, _ turn: inout Turn) {
        for connection in connections {
            turn.send(connection.id) { ClientEvent.append(news, to: &$0) }
        }
    }

    /// Removes a connection that ended.
    ///
    /// - Returns: The name of the client that it belonged to; nil where no manifest applied, or it was on the gpsd
    ///   port.
    public mutating func gone(_ id: ClientID, _ turn: inout Turn) -> String? {
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

    /// Lets time pass.
    public mutating func advance(_ turn: inout Turn) {
        decide(.timePassed, &turn)
        if let deadline = sessionsDeadline, deadline <= turn.instant { turn.tell(.access) }
    }

    /// Takes what a client's request means for its authorization: every request comes here, whoever else answers it.
    public mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let place = place(of: id), let name = connections[place].client else { return }
        defer { connections[place].hasAsked = true }
        switch request.kind {
        case .state(let isForeground): set(isForeground, at: place, &turn)
        case .authorize(let always, let purpose, let isImplicit):
            connections[place].statedPurpose = purpose
            let authorization: AuthorizationRequest = isImplicit ? .atStart : always ? .always : .whenInUse
            decide(.requested(id, session: Int64(request.session), authorization), &turn)
        // A passive watch starts nothing, so nobody is asked for it.
        case .watchLocations(_, let options, _) where options.isPassive: break
        case .watchLocations, .locateOnce, .monitoring(.significantChange(true)), .monitoring(.visits(true)),
            .monitoring(.region):
            decide(.started(id, session: Int64(request.session)), &turn)
        case .authorizeFullAccuracy(let key):
            decide(.requestedFullAccuracy(id, id: request.id, purposeKey: key), &turn)
        case .holdSession(let number, let goal):
            hold(goal, number: number, by: id, of: name, &turn)
            decide(.started(id, session: Access.firstQuestion + Int64(number)), &turn)
        case .releaseSession(let number): release(number, by: id, of: name, &turn)
        case .release: decide(.withdrawn(id, session: Int64(request.session)), &turn)
        default: break
        }
    }

    /// Handles the WATCH of a client of the gpsd port: a client that was not asked about yet is asked about.
    public mutating func watched(gpsd id: ClientID, _ turn: inout Turn) {
        decide(.requested(id, session: 0, .atStart), &turn)
        decide(.started(id, session: 0), &turn)
    }

    /// Refuses a connection's request where the client is not served.
    ///
    /// - Parameter request: The request's id; nil where it has none, or was not read.
    /// - Returns: Whether the request was refused.
    public func refuses(_ id: ClientID, request: String?, hasCompass: Bool, _ turn: inout Turn) -> Bool {
        guard let (code, message) = refusal(of: id, hasCompass: hasCompass) else { return false }
        turn.send(id) { ClientEvent.appendError(code, message, id: request, to: &$0) }
        return true
    }

    /// Answers an operator's request that decides: about a client, all clients, or who puts the questions.
    public mutating func serve(_ request: OperatorRequest, id: String?, of connection: ClientID, _ turn: inout Turn) {
        switch request {
        case .answer(let name, let answer, let reducesAccuracy, let mayBeWoken):
            guard exists(name, id: id, for: connection, &turn) else { return }
            self.answer(name, answer, reducesAccuracy: reducesAccuracy, mayBeWoken: mayBeWoken, &turn)
            turn.confirm(connection) { ClientEvent.appendDone(.answered, client: name, id: id, to: &$0) }
        case .services(let isEnabled):
            if let isEnabled { enableServices(isEnabled, &turn) }
            let isEnabled = book.servicesEnabled
            turn.confirm(connection) { ClientEvent.appendDone(.services, isEnabled: isEnabled, id: id, to: &$0) }
        case .agent(let isAgent): setAgent(isAgent, id: connection, request: id, &turn)
        default: break
        }
    }

    /// Whether a client of this name has a manifest; where it has none, the operator is sent an error.
    public func exists(_ name: String, id: String?, for operator: ClientID, _ turn: inout Turn) -> Bool {
        guard admission[name] == nil else { return true }
        turn.send(`operator`) {
            ClientEvent.appendError(
                "noSuchClient", "no client has a manifest named \"\(name)\"; sextant clients lists those that have",
                id: id, to: &$0)
        }
        return false
    }

    /// Resets all decisions about a client.
    public mutating func reset(_ name: String, _ turn: inout Turn) {
        decide(.answered(client: name, .reset), &turn)
    }

    /// Forgets a client whose manifest is missing, after what was stored about it was erased.
    ///
    /// - Parameter isDecided: Whether an operator said so; otherwise what denies the client something stays.
    public mutating func forgetAbsent(_ name: String, isDecided: Bool, _ turn: inout Turn) {
        guard admission[name]?.isAbsent == true else { return }
        let denial = isDecided ? nil : book.denial(of: name)
        admission.manifests = ClientManifests(admission.manifests.manifests.filter { $0.name != name })
        holders.removeAll { $0.client == name }
        decide(.manifests(admission.manifests), &turn)
        absences[name] = nil
        guard let denial else { return }
        admission = admission.remembering([.absent(name)])
        absences[name] = .some(nil)
        decide(.manifests(admission.manifests), &turn)
        decide(.restored(client: name, denial), &turn)
        keep(denial, of: name, &turn)
    }

    /// Decides whether a client that does not run may be started for its waiting event; news tell the answer.
    public mutating func eventDue(_ client: String, _ turn: inout Turn) { decide(.eventDue(client: client), &turn) }

    /// Asks users for the authorizations that sessions need, and notes which background clients count as in use.
    ///
    /// - Parameter watchers: Connections whose watches asked to go on in the background, whether or not they may.
    public mutating func settle(watchers: [ClientID], _ turn: inout Turn) {
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
    public mutating func tellChanges(_ turn: inout Turn) {
        for place in connections.indices {
            let access = access(of: connections[place].client)
            guard access != connections[place].told else { continue }
            connections[place].told = access
            turn.send(connections[place].id) { ClientEvent.appendAuthorization(access, to: &$0) }
        }
    }

    /// Answers the decided requests for full accuracy; called after clients were told their changed authorization.
    public mutating func answerAccuracy(_ turn: inout Turn) {
        for answer in accuracyAnswers {
            turn.send(answer.client) { ClientEvent.appendFullAccuracy(answer.errorCode, id: answer.id, to: &$0) }
        }
        accuracyAnswers.removeAll(keepingCapacity: true)
    }

    /// Tells agents whether any session asks its user to turn the device about, to calibrate the compass.
    public mutating func showCalibration(_ isShown: Bool, _ turn: inout Turn) {
        guard isShown != isCalibrationShown else { return }
        isCalibrationShown = isShown
        tellAgents(&turn) { ClientEvent.appendCalibrationDisplay(isShown: isShown, to: &$0) }
    }
}
