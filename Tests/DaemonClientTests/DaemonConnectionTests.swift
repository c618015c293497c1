import Foundation
import SextantReactor
import SextantSockets
import Testing

@testable import DaemonClient

@Suite("Connection to the daemon")
struct DaemonConnectionTests {
    private let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString.prefix(8))"

    /// A socket at which nothing reads or writes, as systemd holds it while the daemon is being started.
    private func listen() throws -> UnixListener {
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)
        return try UnixListener(path: path, mode: 0o600, settings: settings, reactor: try Reactor()) { _ in }
    }

    @Test func `a daemon that does not answer yet is waited for, which is said once, and then given up`() throws {
        let listener = try listen()
        var times = 0
        do throws(DaemonError) {
            _ = try DaemonConnection.open(path: path, slow: 1_000_000, patience: 5_000_000) { times += 1 }
            Issue.record("it answered")
        } catch {
            #expect(
                "\(error)" == "\(path): no sextantd's hello: none came; see how it is: systemctl status sextantd")
        }
        #expect(times == 1)
        _ = listener
    }

    @Test func `a command waits longer for the hello than systemd lets a crashed daemon rest`() throws {
        let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("scripts/systemd/sextantd.service")
        let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
        let rest = try #require(lines.first { $0.hasPrefix("RestartSec=") })
        let seconds = try #require(Int(rest.dropFirst("RestartSec=".count).dropLast()))
        // A start takes seconds; one that builds a damaged store anew may take minutes, and is not waited for.
        #expect(2 * seconds < DaemonConnection.helloPatience)
    }
}
