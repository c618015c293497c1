internal import ClientVocabulary
public import SextantUnits

/// The form in which a policy is stored: version (1 byte: 1), the rule for clients without a rule of their own, the
/// number of clients with one (4 bytes), and each of these clients' names and rules.
extension OperatorPolicy: Recorded {
    public static var blank: OperatorPolicy { OperatorPolicy() }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try others.code(&record)
        var named = rules.keys.sorted().map { NamedRule(name: $0, rule: rule(for: $0)) }
        try record.code(&named, count: UInt32.self)
        for client in named { rules[client.name] = client.rule }
    }

    /// The rule for one client, with the client's name.
    public struct NamedRule: Recorded {
        public static var blank: NamedRule { NamedRule(name: "", rule: .blank) }

        public var name: String
        public var rule: Rule

        public init(name: String, rule: Rule) {
            self.name = name
            self.rule = rule
        }

        public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
            try record.code(&name)
            try rule.code(&record)
        }
    }
}

extension OperatorPolicy.Rule: Recorded {
    public static var blank: OperatorPolicy.Rule { .ask }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (word, exactness) = (authorization?.rawValue, accuracy?.number)
        try record.code(&word)
        try record.code(&exactness, nilIs: .max)
        try record.code(&isFinal)
        (authorization, accuracy) = (
            word.flatMap { OperatorPolicy.Authorization(rawValue: $0) },
            exactness.flatMap { AccuracyAuthorization(number: $0) }
        )
        // A word unknown to this version could stand for a denial, so the record counts as damaged.
        let isKnown = (word == nil) == (authorization == nil) && (exactness == nil) == (accuracy == nil)
        try record.check(isKnown)
    }
}
