/// The board's operator, who also answers what users are asked: a connection of root's.
final class Operator {
    private let wire: Wire
    private var requestCount = 0
    private var untaken: [JSON] = []

    init(socket: String) async throws {
        wire = try Wire(socket: socket)
        _ = try await wire.object { $0.text("event") == "hello" }
    }

    /// Sends a request and waits for its answer; what else comes before it is kept for `take`.
    ///
    /// - Parameter members: The request's, such as `"request":"services","enabled":false`.
    /// - Returns: The answer, which may be an `error`.
    @discardableResult
    func ask(_ members: String) async throws -> JSON {
        requestCount += 1
        let id = "operator-\(requestCount)"
        try wire.send("{\(members),\"id\":\"\(id)\"}\n")
        while true {
            let event = try await wire.object()
            // A list carries the id in every line, and ends with the answer.
            let isInList = ["client", "stored", "trackPoint", "region"].contains(event.text("event"))
            if event.text("id") == id, !isInList { return event }
            untaken.append(event)
        }
    }

    /// Answers the question about a client, or sets its record.
    ///
    /// - Parameter more: Other members, such as `"accuracy":"reduced"`.
    func answer(_ client: String, _ answer: String?, _ more: String = "") async throws {
        let members = [answer.map { "\"answer\":\"\($0)\"" }, more.isEmpty ? nil : more].compactMap(\.self)
        let reply = try await ask("\"request\":\"answer\",\"client\":\"\(client)\",\(members.joined(separator: ","))")
        guard reply.text("event") == "answered" else { throw Late(description: "not answered: \(reply.members)") }
    }

    /// Asks to be sent every question from now on, and those that wait; `take` gives them.
    func beAgent(_ isAgent: Bool = true) async throws {
        try await ask("\"request\":\"agent\",\"enabled\":\(isAgent)")
        try await settle()
    }

    /// The master switch.
    func setServices(_ isEnabled: Bool) async throws {
        try await ask("\"request\":\"services\",\"enabled\":\(isEnabled)")
    }

    /// Waits for all that was sent so far.
    func settle() async throws { try await ask("\"request\":\"ping\"") }

    /// What came beside answers since this was asked last: `prompt`, `promptWithdrawn`.
    func take() async throws -> [JSON] {
        try await settle()
        defer { untaken = [] }
        return untaken
    }

    /// How a client stands, as `clients` tells it; nil where it is not known.
    func client(_ name: String) async throws -> JSON? {
        _ = try await take()
        // Every line of the list carries the request's id: the first comes as its answer.
        let list = [try await ask("\"request\":\"clients\"")] + (try await take())
        return list.first { $0.text("event") == "client" && $0.text("name") == name }
    }
}
