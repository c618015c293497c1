public import SextantUnits

/// The form in which the store keeps a policy: version (1), the rule for the others, and the number of rules with
/// each client's name and rule.
extension OperatorPolicy {
    private static let version: UInt8 = 1

    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(OperatorPolicy.version)
        others.write(to: &record)
        record.write(UInt32(rules.count))
        for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
            record.write(name)
            rule.write(to: &record)
        }
        return record.bytes
    }

    /// Reads a policy; nil where it has another version or a rule that is unknown.
    static func decode(_ bytes: Span<UInt8>) -> OperatorPolicy? {
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let others = Rule(from: &record), let rules = rules(from: &record),
            record.isAtEnd
        else { return nil }
        return OperatorPolicy(rules: rules, others: others)
    }

    /// Reads what a list of clients with their rules was written as: its count, then each name and rule.
    public static func rules(from record: inout RecordReader) -> [String: Rule]? {
        guard let count = record.integer(UInt32.self) else { return nil }
        var rules: [String: Rule] = [:]
        for _ in 0..<count {
            guard let name = record.text(), let rule = Rule(from: &record) else { return nil }
            rules[name] = rule
        }
        return rules
    }
}

extension OperatorPolicy.Rule {
    public func write(to record: inout RecordWriter) {
        record.write(authorization?.rawValue ?? "")
        record.write(accuracy?.rawValue ?? .max)
        record.write((isFinal ? 1 : 0) as UInt8)
    }

    public init?(from record: inout RecordReader) {
        guard let authorization = record.text(), let accuracy = record.integer(UInt8.self),
            let isFinal = record.integer(UInt8.self)
        else { return nil }
        let (known, exactness) = (
            OperatorPolicy.Authorization(rawValue: authorization), AccuracyAuthorization(rawValue: accuracy)
        )
        // A word that is not known may deny.
        guard known != nil || authorization.isEmpty, exactness != nil || accuracy == .max else { return nil }
        self.init(authorization: known, accuracy: exactness, isFinal: isFinal != 0)
    }
}
