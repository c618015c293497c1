public import ClientVocabulary

/// What a client is allowed at present, and whether it is in use.
public struct ClientRights: Sendable, Equatable {
    public var status: AuthorizationStatus
    /// The accuracy at present, with a temporary grant taken into account; without meaning if the client is not
    /// authorized.
    public var accuracy: AccuracyAuthorization
    /// Whether a connection of the client is in the foreground.
    public var isForeground: Bool
    /// Whether the client is in the foreground or in a background session, or was so less than 5 s ago.
    public var isInUse: Bool
    /// Whether the operator allows the daemon to start the client for events, and systemd units for the regions of its
    /// manifest.
    ///
    /// To be started, the client also needs Always authorization and a `wakeUnit` in its manifest.
    public var mayBeWoken: Bool
    /// The kind of the question about the client that waits for the user's answer; nil if none waits.
    public var waiting: PromptKind?

    public init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, isForeground: Bool, isInUse: Bool,
        mayBeWoken: Bool, waiting: PromptKind?
    ) {
        self.status = status
        self.accuracy = accuracy
        self.isForeground = isForeground
        self.isInUse = isInUse
        self.mayBeWoken = mayBeWoken
        self.waiting = waiting
    }

    /// The rights of a client without a manifest.
    init(isEnabled: Bool = true) {
        self.init(
            status: isEnabled ? .notDetermined : .denied, accuracy: .reduced, isForeground: false, isInUse: false,
            mayBeWoken: false, waiting: nil)
    }
}

/// A client's state in an operator's list.
public struct ClientDescription: Sendable, Equatable {
    public var client: String
    /// The systemd unit that the client's manifest names.
    public var unit: String?
    public var user: UInt32?
    public var rights: ClientRights
    public var connections: Int
    /// The stored decisions about the client.
    public var record: AuthorizationRecord
    /// The problem of the client that an operator can solve; nil if there is none.
    public var problem: AuthorizationNote?

    init(_ entry: AuthorizationEntry) {
        client = entry.client
        unit = entry.manifest.selector.unit
        user = entry.manifest.selector.user
        rights = entry.rights
        connections = entry.use.connections.count
        record = entry.record
        problem = entry.problem
    }
}
