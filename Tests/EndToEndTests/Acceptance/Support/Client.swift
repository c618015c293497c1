import Foundation
import Glibc
import TestSupport

/// A running `location-probe`: a client that does what it is told, and whose callbacks are kept.
///
/// A class, because it ends with the test that owns it.
final class Client {
    let name: String
    /// What it printed that was not read yet, and the file that it prints to.
    private var unread = ""
    private let output: FileHandle
    private let errorsPath: String
    private let process: ChildProgram
    private var untaken: [JSON] = []
    /// Everything that it was called back with, in order, `shown` and the like included.
    private(set) var events: [JSON] = []
    /// Whether it was stopped and does not answer.
    private(set) var isSuspended = false

    init(_ name: String, program: String, socket: String, in scratch: Scratch) throws {
        self.name = name
        let path = scratch.newPath("\(name)-output")
        errorsPath = scratch.newPath("\(name)-errors")
        // No names of places but the test's own, whatever this machine has installed.
        let environment = ProcessInfo.processInfo.environment.merging(
            ["SEXTANT_SOCKET": socket, "SEXTANT_PLACES": scratch.placesPath, "SEXTANT_GEOCODER": ""]) { $1 }
        process = try ChildProgram(
            program, environment: environment, input: .pipe, output: .file(path), errors: .file(errorsPath))
        output = try FileHandle(forReadingFrom: URL(filePath: path))
    }

    var isRunning: Bool { process.isRunning }

    /// What it complained about.
    var errors: String { String(decoding: FileManager.default.contents(atPath: errorsPath) ?? Data(), as: UTF8.self) }

    /// Runs one of the probe's commands, such as `manager 1 start`; `location-probe --help` lists them.
    ///
    /// - Returns: The milliseconds that the command took in the probe.
    ///
    /// `CoreLocationBench.tell` also waits for what the daemon does about it.
    @discardableResult
    func run(_ command: String) async throws -> Double {
        try process.write(Array("\(command)\n".utf8))
        return try await eventually("the end of \(command)", seen: { errors + unread }, every: .microseconds(200)) {
            while let line = nextLine() {
                if line.text("done") == command { return line.number("milliseconds") ?? .nan }
                if let error = line.text("error") { throw Late(description: "\(name): \(command): \(error)") }
                guard line.text("callback") != "synced" || line.bool("connected") != true else { continue }
                events.append(line)
                untaken.append(line)
            }
            guard process.isRunning else { throw Late(description: "\(name) ended in \(command): \(errors)") }
            return nil
        }
    }

    /// Takes what it printed before its end.
    func readRest() {
        while let line = nextLine() {
            guard line.text("callback") != nil, line.text("callback") != "synced" else { continue }
            events.append(line)
            untaken.append(line)
        }
    }

    private func nextLine() -> JSON? {
        unread += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        guard let end = unread.firstIndex(of: "\n") else { return nil }
        defer { unread.removeSubrange(...end) }
        return JSON(line: String(unread[..<end]))
    }

    /// Calls of every kind that a program makes, as commands for a client that has a manager; `show` asks the class for
    /// all that it knows.
    static let callsOfAllKinds = [
        "show", "manager 1 stop", "manager 1 start", "manager 1 request", "manager 1 significant start",
        "manager 1 visits start", "manager 1 region start yard 47.38 8.54 200", "state background", "manager 1 show",
    ]

    /// Waits until it was told all that the daemon has sent it so far.
    ///
    /// - Returns: Whether it is connected.
    func sync() async throws -> Bool {
        try await run("sync")
        guard untaken.last?.text("callback") == "synced" else { return true }
        untaken.removeLast()
        events.removeLast()
        return false
    }

    /// What it was called back with since this was asked last.
    func take() -> [JSON] {
        defer { untaken = [] }
        return untaken
    }

    /// The names of the callbacks since this or `take` was asked last.
    func takeNames() -> [String] { take().map { $0.text("callback") ?? "" } }

    /// The fixes of every `didUpdateLocations` since this or `take` was asked last; other callbacks are an error.
    func takeLocations() throws -> [JSON] {
        try take().flatMap { event in
            guard event.text("callback") == "didUpdateLocations", let locations = event.objects("locations") else {
                throw Late(description: "\(name): not a report of locations: \(event.members)")
            }
            return locations
        }
    }

    /// Lets it neither read nor answer until `resume`.
    func suspend() {
        isSuspended = true
        process.signal(SIGSTOP)
    }

    func resume() {
        process.signal(SIGCONT)
        isSuspended = false
    }

    var identifier: Int32 { process.processID }

    /// Ends it at once, as a crash does, and waits until it has gone.
    func kill() async throws {
        process.signal(SIGKILL)
        try await eventually("the end of \(name)", every: .milliseconds(2)) { process.isRunning ? nil : () }
    }
}
