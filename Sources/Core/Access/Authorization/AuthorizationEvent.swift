public import ClientVocabulary
public import Parts

/// An event that can change a client's authorization.
public enum AuthorizationEvent: Sendable, Equatable {
    /// The manifests have changed; a client whose manifest has gone is forgotten, and so are its connections.
    case manifests(ClientManifests)
    case policy(OperatorPolicy)
    /// A record of decisions that was stored when the daemon started.
    ///
    /// The manifests must come first: a record of a client without a manifest is deleted.
    ///
    /// Nil stands for a record that cannot be read: the client is denied until an operator decides anew.
    case restored(client: String, AuthorizationRecord?)
    /// Stored decisions were lost: a client without a record may have been denied, or location services may have been
    /// off.
    case decisionsLost
    /// Location services were switched on or off for all clients.
    case servicesEnabled(Bool)
    /// The number of connected agents (programs that ask the user) has changed.
    case agents(count: Int)

    /// A client with a manifest has connected; it counts as in the foreground until it says otherwise.
    case connected(ClientID, client: String)
    case gone(ClientID)
    /// A connection was in the background from its beginning, so it was never "in use"; the 5 s after a use do not
    /// apply.
    case beganInBackground(ClientID)
    case state(ClientID, isForeground: Bool)
    /// Whether a session in the background, for which the location indicator is on, makes the connection's client count
    /// as in use.
    case usesBackground(ClientID, Bool)

    case requested(ClientID, session: Int64, AuthorizationRequest)
    /// A client started a service; if location services are off, the user is asked once whether to switch them on.
    case started(ClientID, session: Int64)
    case requestedFullAccuracy(ClientID, id: String?, purposeKey: String)
    /// A session ended, and its questions with it; if `session` is nil, all questions of the connection end.
    case withdrawn(ClientID, session: Int64?)
    /// An event that needs authorization at all times waits for a client that does not run.
    ///
    /// The answer is the effect `provisionalSettled`, at once or after the user was asked; one answer counts for all
    /// waiting events.
    case eventDue(client: String)

    case answered(client: String, OperatorAnswer)
    case setAccuracy(client: String, AccuracyAuthorization)
    case setMayBeWoken(client: String, Bool)

    /// The time has reached `AuthorizationBook.deadline`, when an authorization or a pause between questions ends.
    case timePassed
}
