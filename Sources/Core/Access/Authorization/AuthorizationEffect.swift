public import ClientVocabulary
public import Parts

/// A consequence of a change of authorization, which the daemon's other parts carry out.
///
/// The effects for one client come in the order of the cases below, so that a decision is stored before the client
/// learns of it.
///
/// Only `note`, a message for the operator's log, can come at any place in this order.
public enum AuthorizationEffect: Sendable, Equatable {
    /// Store this record of the decisions about the client; if it is nil, delete the stored record.
    case keep(client: String, AuthorizationRecord?)
    /// The client's status, its accuracy or the switch of location services has changed; tell every connection of the
    /// client.
    case changed(client: String)
    /// The client began or ceased to count as "in use".
    case useChanged(client: String, isInUse: Bool)
    /// A request for full accuracy ended; the error code is nil if the user was shown the question, whatever the answer
    /// was.
    case fullAccuracyAnswered(ClientID, id: String?, errorCode: FailureCode?)
    /// The decision whether the client may be sent its waiting event, which needs authorization at all times; if not,
    /// the event is dropped.
    ///
    /// The outbox, which keeps the event, decides whether it is still fresh enough.
    case provisionalSettled(client: String, mayDeliver: Bool)
    /// The user has answered that location services should be switched on.
    case enableServices
    /// Agents must hide the question about this client: it was answered, or the last session that asked has ended.
    case promptWithdrawn(client: String)
    case promptRaised(Prompt)
    /// A message about the client for the operator's log.
    case note(client: String, AuthorizationNote)
}
