/// How a client stands now.
public struct ClientStanding: Sendable, Equatable {
    public var status: AuthorizationStatus
    /// What holds for now, a temporary grant included; without meaning where it is not authorized.
    public var accuracy: AccuracyAuthorization
    /// In the foreground, in a background session, or within the grace after either.
    public var isInUse: Bool
    /// Whether the daemon may start it, by the operator's word; it takes Always and a wake unit too.
    public var mayBeWoken: Bool
    /// The question about it that waits.
    public var waiting: Prompt.Kind?

    public init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, isInUse: Bool, mayBeWoken: Bool,
        waiting: Prompt.Kind?
    ) {
        self.status = status
        self.accuracy = accuracy
        self.isInUse = isInUse
        self.mayBeWoken = mayBeWoken
        self.waiting = waiting
    }

    /// That of a client which nothing is known of.
    init(isEnabled: Bool = true) {
        self.init(
            status: isEnabled ? .notDetermined : .denied, accuracy: .reduced, isInUse: false, mayBeWoken: false,
            waiting: nil)
    }
}

/// A client as an operator sees it.
public struct ClientDescription: Sendable, Equatable {
    public var client: String
    /// Of its manifest.
    public var unit: String?
    public var user: UInt32?
    public var standing: ClientStanding
    public var connections: Int
    /// What was decided about it, as it is kept.
    public var record: AuthorizationRecord
    /// What the operator can mend.
    public var problem: AuthorizationNote?

    init(_ entry: AuthorizationEntry) {
        client = entry.client
        unit = entry.manifest.selector.unit
        user = entry.manifest.selector.user
        standing = entry.standing
        connections = entry.connections.count
        record = entry.record
        problem = entry.problem
    }
}
