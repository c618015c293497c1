import Foundation
import Testing

/// `sextant watch`, `locate` and `status` as a person or a script uses them.
@Suite("Client commands", .serialized)
struct CommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `watch --count ends after that many, as JSON and as text`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let watchers = [
            try daemon.sextant(["watch", "--json", "--count", "5"]),
            try daemon.sextant(["watch", "--json", "--satellites", "--count", "5"]),
            try daemon.sextant(["watch", "--count", "5"]),
        ]
        try await daemon.clients(4)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        for watcher in watchers {
            #expect(try await watcher.status() == 0)
            #expect(watcher.outputLines.count == 5 && watcher.errors.isEmpty)
        }
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.text("event") == "epoch" })
        #expect(watchers[1].outputLines.contains { JSON(line: $0)?.objects("satellites")?.isEmpty == false })
        let line = try #require(watchers[2].outputLines.last)
        #expect(line.contains("Z  3D  47.3") && line.contains(" m/s") && line.contains("satellites"))
    }

    @Test func `watch --accuracy prints locations, and deferred ones together at the end of the deferral`() async throws
    {
        let daemon = try await Daemon.start(in: scratch)
        let watchers = [
            try daemon.sextant(["watch", "--json", "--accuracy", "100", "--activity", "fitness", "--count", "3"]),
            try daemon.sextant(["watch", "--json", "--defer-timeout", "2", "--label", "track", "--count", "4"]),
            try daemon.sextant(["watch", "--accuracy", "best", "--no-pause", "--count", "2"]),
        ]
        try await daemon.clients(4)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        for watcher in watchers {
            #expect(try await watcher.status() == 0)
            #expect(watcher.errors.isEmpty)
        }
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.text("event") == "location" })
        #expect(watchers[0].outputLines.allSatisfy { JSON(line: $0)?.number("age") != nil })
        #expect(JSON(line: watchers[1].outputLines[0])?.text("event") == "deferredFinished")
        #expect(watchers[1].outputLines.dropFirst().allSatisfy { JSON(line: $0)?.text("event") == "location" })
        #expect(watchers[2].outputLines.allSatisfy { $0.contains(" 47.3") })
    }

    @Test func `locate prints one position`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let spoken = try daemon.sextant(["locate"])
        #expect(try await spoken.status() == 0)
        #expect(spoken.outputLines.count == 1 && spoken.output.contains(" 47.3"))
        let json = try daemon.sextant(["locate", "--json"])
        #expect(try await json.status() == 0)
        #expect(json.outputLines.count == 1 && JSON(line: json.outputLines[0])?.number("longitude") != nil)
    }

    @Test func `locate without a fix says so and exits 69`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let locate = try daemon.sextant(["locate", "--timeout", "0.3"])
        #expect(try await locate.status() == 69)
        #expect(locate.output.isEmpty)
        #expect(
            locate.errorLines == [
                "sextant: no fix in the time given; wait longer with --timeout, or see sextant status"
            ])
    }

    @Test func `status describes the daemon and the receiver`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let absent = try daemon.sextant(["status"])
        #expect(try await absent.status() == 0)
        #expect(absent.outputLines.prefix(2) == ["sextantd 0.1.0, 1 client", "receiver \(daemon.device): absent"])
        let json = try daemon.sextant(["status", "--json"])
        #expect(try await json.status() == 0)
        #expect(JSON(line: json.outputLines[0])?.object("receiver")?.text("state") == "absent")
    }

    @Test(arguments: [["watch"], ["locate"], ["status"], ["status", "--json"]])
    func `without a daemon a command prints one clear line and exits 69`(command: [String]) async throws {
        let socket = scratch.path("none")
        let result = try await Program.sextant(command + ["--socket", socket], in: scratch)
        #expect(result.status == 69)
        #expect(result.program.output.isEmpty)
        #expect(
            result.program.errorLines == [
                "sextant: \(socket): no sextantd answers; start it (sextantd --device PATH), or name its socket: --socket PATH"
            ])
    }

    @Test func `a socket where another program answers is reported as not a sextantd`() async throws {
        let listener = try Program(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen()\n"
                    + "print('up',flush=True)\nwhile True:\n c=s.accept()[0]\n c.send(b'220 mail ready\\n')",
                scratch.path("mail"),
            ], in: scratch)
        _ = try await listener.lines(1)
        let result = try await Program.sextant(["status", "--socket", scratch.path("mail")], in: scratch)
        #expect(result.status == 69)
        #expect(result.program.errorLines.count == 1)
        #expect(result.program.errors.hasPrefix("sextant: \(scratch.path("mail")): no sextantd's hello"))
    }

    @Test func `a watcher whose daemon ends says so and exits 69`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let watcher = try daemon.sextant(["watch"])
        try await daemon.clients(2)
        daemon.program.signal(SIGTERM)
        #expect(try await watcher.status() == 69)
        #expect(
            watcher.errorLines == [
                "sextant: the daemon closed the connection: it was stopped, or this program read too slowly"
            ])
    }

    @Test func `a watcher ends quietly when its output is closed`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let result = try await Program.shell(
            "{ \(Built.sextant) watch --socket \(daemon.socket); echo $? >&2; } | head -1", in: scratch)
        #expect(result.program.outputLines.count == 1)
        #expect(result.program.errorLines == ["0"])
    }

    @Test func `the link to an emulated receiver never replaces a file`() async throws {
        let file = try scratch.write("dear", to: "diary")
        for (link, problem) in [(file, "File exists"), (scratch.path("none/x"), "No such file or directory")] {
            let result = try await Program.sextant(["emulate", "receiver", "--link", link], in: scratch)
            #expect(result.status == 74)
            #expect(result.program.errorLines == ["sextant: the terminal: link \(link): \(problem)"])
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "dear")
    }

    @Test(arguments: [
        ["watch", "--count", "0"], ["watch", "--count", "x"], ["watch", "--accuracy", "0"],
        ["watch", "--accuracy", "good"], ["watch", "--accuracy", "10", "--satellites"],
        ["watch", "--activity", "swimming"], ["watch", "--defer-timeout", "-1"], ["watch", "--label", "\""],
        ["locate", "--accuracy", "0"], ["locate", "--timeout", "0"], ["status", "--jsn"],
        ["emulate", "receiver", "--rate", "11"], ["emulate", "receiver", "--baud", "300"],
        ["emulate", "receiver", "--speed", "0"], ["emulate", "receiver", "--pause", "1e12:1"],
        ["emulate", "receiver", "--pause", "1:inf"], ["emulate", "receiver", "--duration", "1e12"],
        ["emulate", "receiver", "--pause", "3"],
        ["emulate", "receiver", "--disconnect", "1:5", "--disconnect", "2:1"], ["decode", "--format", "kml", "x"],
        ["decode"],
        ["decode", "--date", "2024-13-01", "x"], ["replay"], ["dance"],
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String]) async throws {
        let result = try await Program.sextant(arguments, in: scratch)
        #expect(result.status == 64)
        #expect(result.program.errorLines.first?.hasPrefix("Error: ") == true, "\(result.program.errors)")
        #expect(result.program.output.isEmpty)
    }
}
