public import Parts

/// An action that a change of authorization calls for.
///
/// A client's effects come in the order of the cases, so that a state is stored before the client is told of it.
///
/// A note may stand anywhere.
public enum AuthorizationEffect: Sendable, Equatable {
    /// The record to store; nil where the stored one is to be deleted.
    case keep(client: String, AuthorizationRecord?)
    /// The client's status, its accuracy or the master switch has changed; every connection of the client is to be
    /// told.
    case changed(client: String)
    /// The client came into use, or its use ended.
    case useChanged(client: String, isInUse: Bool)
    /// A request for full accuracy ended; the error code is nil where the question was shown, whatever the answer.
    case fullAccuracyAnswered(ClientID, id: String?, errorCode: Int?)
    /// An event that needs Always may be delivered, or is to be dropped.
    ///
    /// The keeper of the event decides whether it is still fresh enough.
    case provisionalSettled(client: String, mayDeliver: Bool)
    /// The user wants location services on.
    case enableServices
    /// The client's question no longer waits: it was answered, or its last asker has gone.
    case promptWithdrawn(client: String)
    case promptRaised(Prompt)
    /// A note for the operator's log.
    case note(client: String, AuthorizationNote)

    /// Core Location's error code `promptDeclined`: the question was not shown.
    public static let promptDeclined = 18
}
