import Access
import ClientVocabulary
import Configuration
import TestSupport
import Testing

@Suite("Policy file")
struct PolicyFileTests {
    let folder = TemporaryFolder.withClients

    @Test func `rules are read for each client and for all others`() throws {
        let path = try folder.write(
            "policy.json5",
            """
            {
                clients: {
                    tracker: { authorization: "always", accuracy: "full", final: true },
                    game: { authorization: "restricted" },
                },
                others: { authorization: "whenInUse", accuracy: "reduced" },
            }
            """)
        let policy = try #require(try PolicyFile.policy(readFrom: path))
        typealias Rule = OperatorPolicy.Rule
        #expect(policy.rule(for: "tracker") == Rule(authorization: .always, accuracy: .full, isFinal: true))
        #expect(policy.rule(for: "game") == Rule(authorization: .restricted, accuracy: nil, isFinal: false))
        #expect(policy.rule(for: "else") == Rule(authorization: .whenInUse, accuracy: .reduced, isFinal: false))
    }

    @Test func `without a policy file or with an empty one nothing is decided`() throws {
        #expect(try PolicyFile.policy(readFrom: folder.policy) == nil)
        #expect(try PolicyFile.policy(readFrom: folder.write("policy.json5", "{}")) == OperatorPolicy())
    }

    @Test(
        arguments: [
            ("{ other: {} }", "other: unknown key; the keys here are clients, others"),
            ("{ clients: [] }", "clients: a list must be an object with a rule for each client"),
            ("{ clients: { a: \"always\" } }", "clients.a: \"always\" must be an object"),
            (
                "{ clients: { a: { authorization: \"yes\" } } }",
                "clients.a.authorization: \"yes\" must be one of \"always\", \"whenInUse\", \"denied\", \"restricted\""
            ),
            ("{ others: { accuracy: 1 } }", "others.accuracy: 1 must be one of \"full\", \"reduced\""),
            (
                "{ others: { isFinal: true } }",
                "others.isFinal: unknown key; the keys here are authorization, accuracy, final"
            ),
        ])
    func `each error names the key and what was expected`(text: String, expected: String) throws {
        let path = try folder.write("policy.json5", text)
        let error = #expect(throws: ConfigurationError.self) { try PolicyFile.policy(readFrom: path) }
        #expect(error?.description == "\(path): \(expected)")
    }
}
