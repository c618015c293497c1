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
            let appender = try Appender(path, capacity: 16_384)
            let lines = try appender.killed(
                afterBytes: Int.random(in: 0...2000, using: &generator),
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
            let log = try AppendLog(path: path, capacity: 16_384)
            rounds.torn += log.opening.tornBytes > 0 ? 1 : 0
            let records = try log.readAll()
            let sequences = records.map(\.sequence)
            #expect(log.opening.setAside == nil)
            #expect(records.allSatisfy { $0.payload == Appender.payload(of: $0.sequence) })
            #expect(sequences == sequences.sorted() && Set(sequences).isSuperset(of: acknowledging + 1..<accepted + 1))
            #expect(sequences.allSatisfy { $0 > acknowledged })
            accepted = max(accepted, log.lastSequence)
        }
        #expect(rounds.moved >= 100 && accepted > 1000, "\(rounds), \(accepted) records")
    }

    @Test(arguments: [300, 1000, 4001, 9999])
    func `on a full card a batch is refused whole and nothing accepted is lost`(limit: Int) throws {
        let lines = try Appender(path, capacity: 65_536, fileLimit: limit).ended()
        #expect(lines.last == "failed full")
        let accepted = try #require(last("accepted", in: lines))
        var log = try AppendLog(path: path, capacity: 65_536)
        let records = try log.readAll()
        #expect(log.lastSequence == accepted && log.opening.tornBytes == 0)
        #expect(
            records.last?.sequence == accepted && records.allSatisfy { $0.payload == Appender.payload(of: $0.sequence) }
        )
        let next = try log.append([[1]])
        #expect(next.lastSequence == accepted + 1)
    }

    @Test func `where a rewrite has no room, the old file stands`() throws {
        // The log may have 8 KiB and no file more than 5 KiB: it fails in the rewrite or before.
        var log = try AppendLog(path: path, capacity: 8192)
        for index in 1...40 as ClosedRange<UInt64> { _ = try log.append([Appender.payload(of: index)]) }
        let before = try log.readAll()
        let lines = try Appender(path, capacity: 8192, fileLimit: 5000).ended()
        #expect(lines.last == "failed full")
        let after = try AppendLog(path: path, capacity: 8192).readAll()
        #expect(after.starts(with: before) && scratch.names == ["log"])
    }
}
