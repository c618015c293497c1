public import ClientProtocol
internal import ClientVocabulary
public import Parts
public import SextantJSON
public import SextantUnits

/// The values of `Access` (the authorization of clients) that the daemon's Engine reads.
extension Access {
    /// The next instant at which `advance` must be called even if no input comes; nil for none.
    public var deadline: MonotonicInstant? {
        let own = MonotonicInstant.earlier(view.book.deadline, sessionsDeadline)
        // An empty list of missing manifests is not read, which saves an allocation at each input.
        return absences.isEmpty ? own : .earlier(own, absences.values.compactMap { $0 }.min())
    }
}

/// The commands that the daemon's Engine gives to `Access`, which decides about clients' authorization.
extension Access {
    /// A connection that belongs to another client after a change of the manifests than before it.
    public struct Reidentified {
        public let id: ClientID
        public let old: String?
        public let new: String?
    }

    /// Takes the clients' manifests and the operator's policy after they have changed.
    ///
    /// A client whose manifest is missing is not served. What is stored about the client is kept for a day, because a
    /// file can be missing for a while, as on a disk that is not mounted yet. Decisions that deny the client something
    /// are kept until an operator erases them.
    ///
    /// - Returns: The stored database rows of clients whose manifests could not be read until now; the caller restores
    ///   them.
    public mutating func admit(_ new: Admission, _ turn: inout Turn) -> [DurableRow] {
        defer { parked = [] }
        let wasMissing = view.admission.policySource == .missing
        view.admission = new.remembering(view.admission.manifests)
        noteAbsences(at: turn.instant)
        keepPolicy(&turn)
        if view.isRestored, !wasMissing { tellMissingPolicy(&turn) }
        decide(.policy(policy), &turn)
        decide(.manifests(view.admission.manifests), &turn)
        turn.tell(.access)
        return parked
    }

    /// Finds out again, after the manifests have changed, to which client each connection belongs.
    public mutating func identifyAgain(_ turn: inout Turn) -> [Reidentified] {
        var changed: [Reidentified] = []
        for index in view.connections.indices {
            let manifest = view.admission.client(for: view.connections[index].identity)
            view.connections[index].isOperator = view.admission.isOperator(
                view.connections[index].identity, daemonUser: userID)
            let (id, old) = (view.connections[index].id, view.connections[index].client)
            guard manifest?.name != old else { continue }
            changed.append(Reidentified(id: id, old: old, new: manifest?.name))
            decide(.gone(id), &turn)
            if let old { leaveSessions(id, of: old) }
            view.connections[index].client = manifest?.name
            view.connections[index].usesBackground = false
            guard let manifest else { continue }
            decide(.connected(id, client: manifest.name), &turn)
            if !view.connections[index].isForeground { decide(.beganInBackground(id), &turn) }
            joinSessions(id, as: manifest.name, at: turn.instant)
        }
        for index in view.gpsd.indices {
            let old = view.gpsd[index].client
            view.gpsd[index].clients = view.admission.portClients(of: view.gpsd[index].identities).map { $0?.name }
            guard view.gpsd[index].client != old else { continue }
            decide(.gone(view.gpsd[index].id), &turn)
            guard let new = view.gpsd[index].client else { continue }
            decide(.connected(view.gpsd[index].id, client: new), &turn)
        }
        return changed
    }

    /// What became of a database row that was read back at the daemon's start.
    public enum Restoration {
        case restored
        /// The row is restored later, when its client's manifest, which cannot be read now, is readable.
        case waits
        /// The row belongs to another part of the daemon, or cannot be decoded.
        case notMine
    }

    /// Takes a row that the database had when the daemon started.
    ///
    /// Every row comes here first, because the daemon's other parts are given only the rows of clients that are served.
    public mutating func restore(_ row: DurableRow, _ turn: inout Turn) -> Restoration {
        guard admits(row, &turn) else { return .waits }
        switch row.table {
        case .authorization: restoreDecision(row, &turn)
        case .sessions: return restoreSessions(row) ? .restored : .notMine
        case .settings where row.client.isEmpty && row.name == Access.servicesName:
            // A stored value other than 0 or 1 could mean off, so location services are then off.
            view.isSwitchUnreadable = row.value != [0] && row.value != [1]
            decide(.servicesEnabled(row.value == [1]), &turn)
        case .settings where row.client.isEmpty && row.name == Access.policyName: restorePolicy(row.value, &turn)
        default: return .notMine
        }
        return .restored
    }

    /// Checks whether a row that the database had at the daemon's start can be restored.
    ///
    /// A client that has no manifest is added to the list as absent, and its row stays stored.
    ///
    /// - Returns: False if the row has to wait because its client's manifest cannot be read.
    private mutating func admits(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        guard !view.admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        if !row.client.isEmpty, view.admission[row.client] == nil {
            view.admission = view.admission.remembering([.absent(row.client)])
            noteAbsences(at: turn.instant)
            decide(.manifests(view.admission.manifests), &turn)
        }
        return true
    }

    /// Called at the daemon's start once all stored database rows have been read back.
    public mutating func restored(_ turn: inout Turn) {
        view.isRestored = true
        turn.tell(.access)
        keepPolicy(&turn)
        tellMissingPolicy(&turn)
    }

    /// Called if stored decisions were lost, so that it is not known which clients they denied.
    public mutating func decisionsLost(_ turn: inout Turn) { decide(.decisionsLost, &turn) }

    /// Adds a new connection.
    ///
    /// - Parameter identities: The process that made the connection; at the gpsd port, all processes of this board that
    ///   can have made it. Empty if no such process is known.
    /// - Returns: The manifest of the client to which a connection of the local socket belongs; nil if no manifest
    ///   applies.
    public mutating func connected(
        _ id: ClientID, _ kind: ClientKind, _ identities: [PeerIdentity], _ turn: inout Turn
    ) -> ClientManifest? {
        switch kind {
        case .local: return connectedLocally(id, identities.first, &turn)
        case .gpsd:
            connectedToPort(id, identities, &turn)
            return nil
        }
    }

    private mutating func connectedLocally(
        _ id: ClientID, _ identity: PeerIdentity?, _ turn: inout Turn
    ) -> ClientManifest? {
        let manifest = view.admission.client(for: identity)
        var connection = Connection(
            id: id, identity: identity, client: manifest?.name, lastSent: view.access(of: manifest?.name))
        connection.isOperator = view.admission.isOperator(identity, daemonUser: userID)
        view.connections.append(connection)
        guard let manifest else {
            noManifest(identity?.printableName ?? "local", &turn)
            return nil
        }
        turn.tell(.access)
        decide(.connected(id, client: manifest.name), &turn)
        joinSessions(id, as: manifest.name, at: turn.instant)
        return manifest
    }

    private mutating func connectedToPort(_ id: ClientID, _ identities: [PeerIdentity], _ turn: inout Turn) {
        turn.tell(.access)
        let manifests = view.admission.portClients(of: identities)
        let connection = PortConnection(id: id, identities: identities, clients: manifests.map { $0?.name })
        view.gpsd.append(connection)
        if let client = connection.client {
            decide(.connected(id, client: client), &turn)
        } else if connection.clients == [nil] {
            noManifest(connection.printableName, &turn)
        }
    }

    /// Sends a new connection its `hello` line: the client's name, its authorization and the services of the board.
    ///
    /// - Parameters:
    ///   - isLaunched: Whether the daemon started the client for an event, so that the client begins in the background.
    ///   - newest: Returns a function that writes the newest location that a client with the given grant is allowed to
    ///     see.
    public mutating func greet(
        _ id: ClientID, isLaunched: Bool, capabilities: [StaticString],
        newest: (LocationGrant) -> ((inout TextBuffer) -> Void)?,
        _ turn: inout Turn
    ) {
        guard let index = view.index(of: id) else { return }
        let name = view.connections[index].client
        if isLaunched {
            view.connections[index].isForeground = false
            decide(.beganInBackground(id), &turn)
        }
        let access = view.access(of: name)
        view.connections[index].lastSent = access
        view.connections[index].greeted = view.greeting(of: name)
        var hello = HelloObject(client: name, access: access)
        if let manifest = name.flatMap({ view.admission[$0] }) { hello.describe(manifest) }
        hello.isLaunchedForLocation = isLaunched
        hello.capabilities = capabilities
        let location = newest(view.grant(of: view.connections[index]).grant)
        turn.send(id) { ClientEvent.append(hello, location: location, to: &$0) }
    }

    /// The kinds of events that `tell` sends, and to which connections each kind goes.
    public enum Telling {
        /// The client's authorization, for every connection whose client has not been sent the present one.
        case changes
        /// The answers to requests for full accuracy, for the connections that made them; sent after the changed
        /// authorizations (`changes`).
        case accuracyAnswers
        /// The services that the board offers now, for every connection.
        case capabilities([StaticString])
        /// An announced or cancelled sleep of the host, for every connection.
        case host(HostNews)
        /// Whether a client wants the user to turn the device about to calibrate the compass; for agents, which show
        /// this.
        case calibration(isShown: Bool)
    }

    public mutating func tell(_ telling: Telling, _ turn: inout Turn) {
        switch telling {
        case .changes: tellChanges(&turn)
        case .accuracyAnswers: answerAccuracy(&turn)
        case .capabilities(let capabilities): tellAll(&turn) { ClientEvent.appendCapabilities(capabilities, to: &$0) }
        case .host(let news): tellAll(&turn) { ClientEvent.append(news, to: &$0) }
        case .calibration(let isShown): showCalibration(isShown, &turn)
        }
    }

    private func tellAll(_ turn: inout Turn, _ write: (inout TextBuffer) -> Void) {
        for connection in view.connections { turn.send(connection.id, write) }
    }

    /// Removes a connection that ended.
    ///
    /// - Returns: The name of the client to which the connection belonged; nil if no manifest applied, or for a
    ///   connection of the gpsd port.
    public mutating func gone(_ id: ClientID, _ turn: inout Turn) -> String? {
        guard let index = view.index(of: id) else {
            turn.tell(.access)
            view.gpsd.removeAll { $0.id == id }
            decide(.gone(id), &turn)
            return nil
        }
        let connection = view.connections.remove(at: index)
        if connection.isAgent { countAgents(&turn) }
        // No client depends on a process without a manifest, so a hundred such connections that end at once cost
        // little.
        guard let name = connection.client else {
            if connection.isOperator { turn.tell(.access) }
            return nil
        }
        turn.tell(.access)
        leaveSessions(id, of: name)
        decide(.gone(id), &turn)
        return name
    }

    /// Makes the changes that are due at this instant.
    ///
    /// - Returns: The clients whose manifests have been missing for so long that the caller must erase their stored
    ///   data.
    public mutating func advance(_ turn: inout Turn) -> [String] {
        decide(.timePassed, &turn)
        if let deadline = sessionsDeadline, deadline <= turn.instant { turn.tell(.access) }
        guard !absences.isEmpty else { return [] }
        return absences.compactMap { name, due in due.map { $0 <= turn.instant } == true ? name : nil }.sorted()
    }

    /// Applies a client's request to the client's authorization and sessions; every request comes here, even if another
    /// part of the daemon answers it.
    public mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let index = view.index(of: id), let name = view.connections[index].client else { return }
        defer { view.connections[index].hasAsked = true }
        switch request.kind {
        case .state(let isForeground): set(isForeground, at: index, &turn)
        case .authorize(let always, let purpose, let isImplicit):
            view.connections[index].statedPurpose = purpose
            let authorization: AuthorizationRequest = isImplicit ? .atStart : always ? .always : .whenInUse
            decide(.requested(id, session: Int64(request.session), authorization), &turn)
        // A passive session gets only the locations that come for other clients, so the user is not asked about it.
        case .watchLocations(_, let options, _) where options.isPassive: break
        case .monitoring(let request) where !request.asksUser: break
        case .watchLocations, .locateOnce, .monitoring:
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

    /// Serves a WATCH command at the gpsd port: if nothing was decided about the client yet, the user is asked.
    public mutating func serve(watchOf id: ClientID, _ turn: inout Turn) {
        decide(.requested(id, session: 0, .atStart), &turn)
        decide(.started(id, session: 0), &turn)
    }

    /// Refuses a request if the client of its connection is not served.
    ///
    /// - Parameter request: The request's id; nil if it has none, or if it was not read.
    /// - Returns: Whether the request was refused.
    public func refuses(_ id: ClientID, request: String?, hasCompass: Bool, _ turn: inout Turn) -> Bool {
        guard let (code, message) = view.refusal(of: id, hasCompass: hasCompass) else { return false }
        turn.send(id) { ClientEvent.appendError(code, message, id: request, to: &$0) }
        return true
    }

    /// Serves an operator's request: to decide about a client, to switch location services, or to become an agent,
    /// which asks the user.
    public mutating func serve(_ request: OperatorRequest, id: String?, of connection: ClientID, _ turn: inout Turn) {
        switch request {
        case .answer(let name, let answer, let reducesAccuracy, let mayBeWoken):
            self.answer(name, answer, reducesAccuracy: reducesAccuracy, mayBeWoken: mayBeWoken, &turn)
            turn.confirm(connection) { ClientEvent.appendDone(.answered, client: name, id: id, to: &$0) }
        case .services(let isEnabled):
            if let isEnabled { enableServices(isEnabled, &turn) }
            let isEnabled = view.book.servicesEnabled
            turn.confirm(connection) { ClientEvent.appendDone(.services, isEnabled: isEnabled, id: id, to: &$0) }
        case .agent(let isAgent): setAgent(isAgent, id: connection, request: id, &turn)
        default: break
        }
    }

    /// Which data about a client `forget` removes.
    public enum Forgotten {
        /// All decisions about the client.
        case decisions
        /// The absent client itself (one whose manifest is missing), after the data stored about it was erased.
        ///
        /// A decision that denies the client something stays, unless an operator erased the client (`isDecided`).
        case absence(isDecided: Bool)
    }

    public mutating func forget(_ name: String, _ what: Forgotten, _ turn: inout Turn) {
        switch what {
        case .decisions: decide(.answered(client: name, .reset), &turn)
        case .absence(let isDecided): forgetAbsent(name, isDecided: isDecided, &turn)
        }
    }

    private mutating func forgetAbsent(_ name: String, isDecided: Bool, _ turn: inout Turn) {
        guard view.admission[name]?.isAbsent == true else { return }
        let denial = isDecided ? nil : view.book.denial(of: name)
        view.admission.manifests = ClientManifests(view.admission.manifests.filter { $0.name != name })
        view.holders.removeAll { $0.client == name }
        decide(.manifests(view.admission.manifests), &turn)
        absences[name] = nil
        guard let denial else { return }
        view.admission = view.admission.remembering([.absent(name)])
        absences[name] = .some(nil)
        decide(.manifests(view.admission.manifests), &turn)
        decide(.restored(client: name, denial), &turn)
        keep(denial, of: name, &turn)
    }

    /// Takes news about a client from the daemon's other parts.
    ///
    /// The news `eventDue` asks whether a client may have the event that waits for the client; the answer is the news
    /// `eventDecided`.
    public mutating func heard(_ news: ClientNews, _ turn: inout Turn) {
        if case .eventDue(let client) = news { decide(.eventDue(client: client), &turn) }
    }

    /// Asks users for the authorizations that sessions need, and finds out which clients in the background count as in
    /// use.
    ///
    /// - Parameter watchers: The connections whose location sessions asked to go on in the background, whether or not
    ///   that is allowed.
    public mutating func settle(watchers: [ClientID], _ turn: inout Turn) {
        turn.changes.remove(.access)
        settleSessions(&turn)
        for index in view.connections.indices where view.connections[index].client != nil {
            let id = view.connections[index].id
            let uses = view.grant(of: view.connections[index])
                .usesBackground(watchesInBackground: watchers.contains(id))
            guard uses != view.connections[index].usesBackground else { continue }
            view.connections[index].usesBackground = uses
            decide(.usesBackground(id, uses), &turn)
        }
        if turn.changes.contains(.access) { settleSessions(&turn) }
        turn.changes.remove(.access)
    }

    private mutating func tellChanges(_ turn: inout Turn) {
        for index in view.connections.indices {
            let access = view.access(of: view.connections[index].client)
            guard access != view.connections[index].lastSent else { continue }
            view.connections[index].lastSent = access
            turn.send(view.connections[index].id) { ClientEvent.appendAuthorization(access, to: &$0) }
        }
    }

    private mutating func answerAccuracy(_ turn: inout Turn) {
        for answer in accuracyAnswers {
            turn.send(answer.client) { ClientEvent.appendFullAccuracy(answer.errorCode, id: answer.id, to: &$0) }
        }
        accuracyAnswers.removeAll(keepingCapacity: true)
    }

    private mutating func showCalibration(_ isShown: Bool, _ turn: inout Turn) {
        guard isShown != isCalibrationShown else { return }
        isCalibrationShown = isShown
        tellAgents(&turn) { ClientEvent.appendCalibrationDisplay(isShown: isShown, to: &$0) }
    }
}
