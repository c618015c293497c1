import Foundation
import Glibc
import Testing

/// A score of the statements once more against `sextantd` itself: its own clock, its store's own thread, a receiver on a
/// pseudo-terminal, and clients as the kernel tells them apart.
@Suite("The installed daemon", .serialized)
final class InstalledDaemonTests {
    private let scratch: Scratch
    private let admission: Admission
    private let receiver: Program
    private var daemon: Daemon
    private var arguments: [String] { ["--state-directory", scratch.path("state")] }

    init() async throws {
        scratch = try Scratch()
        admission = try .everybody(in: scratch)
        for name in ["tracker", "other"] {
            try admission.writeManifest(
                name,
                """
                { executable: '\(scratch.path(name))', user: \(geteuid()), backgroundMode: true,
                  purpose: { whenInUse: 'To draw \(name).', always: 'To follow \(name).' } }
                """)
        }
        receiver = try await EmulatedReceiver.start(in: scratch, ["--start", "hot", "--baud", "115200"])
        daemon = try await Daemon.start(
            in: scratch, admission: admission, ["--state-directory", scratch.path("state")])
    }

    deinit { receiver.signal(SIGTERM) }

    private func client(_ name: String) async throws -> Client {
        let client = try Client(name, program: await scratch.probe(named: name), socket: daemon.socket, in: scratch)
        #expect(try await client.sync())
        return client
    }

    /// What a client is called back with, up to the first callback of this name.
    @discardableResult
    private func next(_ callback: String, of client: Client) async throws -> [JSON] {
        var events: [JSON] = []
        return try await eventually(
            "\(callback) of \(client.name)", seen: { "\(events.map(\.members)); \(state)" }, every: .milliseconds(20)
        ) {
            _ = try await client.sync()
            events += client.take()
            return events.contains { $0.text("callback") == callback } ? events : nil
        }
    }

    /// What the daemon has said and how it is, for a test that waited in vain.
    private var state: String {
        let (status, pipe) = (Process(), Pipe())
        status.executableURL = URL(filePath: Built.sextant)
        status.arguments = ["status", "--json", "--socket", daemon.socket]
        status.standardOutput = pipe
        try? status.run()
        let said = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        return "\(daemon.program.errorLines.suffix(20)); \(String(decoding: said, as: UTF8.self))"
    }

    private func last(_ callback: String, of client: Client) async throws -> JSON {
        try #require(try await next(callback, of: client).last { $0.text("callback") == callback })
    }

    @Test func `AUTH-01, AUTH-02, AUTH-05, AUTH-16, AUTH-17, AUTH-21, STD-15: a client is asked, allowed and denied`()
        async throws
    {
        let (tracker, other) = (try await client("tracker"), try await client("other"))
        let root = try await Operator(socket: daemon.socket)
        try await root.beAgent()
        for client in [tracker, other] {
            try await client.run("manager 1 new")
            let first = try await last("didChangeAuthorization", of: client)
            #expect(first.text("status") == "notDetermined")
        }
        try await tracker.run("manager 1 whenInUse")
        try await tracker.run("manager 1 start")
        _ = try await tracker.sync()
        let prompts = try await root.take().filter { $0.text("event") == "prompt" }
        #expect(prompts.map { $0.text("purpose") } == ["To draw tracker."])
        #expect(tracker.take().isEmpty, "nothing before the answer")

        try await root.answer("tracker", "allow")
        let allowed = try await next("didUpdateLocations", of: tracker)
        #expect(allowed.first?.text("callback") == "didChangeAuthorization")
        #expect(allowed.first?.text("status") == "authorizedWhenInUse")

        try await root.setServices(false)
        #expect(try await last("didChangeAuthorization", of: tracker).text("status") == "denied")
        try await root.setServices(true)
        #expect(try await last("didChangeAuthorization", of: tracker).text("status") == "authorizedWhenInUse")
        try await next("didUpdateLocations", of: tracker)

        try await root.answer("tracker", "deny")
        let denied = try await next("didFailWithError", of: tracker)
        #expect(denied.last { $0.text("callback") == "didChangeAuthorization" }?.text("status") == "denied")
        #expect(denied.last?.number("errorCode") == 1)
        let statuses = other.take().compactMap { $0.text("status") }
        #expect(Set(statuses).isSubset(of: ["denied", "notDetermined"]), "the switch alone: \(statuses)")
    }

    @Test func `STD-04, STD-05, STD-06, REQ-01, LOC-06, RUN-04: updates and one location, also after the daemon dies`()
        async throws
    {
        try await Operator(socket: daemon.socket).answer("tracker", "always")
        let tracker = try await client("tracker")
        try await tracker.run("manager 1 new")
        try await tracker.run("manager 1 start")
        let update = try await last("didUpdateLocations", of: tracker)
        let locations = try #require(update.objects("locations"))
        #expect(!locations.isEmpty)
        #expect(update.object("location")?.text("timestamp") == locations.last?.text("timestamp"))
        #expect(locations.last?.bool("isSimulatedBySoftware") == true, "the receiver is a program")

        daemon.program.signal(SIGKILL)
        _ = try await daemon.program.status()
        _ = try await tracker.sync()
        _ = tracker.take()
        daemon = try await Daemon.start(in: scratch, admission: admission, arguments)
        let again = try await next("didUpdateLocations", of: tracker)
        #expect(!again.contains { $0.text("callback") == "didChangeAuthorization" }, "nothing changed")

        try await tracker.run("manager 1 stop")
        _ = tracker.take()
        try await tracker.run("manager 2 new")
        try await tracker.run("manager 2 request")
        let once = try await next("didUpdateLocations", of: tracker)
        #expect(once.filter { $0.text("callback") == "didUpdateLocations" }.map { $0.number("manager") } == [2])
        // Two more epochs of the receiver: neither manager hears of them.
        try await tracker.run("manager 3 new")
        try await tracker.run("manager 3 start")
        var heard: [JSON] = []
        while heard.filter({ $0.text("callback") == "didUpdateLocations" }).count < 3 {
            heard += try await next("didUpdateLocations", of: tracker)
        }
        let managers = heard.filter { $0.text("callback") == "didUpdateLocations" }.map { $0.number("manager") }
        #expect(Set(managers) == [3])
    }

    @Test func `RED-01, RED-03, SLC-01, SLC-08, DEF-01, DEF-03, REG-01: reduced accuracy and monitoring services`()
        async throws
    {
        let root = try await Operator(socket: daemon.socket)
        try await root.answer("tracker", "always")
        let tracker = try await client("tracker")
        try await tracker.run("manager 1 new")
        try await tracker.run("manager 1 defer max max")
        #expect(try await last("didFinishDeferredUpdates", of: tracker).number("errorCode") == 12)
        try await tracker.run("manager 1 set desiredAccuracy 10")
        try await tracker.run("manager 1 start")
        try await next("didUpdateLocations", of: tracker)
        try await tracker.run("manager 1 defer max max")
        #expect(try await last("didFinishDeferredUpdates", of: tracker).number("errorCode") == 13)
        try await tracker.run("manager 1 stop")

        try await tracker.run("manager 1 significant start")
        try await next("didUpdateLocations", of: tracker)
        try await tracker.run("manager 1 region start home 47.3769 8.5417 100")
        #expect(try await last("didStartMonitoring", of: tracker).object("region")?.text("identifier") == "home")
        try await tracker.kill()
        daemon.program.signal(SIGKILL)
        _ = try await daemon.program.status()
        daemon = try await Daemon.start(in: scratch, admission: admission, arguments)
        let after = try await Operator(socket: daemon.socket)
        #expect(try await after.client("tracker")?.number("registrations") == 2)

        try await after.answer("tracker", nil, "\"accuracy\":\"reduced\"")
        let coarse = try await client("tracker")
        try await coarse.run("manager 1 new")
        try await coarse.run("manager 1 set desiredAccuracy best")
        try await coarse.run("manager 1 start")
        let place = try #require(try await last("didUpdateLocations", of: coarse).objects("locations")?.last)
        #expect(place.number("horizontalAccuracy") ?? 0 >= 1000)
        let distance = hypot(
            ((place.number("latitude") ?? 0) - 47.3769) * 111_195, ((place.number("longitude") ?? 0) - 8.5417) * 75_300)
        #expect(distance < 20_000)
    }
}
