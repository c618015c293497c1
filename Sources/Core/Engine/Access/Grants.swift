internal import Monitors
internal import Sessions

/// Who may hear what now, as a value for the parts that tell.
struct Grants {
    private let book: AuthorizationBook
    private let admission: Admission

    init(_ book: AuthorizationBook, _ admission: Admission) {
        self.book = book
        self.admission = admission
    }

    func standing(of client: String) -> ClientStanding { book.standing(of: client) }

    func manifest(of client: String) -> ClientManifest? { admission[client] }

    var servicesEnabled: Bool { book.servicesEnabled }

    func isReduced(_ client: String) -> Bool { standing(of: client).accuracy == .reduced }

    func isDenied(_ client: String) -> Bool {
        let status = standing(of: client).status
        return status == .denied || status == .restricted
    }

    /// Whether what is monitored for a client may be told, or make it start.
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
        // A region says more than reduced accuracy may.
        return service != .regions || !isReduced(client)
    }

    /// Whether what is held back under a key may still be somebody's.
    func mayHave(_ key: DeferredKey) -> Bool { admission.mayHave(key) }

    /// What all users of the gpsd port may see.
    var gpsd: LocationGrant {
        guard let name = admission.gpsd?.name else { return .none }
        let standing = standing(of: name)
        guard standing.status.isAuthorized else { return .none }
        return standing.accuracy == .full ? .full : .reduced
    }
}

/// What one connection may see now, and why its sessions may not.
struct ConnectionGrant: Equatable {
    let connection: ClientID
    /// The client's name; nil where no manifest speaks of the process.
    let client: String?
    /// What it may see at most.
    let grant: LocationGrant
    let status: AuthorizationStatus
    let isForeground: Bool
    let isInUse: Bool
    /// Whether its manifest lets its watches go on in the background.
    let hasBackgroundMode: Bool
    /// Whether it holds an active background activity session.
    let holdsBackgroundActivity: Bool
    let live: LiveGate

    /// Whether it was told that it may see nothing.
    var isDenied: Bool { client != nil && (status == .denied || status == .restricted) }

    /// Whether it counts as in use although it is in the background.
    ///
    /// - Parameter watchesInBackground: Whether a watch of it goes on there.
    func usesBackground(watchesInBackground: Bool) -> Bool {
        guard !isForeground, client != nil, status.isAuthorized else { return false }
        return watchesInBackground && hasBackgroundMode || holdsBackgroundActivity
    }
}
