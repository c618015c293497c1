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

    @Test func `serves the sockets that it is passed, says when it is ready and when it stops, and leaves them`()
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

    @Test func `opens no port of its own where none is passed`() async throws {
        let bench = try start(passing: ["sextant"])
        let ready = try await bench.hears("READY=1")
        #expect(!ready.joined().contains("gpsd"))
        #expect(try await status(bench).number("clients") == 1)
    }

    @Test func `a port that the configuration switches off turns clients away at once`() async throws {
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

    @Test func `the watchdog hears of it seldom while fixes come, and is off while nothing is planned`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        let bench = try start()
        _ = try await bench.hears("READY=1")
        let client = try Wire(socket: bench.socket)
        try client.send("{\"request\":\"watch\"}\n")
        _ = try await client.object { $0.text("event") == "epoch" }
        _ = bench.heard()
        try await Task.sleep(for: .seconds(12))
        let told = bench.heard()
        #expect((1...6).contains(told.count), "\(told)")
        for datagram in told {
            let microseconds = try #require(Int(datagram.dropFirst("WATCHDOG_USEC=".count)))
            #expect((9_000_000...15_000_000).contains(microseconds))
        }
        receiver.signal(SIGTERM)
        _ = try await bench.hears("WATCHDOG_USEC=0")
    }

    @Test func `waits for a configuration that names nothing yet, serves meanwhile, and starts anew with it`()
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
        try await bench.program.logged("none of this name")
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        _ = try scratch.write("{ device: \"\(scratch.path("receiver"))\" }", to: "sextant.json5")
        _ = try await bench.hears("READY=1")
        let client = try Wire(socket: bench.socket)
        try client.send("{\"request\":\"watch\"}\n")
        _ = try await client.object { $0.text("event") == "epoch" }
        #expect(bench.program.isRunning && bench.program.identifier == identifier)
        #expect(bench.program.errorLines.contains { $0.contains("can be used now; starting anew") })
    }

    @Test(arguments: [
        (["cups"], "a socket that is none of Sextant's"), (["datagram"], "no listening Unix stream socket"),
        (["sextant", "gpsd", "other"], "a socket that is none of Sextant's"),
    ])
    func `a stray descriptor exits 69 and says what is wrong`(names: [String], problem: String) async throws {
        let bench = try start(passing: names)
        #expect(try await bench.program.status() == 69)
        #expect(bench.program.errorLines.count == 1)
        #expect(bench.program.errors.contains(problem))
    }

    /// Given instead of the configuration's file, so that nothing but a restart by hand could mend it.
    @Test func `wrong options end it as anywhere else`() async throws {
        let bench = try start(passing: ["sextant"], ["--board", "none-such"])
        #expect(try await bench.program.status() == 74)
    }
}
