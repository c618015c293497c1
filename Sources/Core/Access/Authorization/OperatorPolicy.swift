public import ClientVocabulary

/// The operator's decisions in advance about clients, so that no user has to answer a question.
public struct OperatorPolicy: Sendable, Equatable {
    /// The authorization that the policy gives a client without asking the user.
    public enum Authorization: String, Sendable, Hashable, CaseIterable {
        case always, whenInUse, denied
        /// The client is not authorized and cannot ask, whether the rule is final or not.
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
        /// The authorization given in advance; nil where the user is to be asked.
        public var authorization: Authorization?
        /// The accuracy given in advance; nil for the one that the operator set for the client, or the manifest's
        /// default.
        public var accuracy: AccuracyAuthorization?
        /// Whether the rule overrides every answer and setting; otherwise it applies only until the user or operator
        /// decides.
        public var isFinal: Bool

        public init(authorization: Authorization?, accuracy: AccuracyAuthorization?, isFinal: Bool) {
            self.authorization = authorization
            self.accuracy = accuracy
            self.isFinal = isFinal
        }

        /// The rule that decides nothing, so that the user is asked.
        public static let ask = Rule(authorization: nil, accuracy: nil, isFinal: false)

        /// The status that no answer can change; nil where the rule leaves it open.
        var finalStatus: AuthorizationStatus? {
            isFinal || authorization == .restricted ? authorization?.status : nil
        }

        /// The accuracy that no setting can change; nil where the rule leaves it open.
        var finalAccuracy: AccuracyAuthorization? { isFinal ? accuracy : nil }

        /// The rule's restrictions alone: a denial and reduced accuracy stay, permissions are dropped.
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

    /// The policy's restrictions alone, without its permissions.
    ///
    /// A client's own rule is kept even if it denies nothing, because it takes precedence over the rule for the others.
    public var denials: OperatorPolicy { OperatorPolicy(rules: rules.mapValues { $0.denial }, others: others.denial) }

    /// Whether the policy denies or reduces anything for any client.
    public var deniesAnything: Bool {
        ([others] + rules.values).contains { $0.denial.authorization != nil || $0.denial.accuracy != nil }
    }
}
