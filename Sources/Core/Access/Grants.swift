public import ClientVocabulary
public import Parts

/// What all clients are permitted at present, as a value for the daemon's parts that send events to clients.
public struct Grants {
    private let book: AuthorizationBook
    private let admission: Admission
    private let holders: [SessionHolder]
    /// Whether all database rows that were stored at the daemon's start, also those of its other parts, have been read
    /// back.
    public let areRestored: Bool

    /// - Parameter holders: The clients that hold service sessions, or can resume earlier ones.
    init(_ book: AuthorizationBook, _ admission: Admission, holders: [SessionHolder], areRestored: Bool) {
        self.book = book
        self.admission = admission
        self.holders = holders
        self.areRestored = areRestored
    }

    public func rights(of client: String) -> ClientRights { book.rights(of: client) }

    public func manifest(of client: String) -> ClientManifest? { admission[client] }

    public var servicesEnabled: Bool { book.servicesEnabled }

    public func isReduced(_ client: String) -> Bool { rights(of: client).accuracy == .reduced }

    /// Whether a client gets no locations because it is denied or restricted, or gets locations of reduced accuracy
    /// only.
    public func isLimited(_ client: String) -> Bool {
        let rights = rights(of: client)
        return rights.status == .denied || rights.status == .restricted || rights.accuracy == .reduced
    }

    /// Whether a client may get events of regions, visits and significant changes now.
    public func mayMonitor(_ client: String) -> Bool {
        let rights = rights(of: client)
        switch rights.status {
        case .authorizedAlways: return true
        case .authorizedWhenInUse: return rights.isInUse
        case .notDetermined, .restricted, .denied: return false
        }
    }

    /// Whether a client may be sent events of a service (regions, visits or significant changes) now.
    public func mayHear(of service: MonitoredService, _ client: String) -> Bool {
        guard mayMonitor(client) else { return false }
        // A region's event can reveal the position more exactly than reduced accuracy allows.
        return service != .regions || !isReduced(client)
    }

    /// Whether the conditions of a client's `CLMonitor` are watched, given the client's rights and service sessions.
    public func mayWatchConditions(_ client: String) -> Bool {
        mayHear(of: .regions, client)
            && sessions(of: client).mayWatchConditions(
                for: rights(of: client),
                requiresServiceSession: admission[client]?.requiresServiceSession ?? false)
    }

    /// Whether a client that does not run may be started for this event.
    public func mayWake(for event: PendingEvent) -> Bool {
        guard rights(of: event.client).status == .authorizedAlways else { return false }
        // A `CLMonitor` condition starts a client only if the client held a service session for Always authorization.
        guard case .region(let region) = event.kind, region.monitor != nil else { return true }
        return sessions(of: event.client).keepsAlways
    }

    private func sessions(of client: String) -> ServiceSessions {
        holders.first { $0.client == client }?.sessions ?? ServiceSessions()
    }

    /// Whether the daemon may start systemd units when the board enters or leaves the regions of a client's manifest.
    ///
    /// The manifest alone decides what is started, and the client is not told. So when-in-use authorization is enough,
    /// even if the client does not run.
    public func mayCross(_ client: String) -> Bool {
        let rights = rights(of: client)
        return rights.status.isAuthorized && rights.accuracy == .full && rights.mayBeWoken
    }

    /// The manifests of all clients, in the order of their names.
    public var manifests: ClientManifests { admission.manifests }

    /// Whether the deferred fixes with this key (client, user and session) can belong to a client that is served; if
    /// not, nobody can get these fixes.
    public func mayHave(_ key: DeferredKey) -> Bool { admission.mayHave(key) }
}
