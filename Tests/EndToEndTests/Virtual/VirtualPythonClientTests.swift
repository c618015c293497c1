import BenchControl
import Foundation
import Testing

/// `scripts/sextant_client.py` with the system's Python, as a command and as a module.
@Suite("The Python client", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct VirtualPythonClientTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let python = Tool.path("python3") ?? "python3"
    private static let script = "\(Checkout.path)/scripts/sextant_client.py"

    private func python<Device>(_ arguments: [String], _ daemon: DrivenDaemon<Device>) throws -> Program {
        try Program(Self.python, [Self.script, "--socket", daemon.socket] + arguments, in: scratch)
    }

    @Test func `the Python client has less than 150 lines and needs only the standard library`() throws {
        let text = try String(contentsOfFile: Self.script, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
        let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") || $0.hasPrefix("from ") }
        #expect(imports == ["import argparse, itertools, json, os, socket, sys"])
    }

    @Test func `the Python client watches, locates and gets significant changes`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        for (arguments, event, count) in [
            (["--count", "3", "watch"], "epoch", 3), (["--accuracy", "50", "--count", "2", "watch"], "location", 2),
            (["--accuracy", "50", "locate"], "location", 1), (["--count", "1", "changes"], "location", 1),
        ] {
            let client = try python(arguments, daemon)
            #expect(try await daemon.letTimePass(untilEndOf: client) == 0, "\(client.errors)")
            let events = client.outputLines.compactMap(JSON.init(line:))
            #expect(events.count == count && events.allSatisfy { $0.text("event") == event }, "\(client.output)")
        }
    }

    @Test func `the Python client waits for the user's answer, and prints the remedy for a refusal`() async throws {
        let admission = try Admission.nobody(in: scratch)
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice(), admission: admission)
        let stranger = try python(["watch"], daemon)
        #expect(try await stranger.status() == 69)
        #expect(
            stranger.errorLines == [
                "sextant_client.py: no manifest names this process; write one in /etc/sextant/clients.d"
            ])
        try admission.writeManifest(
            "python", "{ user: \(geteuid()), operator: true, purpose: { whenInUse: 'To be tested.' } }")
        try await ClientList.client("python", at: daemon.socket) { _ in true }
        let client = try python(["--count", "1", "watch"], daemon)
        try await daemon.clients(2)
        let deny = try daemon.sextant(["clients", "deny", "python"])
        #expect(try await deny.status() == 0)
        #expect(try await client.status() == 69)
        #expect(
            client.errorLines == [
                "sextant_client.py: this client is denied; an operator can mend that: sextant clients allow"
            ])
    }

    @Test func `the Python client monitors a region and acknowledges a crossing once`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice())
        let arguments = ["--region", "home", "47.3769", "8.5417", "150", "--count", "1", "regions"]
        let client = try Program(Self.python, [Self.script, "--socket", daemon.socket] + arguments, in: scratch)
        try await ClientList.client("tests", at: daemon.socket) { $0.number("registrations") == 1 }
        let away = Ground(north: -1000)
        let places =
            Array(repeating: InjectedFix(north: away.north), count: 20)
            + Way.fixes(from: away, to: Ground(), speed: 15) + Array(repeating: InjectedFix(), count: 15)
        for (second, fix) in places.enumerated() {
            try daemon.harness.send(fix.frames(at: VirtualBench.startTime + Double(second)))
            try daemon.harness.run(seconds: 1)
        }
        #expect(try await client.status() == 0, "\(client.errors)")
        let event = try #require(JSON(line: try await client.lines(1)[0]))
        #expect(event.text("identifier") == "home" && event.text("transition") == "enter")
        try await ClientList.client("tests", at: daemon.socket) { $0.number("pendingEvents") == 0 }
    }
}
