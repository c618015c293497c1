import Foundation
import Testing

/// Sextant's own protocol over a bare socket.
@Suite("The local socket", .serialized)
struct LocalProtocolTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func connect(to daemon: Daemon) async throws -> Wire {
        let client = try Wire(socket: daemon.socket)
        let hello = try await client.object()
        #expect(hello.text("event") == "hello" && hello.number("protocol") == 1 && hello.text("software") == "sextantd")
        return client
    }

    @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is missing: apt-get install python3"))
    func `the example client in the protocol's README works as printed`() async throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/Core/ClientProtocol/README.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```python\n")?.upperBound)
        let end = try #require(page.range(of: "```", range: start..<page.endIndex)?.lowerBound)
        let source = String(page[start..<end])
        #expect(source.split(separator: "\n").count <= 20)
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        let client = try Program(
            "/usr/bin/python3", ["-u", try scratch.write(source, to: "client.py"), daemon.socket], in: scratch)
        defer { client.signal(SIGTERM) }
        #expect(try await client.lines(2).allSatisfy { $0.contains(" 47.37") && $0.contains(" 8.54") })
    }

    @Test func `a watcher gets every epoch, and satellites if it requests them`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let plain = try await connect(to: daemon)
        let sky = try await connect(to: daemon)
        try plain.send("{\"request\":\"watch\",\"id\":\"a b\"}\n")
        let watching = try await plain.object()
        #expect(watching.text("event") == "watching" && watching.bool("enabled") == true)
        #expect(watching.text("id") == "a b")
        try sky.send("{\"request\":\"watch\",\"satellites\":true}\n")
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let epoch = try await plain.object { $0.text("fixType") == "threeD" }
        #expect(epoch.text("event") == "epoch" && epoch.members["satellites"] == nil)
        #expect(epoch.number("latitude").map { abs($0 - 47.38) < 0.1 } == true)
        let full = try await sky.object { $0.text("fixType") == "threeD" && $0.members["satellites"] != nil }
        #expect(full.objects("satellites")?.first?.keys.contains("constellation") == true)
        try plain.send("{\"request\":\"unwatch\",\"id\":\"off\"}\n")
        #expect(try await plain.object { $0.text("event") != "epoch" }.bool("enabled") == false)
        _ = try await sky.object()
        _ = try await sky.object()
        try plain.send("{\"request\":\"status\"}\n")
        #expect(try await plain.object().text("event") == "status", "no epoch stood between")
    }

    @Test func `without a state directory no track is kept, and a request for it gets an error`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        for request in ["history", "eraseHistory"] {
            try client.send("{\"request\":\"\(request)\",\"id\":\"a\"}\n")
            let answer = try await client.object()
            #expect(answer.text("event") == "error" && answer.text("code") == "noTrack" && answer.text("id") == "a")
            #expect(answer.text("message")?.contains("name one as stateDirectory in sextant.json5") == true)
        }
    }

    @Test func `locate answers with the next position, or with an error after its timeout`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        try client.send("{\"request\":\"locate\",\"timeout\":0.2,\"id\":\"soon\"}\n")
        let late = try await client.object()
        #expect(late.text("event") == "error" && late.text("code") == "timeout" && late.text("id") == "soon")
        try client.send("{\"request\":\"locate\",\"timeout\":30,\"id\":\"x\"}\n{\"request\":\"locate\",\"id\":\"y\"}\n")
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        for id in ["x", "y"] {
            // The receiver that comes may be announced before.
            let location = try await client.object { $0.text("event") != "capabilities" }
            #expect(location.text("event") == "location" && location.text("id") == id)
            #expect(location.number("latitude") != nil && location.text("time") != nil)
        }
    }

    @Test func `at most 16 position requests can wait at once`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        for number in 0..<17 { try client.send("{\"request\":\"locate\",\"id\":\"\(number)\"}\n") }
        let refusal = try await client.object()
        #expect(refusal.text("code") == "tooMany" && refusal.text("id") == "16")
    }

    @Test(arguments: [
        (line: "{\"request\":\"dance\",\"id\":\"7\"}", code: "unknownRequest", says: "\"dance\" is not a request"),
        (
            line: "{\"request\":\"watch\",\"sattelites\":true,\"id\":\"7\"}", code: "unknownKey",
            says: "\"sattelites\" is not a member"
        ),
        (
            line: "{\"request\":\"watch\",\"satellites\":1,\"id\":\"7\"}", code: "badValue",
            says: "\"satellites\" must be true or false"
        ),
        (
            line: "{\"request\":\"locate\",\"timeout\":0,\"id\":\"7\"}", code: "badValue",
            says: "\"timeout\" must be seconds from 0.1 to 86400"
        ),
        (
            line: "{\"request\":\"locate\",\"timeout\":\"60\",\"id\":\"7\"}", code: "badValue",
            says: "\"timeout\" must be seconds"
        ),
        (
            line: "{\"request\":\"status\",\"id\":7}", code: "badValue",
            says: "\"id\" must be a string of at most 64 bytes"
        ),
        (line: "{\"id\":\"7\"}", code: "malformed", says: "a request is a JSON object with the member \"request\""),
        (line: "[]", code: "malformed", says: "a request is a JSON object"),
        (line: "{\"request\":\"watch\"", code: "malformed", says: "a request is a JSON object"),
        (line: String(repeating: "[", count: 4000), code: "malformed", says: "a request is a JSON object"),
        (line: String(repeating: "{\"request\":", count: 350), code: "malformed", says: "a request is a JSON object"),
        (line: "hello", code: "malformed", says: "a request is a JSON object"),
        (
            line: "{\"request\":\"status\",\"pad\":\"" + String(repeating: "x", count: 65_536) + "\"}", code: "tooLong",
            says: "a request is one line of at most 65536 bytes"
        ),
    ])
    func `a wrong request gets an error with its id, and the session continues`(
        line: String, code: String, says: String
    ) async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        try client.send(line + "\n{\"request\":\"status\",\"id\":\"after\"}\n")
        let refusal = try await client.object()
        #expect(refusal.text("event") == "error" && refusal.text("code") == code)
        #expect(refusal.text("message")?.hasPrefix(says) == true, "\(refusal.text("message") ?? "")")
        #expect(refusal.text("id") == (line.contains("\"id\":\"7\"") ? "7" : nil))
        let status = try await client.object()
        #expect(status.text("event") == "status" && status.text("id") == "after")
    }
}
