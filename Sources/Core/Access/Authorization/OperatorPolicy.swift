/// The operator's decisions made in advance, client by client; they need no agent to answer.
public struct OperatorPolicy: Sendable, Equatable {
    /// The authorization that the policy gives a client without asking anybody.
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
        /// The answer that is given in advance; nil where the question is to be put.
        public var authorization: Authorization?
        /// The accuracy that is given in advance; nil for the one set for the client, or full where none was set.
        public var accuracy: AccuracyAuthorization?
        /// Whether the rule overrides every answer and setting; otherwise it applies only where none was given.
        public var isFinal: Bool

        public init(authorization: Authorization?, accuracy: AccuracyAuthorization?, isFinal: Bool) {
            self.authorization = authorization
            self.accuracy = accuracy
            self.isFinal = isFinal
        }

        /// The rule that decides nothing, so that questions are put.
        public static let ask = Rule(authorization: nil, accuracy: nil, isFinal: false)

        /// The status that nothing else can change; nil where there is none.
        var finalStatus: AuthorizationStatus? {
            isFinal || authorization == .restricted ? authorization?.status : nil
        }

        /// The accuracy that nothing else can change; nil where there is none.
        var finalAccuracy: AccuracyAuthorization? { isFinal ? accuracy : nil }

        /// The rule's restrictions alone: a denial and reduced accuracy stay, permissions are dropped.
        var denial: Rule {
            let isDenied = authorization == .denied || authorization == .restricted
            return Rule(
                authorization: isDenied ? authorization : nil, accuracy: accuracy == .reduced ? .reduced : nil,
                isFinal: isFinal)
        }
    }

    /// The rules of clients that have one of their own.
    public internal(set) var rules: [String: Rule]
    /// The rule for clients without a rule of their own.
    public var others: Rule

    public init(rules: [String: Rule] = [:], others: Rule = .ask) {
        self.rules = rules
        self.others = others
    }

    public func rule(for client: String) -> Rule { rules[client] ?? others }

    /// The policy's restrictions alone; clients keep their own rules, because those precede the rule for the others.
    public var denials: OperatorPolicy { OperatorPolicy(rules: rules.mapValues { $0.denial }, others: others.denial) }

    /// Whether the policy denies anything to anybody.
    public var deniesAnything: Bool {
        ([others] + rules.values).contains { $0.denial.authorization != nil || $0.denial.accuracy != nil }
    }
}
