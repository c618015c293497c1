import BenchControl
import Foundation
import Testing

/// Sextant's own protocol over a bare socket.
@Suite("The local socket", .serialized)
struct VirtualLocalProtocolTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func connect<Device>(to daemon: DrivenDaemon<Device>) async throws -> Wire {
        let client = try Wire(socket: daemon.socket)
        let hello = try await client.object()
        #expect(hello.text("event") == "hello" && hello.number("protocol") == 1 && hello.text("software") == "sextantd")
        return client
    }

    @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is missing: apt-get install python3"))
    func `the example client in the protocol's README works as printed`() async throws {
        let page = try String(
            contentsOfFile: "\(Checkout.path)/Sources/Core/ClientProtocol/README.md", encoding: .utf8)
        let start = try #require(page.range(of: "```python\n")?.upperBound)
        let end = try #require(page.range(of: "```", range: start..<page.endIndex)?.lowerBound)
        let source = String(page[start..<end])
        #expect(source.split(separator: "\n").count <= 20)
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let client = try Program(
            "/usr/bin/python3", ["-u", try scratch.write(source, to: "client.py"), daemon.socket], in: scratch)
        let lines = try await daemon.letTimePass(until: "two lines", seen: { client.errors }) {
            client.outputLines.count >= 2 ? client.outputLines : nil
        }
        #expect(lines.allSatisfy { $0.contains(" 47.37") && $0.contains(" 8.54") }, "\(lines)")
    }

    @Test func `a watcher gets every epoch, and satellites if it requests them`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let plain = try await connect(to: daemon)
        let sky = try await connect(to: daemon)
        try plain.send("{\"request\":\"watch\",\"id\":\"a b\"}\n")
        let watching = try await plain.object()
        #expect(watching.text("event") == "watching" && watching.bool("enabled") == true)
        #expect(watching.text("id") == "a b")
        try sky.send("{\"request\":\"watch\",\"satellites\":true}\n")
        _ = try await sky.object { $0.text("event") == "watching" }
        try daemon.run(seconds: 10)
        let epochs = try await plain.received().with("event", "epoch")
        #expect(Double(epochs.count) == (try await daemon.receiver().number("epochs")))
        #expect(epochs.allSatisfy { $0.members["satellites"] == nil })
        let fix = try #require(epochs.last { $0.text("fixType") == "threeD" })
        #expect(fix.number("latitude").map { abs($0 - 47.3769) < 0.01 } == true)
        let full = try #require(try await sky.received().last { $0.text("fixType") == "threeD" })
        #expect(full.objects("satellites")?.first?.keys.contains("constellation") == true)
        try plain.send("{\"request\":\"unwatch\",\"id\":\"off\"}\n")
        #expect(try await plain.object().bool("enabled") == false)
        try daemon.run(seconds: 5)
        #expect(try await sky.received().with("event", "epoch").count == 5)
        #expect(try await plain.received().isEmpty)
    }

    @Test func `without a state folder no track is kept, and a request for it gets an error`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
        let client = try await connect(to: daemon)
        for request in ["history", "eraseHistory"] {
            try client.send("{\"request\":\"\(request)\",\"id\":\"a\"}\n")
            let answer = try await client.object()
            #expect(answer.text("event") == "error" && answer.text("code") == "noTrack" && answer.text("id") == "a")
            #expect(answer.text("message")?.contains("name one as stateDirectory in sextant.json5") == true)
        }
    }

    @Test func `locate answers with the next position, or with an error after its timeout`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        try daemon.harness.unplug()
        let client = try await connect(to: daemon)
        try client.send("{\"request\":\"locate\",\"timeout\":0.2,\"id\":\"soon\"}\n")
        #expect(try await client.received().isEmpty)
        try daemon.run(seconds: 0.2)
        let late = try await client.object()
        #expect(late.text("event") == "error" && late.text("code") == "timeout" && late.text("id") == "soon")
        try client.send("{\"request\":\"locate\",\"timeout\":30,\"id\":\"x\"}\n{\"request\":\"locate\",\"id\":\"y\"}\n")
        #expect(try await client.received().isEmpty)
        try daemon.harness.plug()
        try daemon.run(seconds: 10)
        // The receiver that comes may be announced before.
        let locations = try await client.received().filter { $0.text("event") != "capabilities" }
        #expect(locations.map { $0.text("event") } == ["location", "location"])
        #expect(locations.map { $0.text("id") } == ["x", "y"])
        #expect(locations.allSatisfy { $0.number("latitude") != nil && $0.text("time") != nil })
    }

    @Test func `at most 16 position requests can wait at once`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
        let client = try await connect(to: daemon)
        for number in 0..<17 { try client.send("{\"request\":\"locate\",\"id\":\"\(number)\"}\n") }
        let refusal = try await client.object()
        #expect(refusal.text("code") == "tooMany" && refusal.text("id") == "16")
    }

    /// A request that is refused, with its error's code and the beginning of its message.
    struct WrongRequest: CustomTestStringConvertible {
        var line: String
        var code: String
        var says: String

        /// Some are tens of thousands of bytes long.
        var testDescription: String { String(line.prefix(60)) }
    }

    @Test(arguments: [
        WrongRequest(
            line: "{\"request\":\"dance\",\"id\":\"7\"}", code: "unknownRequest", says: "\"dance\" is not a request"),
        WrongRequest(
            line: "{\"request\":\"watch\",\"sattelites\":true,\"id\":\"7\"}", code: "unknownKey",
            says: "\"sattelites\" is not a member"
        ),
        WrongRequest(
            line: "{\"request\":\"watch\",\"satellites\":1,\"id\":\"7\"}", code: "badValue",
            says: "\"satellites\" must be true or false"
        ),
        WrongRequest(
            line: "{\"request\":\"locate\",\"timeout\":0,\"id\":\"7\"}", code: "badValue",
            says: "\"timeout\" must be seconds from 0.1 to 86400"
        ),
        WrongRequest(
            line: "{\"request\":\"locate\",\"timeout\":\"60\",\"id\":\"7\"}", code: "badValue",
            says: "\"timeout\" must be seconds"
        ),
        WrongRequest(
            line: "{\"request\":\"status\",\"id\":7}", code: "badValue",
            says: "\"id\" must be a string of at most 64 bytes"
        ),
        WrongRequest(
            line: "{\"id\":\"7\"}", code: "malformed", says: "a request is a JSON object with the member \"request\""),
        WrongRequest(line: "[]", code: "malformed", says: "a request is a JSON object"),
        WrongRequest(line: "{\"request\":\"watch\"", code: "malformed", says: "a request is a JSON object"),
        WrongRequest(line: String(repeating: "[", count: 4000), code: "malformed", says: "a request is a JSON object"),
        WrongRequest(
            line: String(repeating: "{\"request\":", count: 350), code: "malformed", says: "a request is a JSON object"),
        WrongRequest(line: "hello", code: "malformed", says: "a request is a JSON object"),
        WrongRequest(
            line: "{\"request\":\"status\",\"pad\":\"" + String(repeating: "x", count: 65_536) + "\"}", code: "tooLong",
            says: "a request is one line of at most 65536 bytes"
        ),
    ])
    func `a wrong request gets an error with its id, and the session continues`(request: WrongRequest) async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
        let client = try await connect(to: daemon)
        try client.send(request.line + "\n{\"request\":\"status\",\"id\":\"after\"}\n")
        let refusal = try await client.object()
        #expect(refusal.text("event") == "error" && refusal.text("code") == request.code)
        #expect(refusal.text("message")?.hasPrefix(request.says) == true, "\(refusal.text("message") ?? "")")
        #expect(refusal.text("id") == (request.line.contains("\"id\":\"7\"") ? "7" : nil))
        let status = try await client.object()
        #expect(status.text("event") == "status" && status.text("id") == "after")
    }
}
