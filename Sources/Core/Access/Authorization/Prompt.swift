/// A question that waits for an answer, as an agent is told of it.
public struct Prompt: Sendable, Equatable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case whenInUse, always, fullAccuracy, services
    }

    public var client: String
    public var kind: Kind
    /// The text to show, from the client's manifest.
    public var purpose: String
    /// The answers that may be given.
    public var answers: [OperatorAnswer]

    /// Whether the client would know the place to some kilometres only.
    public var isReduced: Bool

    public init(client: String, kind: Kind, purpose: String, answers: [OperatorAnswer], isReduced: Bool = false) {
        self.client = client
        self.kind = kind
        self.purpose = purpose
        self.answers = answers
        self.isReduced = isReduced
    }
}
