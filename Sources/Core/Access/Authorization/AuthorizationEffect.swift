public import Parts

/// A consequence of a change of authorization, for other parts to carry out.
///
/// The effects for one client come in the order of the cases below, so that a state is stored before the client learns
/// of it.
///
/// Only `note` can come at any place.
public enum AuthorizationEffect: Sendable, Equatable {
    /// Store this record; nil: delete the stored record.
    case keep(client: String, AuthorizationRecord?)
    /// The client's status, its accuracy or the master switch has changed; every connection of the client is to be
    /// told.
    case changed(client: String)
    /// The client came "in use", or is no longer.
    case useChanged(client: String, isInUse: Bool)
    /// A request for full accuracy ended; the error code is nil where the question was shown, whatever the answer.
    case fullAccuracyAnswered(ClientID, id: String?, errorCode: Int?)
    /// It is decided whether an event that needs Always may be delivered; otherwise it is to be dropped.
    ///
    /// The outbox, which keeps the event, decides whether it is still fresh enough.
    case provisionalSettled(client: String, mayDeliver: Bool)
    /// The user has answered that location services are to be switched on.
    case enableServices
    /// The client's question is no longer open: it was answered, or the last session that asked has ended.
    case promptWithdrawn(client: String)
    case promptRaised(Prompt)
    /// A note for the operator's log.
    case note(client: String, AuthorizationNote)

    /// Core Location's error code `promptDeclined`: the question was not shown.
    public static let promptDeclined = 18
}
