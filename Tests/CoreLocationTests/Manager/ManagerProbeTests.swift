import Foundation
import TestSupport
import Testing

@testable import CoreLocation

@Suite("location-probe: a program of its own")
struct ManagerProbeTests {
    @Test func `callbacks run on the main run loop or the manager's own thread, and sync waits for them`() async throws
    {
        let daemon = FakeDaemon()
        daemon.report([#""time":"2026-05-01T10:00:00.250Z","latitude":1,"longitude":2,"horizontalAccuracy":5"#])
        let lines = try await Self.run(
            [
                "sync", "manager 1 new", "manager 2 new thread", "manager 1 start", "manager 2 start", "live 3 begin",
                "sync",
            ],
            daemon)
        let calls = lines.compactMap { line -> String? in
            guard let callback = line["callback"] as? String, callback != "synced" else { return nil }
            let who = line["manager"] ?? line["live"] ?? ""
            return "\(who) \(callback) \(line["thread"] ?? "loop")"
        }
        #expect(
            Set(calls) == [
                "1 didChangeAuthorization main", "1 didUpdateLocations main", "2 didChangeAuthorization own",
                "2 didUpdateLocations own", "3 update loop",
            ])
        #expect(calls.count == 5)
        #expect(lines.last?["done"] as? String == "sync")
        let report = lines.first { $0["callback"] as? String == "didUpdateLocations" }
        let locations = report?["locations"] as? [[String: Any]]
        #expect(locations?.first?["timestamp"] as? String == "2026-05-01T10:00:00.250Z")
    }

    @Test func `under dispatchMain and async main, a manager can be made on the main actor`() async throws {
        await #expect(processExitsWith: .success) {
            await MainActor.run { _ = CLLocationManager() }
            await Task.yield()
            await MainActor.run { _ = CLLocationManager() }
        }
    }

    /// Runs the commands in a process of its own; the lines it printed.
    private static func run(_ commands: [String], _ daemon: FakeDaemon) async throws -> [[String: Any]] {
        let program = try ChildProgram(
            BuiltPrograms.path("location-probe"), environment: ["SEXTANT_SOCKET": daemon.path], input: .pipe,
            output: .pipe)
        try program.write(Array(commands.map { $0 + "\n" }.joined().utf8))
        program.closeInput()
        let told: [UInt8] = try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Result { try program.readToEnd() }) }
        }
        return Data(told).split(separator: UInt8(ascii: "\n")).compactMap { line in
            (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
        }
    }
}
