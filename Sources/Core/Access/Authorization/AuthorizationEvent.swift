public import Parts

/// An event that may change a client's authorization.
public enum AuthorizationEvent: Sendable, Equatable {
    /// The manifests have changed; a client whose manifest has gone is forgotten, together with its connections.
    case manifests(ClientManifests)
    case policy(OperatorPolicy)
    /// A record was in the store when the daemon started. The manifests must come first: without a manifest of its client
    /// a record is deleted.
    ///
    /// Nil stands for a record that cannot be read: the client is denied until an operator decides anew.
    case restored(client: String, AuthorizationRecord?)
    /// Decisions were lost, so that each client without a record may have been denied, and services turned off.
    case decisionsLost
    /// The master switch was turned on or off.
    case servicesEnabled(Bool)
    /// The number of connected agents has changed.
    case agents(count: Int)

    /// A connection of a client with a manifest; it is in the foreground until the client says otherwise.
    case connected(ClientID, client: String)
    case gone(ClientID)
    /// A connection was in the background from its beginning: it was never in use, and gets no grace.
    case beganInBackground(ClientID)
    case state(ClientID, isForeground: Bool)
    /// Whether the connection has a background session with its indicator on, which counts as use.
    case usesBackground(ClientID, Bool)

    case requested(ClientID, session: Int64, AuthorizationRequest)
    /// A client started a service; while services are off, the user is asked once whether to switch them on.
    case started(ClientID, session: Int64)
    case requestedFullAccuracy(ClientID, id: String?, purposeKey: String)
    /// An asker has gone, and its questions with it; without a session, all questions of the connection end.
    case withdrawn(ClientID, session: Int64?)
    /// An event that needs Always waits for a client that does not run.
    ///
    /// The effect `provisionalSettled` answers the event, at once or after the question, and once for all events that
    /// wait.
    case eventDue(client: String)

    case answered(client: String, OperatorAnswer)
    case setAccuracy(client: String, AccuracyAuthorization)
    case setMayBeWoken(client: String, Bool)

    /// The deadline has come.
    case timePassed
}
