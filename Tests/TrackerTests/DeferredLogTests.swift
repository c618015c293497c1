import Foundation
import GNSS
import Sessions
import Store
import Testing

@testable import Tracker

@Suite("The log of deferred fixes")
struct DeferredLogTests {
    private let folder: Folder
    private let one = DeferredKey(userID: 1000, client: "tracker", label: "one", session: 0)
    private let two = DeferredKey(userID: nil, client: "tracker", label: "two", session: 0)

    init() throws { folder = try Folder() }

    private func open() throws -> DeferredLog { try DeferredLog(directory: folder.path) }

    private func records(_ key: DeferredKey, _ sequences: ClosedRange<UInt64>) throws -> [DeferredLog.Record] {
        try sequences.map { sequence in
            var fix = Fix()
            fix.type = .threeD
            fix.quality = .autonomous
            (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (47, 8, 5)
            let deferred = try #require(DeferredFix(fix, sequence: sequence))
            var bytes: [UInt8] = []
            deferred.encode(key) { bytes.append($0) }
            return DeferredLog.Record(key: key, sequence: sequence, bytes: bytes)
        }
    }

    /// Whose fixes a restart finds, in order: `one 3`.
    private func found(_ log: DeferredLog) -> [String] {
        log.takeFound().map { record in
            guard let (key, fix) = DeferredFix.decode(record.span) else { return "unreadable" }
            return "\(key == one ? "one" : "two") \(fix.sequence)"
        }
    }

    private var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: DeferredLog.path(in: folder.path))
        return attributes?[.size] as? Int ?? 0
    }

    @Test func `what was kept is found again, in order, and given once`() throws {
        let log = try open()
        #expect(try log.append(records(one, 1...2)) == 0)
        #expect(try log.append(records(two, 1...1) + records(one, 3...3)) == 0)
        let again = try open()
        #expect(found(again) == ["one 1", "one 2", "two 1", "one 3"])
        #expect(found(again) == [] && again.count == 4)
    }

    @Test func `what was acknowledged is not found again, wherever it lies`() throws {
        let log = try open()
        _ = try log.append(records(one, 1...2) + records(two, 1...2) + records(one, 3...4))
        try log.acknowledge(two, through: 1)
        #expect(found(try open()) == ["one 1", "one 2", "two 2", "one 3", "one 4"])
        let second = try open()
        try second.acknowledge(one, through: 3)
        #expect(found(try open()) == ["two 2", "one 4"])
        let third = try open()
        try third.acknowledge(one, through: 4)
        try third.acknowledge(two, through: 99)
        #expect(third.count == 0)
        #expect(found(try open()) == [])
    }

    @Test func `a mark is of the fixes before it, not of those that begin at 1 anew`() throws {
        let log = try open()
        _ = try log.append(records(two, 1...1) + records(one, 1...5))
        try log.acknowledge(one, through: 5)
        _ = try log.append(records(one, 1...2))
        #expect(found(try open()) == ["two 1", "one 1", "one 2"])
    }

    @Test func `the dead are cleared away while one that nobody fetches stays, and the file stays small`() throws {
        let log = try open()
        _ = try log.append(records(two, 1...1))
        for round in 0..<30 as Range<UInt64> {
            _ = try log.append(records(one, (round * 100 + 1)...(round * 100 + 100)))
            try log.acknowledge(one, through: round * 100 + 100)
        }
        #expect(log.count == 1 && size < 400_000)
        _ = try log.append(records(one, 3001...3001))
        #expect(found(try open()) == ["two 1", "one 3001"])
    }

    /// A crash between the copies and the end of the originals, and one in the middle of the copies.
    @Test(arguments: [1, 2, 3])
    func `what was being written anew when the power failed is found once`(copies: Int) throws {
        do {
            var log = try AppendLog(path: DeferredLog.path(in: folder.path), capacity: DeferredLog.capacity)
            let originals = try records(one, 1...1) + records(two, 1...1) + records(one, 2...2)
            _ = try log.append(originals.map(\.bytes))
            _ = try log.append(originals.prefix(copies).map(\.bytes))
        }
        let log = try open()
        #expect(found(log) == ["one 1", "two 1", "one 2"])
        try log.acknowledge(one, through: 2)
        #expect(found(try open()) == ["two 1"])
    }

    @Test func `a record that is none is given once, and then forgotten`() throws {
        do {
            var log = try AppendLog(path: DeferredLog.path(in: folder.path), capacity: DeferredLog.capacity)
            _ = try log.append([[9, 9, 9]] + records(one, 1...1).map(\.bytes))
        }
        #expect(found(try open()) == ["unreadable", "one 1"])
        #expect(found(try open()) == ["one 1"])
    }

    @Test func `a directory that is not there is an error`() {
        #expect(throws: StoreError.self) { _ = try DeferredLog(directory: "/none/such") }
    }

    @Test func `a mark is read as it was written`() {
        for key in [one, two] {
            let mark = DeferredMark(key: key, through: 1 << 40)
            #expect(DeferredMark(mark.bytes) == mark)
            #expect(mark.covers(key, 1 << 40) && !mark.covers(key, 1 << 40 | 1))
        }
        #expect(DeferredMark(Array(DeferredMark(key: one, through: 1).bytes.dropLast())) == nil)
    }
}
