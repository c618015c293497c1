public import ClientVocabulary

/// What one connection is permitted at present, with the reasons that are reported to its sessions.
public struct ConnectionGrant: Equatable {
    public let connection: ClientID
    /// The client's name; nil if no manifest applies to the process.
    public let client: String?
    /// The most exact locations that the connection's sessions may get: exact, of reduced accuracy, or none.
    public let grant: LocationGrant
    public let status: AuthorizationStatus
    public let isForeground: Bool
    public let isInUse: Bool
    /// Whether the client's manifest allows its location sessions to go on in the background.
    public let hasBackgroundMode: Bool
    /// Whether the client holds an active background activity session.
    public let holdsBackgroundActivity: Bool
    /// Whether the client's manifest has no purpose text, without which the user is not asked for permission.
    public let lacksPurpose: Bool
    public let live: LiveGate

    public init(
        connection: ClientID, client: String?, grant: LocationGrant, status: AuthorizationStatus, isForeground: Bool,
        isInUse: Bool, hasBackgroundMode: Bool, holdsBackgroundActivity: Bool, lacksPurpose: Bool, live: LiveGate
    ) {
        self.connection = connection
        self.client = client
        self.grant = grant
        self.status = status
        self.isForeground = isForeground
        self.isInUse = isInUse
        self.hasBackgroundMode = hasBackgroundMode
        self.holdsBackgroundActivity = holdsBackgroundActivity
        self.lacksPurpose = lacksPurpose
        self.live = live
    }

    /// Whether the client is denied locations by a decision, or restricted by the operator's policy.
    public var isDenied: Bool { client != nil && (status == .denied || status == .restricted) }

    /// Whether the client's authorization is not determined yet.
    public var isUndecided: Bool { client != nil && status == .notDetermined }

    /// Whether a question about the client waits for the user's answer.
    public var isAskedAbout: Bool { live.diagnostics.contains(.authorizationRequestInProgress) }

    /// Why an undecided client gets no locations although no question waits for the user; nil if a question waits or
    /// the client's authorization is decided.
    public var whyUndecided: FailureReason? {
        guard isUndecided else { return nil }
        return lacksPurpose ? .noPurpose : isAskedAbout ? nil : .notAsked
    }

    /// Whether the connection makes the client count as in use although it is in the background.
    ///
    /// - Parameter watchesInBackground: Whether a location session of the connection asked to go on in the background.
    public func usesBackground(watchesInBackground: Bool) -> Bool {
        guard !isForeground, client != nil, status.isAuthorized else { return false }
        return watchesInBackground && hasBackgroundMode || holdsBackgroundActivity
    }
}
