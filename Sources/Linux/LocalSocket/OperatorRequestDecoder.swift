internal import ClientProtocol

/// Decodes what only an operator may ask.
enum OperatorRequestDecoder {
    /// - Returns: Nil where the name is none of these requests.
    static func kind(_ name: String, _ request: inout RequestMembers) throws(ClientRequestError) -> OperatorRequest? {
        switch name {
        case "clients": .clients
        case "answer":
            .answer(
                client: try client(&request),
                try request.word("answer", of: OperatorRequest.Answer.allCases.map(\.rawValue)).flatMap {
                    OperatorRequest.Answer(rawValue: $0)
                },
                reducesAccuracy: try request.word("accuracy", of: ["full", "reduced"]).map { $0 == "reduced" },
                mayBeWoken: try request.bool("wake"))
        case "services": .services(isEnabled: try request.bool("enabled"))
        case "agent": .agent(isEnabled: try request.bool("enabled") ?? true)
        case "privacy":
            .privacy(client: try request.text("client", maximumBytes: ClientRequest.maximumIdentifierBytes))
        case "erase":
            .erase(
                client: try client(&request),
                try request.word("what", of: OperatorRequest.Stored.allCases.map(\.rawValue)).flatMap {
                    OperatorRequest.Stored(rawValue: $0)
                } ?? .all)
        default: nil
        }
    }

    private static func client(_ request: inout RequestMembers) throws(ClientRequestError) -> String {
        try request.needed("client", maximumBytes: ClientRequest.maximumIdentifierBytes)
    }
}
