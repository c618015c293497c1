import BenchControl
import Emulation
import Foundation
import Receivers
import Testing

/// The daemon with a board: its lines reach the receiver.
@Suite("Boards in virtual time")
struct VirtualBoardTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `the board's lines power the emulated receiver, which gets a fix`() async throws {
        let board = BoardText(outputs: [("powerEnable", true), ("wake", false)], sensesMotion: true)
        let receiver = VirtualBench.receiver(.neoM8N)
        #expect(receiver.powerState != .acquire)
        let daemon = try await VirtualDaemon.start(in: scratch, receiver, board: try board.write(in: scratch))
        #expect(daemon.levels(of: .powerEnable).first.map { $0 == (0, true) } == true)
        #expect(daemon.harness.device.powerState == .acquire)
        let client = try daemon.sextant(["locate", "--json", "--timeout", "600"])
        try daemon.harness.run(seconds: 300)
        #expect(try await client.status() == 0)
        let latitude = try await JSON(line: client.lines(1)[0])?.number("latitude")
        #expect(latitude.map { abs($0 - VirtualBench.still.latitude) < 0.001 } == true)
        #expect(daemon.harness.device.energy > 0)
    }

    @Test func `the accelerometer's interrupt wakes the daemon, and unconfigured inputs are refused`() async throws {
        let board = try BoardText(sensesMotion: true).write(in: scratch)
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice(), board: board)
        let before = daemon.harness.idle
        try daemon.harness.setInput(.motionInterrupt, true)
        #expect(daemon.harness.idle.wakeUps == before.wakeUps + 1)
        #expect(throws: BenchError.self) { try daemon.harness.setInput(.pulsePerSecond, true) }
    }

    @Test func `over a day without clients and with the receiver off, only planned instants wake the host`()
        async throws
    {
        let receiver = VirtualBench.receiver(.neoM8N)
        let daemon = try await VirtualDaemon.start(
            in: scratch, receiver, board: try BoardText(baud: "9600").write(in: scratch))
        let before = daemon.harness.idle
        try daemon.run(hours: 24)
        let wakeUps = daemon.harness.idle.wakeUps - before.wakeUps
        #expect(wakeUps < 200, "\(wakeUps) wake-ups in a day")
    }

    @Test func `a recording with the board's lines and motion replays to the same bytes`() async throws {
        let flight = scratch.path("flight")
        let board = BoardText(outputs: [("powerEnable", true)], sensesMotion: true)
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.maxM10S), board: try board.write(in: scratch),
            "recording: '\(flight)', stateDirectory: '\(scratch.path)',")
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "100"])
        for moves in [true, false] {
            try daemon.harness.setInput(.motionInterrupt, moves)
            try daemon.run(hours: 0.25)
        }
        #expect(!watcher.outputLines.isEmpty)
        try daemon.harness.quit()
        #expect(try await daemon.program.status() == 0)
        let replay = try await Program.sextant(["replay", "--quiet", flight], in: scratch)
        #expect(replay.status == 0, "\(replay.program.errors)")
    }
}
