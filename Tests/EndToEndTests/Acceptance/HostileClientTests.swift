import Testing

/// Clients that lie, or send what is no request.
@Suite("Acceptance: hostile clients")
struct AcceptanceHostileClientTests {
    /// A connection of this process, of which no manifest speaks.
    private func stranger(_ bench: CoreLocationBench<SilentDevice>) async throws -> Wire {
        let wire = try Wire(socket: bench.socket)
        let hello = try await wire.object()
        #expect(hello.text("event") == "hello" && hello.text("client") == nil)
        return wire
    }

    /// What a connection is told about requests, with nothing left out.
    private func answers(_ requests: [String], _ wire: Wire) async throws -> [JSON] {
        for request in requests { try wire.send("\(request)\n") }
        return try await answers(wire)
    }

    private func answers(_ wire: Wire) async throws -> [JSON] {
        try wire.send("{\"request\":\"ping\",\"id\":\"end\"}\n")
        var answers: [JSON] = []
        while true {
            let answer = try await wire.object()
            guard answer.text("event") != "pong" else { return answers }
            answers.append(answer)
        }
    }

    @Test func `AUTH-22: a client that claims another client's name keeps its own identity from the kernel`()
        async throws
    {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(), .undecided("other")])
        let (tracker, other) = (try await bench.client(), try await bench.client("other"))
        let wire = try await stranger(bench)
        try await bench.tell(tracker, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        let claims = ["watch", "ping", "registrations", "state\",\"state\":\"foreground"].map {
            "{\"request\":\"\($0)\",\"client\":\"tracker\"}"
        }
        let refused = try await answers(claims, wire)
        #expect(refused.map { $0.text("code") } == Array(repeating: "unknownKey", count: 4))
        let asked = ["watch", "registrations", "acknowledge\",\"number\":1,\"id\":\"x"].map {
            "{\"request\":\"\($0)\"}"
        }
        #expect(try await answers(asked, wire).map { $0.text("code") } == Array(repeating: "noManifest", count: 3))
        try await bench.fix()
        #expect(try await answers(wire).isEmpty)
        try await bench.tell(other, "manager 1 new", "manager 1 start", "manager 1 show")
        let shown = other.take().last
        #expect(shown?.text("authorizationStatus") == "notDetermined")
        #expect(shown?.objects("monitoredRegions")?.isEmpty == true && shown?.object("location") == nil)
    }

    @Test func `a message with ten thousand regions is refused as one line that is too long`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        let wire = try await stranger(bench)
        let region = "{\"identifier\":\"home\",\"latitude\":47.4,\"longitude\":8.5,\"radius\":100},"
        let regions = String(repeating: region, count: 10_000)
        try await wire.sendAll("{\"request\":\"monitorRegion\",\"regions\":[\(regions)]}\n")
        let refused = try await answers(wire)
        #expect(refused.map { $0.text("code") } == ["tooLong"])
        try await bench.tell(tracker, "manager 1 start")
        try await bench.fix()
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didUpdateLocations"], "nobody else is held up")
    }

    @Test(arguments: [
        ("{\"request\":\"format\",\"id\":\"i\"}", "unknownRequest"), ("{\"request\":7,\"id\":\"i\"}", "malformed"),
        ("{\"request\":\"watch\",\"session\":64,\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"watch\",\"session\":-1,\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"watch\",\"session\":1.5,\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"authorize\",\"authorization\":true,\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"authorize\",\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"monitorRegion\",\"identifier\":[],\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"holdSession\",\"number\":1e99,\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"answer\",\"client\":{},\"id\":\"i\"}", "badValue"),
        ("{\"request\":\"answer\",\"client\":\"nobody\",\"answer\":\"allow\",\"id\":\"i\"}", "noSuchClient"),
        ("{\"request\":\"erase\",\"client\":\"tracker\",\"what\":\"everything\",\"id\":\"i\"}", "badValue"),
    ])
    func `a malformed request gets one error with its id, and the connection stays open`(
        line: String, code: String
    ) async throws {
        let bench = try await CoreLocationBench.start()
        let wire = try await stranger(bench)
        let refused = try await answers([line], wire)
        #expect(refused.map { $0.text("event") } == ["error"])
        #expect(refused.map { $0.text("code") } == [code] && refused.map { $0.text("id") } == ["i"])
    }

    @Test func `a line that is not a JSON object gets one error without an id`() async throws {
        let bench = try await CoreLocationBench.start()
        let wire = try await stranger(bench)
        let lines = [
            "{", "[]", "null", "\"watch\"", "{\"request\":\"watch\"}{\"request\":\"watch\"}", "{\"id\":1}",
        ]
        let refused = try await answers(lines, wire)
        #expect(refused.allSatisfy { $0.text("event") == "error" && $0.text("id") == nil })
        #expect(refused.count == lines.count)
    }
}
