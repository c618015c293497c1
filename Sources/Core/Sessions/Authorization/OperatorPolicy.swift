/// The operator's decisions made in advance, client by client; they need no agent to answer.
public struct OperatorPolicy: Sendable, Equatable {
    /// An answer that is given before anybody asks.
    public enum Authorization: String, Sendable, Hashable, CaseIterable {
        case always, whenInUse, denied
        /// The client can neither have it nor ask for it, whether the rule is final or not.
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
        /// Nil where somebody is to be asked.
        public var authorization: Authorization?
        /// Nil for what was set for the client, full unless it was.
        public var accuracy: AccuracyAuthorization?
        /// Whether it overrides every given answer and setting; otherwise it applies only where there is none.
        public var isFinal: Bool

        public init(authorization: Authorization?, accuracy: AccuracyAuthorization?, isFinal: Bool) {
            self.authorization = authorization
            self.accuracy = accuracy
            self.isFinal = isFinal
        }

        /// Somebody is to be asked.
        public static let ask = Rule(authorization: nil, accuracy: nil, isFinal: false)

        /// The status that nothing else can change; nil where there is none.
        var finalStatus: AuthorizationStatus? {
            isFinal || authorization == .restricted ? authorization?.status : nil
        }

        /// The accuracy that nothing else can change; nil where there is none.
        var finalAccuracy: AccuracyAuthorization? { isFinal ? accuracy : nil }
    }

    private var rules: [String: Rule]
    /// For the clients without a rule of their own.
    public var others: Rule

    public init(rules: [String: Rule] = [:], others: Rule = .ask) {
        self.rules = rules
        self.others = others
    }

    public func rule(for client: String) -> Rule { rules[client] ?? others }
}
