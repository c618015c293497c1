import Glibc

/// A running `sextantd` and an emulated receiver that it hears, commands and switches, in real time.
///
/// The receiver is on a pseudo-terminal, and the board's lines go to its socket in place of GPIO chips.
final class LiveBoard {
    let daemon: Daemon
    /// The emulator, which tells each of the receiver's states, a line of JSON each.
    let receiver: Program

    /// Starts both.
    ///
    /// - Parameters:
    ///   - board: Its device and its lines are the emulator's.
    ///   - truth: The path of the true trajectory; nil for a receiver at rest.
    ///   - emulation: More of the emulator's options. The receiver's supply is off at first.
    ///   - arguments: More of the daemon's options.
    static func start(
        in scratch: Scratch, _ board: BoardText = BoardText(), truth: String? = nil, emulation: [String] = [],
        _ arguments: [String] = []
    ) async throws -> LiveBoard {
        let (terminal, lines) = (scratch.path("receiver"), scratch.path("lines"))
        let receiver = try Program(
            Built.sextant,
            ["emulate", "receiver", "--model", board.model, "--unpowered", "--lines", lines, "--link", terminal]
                + (truth.map { ["--truth", $0] } ?? []) + emulation, in: scratch)
        _ = try await receiver.lines(1)
        var board = board
        board.device = terminal
        board.lines = lines
        let daemon = try await Daemon.start(
            in: scratch, device: terminal, ["--board", try board.write(in: scratch)] + arguments)
        return LiveBoard(daemon, receiver)
    }

    private init(_ daemon: Daemon, _ receiver: Program) {
        self.daemon = daemon
        self.receiver = receiver
    }

    /// The states that the receiver has been in: `off`, `sleep`, `acquire`, `track`.
    var states: [String] {
        receiver.outputLines.dropFirst().compactMap { JSON(line: $0)?.text("receiver") }
    }

    /// Waits until the receiver has been in these states, one after the other, from a state on.
    func passed(_ wanted: [String]) async throws {
        try await eventually("the states \(wanted)", seen: { "\(self.states)" }) {
            var left = wanted[...]
            for state in states where state == left.first { left.removeFirst() }
            return left.isEmpty ? () : nil
        }
    }
}
