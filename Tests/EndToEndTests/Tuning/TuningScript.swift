import Foundation
import Glibc

/// The scripts that tune, with the system's Python and no daemon in their way.
struct TuningScript {
    let name: String
    let scratch: Scratch

    static let python = Tool.path("python3") ?? "python3"

    /// The first lines of a program in Python that uses the scripts' own modules.
    static let modules = """
        import sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, "\(Checkout.path)/scripts")

        """

    /// Runs a program in Python that uses the scripts' own modules, to its end.
    static func run(
        python text: String, _ arguments: [String] = [], in scratch: Scratch
    ) async throws -> (status: Int32, program: Program) {
        let program = try Program(python, ["-c", modules + text] + arguments, in: scratch)
        return (try await program.status(), program)
    }

    /// The script's path, and what a shell needs before it.
    private func command(_ environment: String) -> String {
        "\(environment) SEXTANT_SOCKET='\(scratch.path("none"))' exec \(Self.python) '\(Checkout.path)/scripts/\(name)'"
    }

    /// Runs it to its end; `arguments` are words of a shell, `environment` its assignments.
    func callAsFunction(
        _ arguments: String, answers: String = "", environment: String = ""
    ) async throws -> (status: Int32, program: Program) {
        let input = try scratch.write(answers, to: "answers")
        return try await Program.shell("\(command(environment)) \(arguments) <'\(input)'", in: scratch)
    }

    /// Runs it until it has kept so many records, and is killed in the middle of the last one's being kept.
    func killed(_ arguments: String, afterRecords count: Int) async throws {
        let killing = try patched(
            """
            import os, signal
            sync, count = os.fsync, 0
            def last(descriptor):
                global count
                sync(descriptor)
                count += 1
                if count == \(count):
                    os.kill(os.getpid(), signal.SIGKILL)
            os.fsync = last
            """)
        let program = try Program("/bin/sh", ["-c", "\(command(killing)) \(arguments)"], in: scratch)
        let status = try await program.status()
        guard status == -SIGKILL else { throw Late(description: "not killed: \(status)\n\(program.errors)") }
    }

    /// An assignment for `environment` that has Python run a text before the script.
    func patched(_ text: String) throws -> String {
        let folder = scratch.newPath("patched")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/sitecustomize.py"))
        return "PYTHONPATH='\(folder)'"
    }

    static func lines(of path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
}
