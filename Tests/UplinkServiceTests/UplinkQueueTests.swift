import Foundation
import Testing

@testable import UplinkService

@Suite("The uplink's queue")
final class UplinkQueueTests {
    let state: String
    let runtime: String
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "uplink-\(UUID().uuidString)"
        (state, runtime) = (folder + "/state", folder + "/run")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func queue() throws -> UplinkQueue { try UplinkQueue(state: state, runtime: runtime) { 0x9F3C_01AB } }

    private func numbers(_ records: [QueueRecord]) -> [Int64] { records.map(\.number) }

    /// What a kill leaves: the files as they are, without a word from the process.
    private func killed(after use: (UplinkQueue) throws -> Void) throws {
        // A queue that is let go writes nothing; the database's own log stays as a kill leaves it.
        try use(try queue())
    }

    @Test func `numbers go on through fixes and events, and each kind is read in their order`() throws {
        let queue = try queue()
        _ = try queue.addFix(time: 10, body: [1])
        _ = try queue.addEvent(time: nil, body: [2], identity: "7 at home")
        _ = try queue.addFix(time: nil, body: [3])
        let fixes = try queue.records(.fix, from: 0, limit: 10)
        #expect(fixes.map(\.body) == [[1], [3]])
        #expect(fixes.map(\.time) == [10, nil])
        #expect(numbers(fixes) == [1, 3])
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [2])
        #expect(queue.series == 0x9F3C_01AB)
        #expect(queue.load == QueueLoad(fixes: 2, events: 1, bytes: 3 * 25))
    }

    @Test func `an event that the daemon sends again gets no second number`() throws {
        try killed { _ = try $0.addEvent(time: 1, body: [1], identity: "7 at home") }
        let queue = try queue()
        #expect(try queue.addEvent(time: 1, body: [1], identity: "7 at home") == nil)
        try queue.remove(1...1)
        #expect(try queue.addEvent(time: 1, body: [1], identity: "7 at home") == nil)
        #expect(queue.load == QueueLoad())
    }

    @Test func `a kill takes no fix and no event, and repeats no number`() throws {
        try killed { queue in
            for index in 0..<300 { _ = try queue.addFix(time: Int64(index), body: [UInt8(index % 250)]) }
            _ = try queue.addEvent(time: 300, body: [9], identity: "1")
        }
        let queue = try queue()
        #expect(numbers(try queue.records(.fix, from: 0, limit: 1000)) == Array(1...300))
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [301])
        #expect(try queue.addFix(time: 301, body: []).number == 302)
    }

    @Test func `what was delivered before a kill does not come back`() throws {
        try killed { queue in
            for index in 0..<300 { _ = try queue.addFix(time: Int64(index), body: []) }
            try queue.remove(1...299)
        }
        #expect(numbers(try queue().records(.fix, from: 0, limit: 1000)) == [300])
    }

    @Test func `a power cut takes the fixes in memory alone, and repeats no number`() throws {
        try killed { queue in
            for index in 0..<300 { _ = try queue.addFix(time: Int64(index), body: []) }
            _ = try queue.addEvent(time: 300, body: [9], identity: "1")
        }
        try FileManager.default.removeItem(atPath: runtime)
        let queue = try queue()
        #expect(numbers(try queue.records(.fix, from: 0, limit: 1000)) == Array(1...256))
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [301])
        #expect(try queue.addFix(time: 301, body: []).number > 301)
    }

    @Test func `an orderly end leaves no hole in the numbers`() throws {
        try killed { queue in
            _ = try queue.addFix(time: 1, body: [])
            try queue.close()
        }
        try FileManager.default.removeItem(atPath: runtime)
        let queue = try queue()
        #expect(numbers(try queue.records(.fix, from: 0, limit: 10)) == [1])
        #expect(try queue.addFix(time: 2, body: []).number == 2)
    }

    @Test(arguments: [0, 1, 5, 8, 20])
    func `a last entry that a kill cut is left out`(kept: Int) throws {
        try killed { queue in
            _ = try queue.addFix(time: 1, body: [1, 2, 3])
            _ = try queue.addFix(time: 2, body: [4, 5, 6])
        }
        let path = runtime + "/tail"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // An entry here has 8 bytes of head, 17 of numbers and 3 of body.
        try bytes.dropLast(28 - kept).write(to: URL(fileURLWithPath: path))
        #expect(numbers(try queue().records(.fix, from: 0, limit: 10)) == [1])
    }

    @Test func `a damaged file is kept under another name, and a new queue takes over the fixes in memory`() throws {
        try killed { queue in
            for index in 0..<257 { _ = try queue.addFix(time: Int64(index), body: [UInt8(index % 250)]) }
        }
        let path = state + "/queue.sqlite"
        try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: path))
        let queue = try UplinkQueue(state: state, runtime: runtime) { 2 }
        #expect(queue.series == 2)
        #expect(try queue.records(.fix, from: 0, limit: 10).map(\.body) == [[6]])
        #expect(queue.notices.count == 1)
        #expect(queue.notices[0].contains("kept as \(path).damaged-1"))
        #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
    }

    @Test func `a queue of a later release is kept under another name`() throws {
        try killed { queue in _ = try queue.addEvent(time: 1, body: [1], identity: "1") }
        let path = state + "/queue.sqlite"
        try version(of: path, is: 9)
        let queue = try queue()
        #expect(queue.load == QueueLoad())
        #expect(queue.notices[0].contains("later release"))
        #expect(FileManager.default.fileExists(atPath: path + ".version-9-1"))
    }

    private func version(of path: String, is number: UInt8) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=\(number)'); c.commit()",
            path,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `the files are their owner's alone`() throws {
        let queue = try queue()
        _ = try queue.addFix(time: 1, body: [])
        for path in [state + "/queue.sqlite", state + "/queue.sqlite-wal", runtime + "/tail"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func `erased, nothing waits, and the numbers go on`() throws {
        let queue = try queue()
        _ = try queue.addFix(time: 1, body: [])
        _ = try queue.addEvent(time: 1, body: [], identity: "1")
        try queue.erase()
        #expect(queue.load == QueueLoad())
        #expect(try queue.records(.fix, from: 0, limit: 10).isEmpty)
        #expect(try queue.addFix(time: 2, body: []).number == 3)
    }
}
