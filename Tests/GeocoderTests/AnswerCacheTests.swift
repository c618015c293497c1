import Foundation
import SextantPlaces
import SextantSQLite
import SextantUnits
import Testing

@testable import Geocoder

@Suite("Kept answers")
struct AnswerCacheTests {
    private let folder = TemporaryFolder()
    private static let day: Int64 = 86_400
    private static let mark = Placemark(latitude: 47.37, longitude: 8.54, radius: 30, source: .server)

    private func cache(limit: Int = AnswerCache.standardLimit) throws -> AnswerCache {
        try AnswerCache(folder: "\(folder.path)/state", limit: limit)
    }

    private func key(_ text: String) -> ServerKey { ServerKey(ServerQuestion(.forward(text: text, near: nil))) }

    private func time(_ seconds: Int64, boot: String = "first", wall: Int64? = nil) -> CacheTime {
        CacheTime(
            boot: boot, now: MonotonicInstant(nanoseconds: seconds * 1_000_000_000),
            wall: wall.map { UTCInstant(nanoseconds: $0 * 1_000_000_000) })
    }

    @Test func `GEO-37: an answer is kept so many days, and no answer for one`() throws {
        let cache = try cache()
        try cache.keep([Self.mark], for: key("Zürich"), of: "a", at: time(0))
        try cache.keep([], for: key("Nowhere"), of: "a", at: time(0))
        #expect(try cache.answer(for: key("zurich"), of: "a", at: time(30 * Self.day - 1), days: 30) == [Self.mark])
        #expect(try cache.answer(for: key("zurich"), of: "a", at: time(30 * Self.day), days: 30) == nil)
        #expect(try cache.answer(for: key("nowhere"), of: "a", at: time(Self.day - 1), days: 30) == [])
        #expect(try cache.answer(for: key("nowhere"), of: "a", at: time(Self.day), days: 30) == nil)
    }

    @Test func `GEO-42: a client finds its own answers alone`() throws {
        let cache = try cache()
        try cache.keep([Self.mark], for: key("Zürich"), of: "a", at: time(0))
        #expect(try cache.answer(for: key("Zürich"), of: "b", at: time(1), days: 30) == nil)
        #expect(try cache.clients() == ["a"] && cache.erase("b") == 0 && cache.erase("a") == 1)
        #expect(try cache.answer(for: key("Zürich"), of: "a", at: time(1), days: 30) == nil)
    }

    @Test func `after a new boot an answer is trusted only where the wall clock was and is vouched for`() throws {
        let cache = try cache()
        try cache.keep([Self.mark], for: key("known"), of: "a", at: time(5, wall: 1_000_000))
        try cache.keep([Self.mark], for: key("unknown"), of: "a", at: time(5))
        let later = time(9, boot: "second", wall: 1_000_060)
        #expect(try cache.answer(for: key("known"), of: "a", at: later, days: 30) == [Self.mark])
        #expect(try cache.answer(for: key("unknown"), of: "a", at: later, days: 30) == nil)
        #expect(try cache.answer(for: key("known"), of: "a", at: time(9, boot: "second"), days: 30) == nil)
        let before = time(9, boot: "second", wall: 999_000)
        #expect(try cache.answer(for: key("known"), of: "a", at: before, days: 30) == nil)
        // Without a clock that is vouched for nothing expires.
        try cache.keep([Self.mark], for: key("unknown"), of: "b", at: time(5))
        try cache.expire(days: 30, at: time(9, boot: "second"))
        #expect(try cache.answer(for: key("known"), of: "a", at: later, days: 30) == [Self.mark])
        // What no clock will ever date is of no use any more.
        #expect(try cache.clients() == ["a"])
        try cache.expire(days: 30, at: time(9, boot: "second", wall: 1_000_000 + 31 * Self.day))
        #expect(try cache.answer(for: key("known"), of: "a", at: later, days: 30) == nil)
    }

    @Test func `GEO-42: with 0 days everything expires, also what no clock dates`() throws {
        let cache = try cache()
        try cache.keep([Self.mark], for: key("now"), of: "a", at: time(5, boot: "second"))
        try cache.keep([Self.mark], for: key("known"), of: "b", at: time(5, wall: 1_000_000))
        try cache.keep([Self.mark], for: key("unknown"), of: "c", at: time(5))
        try cache.expire(days: 0, at: time(9, boot: "second"))
        #expect(try cache.clients().isEmpty)
    }

    @Test func `in memory at most 1000 answers are kept, and none of more than 8 KiB anywhere`() throws {
        let cache = try AnswerCache(folder: nil)
        for number in 0..<1100 { try cache.keep([Self.mark], for: key("street \(number)"), of: "a", at: time(0)) }
        var long = Self.mark
        long.name = String(repeating: "x", count: 10_000)
        try cache.keep([long], for: key("long"), of: "b", at: time(0))
        #expect(try cache.clients() == ["a"] && cache.erase("a") == 1000)
    }

    @Test func `a file of another version is made anew`() throws {
        try cache().keep([Self.mark], for: key("one"), of: "a", at: time(0))
        let database = try CacheDatabase(path: "\(folder.path)/state/answers.sqlite")
        try database.run("PRAGMA user_version=99")
        try database.run("ALTER TABLE answer RENAME COLUMN places TO other")
        let cache = try cache()
        #expect(try cache.clients().isEmpty)
        try cache.keep([Self.mark], for: key("one"), of: "a", at: time(0))
        #expect(try cache.answer(for: key("one"), of: "a", at: time(0), days: 30) == [Self.mark])
    }

    @Test func `the least recently used answer makes room`() throws {
        let cache = try cache(limit: 2)
        for name in ["one", "two"] { try cache.keep([Self.mark], for: key(name), of: "a", at: time(0)) }
        _ = try cache.answer(for: key("one"), of: "a", at: time(1), days: 30)
        try cache.keep([Self.mark], for: key("three"), of: "a", at: time(2))
        let kept = try ["one", "two", "three"].filter {
            try cache.answer(for: key($0), of: "a", at: time(3), days: 30) != nil
        }
        #expect(kept == ["one", "three"])
    }

    @Test func `an answer replaces the older one of its question`() throws {
        let cache = try cache(limit: 2)
        for seconds in 0..<5 { try cache.keep([Self.mark], for: key("one"), of: "a", at: time(Int64(seconds))) }
        try cache.keep([Self.mark], for: key("two"), of: "a", at: time(9))
        #expect(try cache.answer(for: key("one"), of: "a", at: time(9), days: 30) != nil)
        #expect(try cache.erase("a") == 2)
    }

    @Test func `GEO-42: the file is its owner's alone, and an open folder is closed`() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/state", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try cache().keep([Self.mark], for: key("one"), of: "a", at: time(0))
        #expect(try folder.mode("state") == 0o700 && folder.mode("state/answers.sqlite") == 0o600)
    }

    @Test func `GEO-42: what was erased is in the file no more`() throws {
        let cache = try cache()
        let secret = Placemark(latitude: 47.123456, longitude: 8.654321, radius: 30, source: .server)
        try cache.keep([secret], for: key("Schloss"), of: "logbook", at: time(0))
        func has(_ text: String) throws -> Bool {
            let bytes = try #require(FileManager.default.contents(atPath: "\(folder.path)/state/answers.sqlite"))
            return bytes.range(of: Data(text.utf8)) != nil
        }
        #expect(try has("47.123456") && has("schloss") && has("logbook"))
        _ = try cache.erase("logbook")
        #expect(try !has("47.123456") && !has("schloss") && !has("logbook"))
    }

    @Test(arguments: ["no database at all, but a text that is long enough to be read as a page", ""])
    func `a file that is no cache is made anew`(text: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/state", withIntermediateDirectories: true)
        try Data(String(repeating: text, count: 100).utf8).write(
            to: URL(filePath: "\(folder.path)/state/answers.sqlite"))
        let cache = try cache()
        try cache.keep([Self.mark], for: key("one"), of: "a", at: time(0))
        #expect(try cache.answer(for: key("one"), of: "a", at: time(0), days: 30) == [Self.mark])
        #expect(try folder.mode("state/answers.sqlite") == 0o600)
    }

    @Test func `what outlives the process is there again`() throws {
        try cache().setState("pace", "one")
        try cache().setState("pace", "two")
        #expect(try cache().state("pace") == "two" && cache().state("other") == nil)
    }
}
