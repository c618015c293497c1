import Foundation
import Testing

/// Boards that are wrong: what is wrong is named, with the remedy.
@Suite("Boards at fault", .serialized)
struct BoardFaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: [
        ("acquiring: 29, cyclic: 9, softwareSleep: 0.015, hardwareSleep: 0.015", "tracking", "measure it"),
        (
            "acquiring: 29, tracking: -26, cyclic: 9, softwareSleep: 0.015, hardwareSleep: 0.015", "tracking",
            "0 to 10000"
        ),
    ])
    func `a board with an impossible current is refused in one line that names the key and the remedy`(
        currents: String, key: String, mend: String
    ) async throws {
        var board = BoardText()
        board.draw = "{ milliamps: { \(currents) } }"
        let program = try Program(
            Built.sextantd,
            ["--board", try board.write(in: scratch), "--socket", scratch.path("s"), "--gpsd", "off"], in: scratch)
        #expect(try await program.status() == 78)
        let line = try #require(program.errorLines.first)
        #expect(program.errorLines.count == 1)
        #expect(line.contains("draw.milliamps.\(key)") && line.contains(mend) && line.contains("board.json5"))
    }

    @Test func `a missing GPIO line is named in the log and in status, and the daemon continues`()
        async throws
    {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let board = try BoardText(device: scratch.path("receiver")).write(in: scratch)
        let daemon = try await Daemon.start(in: scratch, ["--board", board])
        try await daemon.program.logged("powerEnable: ")
        let problem = try #require(try await daemon.status().object("power")?.text("linesProblem"))
        #expect(problem.contains("powerEnable: ") && problem.contains("GPIO-powerEnable"), "\(problem)")
        #expect(daemon.logged("GPIO-powerEnable") == 1)
        let client = try daemon.sextant(["status"])
        try await client.status()
        #expect(client.output.contains(problem))
        let locate = try daemon.sextant(["locate", "--timeout", "3600"])
        #expect(try await locate.status() == 0)
    }
}
