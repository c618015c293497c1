public import ClientProtocol
internal import ClientVocabulary
public import Parts
public import SextantJSON
public import SextantUnits

/// The values of `Access` (the authorization of clients) that the daemon's Engine reads.
extension Access {
    /// The connections and their permissions.
    public var view: AccessView { AccessView(state: state) }

    /// The next instant at which `advance` must be called even if no input comes; nil for none.
    public var deadline: MonotonicInstant? {
        let own = MonotonicInstant.earlier(state.book.deadline, sessionsDeadline)
        // Reading the list of missing manifests allocates memory, so an empty list, the usual case, is not read at each
        // input.
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
        change(to: new, &turn)
        defer { parked = [] }
        return parked
    }

    /// Finds out again, after the manifests have changed, to which client each connection belongs.
    public mutating func identifyAgain(_ turn: inout Turn) -> [Reidentified] {
        let changed = state.connections.indices.compactMap { identify(connectionAt: $0, &turn) }
        for index in state.gpsd.indices { identify(portConnectionAt: index, &turn) }
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
        admits(row, &turn) ? restoreAdmitted(row, &turn) : .waits
    }

    /// Called at the daemon's start once all stored database rows have been read back: stores the policy's denials if
    /// they have changed, and logs trouble with the policy.
    public mutating func restored(_ turn: inout Turn) {
        state.isRestored = true
        turn.tell(.access)
        keepPolicy(&turn)
        tellMissingPolicy(&turn)
    }

    /// Takes note that stored decisions were lost, so that it is not known which clients they denied.
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
        guard let index = state.index(of: id) else { return }
        var hello = hello(toConnectionAt: index, isLaunched: isLaunched, &turn)
        hello.capabilities = capabilities
        let location = newest(state.grant(of: state.connections[index]).grant)
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

    /// Removes a connection that ended.
    ///
    /// - Returns: The name of the client to which the connection belonged; nil if no manifest applied, or for a
    ///   connection of the gpsd port.
    public mutating func gone(_ id: ClientID, _ turn: inout Turn) -> String? {
        if let index = state.index(of: id) { return gone(connectionAt: index, &turn) }
        goneFromPort(id, &turn)
        return nil
    }

    /// Makes the changes that are due at this instant.
    ///
    /// - Returns: The clients whose manifests have been missing for so long that the caller must erase their stored
    ///   data.
    public mutating func advance(_ turn: inout Turn) -> [String] {
        decide(.timePassed, &turn)
        if let deadline = sessionsDeadline, deadline <= turn.instant { turn.tell(.access) }
        return overdueAbsences(at: turn.instant)
    }

    /// Applies a client's request to the client's authorization and sessions; every request comes here, even if another
    /// part of the daemon answers it.
    public mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let index = state.index(of: id), let name = state.connections[index].client else { return }
        serve(request, ofConnectionAt: index, name, &turn)
        state.connections[index].hasAsked = true
    }

    /// Serves a WATCH command at the gpsd port: asks the user if the client's authorization is not decided, or if
    /// location services are off.
    public mutating func serve(watchOf id: ClientID, _ turn: inout Turn) {
        decide(.requested(id, session: 0, .atStart), &turn)
        decide(.started(id, session: 0), &turn)
    }

    /// Refuses a request if the client of its connection is not served.
    ///
    /// - Parameter request: The request's id; nil if it has none, or if it was not read.
    /// - Returns: Whether the request was refused.
    public func refuses(_ id: ClientID, request: String?, hasCompass: Bool, _ turn: inout Turn) -> Bool {
        guard let (code, message) = state.refusal(of: id, hasCompass: hasCompass) else { return false }
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
            let isEnabled = state.book.servicesEnabled
            turn.confirm(connection) { ClientEvent.appendDone(.services, isEnabled: isEnabled, id: id, to: &$0) }
        case .agent(let isAgent): setAgent(isAgent, id: connection, request: id, &turn)
        default: break
        }
    }

    /// Which data about a client `forget` removes.
    public enum Forgotten {
        /// All decisions about the client.
        case decisions
        /// The client itself, whose manifest is missing; the data stored about it must have been erased before.
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

    /// Takes news about a client from the daemon's other parts.
    ///
    /// The news `eventDue` asks whether a client may be sent an event that waits for it; the news `eventDecided` is the
    /// answer.
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
        noteBackgroundUse(watchers, &turn)
        if turn.changes.contains(.access) { settleSessions(&turn) }
        turn.changes.remove(.access)
    }
}
