public import ClientVocabulary
public import Parts

/// An event that can change a client's authorization.
public enum AuthorizationEvent: Sendable, Equatable {
    /// The manifests have changed; a client whose manifest has gone is forgotten, together with its connections.
    case manifests(ClientManifests)
    case policy(OperatorPolicy)
    /// A record that was in the store when the daemon started.
    ///
    /// The manifests must come first: a record of a client without a manifest is deleted.
    ///
    /// Nil stands for a record that cannot be read: the client is denied until an operator decides anew.
    case restored(client: String, AuthorizationRecord?)
    /// Stored decisions were lost: perhaps a client without a record was denied, or location services were off.
    case decisionsLost
    /// The master switch was turned on or off.
    case servicesEnabled(Bool)
    /// The number of connected agents has changed.
    case agents(count: Int)

    /// A connection of a client with a manifest; it is in the foreground until the client says otherwise.
    case connected(ClientID, client: String)
    case gone(ClientID)
    /// A connection was in the background from its beginning: it was never "in use", and does not count as such for 5
    /// s.
    case beganInBackground(ClientID)
    case state(ClientID, isForeground: Bool)
    /// Whether the connection has a background session with its indicator on, which counts as use.
    case usesBackground(ClientID, Bool)

    case requested(ClientID, session: Int64, AuthorizationRequest)
    /// A client started a service; while services are off, the user is asked once whether to switch them on.
    case started(ClientID, session: Int64)
    case requestedFullAccuracy(ClientID, id: String?, purposeKey: String)
    /// A session ended, and its questions with it; where `session` is nil, all questions of the connection end.
    case withdrawn(ClientID, session: Int64?)
    /// An event that needs Always waits for a client that does not run.
    ///
    /// The answer is the effect `provisionalSettled`, at once or after the user was asked, and one for all waiting
    /// events.
    case eventDue(client: String)

    case answered(client: String, OperatorAnswer)
    case setAccuracy(client: String, AccuracyAuthorization)
    case setMayBeWoken(client: String, Bool)

    /// The instant `AuthorizationBook.deadline` has come.
    case timePassed
}
