/// The reason for which the bench cannot go on, with a message that says how to fix it.
public struct LoopFailure: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// A scenario's text is invalid.
        case scenario
        /// The board (real or emulated) or its agent is missing or does not answer.
        case board
        /// The board answers, but something that the bench ordered there failed.
        case refusal
        /// A file cannot be read or written.
        case file
    }

    public var kind: Kind
    public var description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
