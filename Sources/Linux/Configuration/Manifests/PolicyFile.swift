internal import JSON
public import Sessions

/// Reads `/etc/sextant/policy.json5`, what the operator decides before anybody asks.
///
/// `clients` has a rule for each client's name, and `others` the rule for all others. A rule has `authorization`
/// (`always`, `whenInUse`, `denied` or `restricted`; without it somebody is asked), `accuracy` (`full` or `reduced`;
/// without it what was set for the client) and `final` (false): whether it stands above what anybody answers or sets.
public struct PolicyFile {
    private static let example = "{ others: { authorization: \"whenInUse\" } }"

    private enum Accuracy: String, CaseIterable { case full, reduced }

    /// Reads and checks the policy; nil where there is no such file.
    public static func policy(readFrom path: String) throws(ConfigurationError) -> OperatorPolicy? {
        guard let bytes = try TrustedFile.contents(of: path) else { return nil }
        var file = try ConfigurationSection(parsing: bytes, readFrom: path, example: example)
        let rules = try takeRules(from: &file)
        var others = OperatorPolicy.Rule.ask
        if var section = try file.takeSection("others") { others = try takeRule(from: &section) }
        try file.finish()
        return OperatorPolicy(rules: rules, others: others)
    }

    private static func takeRules(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> [String: OperatorPolicy.Rule] {
        guard let value = file.take("clients") else { return [:] }
        guard case .object(let members) = value else {
            throw file.wrong("clients", value, expected: "an object with a rule for each client")
        }
        var section = file.section("clients", members)
        var rules: [String: OperatorPolicy.Rule] = [:]
        for name in members.keys.sorted() {
            guard var inner = try section.takeSection(name) else { continue }
            rules[name] = try takeRule(from: &inner)
        }
        return rules
    }

    private static func takeRule(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> OperatorPolicy.Rule {
        let authorization = try section.takeWord("authorization", OperatorPolicy.Authorization.self)
        let accuracy: AccuracyAuthorization? =
            switch try section.takeWord("accuracy", Accuracy.self) {
            case nil: nil
            case .full: .full
            case .reduced: .reduced
            }
        let isFinal = try section.takeBool("final") ?? false
        try section.finish()
        return OperatorPolicy.Rule(authorization: authorization, accuracy: accuracy, isFinal: isFinal)
    }
}
