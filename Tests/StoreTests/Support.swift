import Foundation
import Glibc

/// A directory of one test's own, gone with it.
final class Scratch {
    let directory: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sextant-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        directory = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func path(_ name: String) -> String { directory + "/" + name }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory).sorted()) ?? [] }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
}

/// A running `store-appender`, built beside the test bundle.
final class Appender {
    private let process = Process()
    private let output = Pipe()

    static let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    init(_ path: String, capacity: Int, fileLimit: Int? = nil) throws {
        process.executableURL = URL(filePath: "\(Appender.directory)/store-appender")
        process.arguments = [path, "\(capacity)"] + (fileLimit.map { ["\($0)"] } ?? [])
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Kills it after it has told so many bytes and a random moment more, and gives the whole lines it told.
    func killed(afterBytes count: Int, microseconds: UInt32) throws -> [String] {
        var told = Data()
        while told.count < count {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            told += piece
        }
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        return try lines(told)
    }

    /// Waits for its own end, and gives the lines it told.
    func ended() throws -> [String] { try lines(Data()) }

    private func lines(_ told: Data) throws -> [String] {
        let all = told + (try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        let text = String(decoding: all, as: UTF8.self)
        let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
        return whole.split(separator: "\n").map(String.init)
    }

    /// What the payload of a sequence is.
    static func payload(of sequence: UInt64) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: Int(sequence * 37 % 300))
    }
}
