/// An action that a change of authorization calls for.
///
/// A client's effects come in the order of the cases, so that a state is durable before it is told.
///
/// A note may stand anywhere.
public enum AuthorizationEffect: Sendable, Equatable {
    /// The record to keep; nil to forget it.
    case keep(client: String, AuthorizationRecord?)
    /// Its status, its accuracy or the master switch is another; every connection of it is told.
    case changed(client: String)
    /// It came into use, or its use ended.
    case useChanged(client: String, isInUse: Bool)
    /// A request for full accuracy ended; nil where somebody was asked, whatever was answered.
    case fullAccuracyAnswered(ClientID, id: String?, errorCode: Int?)
    /// The event that was due may be delivered, or is to be dropped.
    ///
    /// The keeper of the event decides whether it is still fresh enough.
    case provisionalSettled(client: String, mayDeliver: Bool)
    /// The question of this client no longer waits: it was answered, or nobody asks it any more.
    case promptWithdrawn(client: String)
    case promptRaised(Prompt)
    /// For the operator's log.
    case note(client: String, AuthorizationNote)

    /// Core Location's `promptDeclined`: nobody was asked.
    public static let promptDeclined = 18
}
