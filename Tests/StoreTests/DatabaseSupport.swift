import Foundation
import Glibc
import Store
import TestSupport

extension Scratch {
    /// The database's directory, which is not there yet.
    var state: String { path("state") }

    func database(_ retention: TrackRetention = .standard) throws(StoreError) -> Database {
        try Database(folder: state, retention: retention)
    }

    func files() -> StateFiles { StateFiles(folder: state) }

    func stateBytes(_ name: String) throws -> [UInt8] { try bytes("state/" + name) }

    var stateNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: state).sorted()) ?? [] }

    /// Whether any file of the database has these bytes.
    func anyFile(has text: String) throws -> Bool {
        try stateNames.contains { name in
            Data(try stateBytes(name)).range(of: Data(text.utf8)) != nil
        }
    }
}

func row(_ table: StateTable, _ client: String, _ name: String, _ value: String) -> StateRow {
    StateRow(table: table, client: client, name: name, value: Array(value.utf8))
}

func put(_ table: StateTable, _ client: String, _ name: String, _ value: String) -> StateChange {
    .put(row(table, client, name, value))
}

/// What an expression throws; nil where it throws nothing.
func refusal(_ body: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) {
        try body()
        return nil
    } catch {
        return error
    }
}

/// Whether the calls of a process can be watched here.
enum Tracing {
    static let isPossible: Bool = {
        let program = try? ChildProgram("strace", ["-o", "/dev/null", "true"], errors: .nothing)
        return (try? program?.waitForEnd()) == 0
    }()
}

/// A running `store-writer`.
final class Writer {
    private let program: ChildProgram
    private var told: [UInt8] = []

    static let path = BuiltPrograms.path("store-writer")

    init(_ folder: String, count: Int? = nil) throws {
        program = try ChildProgram(Writer.path, [folder] + (count.map { ["\($0)"] } ?? []), output: .pipe)
    }

    func wait(forBytes count: Int) throws {
        while told.count < count {
            let piece = try program.readSome()
            guard !piece.isEmpty else { return }
            told += piece
        }
    }

    /// Kills it after it has told so many bytes and a random moment more, and gives the whole lines it told.
    func killed(afterBytes count: Int, microseconds: UInt32) throws -> [String] {
        try wait(forBytes: count)
        usleep(microseconds)
        program.signal(SIGKILL)
        return try ended()
    }

    /// Waits for its end, and gives the whole lines it told.
    func ended() throws -> [String] {
        told += try program.readToEnd()
        try program.waitForEnd()
        let text = String(decoding: told, as: UTF8.self)
        let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
        return whole.split(separator: "\n").map(String.init)
    }

    static func names(_ number: Int) -> [String] { number > 0 ? (0...number % 5).map { "\(number).\($0)" } : [] }

    static func value(of name: String) -> [UInt8] {
        let seed = name.utf8.reduce(UInt8(0)) { $0 &* 31 &+ $1 }
        return [UInt8](repeating: seed, count: Int(seed) * 20)
    }

    /// Which transaction the rows are those of, whole; nil where they are those of none.
    static func transaction(of rows: [StateRow]) -> Int? {
        guard let count = rows.first(where: { $0.table == .settings }) else { return rows.isEmpty ? 0 : nil }
        guard let number = Int(String(decoding: count.value, as: UTF8.self)), number > 0 else { return nil }
        let events = rows.filter { $0.table == .events }
        let expected = Set((max(1, number - 19)...number).flatMap(names))
        guard Set(events.map(\.name)) == expected else { return nil }
        guard events.allSatisfy({ $0.value == value(of: $0.name) }) else { return nil }
        let session = rows.filter { $0.table == .sessions }
        return session.count == 1 && session.first?.value == value(of: "\(number)") ? number : nil
    }
}
