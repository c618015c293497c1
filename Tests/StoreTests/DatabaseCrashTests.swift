import Foundation
import Store
import TestSupport
import Testing

@Suite("Database after a crash")
struct DatabaseCrashTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The number behind the last line of this kind.
    private func last(_ kind: String, in lines: [String]) -> Int? {
        lines.last { $0.hasPrefix(kind + " ") }.flatMap { Int($0.dropFirst(kind.count + 1)) }
    }

    @Test func `RUN-09: a process killed at any moment loses no applied transaction and leaves none partial`() throws {
        var generator = SystemRandomNumberGenerator()
        var (applied, moved, unheard) = (0, 0, 0)
        for _ in 0..<60 {
            let writer = try Writer(scratch.state)
            let lines = try writer.killed(
                afterBytes: Int.random(in: 0...900, using: &generator),
                microseconds: UInt32.random(in: 0...4000, using: &generator))
            #expect(!lines.contains { $0.hasPrefix("failed") })
            if let number = last("applied", in: lines) {
                #expect(number > applied)
                applied = number
                moved += 1
            }
            let database = try scratch.database()
            let found = try #require(Writer.transaction(of: try database.rows()))
            // At most the one that was being written is there without having been told.
            #expect(database.recovery == nil && (applied...applied + 1).contains(found))
            unheard += found - applied
            applied = found
            let track = try database.track(from: .min, to: .max, limit: .max).map { Int($0.time / 1_000_000_000) }
            #expect(track.allSatisfy { $0 % 3 == 0 && $0 <= found })
        }
        #expect(moved >= 40 && applied > 400, "\(moved) rounds, \(applied) transactions, \(unheard) of them unheard")
    }

    /// A database whose write-ahead log is copied after every transaction, without its being closed.
    private func recorded(_ count: Int) throws -> (main: [UInt8], log: [UInt8], ends: [Int], rows: [[StateRow]]) {
        var database = try scratch.database()
        try database.apply([put(.settings, "", "start", "0")])
        // Into the file, and the log begins anew.
        try database.apply([.erase(client: "nobody")])
        let main = try scratch.stateBytes("state.sqlite")
        var ends = [0]
        var rows = [try database.rows()]
        var log: [UInt8] = []
        for index in 1...count {
            let value = String(repeating: "x", count: index * 99)
            try database.apply((0..<3).map { put(.events, "a", "\(index).\($0)", value) })
            log = try scratch.stateBytes("state.sqlite-wal")
            ends.append(log.count)
            rows.append(try database.rows())
        }
        #expect(try scratch.stateBytes("state.sqlite") == main)
        return (main, log, ends, rows)
    }

    @Test func `RUN-09: a write-ahead log cut at any place keeps every transaction whose sync had returned`() throws {
        let (main, log, ends, rows) = try recorded(12)
        let copy = try Scratch()
        for cut in stride(from: 0, through: log.count, by: 1021) {
            try? FileManager.default.removeItem(atPath: copy.state)
            try FileManager.default.createDirectory(atPath: copy.state, withIntermediateDirectories: false)
            try copy.write(main, to: "state/state.sqlite")
            // The rest of the file's length is there, but not its bytes.
            let torn = log[..<cut] + (cut % 2 == 0 ? [UInt8](repeating: 0xA5, count: log.count - cut) : [])
            try copy.write(Array(torn), to: "state/state.sqlite-wal")
            let database = try copy.database()
            let found = try #require(rows.firstIndex(of: try database.rows()), "half a transaction at \(cut)")
            let whole = ends.lastIndex { $0 <= cut } ?? 0
            #expect(database.recovery == nil && found >= whole, "cut at \(cut) of \(ends)")
        }
    }

    @Test func `a damaged last sector loses only the transaction in it`() throws {
        let (main, log, ends, rows) = try recorded(6)
        let copy = try Scratch()
        for number in 1...6 {
            try? FileManager.default.removeItem(atPath: copy.state)
            try FileManager.default.createDirectory(atPath: copy.state, withIntermediateDirectories: false)
            try copy.write(main, to: "state/state.sqlite")
            // All of the sector in which the next transaction begins.
            var spoilt = log
            let start = ends[number - 1] / 4096 * 4096
            for place in max(start, 32)..<min(start + 4096, log.count) { spoilt[place] ^= 0xFF }
            try copy.write(spoilt, to: "state/state.sqlite-wal")
            #expect(try copy.database().rows() == rows[number - 1])
        }
    }

    @Test(.enabled(if: Tracing.isPossible, "strace cannot trace here"))
    func `a transaction calls sync once`() throws {
        let counts = scratch.path("counts")
        let arguments = ["-f", "-e", "trace=fsync,fdatasync", "-o", counts, Writer.path, scratch.state, "45"]
        let program = try ChildProgram("strace", arguments, output: .nothing, errors: .nothing)
        try #require(try program.waitForEnd() == 0)
        let syncs = String(decoding: try scratch.bytes("counts"), as: UTF8.self).split(separator: "\n")
            .filter { $0.contains("sync(") }.count
        // One for each, and some for opening, closing and each write-back of the log.
        #expect((45...85).contains(syncs), "\(syncs) syncs for 45 transactions, with opening, closing and track")
    }
}
