public import ClientVocabulary

/// A question to the user that waits for an answer, in the form in which agents (programs that ask the user) receive
/// it.
public struct Prompt: Sendable, Equatable {
    public var client: String
    public var kind: PromptKind
    /// The purpose text to show with the question, from the client's manifest.
    public var purpose: String
    /// The answers from which the user can choose.
    public var answers: [OperatorAnswer]

    /// Whether the client would get only positions of reduced accuracy (some kilometres).
    public var isReduced: Bool

    public init(client: String, kind: PromptKind, purpose: String, answers: [OperatorAnswer], isReduced: Bool = false) {
        self.client = client
        self.kind = kind
        self.purpose = purpose
        self.answers = answers
        self.isReduced = isReduced
    }
}
