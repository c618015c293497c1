import BenchControl
import Foundation
import Glibc
import Testing

/// A store that is damaged, or somebody else's: said once, and everybody is served.
@Suite("Store faults", .serialized)
struct VirtualStoreFaultTests {
    private let scratch: Scratch
    private let state: String

    init() throws {
        scratch = try Scratch()
        state = scratch.path("state")
    }

    private func start(
        _ admission: Admission, under runner: [String] = []
    ) async throws -> DrivenDaemon<SilentDevice> {
        try await DrivenDaemon.start(
            in: scratch, SilentDevice(), admission: admission, under: runner, "stateDirectory: '\(state)',")
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

    @Test func `a damaged store is set aside, the loss is reported once, and new registrations are kept`() async throws
    {
        let admission = try Admission.everybody(in: scratch)
        do {
            let daemon = try await start(admission)
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

        let daemon = try await start(admission)
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

        let next = try await start(admission)
        #expect(try await registrations(try Wire(socket: next.socket)) == ["visits"])
    }

    /// Whether the daemon can be run as another user here.
    private static let canChangeUser = unsafe access("/usr/bin/setpriv", X_OK) == 0 && geteuid() == 0

    /// Denies whoever runs the tests, and ends the daemon.
    private func deny(_ admission: Admission) async throws {
        let daemon = try await start(admission)
        let client = try Wire(socket: daemon.socket)
        try client.send(#"{"request":"answer","client":"tests","answer":"deny"}"# + "\n")
        _ = try await client.object { $0.text("event") == "answered" }
        daemon.program.signal(SIGKILL)
        _ = try await daemon.program.status()
    }

    /// The authorization that a new client is told.
    private func status(_ daemon: DrivenDaemon<SilentDevice>) async throws -> String? {
        try await Wire(socket: daemon.socket).object { $0.text("event") == "hello" }.text("status")
    }

    @Test func `a store that another daemon holds is left to it, and what was decided there holds here`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try await deny(admission)
        let first = try await start(admission)
        let second = try await start(admission)
        try await second.program.logged("kept only in memory")
        for daemon in [first, second] { #expect(try await status(daemon) == "denied") }
        let client = try Wire(socket: second.socket)
        try client.send(#"{"request":"monitorVisits","id":"v","enabled":true}"# + "\n")
        let answer = try await client.object { $0.text("id") == "v" }
        #expect(answer.text("code") == "notStored")
        #expect(try await registrations(try Wire(socket: first.socket)) == [])
        #expect(try await second.status().object("store")?.text("detail")?.contains("another process") == true)
    }

    @Test(.enabled(if: VirtualStoreFaultTests.canChangeUser, "the daemon cannot be run as another user here"))
    func `a store that the daemon's user may not read authorizes nobody, and its operator is told`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try await deny(admission)
        #expect(unsafe chmod(scratch.path, 0o777) == 0)
        let daemon = try await start(
            admission, under: ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"])
        #expect(try await status(daemon) == "denied")
        let detail = try await daemon.status().object("store")?.text("detail")
        #expect(detail?.contains("let the user who runs sextantd write to its directory") == true)
        #expect(detail?.contains("decide anew with sextant services on") == true)
    }
}
