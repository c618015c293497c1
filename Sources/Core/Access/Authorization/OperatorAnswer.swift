/// An operator's or agent's decision on a client: the answer to its open question, or else its state from now on.
public enum OperatorAnswer: String, Sendable, Hashable, CaseIterable {
    /// Allow while the client is in use.
    case allow
    /// Allow for the use in progress only.
    case once
    /// Leave the client as it is: allowed while in use only.
    case keep
    case deny
    case always
    /// Switch location services on for all clients; an answer only to the question whether to.
    case on
    /// Leave location services off; an answer only to the same question.
    case off
    /// Forget every decision, as if the client had never been asked about.
    case reset
}
