import Foundation
import Glibc
import TestSupport
import Testing

/// A card that takes its time, in whose place strace holds the daemon's syncs until a test lets them go.
@Suite("A slow card", .serialized)
struct SlowCardTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let strace = "/usr/bin/strace"

    /// Options with which strace holds every sync of a process: for an hour, or until strace ends.
    private static func holding(_ process: Int32) -> [String] {
        let hold = "inject=fdatasync:delay_enter=3600000000"
        return ["-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", hold, "-p", "\(process)"]
    }

    /// Whether strace may attach to a process that is not its own child.
    private static let canTrace: Bool = {
        guard let sleeper = try? ChildProgram("sleep", ["3600"]),
            let tracer = try? ChildProgram(strace, holding(sleeper.processID), output: .pipe, errors: .output)
        else { return false }
        // First it says that it has attached, or why it cannot.
        return String(decoding: (try? tracer.readSome()) ?? [], as: UTF8.self).contains("attached")
    }()

    private func connect(_ daemon: Daemon) async throws -> Wire {
        let client = try Wire(socket: daemon.socket)
        _ = try await client.object { $0.text("event") == "hello" }
        return client
    }

    @Test(.enabled(if: SlowCardTests.canTrace, "strace cannot trace here"))
    func `a slow card delays a client that registers or defers, but no other client's fixes`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let daemon = try await Daemon.start(in: scratch, ["--state-directory", scratch.path("state")])
        let (watcher, deferring) = (try await connect(daemon), try await connect(daemon))
        try watcher.send(#"{"request":"watch"}"# + "\n")
        try deferring.send(#"{"request":"watch","accuracy":"best","deferral":{"timeout":3600}}"# + "\n")
        for client in [watcher, deferring] { _ = try await client.object { $0.text("event") == "watching" } }
        _ = try await watcher.object { $0.text("fixType") == "threeD" }
        let registering = try await connect(daemon)

        let card = try Program(Self.strace, Self.holding(daemon.program.identifier), in: scratch)
        try await card.logged("attached")
        try registering.send(#"{"request":"monitorVisits","enabled":true}"# + "\n")
        try registering.send(#"{"request":"registrations"}"# + "\n")
        _ = try await watcher.received()
        for _ in 0..<10 { _ = try await watcher.object { $0.text("fixType") == "threeD" } }
        await #expect(throws: Late.self, "it is told nothing that is not on the card") {
            try await registering.line(within: 0)
        }
        // A program that a test starts has the test's blocked signals; the kernel lets go what strace held.
        card.signal(SIGKILL)
        #expect(try await registering.object { $0.text("event") == "registration" }.text("kind") == "visits")
    }
}
