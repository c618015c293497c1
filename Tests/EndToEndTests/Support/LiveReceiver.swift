/// An emulated receiver with its lines, for the scripts that own a receiver's UART.
///
/// Its time passes only while a script waits for it: what a script measures is the same on every machine.
struct LiveReceiver {
    let program: Program
    let board: String
    let device: String
    /// The socket on which its time is driven.
    let clock: String

    /// At rest, at a time that is the same in every run.
    private static let truth = "time,latitude,longitude\n1790000000,47.3769,8.5417\n"

    /// - Parameters:
    ///   - listener: A command that reads its power states, in a pipe.
    ///   - options: More of `sextant emulate receiver`.
    init(
        in scratch: Scratch, model: String = "neo-m8n", board text: BoardText = BoardText(), listener: String = "cat",
        options: String = "--start hot"
    ) async throws {
        let lines = scratch.path("lines")
        device = scratch.path("gnss")
        clock = scratch.path("clock")
        let truth = try scratch.write(Self.truth, to: "truth.csv")
        let emulate =
            "'\(Built.sextant)' emulate receiver --model \(model) --clock '\(clock)' --truth '\(truth)' \(options)"
        program = try Program(
            "/bin/sh", ["-c", "exec \(emulate) --lines '\(lines)' --link '\(device)' | \(listener)"], in: scratch)
        var text = text
        text.model = model
        text.device = device
        text.lines = lines
        board = try text.write(in: scratch)
        _ = try await program.lines(1)
    }

    /// Lets so many seconds of the receiver's time pass.
    func pass(_ seconds: Int) async throws {
        let passing = try await TuningScript.run(
            python: "from tuning.clock import EmulatedClock; EmulatedClock(sys.argv[1]).sleep(\(seconds))", [clock],
            in: program.scratch)
        guard passing.status == 0 else { throw Late(description: passing.program.errors) }
    }
}
