/// Why the bench cannot go on, and how to mend it.
public struct LoopFailure: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// A scenario cannot be understood.
        case scenario
        /// The board, real or emulated, or its agent is not there.
        case board
        /// The board is there, and what was asked of it did not go well.
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
