import Foundation
import Glibc
import Testing

/// `sextantd` as systemd starts it.
@Suite("Under a service manager", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct ServiceManagerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(
        passing names: [String] = ["sextant", "gpsd"], _ arguments: [String]? = nil
    ) throws -> ServiceManagerBench {
        let options = try Admission.everybody(in: scratch).options
        return try ServiceManagerBench(
            in: scratch, passing: names, (arguments ?? ["--device", scratch.path("receiver")]) + options)
    }

    private func status(_ bench: ServiceManagerBench) async throws -> JSON {
        let client = try Wire(socket: bench.socket)
        _ = try await client.object { $0.text("event") == "hello" }
        try client.send("{\"request\":\"status\"}\n")
        return try await client.object { $0.text("event") == "status" }
    }

    @Test func `serves sockets passed by systemd, reports ready and stopping, and does not remove them`()
        async throws
    {
        let bench = try start()
        let ready = try await bench.hears("READY=1")
        #expect(ready.contains { $0.contains("\nSTATUS=Serving \(bench.socket), gpsd on port ") })
        #expect(try await status(bench).number("clients") == 1)
        let line = try await bench.program.logged("serving \(bench.socket)")
        let port = try #require(line.split(separator: " ").last.flatMap { UInt16($0) })
        #expect(try await Wire(port: port).line().contains("\"class\":\"VERSION\""))

        bench.program.signal(SIGTERM)
        #expect(try await bench.program.status() == 0)
        #expect(bench.heard().contains { $0.hasPrefix("STOPPING=1") })
        #expect(FileManager.default.fileExists(atPath: bench.socket))
    }

    @Test func `opens no port of its own when systemd passes none`() async throws {
        let bench = try start(passing: ["sextant"])
        let ready = try await bench.hears("READY=1")
        #expect(!ready.joined().contains("gpsd"))
        #expect(try await status(bench).number("clients") == 1)
    }

    @Test func `a passed port that the configuration disables closes connections at once`() async throws {
        let bench = try start(
            passing: ["sextant", "gpsd"],
            [
                "--device", scratch.path("receiver"), "--gpsd", "off",
            ])
        _ = try await bench.hears("READY=1")
        let line = try await bench.program.logged("gpsd on port")
        let port = try #require(line.split(separator: " ").last.flatMap { UInt16($0) })
        try await Wire(port: port).closed()
    }

    /// The microseconds within which these datagrams tell the watchdog to expect the next; 0 for never.
    private func deadlines(_ datagrams: [String]) -> [Int] {
        datagrams.filter { $0.hasPrefix("WATCHDOG_USEC=") }.compactMap { Int($0.dropFirst("WATCHDOG_USEC=".count)) }
    }

    @Test func `the watchdog is notified rarely while fixes come, and switched off while nothing is planned`()
        async throws
    {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain + ["--speed", "20"])
        defer { receiver.signal(SIGTERM) }
        let bench = try start()
        _ = try await bench.hears("READY=1")
        let client = try Wire(socket: bench.socket)
        try client.send("{\"request\":\"watch\"}\n")
        _ = try await client.object { $0.text("event") == "epoch" }
        var told: [Int] = []
        while !told.contains(where: { $0 > 0 }) { told = deadlines(try await bench.hears("WATCHDOG_USEC=")) }
        for _ in 0..<100 { _ = try await client.object { $0.text("event") == "epoch" } }
        let later = deadlines(bench.heard())
        #expect(later.count <= 20, "\(later) in 100 epochs")
        #expect((told.suffix(1) + later).allSatisfy { (1...15_000_000).contains($0) }, "\(told) \(later)")
        receiver.signal(SIGTERM)
        _ = try await bench.hears("WATCHDOG_USEC=0")
    }

    @Test func `waits for an empty configuration to be filled in, answers status requests, and restarts with it`()
        async throws
    {
        let path = try scratch.write("{ board: \"\" }", to: "sextant.json5")
        let bench = try start(passing: ["sextant"], ["--config", path])
        let ready = try await bench.hears("READY=1")
        #expect(ready.joined().contains("no receiver"))
        let waiting = try await status(bench).object("receiver")
        #expect(waiting?.text("detail")?.contains("board: \"\" must be what the receiver is wired to") == true)
        let identifier = bench.program.identifier

        _ = try scratch.write("{ board: \"none-such\" }", to: "sextant.json5")
        _ = try await bench.hears("READY=1")
        let other = try await status(bench).object("receiver")
        #expect(other?.text("detail")?.contains("no part of this name") == true)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        _ = try scratch.write("{ device: \"\(scratch.path("receiver"))\" }", to: "sextant.json5")
        _ = try await bench.hears("READY=1")
        let client = try Wire(socket: bench.socket)
        try client.send("{\"request\":\"watch\"}\n")
        _ = try await client.object { $0.text("event") == "epoch" }
        #expect(bench.program.isRunning && bench.program.identifier == identifier)
        #expect(bench.program.errorLines.contains { $0.contains("can be used now; starting again") })
    }

    private func port(_ bench: ServiceManagerBench) async throws -> UInt16 {
        let line = try await bench.program.logged("gpsd on port")
        return try #require(line.split(separator: " ").last.flatMap { UInt16($0) })
    }

    @Test func `the valid parts of an invalid configuration apply`() async throws {
        let admission = try Admission.everybody(in: scratch)
        let state = scratch.path("state")
        let path = try scratch.write(
            "{ board: 'none-such', gpsd: { enabled: false }, stateDirectory: '\(state)', \(admission.member) }",
            to: "sextant.json5")
        let bench = try ServiceManagerBench(in: scratch, passing: ["sextant", "gpsd"], ["--config", path])
        _ = try await bench.hears("READY=1")
        let hello = try await Wire(socket: bench.socket).object { $0.text("event") == "hello" }
        #expect(hello.text("client") == "tests")
        #expect(hello.text("status") == "authorizedAlways")
        #expect(FileManager.default.fileExists(atPath: state))
        try await Wire(port: port(bench)).closed()
        // What still cannot be used and says something else holds too.
        _ = try scratch.write("{ board: 'none-such', \(admission.member) }", to: "sextant.json5")
        try await bench.program.logged("has changed; starting again")
        _ = try await bench.hears("READY=1")
        #expect(try await Wire(port: port(bench)).line().contains("\"class\":\"VERSION\""))
    }

    /// What `MEMBER` stands for holds for everybody, so that nobody could be let in by anything but a guess.
    @Test(arguments: [
        "{ board: '', stateDirectory: 'STATE', MEMBER gpsd: { enabled: false }", "", "[]",
        "{ device: '/nowhere', clinets: { manifests: '/nowhere' }, gspd: { enabled: false } }",
        "{ device: '/nowhere', clients: '/nowhere', gpsd: false }",
        "{ device: '/nowhere', clients: { manifest: '/nowhere' }, gpsd: { enable: false } }",
        "{ clients: { policy: '' }, gpsd: { port: NaN }, stateDirectory: '' }",
    ])
    func `while the configuration does not say who is served, no client is served and nothing is stored`(text: String)
        async throws
    {
        let admission = try Admission.everybody(in: scratch)
        let state = scratch.path("state")
        let path = try scratch.write(
            text.replacing("MEMBER", with: admission.member).replacing("STATE", with: state), to: "sextant.json5")
        let bench = try ServiceManagerBench(in: scratch, passing: ["sextant", "gpsd"], ["--config", path])
        _ = try await bench.hears("READY=1")
        try await bench.program.logged("no client is served until \(path) can be read")
        let client = try Wire(socket: bench.socket)
        let hello = try await client.object { $0.text("event") == "hello" }
        #expect(hello.text("client") == nil && hello.text("status") == "notDetermined")
        #expect(try await status(bench).object("receiver")?.text("detail")?.hasPrefix(path) == true)
        try client.send("{\"request\":\"clients\",\"id\":\"1\"}\n")
        #expect(
            try await client.object { $0.text("event") == "client" }.text("problem")?.contains("no manifest") == true)
        try await Wire(port: port(bench)).closed()
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test func `stored client data survives a configuration that does not say who is served`() async throws {
        let admission = try Admission.everybody(in: scratch)
        let rest = "device: '\(scratch.path("receiver"))', stateDirectory: '\(scratch.path("state"))',"
        let path = try scratch.write("{ \(rest) \(admission.member) }", to: "sextant.json5")
        let first = try ServiceManagerBench(in: scratch, passing: ["sextant"], ["--config", path])
        _ = try await first.hears("READY=1")
        let client = try Wire(socket: first.socket)
        try client.send(
            #"{"request":"monitorRegion","identifier":"yard","latitude":47,"longitude":8,"radius":200}"# + "\n")
        _ = try await client.object { $0.text("event") == "monitoring" }
        first.program.signal(SIGTERM)
        #expect(try await first.program.status() == 0)
        for file in ["s", "notify"] { try FileManager.default.removeItem(atPath: scratch.path(file)) }

        _ = try scratch.write("{ \(rest) clients: 5 }", to: "sextant.json5")
        let second = try ServiceManagerBench(in: scratch, passing: ["sextant"], ["--config", path])
        _ = try await second.hears("READY=1")
        #expect(try await Wire(socket: second.socket).object { $0.text("event") == "hello" }.text("client") == nil)
        _ = try scratch.write("{ \(rest) \(admission.member) }", to: "sextant.json5")
        _ = try await second.hears("READY=1")
        try await ClientList.client("tests", at: second.socket) { $0.number("registrations") == 1 }
    }

    @Test func `without a configuration no client is served, and a new one takes effect`() async throws {
        let admission = try Admission.everybody(in: scratch)
        let path = scratch.path("sextant.json5")
        let bench = try ServiceManagerBench(in: scratch, passing: ["sextant", "gpsd"], ["--config", path])
        _ = try await bench.hears("READY=1")
        #expect(try await Wire(socket: bench.socket).object { $0.text("event") == "hello" }.text("client") == nil)
        _ = try scratch.write("{ device: '\(scratch.path("receiver"))', \(admission.member) }", to: "sextant.json5")
        _ = try await bench.hears("READY=1")
        #expect(try await Wire(socket: bench.socket).object { $0.text("event") == "hello" }.text("client") == "tests")
    }

    @Test func `options override a configuration that cannot be read`() async throws {
        let path = try scratch.write("hello", to: "sextant.json5")
        let bench = try start(passing: ["sextant", "gpsd"], ["--config", path, "--gpsd", "2947"])
        _ = try await bench.hears("READY=1")
        #expect(try await Wire(socket: bench.socket).object { $0.text("event") == "hello" }.text("client") == "tests")
        #expect(try await Wire(port: port(bench)).line().contains("\"class\":\"VERSION\""))
    }

    @Test func `a board file of the user's own takes effect once it is corrected`() async throws {
        let boards = scratch.path("boards")
        for name in ["mine", "part"] {
            try FileManager.default.createDirectory(atPath: "\(boards)/\(name)", withIntermediateDirectories: true)
        }
        let part = BoardText(device: scratch.path("receiver"))
        let file = try part.write(in: scratch)
        _ = try scratch.write("{ extends: 'part' ", to: "boards/mine/board.json5")
        let path = try scratch.write("{ board: '\(boards)/mine' }", to: "sextant.json5")
        let bench = try start(passing: ["sextant"], ["--config", path])
        _ = try await bench.hears("READY=1")
        _ = try scratch.write("{ extends: 'part' }", to: "boards/mine/board.json5")
        try await bench.program.logged("has changed; starting again")
        #expect(try await bench.hears("READY=1").joined().contains("no receiver"))
        #expect(
            try await status(bench).object("receiver")?.text("detail")?.contains("\"part\": no part of this name")
                == true)
        // A part that was looked for and not found.
        try FileManager.default.moveItem(atPath: file, toPath: "\(boards)/part/board.json5")
        try await bench.program.logged("can be used now; starting again")
        #expect(try await bench.hears("READY=1").joined().contains("receiver \(scratch.path("receiver"))"))
    }

    @Test func `a stop that arrives together with a corrected configuration wins`() async throws {
        let path = try scratch.write("{ board: '' }", to: "sextant.json5")
        let bench = try start(passing: ["sextant"], ["--config", path])
        _ = try await bench.hears("READY=1")
        // Both are there when it wakes.
        bench.program.signal(SIGSTOP)
        _ = try scratch.write("{ device: '/nowhere' }", to: "sextant.json5")
        bench.program.signal(SIGTERM)
        bench.program.signal(SIGCONT)
        #expect(try await bench.program.status() == 0)
        #expect(bench.heard().contains { $0.hasPrefix("STOPPING=1") })
    }

    @Test(arguments: [
        (["cups"], "a socket of an unknown name"), (["datagram"], "not a listening Unix stream socket"),
        (["sextant", "gpsd", "other"], "a socket of an unknown name"),
    ])
    func `an unexpected passed descriptor exits 69 with a message`(names: [String], problem: String) async throws {
        let bench = try start(passing: names)
        #expect(try await bench.program.status() == 69)
        #expect(bench.program.errorLines.count == 1)
        #expect(bench.program.errors.contains(problem))
    }

    /// Given instead of the configuration's file, so that nothing but a restart by hand could mend it.
    @Test func `wrong options exit with the same status as without systemd`() async throws {
        let bench = try start(passing: ["sextant"], ["--board", "none-such"])
        #expect(try await bench.program.status() == 74)
    }
}
