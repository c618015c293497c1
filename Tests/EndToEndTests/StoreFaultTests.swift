import Foundation
import Glibc
import Testing

/// A store that is damaged, or somebody else's: said once, and everybody is served.
@Suite("Store faults", .serialized)
struct StoreFaultTests {
    private let scratch: Scratch
    private let state: String

    init() throws {
        scratch = try Scratch()
        state = scratch.path("state")
    }

    private func start(_ admission: Admission, socket: String) async throws -> Daemon {
        try await Daemon.start(
            in: scratch, socket: scratch.path(socket), admission: admission, ["--state-directory", state])
    }

    private func registrations(_ client: Wire) async throws -> [String] {
        try client.send(#"{"request":"registrations"}"# + "\n")
        var kinds: [String] = []
        while true {
            let line = try await client.object { ["registration", "registrations"].contains($0.text("event")) }
            guard line.text("event") == "registration" else { return kinds }
            kinds.append(line.text("kind") ?? "")
        }
    }

    /// Has each sync of the daemon's take a second and a half.
    private static let slowCard = [
        "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
        "inject=fdatasync:delay_enter=1500000",
    ]

    private static let canTrace: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: slowCard[0])
        process.arguments = ["-o", "/dev/null", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: StoreFaultTests.canTrace, "strace cannot trace here"))
    func `a slow card delays a client that registers or defers, but no other client's fixes`() async throws {
        let admission = try Admission.everybody(in: scratch)
        // The tables are made while the card is quick.
        do {
            let daemon = try await start(admission, socket: "a")
            daemon.program.signal(SIGTERM)
            #expect(try await daemon.program.status() == 0)
        }
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let daemon = try await Daemon.start(
            in: scratch, admission: admission, under: Self.slowCard, ["--state-directory", state])
        let watcher = try daemon.sextant(["watch", "--json"])
        let deferring = try Wire(socket: daemon.socket)
        try deferring.send(#"{"request":"watch","accuracy":"best","deferral":{"timeout":3600}}"# + "\n")
        try await eventually("fixes") { watcher.outputLines.count > 3 ? () : nil }
        let registering = try Wire(socket: daemon.socket)
        let (start, before) = (ContinuousClock.now, watcher.outputLines.count)
        try registering.send(#"{"request":"monitorVisits","enabled":true}"# + "\n")
        #expect(try await registrations(registering) == ["visits"])
        #expect(ContinuousClock.now - start > .seconds(1.4), "what it is told is on the card")
        // Five fixes come each second.
        #expect(watcher.outputLines.count - before >= 4)
    }

    @Test func `a damaged store is set aside, the loss is reported once, and new registrations are kept`() async throws
    {
        let admission = try Admission.everybody(in: scratch)
        do {
            let daemon = try await start(admission, socket: "a")
            let client = try Wire(socket: daemon.socket)
            try client.send(#"{"request":"monitorVisits","enabled":true}"# + "\n")
            #expect(try await registrations(client) == ["visits"])
            daemon.program.signal(SIGTERM)
            #expect(try await daemon.program.status() == 0)
        }
        let file = "\(state)/state.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: file))
        for index in bytes.indices { bytes[index] ^= 0x5A }
        try bytes.write(to: URL(filePath: file))

        let daemon = try await start(admission, socket: "b")
        try await daemon.program.logged("\(file)")
        let asides = try FileManager.default.contentsOfDirectory(atPath: state).filter { $0.contains(".damaged-") }
        #expect(asides.count == 1)
        #expect(daemon.program.errors.components(separatedBy: "damaged-").count == 2, "\(daemon.program.errors)")
        let client = try Wire(socket: daemon.socket)
        #expect(try await registrations(client) == [])
        try client.send(#"{"request":"monitorVisits","enabled":true}"# + "\n")
        #expect(try await registrations(client) == ["visits"])
        daemon.program.signal(SIGKILL)
        _ = try await daemon.program.status()

        let next = try await start(admission, socket: "c")
        #expect(try await registrations(try Wire(socket: next.socket)) == ["visits"])
    }

    /// Whether the daemon can be run as another user here.
    private static let canChangeUser = unsafe access("/usr/bin/setpriv", X_OK) == 0 && geteuid() == 0

    /// Denies whoever runs the tests, and ends the daemon.
    private func deny(_ admission: Admission) async throws {
        let daemon = try await start(admission, socket: "a")
        let client = try Wire(socket: daemon.socket)
        try client.send(#"{"request":"answer","client":"tests","answer":"deny"}"# + "\n")
        _ = try await client.object { $0.text("event") == "answered" }
        daemon.program.signal(SIGKILL)
        _ = try await daemon.program.status()
    }

    /// The authorization that a new client is told.
    private func status(_ daemon: Daemon) async throws -> String? {
        try await Wire(socket: daemon.socket).object { $0.text("event") == "hello" }.text("status")
    }

    @Test func `a store that another daemon holds is left to it, and what was decided there holds here`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try await deny(admission)
        let first = try await start(admission, socket: "b")
        let second = try await start(admission, socket: "c")
        try await second.program.logged("kept only in memory")
        for daemon in [first, second] { #expect(try await status(daemon) == "denied") }
        let client = try Wire(socket: second.socket)
        try client.send(#"{"request":"monitorVisits","id":"v","enabled":true}"# + "\n")
        let answer = try await client.object { $0.text("id") == "v" }
        #expect(answer.text("code") == "notStored")
        #expect(try await registrations(try Wire(socket: first.socket)) == [])
        #expect(try await second.status().object("store")?.text("detail")?.contains("another process") == true)
    }

    @Test(.enabled(if: StoreFaultTests.canChangeUser, "the daemon cannot be run as another user here"))
    func `a store that the daemon's user may not read authorizes nobody, and its operator is told`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try await deny(admission)
        #expect(unsafe chmod(scratch.path, 0o777) == 0)
        let daemon = try await Daemon.start(
            in: scratch, socket: scratch.path("b"), admission: admission,
            under: ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"], ["--state-directory", state])
        #expect(try await status(daemon) == "denied")
        let detail = try await daemon.status().object("store")?.text("detail")
        #expect(detail?.contains("let the user who runs sextantd write to its directory") == true)
        #expect(detail?.contains("decide anew with sextant services on") == true)
    }
}
