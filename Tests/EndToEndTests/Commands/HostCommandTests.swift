import Foundation
import Testing

/// `sextant-host`, as systemd starts it and as the hook at the end of a shutdown runs it.
@Suite("Host command")
struct HostCommandTests {
    private let scratch: Scratch
    private let daemon: String
    private let folder: String

    init() throws {
        scratch = try Scratch()
        (daemon, folder) = (scratch.path("sextant"), scratch.path("sextant-host"))
        for path in [daemon, "\(daemon)/host", folder] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
    }

    private func run(_ arguments: String...) async throws -> (status: Int32, errors: String) {
        let program = try Program(
            Built.host, ["--daemon", daemon, "--folder", folder] + arguments, in: scratch)
        return (try await program.status(), program.errors)
    }

    @Test func `SLEEP-17: a request that cannot be obeyed is refused, and the answer says why`() async throws {
        _ = try scratch.write("{}", to: "sextant/host/request")
        let (status, errors) = try await run()
        #expect(status == 0)
        #expect(errors == "sextant-host: not switched off: \(daemon)/host/request: digest: missing\n")
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/answer"))
        let answer = try #require(JSON(line: String(decoding: data, as: UTF8.self)))
        #expect(answer.bool("accepted") == false && answer.text("request") == "")
        #expect(answer.text("reason") == "\(daemon)/host/request: digest: missing")
    }

    @Test func `without a request nothing is done and nothing said`() async throws {
        #expect(try await run() == (0, ""))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/answer"))
    }

    @Test func `the hook lets the owner's power-off, a reboot and a halt go on`() async throws {
        for action in ["poweroff", "reboot", "halt", "kexec"] {
            #expect(try await run("--hook", action) == (0, ""))
        }
    }

    @Test func `the hook fails where what was kept for it is damaged, so that the board starts again`() async throws {
        _ = try scratch.write("{}", to: "sextant-host/kept")
        let (status, errors) = try await run("--hook", "poweroff")
        #expect(status == 1)
        #expect(errors.hasPrefix("sextant-host: the host starts again instead of sleeping: \(folder)/kept: digest:"))
    }
}
