import Foundation

/// An emulated receiver with its lines, at many times the pace of the clock, for the scripts that own a receiver's UART.
struct LiveReceiver {
    /// Seconds of the receiver's in one of the clock's.
    static let speed = 25
    let program: Program
    let board: String
    let device: String

    /// - Parameters:
    ///   - listener: A command that reads its power states, in a pipe.
    ///   - options: More of `sextant emulate receiver`.
    init(
        in scratch: Scratch, model: String = "neo-m8n", board text: BoardText = BoardText(), listener: String = "cat",
        options: String = "--start hot"
    ) async throws {
        let lines = scratch.path("lines")
        device = scratch.path("gnss")
        let emulate = "'\(Built.sextant)' emulate receiver --model \(model) --speed \(Self.speed) \(options)"
        program = try Program(
            "/bin/sh", ["-c", "exec \(emulate) --lines '\(lines)' --link '\(device)' | \(listener)"], in: scratch)
        var text = text
        text.model = model
        text.device = device
        text.lines = lines
        board = try text.write(in: scratch)
        _ = try await program.lines(1)
    }
}

/// The scripts that tune, with the system's Python and no daemon in their way.
struct TuningScript {
    let name: String
    let scratch: Scratch

    static let python = Tool.path("python3") ?? "python3"

    /// Runs it to its end; `arguments` are words of a shell, `environment` its assignments.
    func callAsFunction(
        _ arguments: String, answers: String = "", environment: String = ""
    ) async throws -> (status: Int32, program: Program) {
        let script = "\(Checkout.path)/scripts/\(name)"
        let input = try scratch.write(answers, to: "answers")
        return try await Program.shell(
            "\(environment) SEXTANT_SOCKET='\(scratch.path("none"))' \(Self.python) '\(script)' \(arguments) <'\(input)'",
            in: scratch, within: 120)
    }

    /// Starts it, and ends it when it has kept so many lines.
    func killed(_ arguments: String, afterRecords count: Int, of record: String) async throws {
        let program = try Program(
            "/bin/sh",
            [
                "-c",
                "SEXTANT_SOCKET='\(scratch.path("none"))' exec \(Self.python) '\(Checkout.path)/scripts/\(name)' "
                    + arguments,
            ], in: scratch)
        try await eventually("\(count) records", seen: { program.errors }) {
            Self.lines(of: record).count >= count ? () : nil
        }
        program.signal(SIGKILL)
        try await program.status()
    }

    static func lines(of path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
}
