import Foundation
import Store
import Testing

@Suite("Append log under fire")
struct AppendLogCrashTests {
    private let scratch: Scratch
    private var path: String { scratch.path("log") }

    init() throws { scratch = try Scratch() }

    /// The number behind the last line of this kind.
    private func last(_ kind: String, in lines: [String]) -> UInt64? {
        lines.last { $0.hasPrefix(kind + " ") }.flatMap { UInt64($0.dropFirst(kind.count + 1)) }
    }

    @Test func `a process killed at any moment loses nothing that was accepted`() throws {
        var generator = SystemRandomNumberGenerator()
        var (accepted, acknowledging, acknowledged) = (UInt64(0), UInt64(0), UInt64(0))
        var rounds = (torn: 0, moved: 0)
        for _ in 0..<150 {
            // Room for far more than is ever unacknowledged: a log that is full drops its oldest, and says so.
            let appender = try Appender(path, capacity: 65_536)
            let lines = try appender.killed(
                afterBytes: Int.random(in: 0...700, using: &generator),
                microseconds: UInt32.random(in: 0...3000, using: &generator))
            #expect(!lines.contains { $0.hasPrefix("failed") })
            if let sequence = last("accepted", in: lines) {
                #expect(sequence > accepted)
                accepted = sequence
                rounds.moved += 1
            }
            acknowledging = max(acknowledging, last("acknowledging", in: lines) ?? 0)
            acknowledged = max(acknowledged, last("acknowledged", in: lines) ?? 0)
            // Killed before its first word, it has nothing to show.
            guard accepted > 0 else { continue }
            let log = try AppendLog(path: path, capacity: 65_536)
            rounds.torn += log.opening.tornBytes > 0 ? 1 : 0
            let records = try log.readAll()
            let sequences = records.map(\.sequence)
            #expect(log.opening.setAside == nil)
            #expect(records.allSatisfy { $0.payload == Appender.payload(of: $0.sequence) })
            #expect(sequences == sequences.sorted() && Set(sequences).isSuperset(of: acknowledging + 1..<accepted + 1))
            #expect(sequences.allSatisfy { $0 > acknowledged })
            accepted = max(accepted, log.lastSequence)
        }
        #expect(rounds.moved >= 100 && accepted > 500, "\(rounds), \(accepted) records")
    }

    @Test(arguments: [300, 1000, 4001, 9999])
    func `on a full card a batch is refused whole, and with room again the log goes on`(limit: Int) throws {
        let lines = try Appender(path, capacity: 65_536, fileLimit: limit).ended()
        let failure = try #require(lines.firstIndex(of: "failed full"))
        let before = try #require(last("accepted", in: Array(lines[..<failure])))
        let after = try #require(last("accepted", in: Array(lines[failure...])))
        #expect(failure == lines.count - 2 && after > before)
        let log = try AppendLog(path: path, capacity: 65_536)
        let records = try log.readAll()
        let acknowledging = last("acknowledging", in: lines) ?? 0
        #expect(records.map(\.sequence) == Array(acknowledging + 1...after) && log.lastSequence == after)
        #expect(records.allSatisfy { $0.payload == Appender.payload(of: $0.sequence) })
        #expect(log.opening == AppendLog.Opening(records: records.count))
    }

    /// A log whose next record, alone or in a batch, does not fit any more.
    private func filled(_ capacity: Int) throws -> AppendLog {
        var log = try AppendLog(path: path, capacity: capacity)
        while try scratch.bytes("log").count + 17 + Appender.payload(of: log.lastSequence + 1).count <= capacity {
            let appended = try log.append([Appender.payload(of: log.lastSequence + 1)])
            #expect(appended.dropped == 0)
        }
        return log
    }

    @Test func `where a rewrite has no room the old file stands, and with room again the log goes on`() throws {
        let full = try filled(8192)
        let (before, bytes) = (try full.readAll(), try scratch.bytes("log"))
        let lines = try Appender(path, capacity: 8192, fileLimit: 5000).ended()
        #expect(lines.dropLast() == ["opened \(before.count)", "failed full"])
        let accepted = try #require(last("accepted", in: lines))
        let after = try AppendLog(path: path, capacity: 8192).readAll()
        #expect(after.last?.sequence == accepted && after.count > 20)
        #expect(after.allSatisfy { $0.payload == Appender.payload(of: $0.sequence) })
        #expect(bytes.count > 5000 && scratch.names == ["log"])
    }

    @Test func `a rewrite that fails changes nothing, and the next one goes on`() throws {
        var log = try filled(8192)
        let (before, bytes) = (try log.readAll(), try scratch.bytes("log"))
        // A directory under the name of the file beside it is in the way.
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        var failures = 0
        for _ in 0..<3 {
            do throws(StoreError) {
                _ = try log.append([Appender.payload(of: log.lastSequence + 1)])
            } catch {
                failures += 1
            }
        }
        #expect(failures == 3)
        #expect(try log.readAll() == before)
        #expect(try scratch.bytes("log") == bytes)
        try FileManager.default.removeItem(atPath: path + ".new")
        let appended = try log.append([Appender.payload(of: log.lastSequence + 1)])
        #expect(appended.dropped > 0 && Int(appended.lastSequence) == before.count + 1)
        let after = try log.readAll()
        #expect(after.dropLast() == before.dropFirst(appended.dropped) && after.last?.sequence == appended.lastSequence)
        #expect(try AppendLog(path: path, capacity: 8192).readAll() == after)
    }
}
