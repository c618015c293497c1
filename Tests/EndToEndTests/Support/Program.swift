import Foundation
import Glibc
import TestSupport

/// The commands under test.
enum Built {
    /// Where they are: `SEXTANT_PROGRAMS`, which `scripts/test` sets to the release build; without it beside the test
    /// bundle.
    static let folder =
        ProcessInfo.processInfo.environment["SEXTANT_PROGRAMS"]
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    static let sextantd = "\(folder)/sextantd"
    static let sextant = "\(folder)/sextant"
    static let geocoder = "\(folder)/sextant-geocoder"
    static let host = "\(folder)/sextant-host"
}

/// The checked-out package that these tests are of.
enum Checkout {
    static let path = (1...4).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
        url.deletingLastPathComponent()
    }.path
}

/// Programs of others that tests use as they come from Debian.
enum Tool {
    /// The path of a program, or nil where its package is missing.
    static func path(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    static func isInstalled(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

    /// What runs a program as a user of a number, whatever users the machine has; only root may.
    static func runner(as user: UInt32) -> [String] {
        ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
    }

    static let hasPythonClient =
        isInstalled("python3") && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gps")
}

/// A process; what it prints goes to files, so that it is never kept waiting and nothing is lost.
///
/// A class, because it ends with the test that owns it, and with it all that it has started.
final class Program {
    let scratch: Scratch
    private let process: ChildProgram
    private let words: [String]
    private let outputPath: String
    private let errorsPath: String

    /// Starts it.
    ///
    /// - Parameters:
    ///   - input: A file for its standard input; nil for none.
    ///   - places: A table of places; nil for none, whatever is installed on this machine.
    init(
        _ path: String, _ arguments: [String], in scratch: Scratch, input: String? = nil, places: String? = nil
    ) throws {
        self.scratch = scratch
        outputPath = scratch.newPath("output")
        errorsPath = scratch.newPath("errors")
        words = [path] + arguments
        let environment = ProcessInfo.processInfo.environment
            .filter { !["SEXTANT_SOCKET", "JOURNAL_STREAM", "TMUX", "PYTHONPATH"].contains($0.key) }
            .merging([
                "TERM": "xterm", "LC_ALL": "C.UTF-8", "SEXTANT_PLACES": places ?? "", "SEXTANT_GEOCODER": "",
            ]) { $1 }
        process = try ChildProgram(
            path, arguments, environment: environment, input: input.map { .file($0) } ?? .nothing,
            output: .file(outputPath), errors: .file(errorsPath))
    }

    var identifier: Int32 { process.processID }
    var isRunning: Bool { process.isRunning }

    var output: String { Program.text(outputPath) }
    var outputBytes: [UInt8] { Array(FileManager.default.contents(atPath: outputPath) ?? Data()) }
    var errors: String { Program.text(errorsPath) }
    /// The whole lines so far.
    var outputLines: [String] { Program.wholeLines(output) }
    var errorLines: [String] { Program.wholeLines(errors) }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private static func wholeLines(_ text: String) -> [String] {
        guard let end = text.lastIndex(where: \.isNewline) else { return [] }
        return text[..<end].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for its end.
    ///
    /// - Returns: The exit status; a signal's number negated.
    @discardableResult
    func status() async throws -> Int32 {
        try await eventually("the end of \(words)", seen: { tail }) { process.status }
    }

    /// Waits for as many lines of standard output.
    func lines(_ count: Int) async throws -> [String] {
        try await eventually("\(count) lines", seen: { tail }) {
            try look(for: "\(count) lines") {
                let lines = outputLines
                return lines.count >= count ? lines : nil
            }
        }
    }

    /// Waits for a line of standard output that fits.
    @discardableResult
    func line(_ what: String, where fits: (String) -> Bool) async throws -> String {
        try await eventually(what, seen: { tail }) { try look(for: what) { outputLines.first(where: fits) } }
    }

    /// Waits for the `count`th line of standard error that contains a text.
    @discardableResult
    func logged(_ text: String, times count: Int = 1) async throws -> String {
        try await eventually("\(text) in the log", seen: { tail }) {
            try look(for: "\(text) in the log") {
                let lines = errorLines.filter { $0.contains(text) }
                return lines.count >= count ? lines.last : nil
            }
        }
    }

    /// What a look finds; a program that has ended without it is not waited for.
    private func look<Value>(for what: String, _ find: () -> Value?) throws -> Value? {
        let hasEnded = !isRunning
        if let value = find() { return value }
        guard hasEnded else { return nil }
        throw Late(description: "\(words) ended, status \(process.status ?? 0), without \(what)\n\(tail)")
    }

    /// Waits until it has read all that it was sent so far, and has printed what follows from that.
    ///
    /// For programs of one thread: a thread that has something to read is runnable, so that one that is found asleep
    /// again and again has nothing to read and nothing to print.
    func caughtUp() async throws {
        var looks = 0
        try await eventually("\(words) asleep", seen: { tail }, every: .milliseconds(1)) {
            looks = isAsleep ? looks + 1 : 0
            return looks == 5 ? () : nil
        }
    }

    /// Whether its main thread waits for something, or has ended.
    private var isAsleep: Bool {
        guard process.isRunning, let stat = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else {
            return true
        }
        // The state follows the program's name, which is in brackets (proc_pid_stat(5)).
        let rest = String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? ""
        return ["S", "Z"].contains(rest.split(separator: " ").first)
    }

    private var tail: String { String(errors.suffix(2000)) + String(output.suffix(2000)) }
}

extension Program {
    /// Runs `sextant` to its end.
    static func sextant(
        _ arguments: [String], in scratch: Scratch, input: String? = nil, places: String? = nil
    ) async throws -> (status: Int32, program: Program) {
        let program = try Program(Built.sextant, arguments, in: scratch, input: input, places: places)
        return (try await program.status(), program)
    }

    /// Starts a daemon without a receiver, and waits until it serves.
    static func sextantd(_ options: [String] = [], in scratch: Scratch) async throws -> Program {
        let absent = ["--device", scratch.path("absent"), "--socket", scratch.path("s"), "--gpsd", "off"]
        let program = try Program(Built.sextantd, options + absent, in: scratch)
        try await program.logged("serving")
        return program
    }

    /// Runs a line of shell to its end.
    static func shell(
        _ line: String, in scratch: Scratch
    ) async throws -> (status: Int32, program: Program) {
        let program = try Program("/bin/sh", ["-c", line], in: scratch)
        return (try await program.status(), program)
    }
}
