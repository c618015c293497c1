public import ClientVocabulary

/// The decisions about clients that the operator makes in advance, so that no user has to answer a question.
public struct OperatorPolicy: Sendable, Equatable {
    /// The authorization that the policy gives a client without asking the user.
    public enum Authorization: String, Sendable, Hashable, CaseIterable {
        case always, whenInUse, denied
        /// The client is not authorized and cannot ask the user, even if the rule's `isFinal` is false.
        case restricted

        public var status: AuthorizationStatus {
            switch self {
            case .always: .authorizedAlways
            case .whenInUse: .authorizedWhenInUse
            case .denied: .denied
            case .restricted: .restricted
            }
        }
    }

    public struct Rule: Sendable, Equatable {
        /// The authorization given in advance; nil if the user is to be asked.
        public var authorization: Authorization?
        /// The accuracy given in advance; if it is nil, the accuracy that an operator set for the client applies, or
        /// else the manifest's default.
        public var accuracy: AccuracyAuthorization?
        /// Whether the rule overrides every answer and setting; otherwise it applies only until the user or an operator
        /// decides.
        public var isFinal: Bool

        public init(authorization: Authorization?, accuracy: AccuracyAuthorization?, isFinal: Bool) {
            self.authorization = authorization
            self.accuracy = accuracy
            self.isFinal = isFinal
        }

        /// The rule that decides nothing, so that the user is asked.
        public static let ask = Rule(authorization: nil, accuracy: nil, isFinal: false)

        /// The status that no answer of the user can change; nil if an answer can change the status.
        var finalStatus: AuthorizationStatus? {
            isFinal || authorization == .restricted ? authorization?.status : nil
        }

        /// The accuracy that no setting can change; nil if a setting can change the accuracy.
        var finalAccuracy: AccuracyAuthorization? { isFinal ? accuracy : nil }

        /// A copy of the rule with only its restrictions: a denial and reduced accuracy stay, permissions are dropped.
        var denial: Rule {
            let isDenied = authorization == .denied || authorization == .restricted
            return Rule(
                authorization: isDenied ? authorization : nil, accuracy: accuracy == .reduced ? .reduced : nil,
                isFinal: isFinal)
        }
    }

    /// The rules for single clients, by the client's name.
    public internal(set) var rules: [String: Rule]
    /// The rule for clients without a rule of their own.
    public var others: Rule

    public init(rules: [String: Rule] = [:], others: Rule = .ask) {
        self.rules = rules
        self.others = others
    }

    public func rule(for client: String) -> Rule { rules[client] ?? others }

    /// A copy of the policy with only its restrictions, without its permissions.
    ///
    /// A client's own rule is kept even if it denies nothing, because it takes precedence over the rule for the other
    /// clients.
    public var denials: OperatorPolicy { OperatorPolicy(rules: rules.mapValues { $0.denial }, others: others.denial) }

    /// Whether the policy denies any client its authorization or reduces any client's accuracy.
    public var deniesAnything: Bool {
        ([others] + rules.values).contains { $0.denial.authorization != nil || $0.denial.accuracy != nil }
    }
}
