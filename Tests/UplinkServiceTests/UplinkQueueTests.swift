import Foundation
import SextantSQLite
import SextantUnits
import SextantUplink
import TestSupport
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

    private func queue(boot: String = "one", series: UInt32 = 0x9F3C_01AB) throws -> UplinkQueue {
        try UplinkQueue.open(state: state, runtime: runtime, boot: boot) { series }
    }

    private func numbers(_ records: [UplinkRecord]) -> [Int64] { records.map(\.n) }

    private func fix(_ n: Int64, _ body: [UInt8] = []) -> UplinkRecord {
        UplinkRecord(n: n, kind: .fix, time: UTCInstant(nanoseconds: n), uptime: nil, body: body)
    }

    private func event(_ n: Int64, identity: UInt64? = nil, body: [UInt8] = [9]) -> UplinkRecord {
        UplinkRecord(n: n, kind: .event, time: UTCInstant(nanoseconds: n), uptime: nil, identity: identity, body: body)
    }

    /// What a process that is killed leaves in its files.
    private func killed(series: UInt32 = 0x9F3C_01AB, after use: (UplinkQueue) throws -> Void) throws {
        try use(try queue(series: series))
    }

    @Test func `fixes and events are read by kind or together, in the order of their numbers`() throws {
        let queue = try queue()
        for record in [fix(1), event(2), fix(3)] { try queue.store(record) }
        try queue.flush()
        for record in [fix(4), event(5), fix(6)] { try queue.store(record) }
        #expect(numbers(try queue.records(.fix, from: 0, limit: 10)) == [1, 3, 4, 6])
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [2, 5])
        #expect(numbers(try queue.records(nil, from: 2, limit: 3)) == [2, 3, 4])
        #expect(numbers(try queue.records(nil, from: 4, limit: 10)) == [4, 5, 6])
    }

    @Test func `the reducer begins with what waits`() throws {
        try killed { queue in
            for record in [fix(1, [1, 2]), event(2, identity: .max), fix(3)] { try queue.store(record) }
            try queue.remember(command: "c1")
            try queue.set(
                UplinkRegion(identifier: "quay", name: "Quay", latitude: 1, longitude: 2, radius: 3, timestamp: 4))
        }
        let start = try queue().start
        #expect(start.series == 0x9F3C_01AB)
        #expect(start.next == 4)
        #expect(start.load.fixes == 2)
        #expect(start.load.events == 1)
        #expect(start.load.bytes == 3 * 48 + 3)
        #expect(start.load.oldest == 1)
        #expect(start.load.oldestTime == UTCInstant(nanoseconds: 1))
        #expect(start.newestFixTime == UTCInstant(nanoseconds: 3))
        #expect(start.identities == [.max])
        #expect(start.commandIDs == ["c1"])
        #expect(start.regions.map(\.identifier) == ["quay"])
    }

    @Test func `a kill takes no fix and no event, and repeats no number`() throws {
        try killed { queue in
            for n in 1...300 { try queue.store(fix(Int64(n), [UInt8(n % 250)])) }
            try queue.store(event(301))
        }
        let queue = try queue()
        #expect(numbers(try queue.records(.fix, from: 0, limit: 1000)) == Array(1...300))
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [301])
        #expect(queue.start.next == 302)
    }

    @Test func `what was delivered before a kill does not come back, and its numbers and time are not forgotten`()
        throws
    {
        try killed { queue in
            for n in 1...300 { try queue.store(fix(Int64(n))) }
            try queue.store(event(301))
            try queue.remove(1...301)
        }
        // And killed again before anything is added.
        try killed { _ in }
        let start = try queue().start
        #expect(start.load.fixes == 0)
        #expect(start.load.events == 0)
        #expect(start.next == 302)
        #expect(start.newestFixTime == UTCInstant(nanoseconds: 300))
    }

    @Test func `the file in memory stays short where each fix is delivered at once`() throws {
        try killed { queue in
            for n in 1...2000 {
                try queue.store(fix(Int64(n), [UInt8](repeating: 7, count: 100)))
                try queue.remove(Int64(n)...Int64(n))
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: runtime + "/tail")).count < 100_000)
            try queue.store(fix(2001))
        }
        let queue = try queue()
        #expect(numbers(try queue.records(nil, from: 0, limit: 9)) == [2001] && queue.start.next == 2002)
    }

    @Test func `a power cut takes the fixes in memory alone, and repeats no number`() throws {
        try killed { queue in
            for n in 1...300 { try queue.store(fix(Int64(n))) }
            try queue.store(event(301))
        }
        try FileManager.default.removeItem(atPath: runtime)
        let queue = try queue(boot: "two")
        #expect(numbers(try queue.records(.fix, from: 0, limit: 1000)) == Array(1...256))
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [301])
        #expect(queue.start.next > 301)
    }

    /// A power cut leaves what was synced and, of what was written since, as much as happened to reach the card.
    @Test(arguments: 1...20)
    func `MQTT-06: whatever a power cut leaves, the queue opens, with every event once, and repeats no number`(
        seed: Int
    ) throws {
        var random = UInt64(seed)
        func draw(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        let (log, other) = ("/queue.sqlite-wal", folder + "/after")
        func logSize() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: state + log)).count }
        var (stored, waiting, synced) = (Set<Int64>(), Set<Int64>(), 0)
        let queue = try queue()
        for n in 1...Int64(20 + draw(10)) {
            if draw(3) == 0, let oldest = waiting.min() {
                try queue.remove(oldest...oldest)
                waiting.remove(oldest)
            }
            guard draw(2) == 0 else {
                try queue.store(fix(n))
                continue
            }
            try queue.store(event(n, identity: UInt64(n)))
            (stored, waiting, synced) = (stored.union([n]), waiting.union([n]), try logSize())
        }
        try FileManager.default.copyItem(atPath: state, toPath: other)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: other + log))
        try file.truncate(atOffset: UInt64(synced + draw(try logSize() - synced + 1)))
        try file.close()
        let after = try UplinkQueue.open(state: other, runtime: folder + "/run2", boot: "two")
        let events = try after.records(.event, from: 0, limit: 100).map(\.n)
        #expect(waiting.isSubset(of: events) && stored.isSuperset(of: events) && Set(events).count == events.count)
        #expect(Set(after.start.identities) == Set(stored.map { UInt64($0) }))
        #expect(after.start.next > 30 && after.notices.isEmpty)
        withExtendedLifetime(queue) {}
    }

    @Test func `an orderly end leaves no hole in the numbers`() throws {
        try killed { queue in
            try queue.store(fix(1))
            try queue.close()
        }
        try FileManager.default.removeItem(atPath: runtime)
        let start = try queue(boot: "two").start
        #expect(start.load.fixes == 1)
        #expect(start.next == 2)
        #expect(start.newestFixTime == UTCInstant(nanoseconds: 1))
    }

    @Test func `an uptime holds for its own boot alone`() throws {
        let uptime = MonotonicInstant(nanoseconds: 5)
        try killed { queue in
            for n in 1...2 {
                try queue.store(UplinkRecord(n: Int64(n), kind: .fix, time: nil, uptime: uptime, body: []))
                if n == 1 { try queue.flush() }
            }
        }
        #expect(try queue().records(.fix, from: 0, limit: 10).map(\.uptime) == [uptime, uptime])
        try queue().close()
        #expect(try queue(boot: "two").records(.fix, from: 0, limit: 10).map(\.uptime) == [nil, nil])
    }

    @Test(arguments: [0, 1, 5, 8, 20])
    func `a last entry that a kill cut is left out`(kept: Int) throws {
        try killed { queue in
            try queue.store(fix(1, [1, 2, 3]))
            try queue.store(fix(2, [4, 5, 6]))
        }
        let path = runtime + "/tail"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // An entry here has 8 bytes of head, 17 of numbers and 3 of body.
        try bytes.dropLast(28 - kept).write(to: URL(fileURLWithPath: path))
        #expect(numbers(try queue().records(.fix, from: 0, limit: 10)) == [1])
    }

    @Test func `a damaged file is kept under another name, and a new queue takes over the fixes in memory`() throws {
        try killed { queue in for n in 1...257 { try queue.store(fix(Int64(n), [UInt8(n % 250)])) } }
        let path = state + "/queue.sqlite"
        try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: path))
        let queue = try queue(series: 2)
        #expect(queue.start.series == 2)
        #expect(try queue.records(.fix, from: 0, limit: 10).map(\.body) == [[7]])
        #expect(numbers(try queue.records(.fix, from: 0, limit: 10)) == [1])
        #expect(queue.notices.count == 1)
        #expect(queue.notices[0].contains("kept as \(path).damaged-1"))
        #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
    }

    @Test func `of a queue that is damaged in its middle the rest is taken over, under its own numbers`() throws {
        let place = Array(#"{"latitude":47.3769,"longitude":8.5417,"horizontalAccuracy":4.5}"#.utf8)
        try killed { queue in
            for n in 1...4000 { try queue.store(n % 100 == 0 ? event(Int64(n), body: place) : fix(Int64(n), place)) }
            try queue.note(isRetained: true)
            try queue.close()
        }
        let path = state + "/queue.sqlite"
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(size / 2 / 4096 * 4096))
        try file.write(contentsOf: Data(repeating: 0x55, count: 3 * 4096))
        let queue = try queue(series: 2)
        let found = numbers(try queue.records(nil, from: 0, limit: 4000))
        #expect(queue.start.series == 0x9F3C_01AB && queue.start.next > 4000 && queue.start.hasRetained)
        #expect(found.first == 1 && found.last == 4000 && (3700..<4000).contains(found.count))
        #expect(queue.notices.count == 1 && queue.notices[0].hasSuffix("\(found.count) records were taken over"))
        #expect(try queue.load().events == queue.records(.event, from: 0, limit: 100).count)
    }

    @Test func `a queue of a later release is kept under another name`() throws {
        try killed { queue in try queue.store(event(1)) }
        let path = state + "/queue.sqlite"
        try later(path)
        let queue = try queue()
        #expect(queue.start.load.events == 0)
        #expect(queue.notices[0].contains("later release"))
        #expect(FileManager.default.fileExists(atPath: path + ".later-1"))
    }

    /// Gives the file the version of a later release, at the place of its header where SQLite keeps it.
    private func later(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 63)
        try file.write(contentsOf: Data([9]))
        try file.close()
    }

    @Test func `thinned fixes go with the event that says so, in memory and on the card`() throws {
        try killed { queue in
            for n in 1...3 { try queue.store(fix(Int64(n))) }
            try queue.flush()
            try queue.store(fix(4))
            try queue.thin(removing: [1, 4], record: event(5))
        }
        #expect(numbers(try queue().records(nil, from: 0, limit: 10)) == [2, 3, 5])
    }

    @Test func `the oldest events go where there are too many`() throws {
        let queue = try queue()
        for n in 1...4 { try queue.store(event(Int64(n))) }
        try queue.removeOldestEvents(count: 3)
        #expect(numbers(try queue.records(.event, from: 0, limit: 10)) == [4])
    }

    @Test func `the newest 1000 commands and events are remembered`() throws {
        try killed { queue in
            for n in 1...1002 {
                try queue.store(event(Int64(n), identity: UInt64(n)))
                try queue.remember(command: "\(n)")
            }
        }
        let start = try queue().start
        #expect(start.identities == Array(3...1002))
        #expect(start.commandIDs.count == 1000)
    }

    @Test func `what the queue holds is counted through adding and removing, in memory and on the card`() throws {
        let queue = try queue()
        for n in 1...3 { try queue.store(fix(Int64(n), [1])) }
        try queue.flush()
        for record in [fix(4, [1]), event(5), fix(6, [1])] { try queue.store(record) }
        #expect(
            try queue.load()
                == UplinkLoad(fixes: 5, events: 1, bytes: 6 * 49, oldest: 1, oldestTime: UTCInstant(nanoseconds: 1)))
        try queue.remove(1...4)
        try queue.discard([6])
        let left = UplinkLoad(fixes: 0, events: 1, bytes: 49, oldest: 5, oldestTime: UTCInstant(nanoseconds: 5))
        #expect(try queue.load() == left)
        try queue.close()
        #expect(try queue.load() == left)
        try queue.removeOldestEvents(count: 9)
        #expect(try queue.load() == UplinkLoad())
    }

    @Test func `what the card does not let go is counted until it is gone`() throws {
        let queue = try queue()
        for n in 1...3 { try queue.store(fix(Int64(n), [1])) }
        try queue.flush()
        let whole = try queue.load()
        let refusal = "CREATE TEMP TRIGGER refusal BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try queue.connection.execute(refusal)
        #expect(throws: (any Error).self) { try queue.remove(1...1) }
        #expect(throws: (any Error).self) { try queue.discard([2]) }
        #expect(throws: (any Error).self) { try queue.thin(removing: [3], record: event(4)) }
        #expect(try queue.load() == whole)
        try queue.connection.execute("DROP TRIGGER refusal")
        try queue.remove(1...3)
        #expect(try queue.load() == UplinkLoad())
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `an entry of which a full memory takes a part hides no later one from the next process`() throws {
        let disk = try #require(SmallDisk(runtime, bytes: 1_000_000))
        try killed { queue in
            disk.fill()
            let body = [UInt8](repeating: 7, count: 90)
            for n in 1...200 { try? queue.store(fix(Int64(n), body)) }
            disk.makeRoom()
            try queue.store(fix(201))
        }
        #expect(numbers(try queue().records(.fix, from: 0, limit: 300)).last == 201)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `in a full memory fixes go to the card, none of them comes back, and events are stored`() throws {
        let disk = try #require(SmallDisk(runtime, bytes: 1_000_000))
        try killed { queue in
            try queue.store(fix(1))
            disk.fill()
            try queue.flush()
            try queue.store(event(2))
            try queue.remove(1...1)
        }
        disk.makeRoom()
        let queue = try queue()
        #expect(numbers(try queue.records(nil, from: 0, limit: 9)) == [2] && queue.start.next == 3)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `a card that fills up takes no fix for long, and no number is given twice`() throws {
        let disk = try #require(SmallDisk(state, bytes: 4_000_000))
        do {
            let queue = try queue()
            disk.fill()
            for n in 1...3000 { try? queue.store(fix(Int64(n))) }
            #expect(try queue.records(.fix, from: 0, limit: 4000).count == 3000 && queue.lost == 0)
        }
        try FileManager.default.removeItem(atPath: runtime)
        disk.makeRoom()
        #expect(try queue(boot: "two").start.next > 3000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `with a card that is full at the start fixes are in memory, and on the card once there is room`() throws {
        let disk = try #require(SmallDisk(state, bytes: 4_000_000))
        try killed { queue in
            for record in [fix(1), event(2)] { try queue.store(record) }
            try queue.flush()
            try queue.store(fix(3))
        }
        disk.fill()
        // Started again and again, it goes on where it was, under a series of its own.
        for n in 2...3 {
            try killed(series: UInt32(n)) { queue in
                #expect(queue.problem != nil && queue.start.series == 2 && queue.start.hasRetained)
                #expect(queue.start.next == n)
                try queue.store(fix(Int64(n), [UInt8(n)]))
                #expect(throws: (any Error).self) { try queue.store(event(9)) }
                #expect(numbers(try queue.records(nil, from: 0, limit: 9)) == Array(1...Int64(n)))
            }
        }
        disk.makeRoom()
        let queue = try queue()
        #expect(queue.problem == nil && queue.start.series == 0x9F3C_01AB && !queue.start.hasRetained)
        let records = try queue.records(nil, from: 0, limit: 9)
        #expect(records.map(\.body) == [[], [9], [], [2], [3]])
        #expect(Set(numbers(records)).count == 5 && numbers(records) == numbers(records).sorted())
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `what is on a card that is full is erased all the same`() throws {
        let disk = try #require(SmallDisk(state, bytes: 4_000_000))
        try killed { queue in try queue.store(event(1)) }
        disk.fill()
        let queue = try queue()
        try queue.store(fix(2))
        try queue.erase()
        #expect(try queue.load() == UplinkLoad())
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["ballast"])
    }

    @Test func `the files are their owner's alone`() throws {
        let queue = try queue()
        try queue.store(fix(1))
        for path in [state + "/queue.sqlite", state + "/queue.sqlite-wal", runtime + "/tail"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func `erased, nothing waits, and the numbers go on`() throws {
        try killed { queue in
            for record in [fix(1), event(2)] { try queue.store(record) }
            try queue.set(
                UplinkRegion(identifier: "quay", name: "Quay", latitude: 1, longitude: 2, radius: 3, timestamp: 4))
            try queue.note(isRetained: true)
            try Data([1]).write(to: URL(fileURLWithPath: state + "/queue.sqlite.damaged-1"))
            try queue.erase()
        }
        let start = try queue().start
        #expect(start.regions.isEmpty && start.hasRetained)
        #expect(!FileManager.default.fileExists(atPath: state + "/queue.sqlite.damaged-1"))
        #expect(start.load.fixes + start.load.events == 0)
        #expect(start.next == 3)
    }
}
