public import Access
internal import ClientVocabulary
internal import SextantJSON

/// Reads `/etc/sextant/policy.json5`, in which the operator decides about clients in advance.
///
/// `clients` has a rule for each client's name, and `others` has the rule for all other clients. A rule has three keys:
/// `authorization` is `always`, `whenInUse`, `denied` or `restricted`; without it a person is asked. `accuracy` is
/// `full` or `reduced`; without it the client's own setting applies. `final` (false) says whether the rule overrides
/// every answer and setting.
public struct PolicyFile {
    private static let example = "{ others: { authorization: \"whenInUse\" } }"

    /// Reads and checks the policy; nil if there is no such file.
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
        let accuracy = try section.takeWord("accuracy", AccuracyAuthorization.self)
        let isFinal = try section.takeBool("final") ?? false
        try section.finish()
        return OperatorPolicy.Rule(authorization: authorization, accuracy: accuracy, isFinal: isFinal)
    }
}
