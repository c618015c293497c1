public import ClientProtocol
internal import ClientVocabulary
public import Parts
public import SextantJSON
public import SextantUnits

/// Values that the Engine reads from `Access`.
extension Access {
    /// The next instant at which something is due without any other input.
    public var deadline: MonotonicInstant? {
        let own = MonotonicInstant.earlier(view.book.deadline, sessionsDeadline)
        // This shortcut avoids an allocation at each input while no manifest is missing.
        return absences.isEmpty ? own : .earlier(own, absences.values.compactMap { $0 }.min())
    }
}

/// Commands that the Engine gives to `Access`.
extension Access {
    /// A connection that belongs to another client than before, because the manifests changed.
    public struct Reidentified {
        public let id: ClientID
        public let old: String?
        public let new: String?
    }

    /// Takes changed manifests and policy.
    ///
    /// A client whose manifest is missing is not served. What is stored about the client is kept for a day, because a
    /// file can be missing for a while, as on a disk that is not mounted yet. Decisions that deny the client something
    /// are kept until an operator erases them.
    ///
    /// - Returns: The stored rows that waited for manifests, which are to be restored now.
    public mutating func admit(_ new: Admission, _ turn: inout Turn) -> [DurableRow] {
        defer { parked = [] }
        let wasMissing = view.admission.policySource == .missing
        view.admission = new.remembering(view.admission.manifests.manifests)
        noteAbsences(at: turn.instant)
        keepPolicy(&turn)
        if view.isRestored, !wasMissing { tellMissingPolicy(&turn) }
        decide(.policy(policy), &turn)
        decide(.manifests(view.admission.manifests), &turn)
        turn.tell(.access)
        return parked
    }

    /// Determines anew which client each connection belongs to, after the manifests changed.
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

    /// The result of reading back a stored row.
    public enum Restoration {
        case restored
        /// The row waits until its client's manifest, which cannot be read now, is readable.
        case waits
        /// The row belongs to another part, or cannot be decoded.
        case notMine
    }

    /// Takes a row that the store held when the daemon started.
    ///
    /// Every such row comes here first, because other parts are given only the rows of clients that are served.
    public mutating func restore(_ row: DurableRow, _ turn: inout Turn) -> Restoration {
        guard admits(row, &turn) else { return .waits }
        switch row.table {
        case .authorization: restoreDecision(row, &turn)
        case .sessions: return restoreSessions(row) ? .restored : .notMine
        case .settings where row.client.isEmpty && row.name == Access.servicesName:
            // A value in an unknown form could mean off, so it counts as off.
            view.isSwitchUnreadable = row.value != [0] && row.value != [1]
            decide(.servicesEnabled(row.value == [1]), &turn)
        case .settings where row.client.isEmpty && row.name == Access.policyName: restorePolicy(row.value, &turn)
        default: return .notMine
        }
        return .restored
    }

    /// Checks whether a row that the store held when the daemon started belongs to a client that is served.
    ///
    /// A client without a manifest is remembered as an absent client, and its row stays stored.
    ///
    /// - Returns: False where the row waits because the client's manifest cannot be read.
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

    /// Notes that all stored rows have been handed over at the daemon's start.
    public mutating func restored(_ turn: inout Turn) {
        view.isRestored = true
        turn.tell(.access)
        keepPolicy(&turn)
        tellMissingPolicy(&turn)
    }

    /// Notes that stored decisions were lost, so that it is not known which clients they denied.
    public mutating func decisionsLost(_ turn: inout Turn) { decide(.decisionsLost, &turn) }

    /// Adds a new connection.
    ///
    /// - Parameter identities: The process that made the connection; at the gpsd port, all processes of this board that
    ///   can have made it. Empty where none is known.
    /// - Returns: The manifest of the client that a connection of the local socket belongs to; nil where none applies.
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
            id: id, identity: identity, client: manifest?.name, told: view.access(of: manifest?.name))
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

    /// Sends a new connection its first line: the client's name, its authorization and the board's services.
    ///
    /// - Parameters:
    ///   - isLaunched: Whether the client was started for an event, so that it begins in the background.
    ///   - newest: Returns a function that writes the newest location that a grant allows the client to see.
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
        view.connections[index].told = access
        view.connections[index].greeted = view.greeting(of: name)
        var hello = HelloObject(client: name, access: access)
        if let manifest = name.flatMap({ view.admission[$0] }) { hello.describe(manifest) }
        hello.isLaunchedForLocation = isLaunched
        hello.capabilities = capabilities
        let location = newest(view.grant(of: view.connections[index]).grant)
        turn.send(id) { ClientEvent.append(hello, location: location, to: &$0) }
    }

    /// The kinds of line that `tell` writes, and the connections that get each.
    public enum Telling {
        /// The client's authorization, to every connection for which it has changed.
        case changes
        /// The answer to requests for full accuracy, to the connections that asked; sent after `changes`.
        case accuracyAnswers
        /// The services that the board offers now, to every connection.
        case capabilities([StaticString])
        /// News of a sleep of the host, to every connection.
        case host(HostNews)
        /// Whether a session asks the user to turn the device about, to calibrate the compass; sent to agents.
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
    /// - Returns: The name of the client that the connection belonged to; nil where no manifest applied, or for a
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
        // Nobody's access depends on a stranger, so that a hundred who leave at once cost little.
        guard let name = connection.client else {
            if connection.isOperator { turn.tell(.access) }
            return nil
        }
        turn.tell(.access)
        leaveSessions(id, of: name)
        decide(.gone(id), &turn)
        return name
    }

    /// Does what is due at this instant.
    ///
    /// - Returns: The clients whose manifests have been missing for so long that their stored data is to be erased now.
    public mutating func advance(_ turn: inout Turn) -> [String] {
        decide(.timePassed, &turn)
        if let deadline = sessionsDeadline, deadline <= turn.instant { turn.tell(.access) }
        guard !absences.isEmpty else { return [] }
        return absences.compactMap { name, due in due.map { $0 <= turn.instant } == true ? name : nil }.sorted()
    }

    /// Applies a client's request to its authorization; every request comes here, even if another part answers it.
    public mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let index = view.index(of: id), let name = view.connections[index].client else { return }
        defer { view.connections[index].hasAsked = true }
        switch request.kind {
        case .state(let isForeground): set(isForeground, at: index, &turn)
        case .authorize(let always, let purpose, let isImplicit):
            view.connections[index].statedPurpose = purpose
            let authorization: AuthorizationRequest = isImplicit ? .atStart : always ? .always : .whenInUse
            decide(.requested(id, session: Int64(request.session), authorization), &turn)
        // A passive location session does not switch the receiver on, so the user is not asked about it.
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

    /// Serves a gpsd client's WATCH: if nothing was decided about the client yet, the user is asked.
    public mutating func serve(watchOf id: ClientID, _ turn: inout Turn) {
        decide(.requested(id, session: 0, .atStart), &turn)
        decide(.started(id, session: 0), &turn)
    }

    /// Refuses a connection's request where the client is not served.
    ///
    /// - Parameter request: The request's id; nil where it has none, or was not read.
    /// - Returns: Whether the request was refused.
    public func refuses(_ id: ClientID, request: String?, hasCompass: Bool, _ turn: inout Turn) -> Bool {
        guard let (code, message) = view.refusal(of: id, hasCompass: hasCompass) else { return false }
        turn.send(id) { ClientEvent.appendError(code, message, id: request, to: &$0) }
        return true
    }

    /// Serves an operator's request: a decision about one client, the master switch, or becoming an agent.
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

    /// The part of a client's data that `forget` removes.
    public enum Forgotten {
        /// All decisions about the client.
        case decisions
        /// The client itself, if its manifest is missing, after the data stored about it was erased.
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
        view.admission.manifests = ClientManifests(view.admission.manifests.manifests.filter { $0.name != name })
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

    /// Takes news about a client.
    ///
    /// For `eventDue`, it is decided whether the client may have its waiting event; the answer is the news
    /// `eventDecided`.
    public mutating func heard(_ news: ClientNews, _ turn: inout Turn) {
        if case .eventDue(let client) = news { decide(.eventDue(client: client), &turn) }
    }

    /// Asks users for the authorizations that sessions need, and notes which background clients count as in use.
    ///
    /// - Parameter watchers: Connections whose location sessions asked to go on in the background, whether that is
    ///   allowed or not.
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
            guard access != view.connections[index].told else { continue }
            view.connections[index].told = access
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
