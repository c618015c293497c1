import BenchControl
import Foundation
import Glibc
import Testing

/// `sextant watch`, `locate` and `status` as a person or a script uses them.
@Suite("Client commands")
struct VirtualCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A daemon, at rest until time passes, with a receiver that gets a fix at once when it does.
    private func start() async throws -> VirtualDaemon<SyntheticDevice> {
        try await VirtualDaemon.start(in: scratch, SyntheticDevice(), utc: Int64(SyntheticRecording.startTime))
    }

    @Test func `watch --count ends after that many, as JSON and as text`() async throws {
        let daemon = try await start()
        let watchers = [
            try daemon.start(["watch", "--json", "--count", "5"]),
            try daemon.start(["watch", "--json", "--satellites", "--count", "5"]),
            try daemon.start(["watch", "--count", "5"]),
        ]
        for watcher in watchers {
            #expect(try await daemon.letTimePass(untilEndOf: watcher) == 0)
            #expect(watcher.outputLines.count == 5 && watcher.errors.isEmpty)
        }
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.text("event") == "epoch" })
        #expect(watchers[1].outputLines.contains { JSON(line: $0)?.objects("satellites")?.isEmpty == false })
        let line = try #require(watchers[2].outputLines.last)
        #expect(line.contains("Z  3D  47.3") && line.contains(" m/s") && line.contains("satellites"))
    }

    @Test func `watch --accuracy prints locations, and deferred ones together at the end of the deferral`() async throws
    {
        let daemon = try await start()
        let watchers = [
            try daemon.sextant(["watch", "--json", "--accuracy", "100", "--activity", "fitness", "--count", "3"]),
            try daemon.sextant(["watch", "--json", "--defer-timeout", "2", "--label", "track", "--count", "4"]),
            try daemon.sextant(["watch", "--accuracy", "best", "--no-pause", "--count", "2"]),
        ]
        for watcher in watchers {
            #expect(try await daemon.letTimePass(untilEndOf: watcher) == 0)
            #expect(watcher.errors.isEmpty)
        }
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.text("event") == "location" })
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.number("age") != nil })
        #expect(JSON(line: watchers[1].outputLines[0])?.text("event") == "deferredFinished")
        #expect(watchers[1].outputLines.dropFirst().allSatisfy { JSON(line: $0)?.text("event") == "location" })
        #expect(watchers[2].outputLines.allSatisfy { $0.contains(" 47.3") })
    }

    @Test func `sky shows each satellite with its signal, the strongest first, and how many are used`() async throws {
        let daemon = try await start()
        // The first views are of three satellites.
        try daemon.harness.run(seconds: 10)
        let sky = try daemon.start(["sky", "--count", "1"])
        #expect(try await daemon.letTimePass(untilEndOf: sky) == 0)
        let lines = sky.outputLines
        try #require(lines.count > 8)
        #expect(lines[0].contains("Z  3D  47.3"))
        let used = lines[4...].filter { $0.hasSuffix("yes") }.count
        #expect(lines[1].hasSuffix("used for the position \(used)") && used >= 4, "\(lines[1])")
        #expect(lines[3].split(separator: " ") == ["satellite", "dB-Hz", "signal", "height", "towards", "used"])
        let strengths = lines[4...].compactMap { $0.split(separator: " ").dropFirst(2).first.flatMap { Int($0) } }
        #expect(strengths.count >= 4 && strengths == strengths.sorted(by: >))
    }

    @Test func `locate prints one position`() async throws {
        let daemon = try await start()
        let spoken = try daemon.start(["locate"])
        #expect(try await daemon.letTimePass(untilEndOf: spoken) == 0)
        #expect(spoken.outputLines.count == 1 && spoken.output.contains(" 47.3"))
        let json = try daemon.start(["locate", "--json"])
        #expect(try await daemon.letTimePass(untilEndOf: json) == 0)
        #expect(json.outputLines.count == 1 && JSON(line: json.outputLines[0])?.number("longitude") != nil)
    }

    @Test func `locate without a fix says so and exits 75`() async throws {
        let daemon = try await start()
        try daemon.harness.unplug()
        let locate = try daemon.sextant(["locate", "--timeout", "0.3"])
        try daemon.harness.run(seconds: 0.2)
        try await daemon.clients(2)
        #expect(locate.isRunning)
        try daemon.harness.run(seconds: 0.1)
        #expect(try await locate.status() == 75)
        #expect(locate.output.isEmpty)
        #expect(
            locate.errorLines == [
                "sextant: no fix in the time given; wait longer with --timeout, or see sextant status"
            ])
    }

    @Test func `status describes the daemon and the receiver`() async throws {
        let daemon = try await start()
        try daemon.harness.unplug()
        let (status, absent) = try await daemon.finish(["status"])
        #expect(status == 0)
        #expect(
            absent.outputLines.dropFirst().prefix(2) == [
                "sextantd 0.1.0, 1 client", "receiver \(daemon.device): absent",
            ])
        let first = try #require(absent.outputLines.first)
        #expect(first.hasPrefix("the receiver cannot be reached: /dev/virtual"), "\(first)")
        #expect(first.hasSuffix("sudo sextant doctor"), "\(first)")
        let json = try await daemon.finish(["status", "--json"])
        #expect(json.status == 0)
        #expect(JSON(line: json.program.outputLines[0])?.object("receiver")?.text("state") == "absent")
    }

    @Test func `status begins with what an owner must know: a fix, or services that are off`() async throws {
        let daemon = try await start()
        let watcher = try daemon.start(["watch", "--count", "5"])
        #expect(try await daemon.letTimePass(untilEndOf: watcher) == 0)
        let fix = try await daemon.finish(["status"])
        let line = try #require(fix.program.outputLines.first)
        #expect(line.firstMatch(of: /^a fix \d+ s ago, \d+ m$/) != nil, "\(line)")
        #expect(try await daemon.finish(["services", "off"]).status == 0)
        let off = try await daemon.finish(["status"])
        #expect(
            off.program.outputLines.first
                == "location services are off: no client gets a location; switch them on: sudo sextant services on")
        #expect(!off.program.output.contains("asleep"))
    }

    @Test(arguments: [["watch"], ["locate", "--timeout", "600"], ["watch", "--accuracy", "100"]])
    func `within 5 s a command says why nothing comes, and what to do`(arguments: [String]) async throws {
        let daemon = try await start()
        try daemon.harness.unplug()
        let client = try daemon.sextant(arguments)
        try daemon.harness.run(seconds: 5)
        try await client.logged("sextant: the receiver cannot be reached: /dev/virtual")
        #expect(client.errorLines.count == 1 && client.output.isEmpty, "\(client.errors)")
        try daemon.harness.plug()
        try await daemon.letTimePass(until: "a position") { client.output.contains(" 47.3") ? () : nil }
    }

    @Test func `regions watch, visits watch and where say why nothing comes, too`() async throws {
        let daemon = try await start()
        try daemon.harness.unplug()
        let home = ["--latitude", "47.4", "--longitude", "8.5", "--radius", "300"]
        #expect(try await daemon.finish(["regions", "add", "home"] + home).status == 0)
        for command in ["regions", "visits"] {
            let client = try daemon.sextant([command, "watch"])
            try await daemon.letTimePass(until: "the reason") {
                client.errors.contains("sextant: the receiver cannot be reached: /dev/virtual") ? () : nil
            }
        }
        let place = try await daemon.finish(["where"])
        #expect(place.status == 75)
        #expect(
            place.program.errors.contains("no location yet; the receiver cannot be reached"), "\(place.program.errors)")
    }

    @Test func `with --json nothing but JSON is printed while nothing comes`() async throws {
        let daemon = try await start()
        try daemon.harness.unplug()
        let client = try daemon.sextant(["locate", "--json", "--timeout", "20"])
        #expect(try await daemon.letTimePass(untilEndOf: client) == 75)
        #expect(client.errorLines.count == 1, "\(client.errors)")
    }

    @Test func `a watcher whose daemon ends says so and exits 69`() async throws {
        let daemon = try await start()
        let watcher = try daemon.sextant(["watch"])
        daemon.program.signal(SIGTERM)
        #expect(try await watcher.status() == 69)
        #expect(
            watcher.errorLines == [
                "sextant: the daemon closed the connection: it was stopped, or this program read too slowly"
            ])
    }

    @Test func `a watcher ends quietly when its output is closed`() async throws {
        let daemon = try await start()
        let line = "{ \(Built.sextant) watch --socket \(daemon.socket); echo $? >&2; } | head -1"
        let shell = try Program("/bin/sh", ["-c", line], in: scratch)
        try await daemon.letTimePass(untilEndOf: shell)
        #expect(shell.outputLines.count == 1)
        #expect(shell.errorLines == ["0"])
    }
}
