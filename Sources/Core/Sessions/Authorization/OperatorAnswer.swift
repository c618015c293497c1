/// An operator's or agent's decision on a client: the answer to its open question, or else its state from now on.
public enum OperatorAnswer: String, Sendable, Hashable, CaseIterable {
    /// While it is in use.
    case allow
    /// For the use in progress.
    case once
    /// It stays as it is: while in use only.
    case keep
    case deny
    case always
    /// As if nobody had ever been asked.
    case reset
}
