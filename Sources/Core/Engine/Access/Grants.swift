internal import Monitors
internal import Sessions

/// What each client may be told now, as a value for the parts that send.
struct Grants {
    private let book: AuthorizationBook
    private let admission: Admission
    private let holders: [Access.Holder]

    /// - Parameter holders: The clients that hold sessions, or may resume those that they held.
    init(_ book: AuthorizationBook, _ admission: Admission, holders: [Access.Holder]) {
        self.book = book
        self.admission = admission
        self.holders = holders
    }

    func standing(of client: String) -> ClientStanding { book.standing(of: client) }

    func manifest(of client: String) -> ClientManifest? { admission[client] }

    var servicesEnabled: Bool { book.servicesEnabled }

    func isReduced(_ client: String) -> Bool { standing(of: client).accuracy == .reduced }

    func isDenied(_ client: String) -> Bool {
        let status = standing(of: client).status
        return status == .denied || status == .restricted
    }

    /// Whether a client may be told of, or started for, events that are monitored for it.
    func mayMonitor(_ client: String) -> Bool {
        let standing = standing(of: client)
        switch standing.status {
        case .authorizedAlways: return true
        case .authorizedWhenInUse: return standing.isInUse
        case .notDetermined, .restricted, .denied: return false
        }
    }

    /// Whether a client may be told of events of a service now.
    func mayHear(of service: MonitoredService, _ client: String) -> Bool {
        guard mayMonitor(client) else { return false }
        // A region's event reveals the place more exactly than reduced accuracy allows.
        return service != .regions || !isReduced(client)
    }

    /// Whether the conditions of a client's `CLMonitor` may be watched, by the sessions that the client holds.
    func mayWatchConditions(_ client: String) -> Bool {
        mayHear(of: .regions, client)
            && sessions(of: client).mayWatchConditions(
                for: standing(of: client),
                requiresServiceSession: admission[client]?.requiresServiceSession ?? false)
    }

    /// Whether a client that does not run may be started for this event.
    func mayWake(for event: PendingEvent) -> Bool {
        guard standing(of: event.client).status == .authorizedAlways else { return false }
        // A condition of a `CLMonitor` starts a client only for the sake of a session for Always that it held.
        guard case .region(let region) = event.kind, region.monitor != nil else { return true }
        return sessions(of: event.client).keepsAlways
    }

    private func sessions(of client: String) -> ServiceSessions {
        holders.first { $0.client == client }?.sessions ?? ServiceSessions()
    }

    /// Whether the daemon may start units at the borders of a client's regions.
    ///
    /// Only the manifest decides what is started, and the client is told nothing: authorization while in use is enough,
    /// whether or not the client runs.
    func mayCross(_ client: String) -> Bool {
        let standing = standing(of: client)
        return standing.status.isAuthorized && standing.accuracy == .full && standing.mayBeWoken
    }

    /// The manifests of all clients, in the order of their names.
    var manifests: [ClientManifest] { admission.manifests.manifests }

    /// Whether fixes that are held back under a key may still belong to a client that is served.
    func mayHave(_ key: DeferredKey) -> Bool { admission.mayHave(key) }

    /// What a connection of the gpsd port may see.
    ///
    /// Where it can be one of several clients, it sees what the one with the least rights may.
    func grant(of connection: Access.PortConnection) -> LocationGrant {
        let grants = connection.clients.map { client in
            guard let standing = client.map({ standing(of: $0) }), standing.status.isAuthorized else {
                return LocationGrant.none
            }
            return standing.accuracy == .full ? .full : .reduced
        }
        return grants.min() ?? .none
    }
}

/// What one connection may see now, with the reasons that its sessions are told.
struct ConnectionGrant: Equatable {
    let connection: ClientID
    /// The client's name; nil where no manifest applies to the process.
    let client: String?
    /// The most that the connection's sessions may see.
    let grant: LocationGrant
    let status: AuthorizationStatus
    let isForeground: Bool
    let isInUse: Bool
    /// Whether the client's manifest lets its watches go on in the background.
    let hasBackgroundMode: Bool
    /// Whether the client holds an active background activity session.
    let holdsBackgroundActivity: Bool
    /// Whether the client's manifest does not say why the client asks, so that nobody is asked about it.
    let lacksPurpose: Bool
    let live: LiveGate

    /// Whether the client is denied locations, or restricted by policy.
    var isDenied: Bool { client != nil && (status == .denied || status == .restricted) }

    /// Whether nothing was decided about the client.
    var isUndecided: Bool { client != nil && status == .notDetermined }

    /// Whether a question about the client waits for its answer.
    var isAskedAbout: Bool { live.diagnostics.contains(.authorizationRequestInProgress) }

    /// Why an undecided client gets no locations, where no answer can change that soon; nil where a question waits.
    var whyUndecided: StaticString? {
        guard isUndecided else { return nil }
        return lacksPurpose ? "noPurpose" : isAskedAbout ? nil : "notAsked"
    }

    /// Whether the client counts as in use although the connection is in the background.
    ///
    /// - Parameter watchesInBackground: Whether a watch of the connection goes on in the background.
    func usesBackground(watchesInBackground: Bool) -> Bool {
        guard !isForeground, client != nil, status.isAuthorized else { return false }
        return watchesInBackground && hasBackgroundMode || holdsBackgroundActivity
    }
}
