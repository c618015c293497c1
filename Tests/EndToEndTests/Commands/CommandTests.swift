import Foundation
import Glibc
import Testing

/// What the commands of `sextant` say where they are used wrongly, or where no daemon answers.
@Suite("Commands without a daemon")
struct CommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: [["watch"], ["locate"], ["status"], ["status", "--json"]])
    func `without a daemon a command prints one clear line and exits 69`(command: [String]) async throws {
        let socket = scratch.path("none")
        let result = try await Program.sextant(command + ["--socket", socket], in: scratch)
        #expect(result.status == 69)
        #expect(result.program.output.isEmpty)
        #expect(
            result.program.errorLines == [
                "sextant: \(socket): no sextantd answers; start it (sudo systemctl start sextantd, or sextantd --device "
                    + "PATH), or name its socket: --socket PATH"
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

    @Test func `a terminal obeys nothing of what a command says of somebody else's text`() async throws {
        let result = try await Program.sextant(["status", "--socket", scratch.path("\u{1B}[2J\nx\u{9B}")], in: scratch)
        #expect(result.program.errorLines.count == 1 && result.program.errors.contains("?[2J?x?: no sextantd answers"))
    }

    @Test func `an uplink's status that is a pipe, or counts beyond all numbers, stops no command`() async throws {
        let text = #"{"id":"boat","message":"connected","queuedFixes":1,"queuedEvents":1e300,"bytes":1e300}"#
        let path = try scratch.write(text, to: "status")
        let counted = try await Program.sextant(["uplink", "--status", path], in: scratch)
        #expect(counted.status == 0 && counted.program.output.hasPrefix("boat at no broker: connected"))
        #expect(counted.program.output.contains("waiting: 1 fix and 9223372036854775807 events, "))
        #expect(counted.program.output.contains("last success none since the start"))
        _ = try scratch.write(#"{"id":"boat","message":"connected","delivered":21}"#, to: "status")
        let untimed = try await Program.sextant(["uplink", "--status", path], in: scratch)
        #expect(untimed.program.output.contains("last success at a time that the board's clock does not know"))
        // Safety: the C string lives for the call.
        #expect(unsafe mkfifo(scratch.path("pipe"), 0o644) == 0)
        let piped = try await Program.sextant(["uplink", "--status", scratch.path("pipe")], in: scratch)
        #expect(piped.status == 65 && piped.program.errors.contains("not a file of its own"))
    }

    @Test(.enabled(if: geteuid() == 0 && Tool.isInstalled("setpriv", "python3"), "needs root, setpriv and python3"))
    func `another user who listens on the page's port is not shown the page's secret`() async throws {
        let secret = try scratch.write(String(repeating: "0123456789abcdef", count: 2), to: "page.secret")
        let runner = Tool.runner(as: 20_001)
        let listener = try Program(
            runner[0],
            runner.dropFirst() + [
                "/usr/bin/python3", "-c",
                "import socket\ns=socket.create_server(('127.0.0.1',0))\nprint(s.getsockname()[1],flush=True)\n"
                    + "print('heard',s.accept()[0].recv(65536),flush=True)",
            ], in: scratch)
        let port = try await listener.lines(1)[0]
        let result = try await Program.sextant(["page", "--secret", secret, "--port", port], in: scratch)
        #expect(result.status == 69)
        #expect(result.program.errors.hasPrefix("sextant: 127.0.0.1:\(port): a program of another user listens there"))
        #expect(try await listener.lines(2)[1] == "heard b''")
    }

    @Test(arguments: [
        ("statsu", "sextant: \"statsu\" is no command; did you mean \"status\"? sextant --help lists them"),
        ("fly", "sextant: \"fly\" is no command; sextant --help lists them"),
        ("visits wach", "sextant: \"wach\" is no command; did you mean \"watch\"? sextant visits --help lists them"),
    ])
    func `a word that is no command is told, with the one that it resembles`(words: String, line: String) async throws {
        let result = try await Program.sextant(words.split(separator: " ").map(String.init), in: scratch)
        #expect(result.status == 64)
        #expect(result.program.errorLines == [line])
    }

    @Test func `the link to an emulated receiver never replaces a file`() async throws {
        let file = try scratch.write("dear", to: "diary")
        for (link, problem) in [(file, "File exists"), (scratch.path("none/x"), "No such file or directory")] {
            let result = try await Program.sextant(["emulate", "receiver", "--link", link], in: scratch)
            #expect(result.status == 74)
            #expect(
                result.program.errorLines == [
                    "sextant: the receiver's terminal: link \(link): \(problem); give --link a path that is free, in a folder "
                        + "that is there"
                ])
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
        ["decode", "--date", "2024-13-01", "x"], ["replay"],
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String]) async throws {
        let result = try await Program.sextant(arguments, in: scratch)
        #expect(result.status == 64)
        #expect(result.program.errorLines.first?.hasPrefix("Error: ") == true, "\(result.program.errors)")
        #expect(result.program.output.isEmpty)
    }
}
