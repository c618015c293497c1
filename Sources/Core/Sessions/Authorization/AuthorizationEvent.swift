/// What may change what a client may have.
public enum AuthorizationEvent: Sendable, Equatable {
    /// The manifests as they now are; a client whose manifest has gone is forgotten, its connections with it.
    case manifests(ClientManifests)
    case policy(OperatorPolicy)
    /// What was durable when the daemon started; after the manifests, because without one it is to be forgotten.
    case restored(client: String, AuthorizationRecord)
    /// The master switch.
    case servicesEnabled(Bool)
    /// Somebody is an agent, or nobody is any more.
    case agents(count: Int)

    /// A connection of a client with a manifest; in the foreground until it says otherwise.
    case connected(ClientID, client: String)
    case gone(ClientID)
    /// A connection was in the background from its beginning on: it was never in use, and has no grace.
    case beganInBackground(ClientID)
    case state(ClientID, isForeground: Bool)
    /// Whether it has a background session with its indicator on, which counts as use.
    case usesBackground(ClientID, Bool)

    case requested(ClientID, session: Int, AuthorizationRequest)
    case requestedFullAccuracy(ClientID, id: String?, purposeKey: String)
    /// An asker has gone, and its questions with it; without a session, all questions of the connection end.
    case withdrawn(ClientID, session: Int?)
    /// An event that needs Always waits for a client that does not run.
    ///
    /// `provisionalSettled` answers it: at once, or where the question has to be put first, once for all that wait.
    case eventDue(client: String)

    case answered(client: String, OperatorAnswer)
    case setAccuracy(client: String, AccuracyAuthorization)
    case setMayBeWoken(client: String, Bool)

    /// The deadline has come.
    case timePassed
}
