import Foundation
import Glibc
import Testing

/// A receiver that obeys, on a pseudo-terminal.
@Suite("Emulated models")
struct ModelTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `an emulated receiver reports its power states, answers a poll, and is powered through its socket`()
        async throws
    {
        let lines = scratch.path("lines")
        let model = try Program(
            Built.sextant,
            [
                "emulate", "receiver", "--model", "neo-m8n", "--start", "hot", "--speed", "10", "--lines", lines,
                "--link", scratch.path("model"),
            ], in: scratch)
        defer { model.signal(SIGTERM) }
        try await model.line("tracking") { $0.hasSuffix("\"receiver\":\"track\"}") }
        // MON-VER, polled by a program that opens the terminal as any other.
        let poll = try await Program.shell(
            "exec 3<>\(scratch.path("model")); stty raw -echo <&3; printf '\\265\\142\\012\\004\\000\\000\\016\\064' >&3; "
                + "exec grep -a -q PROTVER=18.00 <&3", in: scratch)
        #expect(poll.status == 0)
        let switching = try await Program.shell(
            "printf 'powerEnable 0\\nnonsense\\n' | python3 -c \"import socket, sys; s = socket.socket(socket.AF_UNIX); "
                + "s.connect('\(lines)'); s.send(sys.stdin.buffer.read()); print(s.recv(100).decode())\"", in: scratch)
        #expect(switching.program.output.hasPrefix("error: write a line's name (powerEnable"))
        try await model.line("asleep") { $0.hasSuffix("\"receiver\":\"sleep\"}") }
    }

    @Test func `an unreadable trajectory is reported with its line`() async throws {
        let path = try scratch.write(Array("time,latitude,longitude\n1,91,8\n".utf8), to: "truth.csv")
        let (status, program) = try await Program.sextant(
            ["emulate", "receiver", "--model", "l76k", "--truth", path], in: scratch)
        #expect(status == 65)
        #expect(program.errors.contains("line 2: latitude is 91.0; it lies from -90.0 to 90.0"))
    }
}
