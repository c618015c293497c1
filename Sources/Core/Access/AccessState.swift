internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// What `Access` knows about clients and their connections; the Engine reads it through `AccessView`.
struct AccessState {
    /// The manifests and the operator's policy; no client is served until they have been read.
    var admission = Admission.nobody
    var book = AuthorizationBook()
    /// The service sessions that clients hold, or can resume after a restart, in the order in which the clients first
    /// came.
    var holders: [SessionHolder] = []
    /// The connections of the local socket, in the order in which they came.
    var connections: [LocalConnection] = []
    /// The connections of the gpsd port, in the order in which they came.
    var gpsd: [PortConnection] = []
    /// The stored denials of the operator's policy, which apply while the policy's file is missing.
    var keptPolicy = OperatorPolicy()
    /// Whether the stored setting of location services (on or off) has a value that this version does not know.
    var isSwitchUnreadable = false
    /// Whether all database rows that were stored at the daemon's start have been read back.
    var isRestored = false

    func index(of id: ClientID) -> Int? { connections.firstIndex { $0.id == id } }

    func holder(of client: String) -> Int? { holders.firstIndex { $0.client == client } }
}

/// What a client is allowed, and why it is not served.
extension AccessState {
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

    func grant(of connection: LocalConnection) -> ConnectionGrant {
        let name = connection.client
        let rights = name.map { book.rights(of: $0) } ?? book.rightsOfStrangers
        let manifest = name.flatMap { admission[$0] }
        let holder = name.flatMap { self.holder(of: $0) }.map { holders[$0] }
        let isSeen = rights.isInUse || rights.status == .authorizedAlways
        let most: LocationGrant = rights.accuracy == .full ? .full : .reduced
        return ConnectionGrant(
            connection: connection.id, client: name, grant: rights.status.isAuthorized && isSeen ? most : .none,
            status: rights.status, isForeground: connection.isForeground, isInUse: rights.isInUse,
            hasBackgroundMode: manifest?.backgroundMode == true,
            holdsBackgroundActivity: holder?.isBackgroundActive ?? false,
            lacksPurpose: name != nil && manifest?.purposes.whenInUse == nil,
            live: LiveGate(of: holder?.sessions ?? ServiceSessions(), under: conditions(rights, manifest)))
    }

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

    /// The client's name and purpose texts, as a `hello` line sent now would contain them.
    func greeting(of client: String?) -> LocalConnection.Greeting {
        LocalConnection.Greeting(client: client, purposes: client.flatMap { admission[$0]?.purposes })
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
        guard let name = index(of: id).flatMap({ connections[$0].client }) else {
            let why =
                admission.isComplete
                ? "no manifest names this process, so it gets no locations; write one in clients.d"
                : "no client is served, because the manifests or the policy cannot be read; see sextant status"
            return (.noManifest, why)
        }
        return missing(for: name, hasCompass: hasCompass).map { (.unmetRequirement, $0) }
    }

    var policyTrouble: String? {
        guard admission.policySource == .missing, keptPolicy.deniesAnything else { return nil }
        return "the file is missing, and what it denied stays denied: write it again, or with {} in it to deny nothing"
    }
}
