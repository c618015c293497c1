import Foundation
import Testing

/// The daemon with a board whose lines are on a socket, on this machine's clock.
@Suite("Boards")
struct BoardTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `the board's lines reach the emulator through its socket`() async throws {
        let truth = try scratch.write("time,latitude,longitude\n1800000000,46.5,7.25\n", to: "truth.csv")
        let board = BoardText(outputs: [("powerEnable", true)])
        let live = try await LiveBoard.start(
            in: scratch, board, truth: truth, emulation: ["--start", "hot", "--speed", "20"])
        let client = try live.daemon.sextant(["locate", "--json", "--timeout", "86400"])
        try await live.passed(["acquire", "track"])
        #expect(try await client.status() == 0)
        let latitude = try await JSON(line: client.lines(1)[0])?.number("latitude")
        #expect(latitude.map { abs($0 - 46.5) < 0.01 } == true)
    }

    @Test func `unavailable board lines are named, and the daemon continues`() async throws {
        var board = BoardText()
        board.lines = scratch.path("none")
        let program = try await Program.sextantd(["--board", try board.write(in: scratch)], in: scratch)
        let path = scratch.path("none")
        try await program.logged("sextantd: powerEnable: unix:\(path)#powerEnable: no emulated receiver has its lines")
    }
}
