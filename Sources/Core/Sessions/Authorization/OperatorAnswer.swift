/// What an operator or an agent says of a client: an answer to the question that waits, else what is to be from now on.
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
