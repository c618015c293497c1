/// A question that waits for an answer.
public struct Prompt: Sendable, Equatable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case whenInUse, always, fullAccuracy
    }

    public var client: String
    public var kind: Kind
    /// The text to show, as the manifest has it.
    public var purpose: String
    /// What may be answered.
    public var answers: [OperatorAnswer]

    public init(client: String, kind: Kind, purpose: String, answers: [OperatorAnswer]) {
        self.client = client
        self.kind = kind
        self.purpose = purpose
        self.answers = answers
    }
}
