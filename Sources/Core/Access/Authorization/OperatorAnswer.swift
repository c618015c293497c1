/// An operator's or agent's decision on a client: an answer to its waiting question, or a change of its authorization.
public enum OperatorAnswer: String, Sendable, Hashable, CaseIterable {
    /// Allow while the client is in use.
    case allow
    /// Allow for the use in progress only.
    case once
    /// Leave the client as it is: allowed while in use only.
    case keep
    case deny
    case always
    /// Switch location services on for all clients; only as the answer to a question of the kind `services`.
    case on
    /// Leave location services off; only as the answer to a question of the kind `services`.
    case off
    /// Forget every decision about the client.
    case reset
}
