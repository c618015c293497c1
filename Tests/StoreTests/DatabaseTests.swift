import Foundation
import Store
import Testing

@Suite("Database")
struct DatabaseTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `applied rows are returned in a fixed order, also after opening again`() throws {
        let expected = [
            row(.settings, "", "rate", "1"), row(.authorization, "a", "", "always"),
            row(.registrations, "b", "1", "x"), row(.registrations, "b", "10", "y"),
            row(.registrations, "b", "2", "z"), row(.registrations, "Ä", "home", ""), row(.learned, "", "f", "\0\u{1}"),
        ]
        do {
            var database = try scratch.database()
            #expect(database.recovery == nil && database.path == scratch.state + "/state.sqlite")
            #expect(try database.rows().isEmpty)
            try database.apply(expected.shuffled().map { .put($0) })
            #expect(try database.rows() == expected)
        }
        #expect(try scratch.database().rows() == expected)
        #expect(scratch.stateNames == ["state.lock", "state.sqlite"])
    }

    @Test func `a put replaces, a remove deletes, an erase deletes the client from every table`() throws {
        var database = try scratch.database()
        try database.apply(StateTable.allCases.flatMap { [put($0, "a", "1", "x"), put($0, "b", "1", "x")] })
        try database.apply([put(.events, "b", "1", "new"), .remove(.learned, client: "b", name: "1")])
        try database.apply([.remove(.learned, client: "b", name: "1"), .remove(.settings, client: "c", name: "1")])
        try database.apply([put(.events, "a", "2", "y"), .erase(client: "a"), put(.events, "a", "3", "z")])
        let rows = try database.rows()
        #expect(rows.filter { $0.client == "a" } == [row(.events, "a", "3", "z")])
        #expect(rows.filter { $0.client == "b" }.map(\.table) == StateTable.allCases.filter { $0 != .learned })
        #expect(rows.contains(row(.events, "b", "1", "new")) && rows.count == StateTable.allCases.count)
    }

    @Test func `removing through a name deletes only that client's rows up to it, in byte order`() throws {
        var database = try scratch.database()
        try database.apply(["0", "1", "10", "2", "é"].map { put(.deferred, "a", $0, "x") })
        try database.apply([put(.deferred, "b", "0", "x"), put(.events, "a", "0", "x")])
        try database.apply([.removeThrough(.deferred, client: "a", name: "10")])
        #expect(
            try database.rows() == [
                row(.events, "a", "0", "x"), row(.deferred, "a", "2", "x"), row(.deferred, "a", "é", "x"),
                row(.deferred, "b", "0", "x"),
            ])
    }

    @Test func `any text can be a key`() throws {
        let names = [
            "", "a'b", "a\"b", "a\0b", "a\0", "🧭", "é", "e\u{301}", "; DROP TABLE events",
            String(repeating: "n", count: 5000),
        ]
        var database = try scratch.database()
        try database.apply(names.map { put(.events, $0, $0, $0) })
        #expect(Set(try database.rows().map { Array($0.name.utf8) }) == Set(names.map { Array($0.utf8) }))
        try database.apply([.remove(.events, client: "a\0b", name: "a\0b"), .erase(client: "a'b")])
        #expect(try database.rows().count == names.count - 2)
    }

    @Test func `a client's summary counts its rows and bytes, table by table`() throws {
        var database = try scratch.database()
        try database.apply([
            put(.events, "a", "é", "123"), put(.events, "a", "2", ""), put(.sessions, "a", "n", "1"),
            put(.settings, "b", "n", "1"),
        ])
        #expect(
            try database.summary(client: "a") == [
                StateSummary(table: .events, count: 2, bytes: 6), StateSummary(table: .sessions, count: 1, bytes: 2),
            ])
        #expect(try database.summary(client: "c").isEmpty)
    }

    @Test func `a row that is too long is refused with its whole transaction`() throws {
        var database = try scratch.database()
        let most = [UInt8](repeating: 7, count: StateRow.maximumBytes - 2)
        var error = refusal { () throws(StoreError) in
            try database.apply([
                put(.events, "a", "1", "x"), .put(StateRow(table: .events, client: "a", name: "2", value: most + [0])),
            ])
        }
        #expect(error?.kind == .rowTooLarge && error?.description.contains("1048576 bytes") == true)
        #expect(try database.rows().isEmpty)
        error = refusal { () throws(StoreError) in
            try database.apply([.put(StateRow(table: .events, client: "a", name: "2", value: most))])
        }
        #expect(error == nil)
        #expect(try database.rows().first?.value == most)
    }

    @Test func `erased data remains in no file`() throws {
        var database = try scratch.database()
        let secret = "grandmother's house"
        for index in 0..<50 {
            try database.apply([put(.registrations, "a", "\(index)", secret), put(.events, "b", "k", "kept")])
        }
        #expect(try scratch.anyFile(has: secret))
        try scratch.write(Array(secret.utf8), to: "state/state.sqlite.damaged-2")
        try scratch.write(Array(secret.utf8), to: "state/state.sqlite.damaged-1-wal")
        try database.apply([.erase(client: "a")])
        #expect(try !scratch.anyFile(has: secret) && scratch.anyFile(has: "kept"))
        #expect(scratch.stateNames == ["state.lock", "state.sqlite", "state.sqlite-wal"])
    }

    @Test func `every transaction is counted`() throws {
        var database = try scratch.database()
        for index in 0..<5 { try database.apply([put(.events, "a", "\(index)", "x")]) }
        try database.apply([])
        try database.append(track: [TrackPoint(time: 1, latitude: 1, longitude: 1)], .eventually)
        try database.append(track: [TrackPoint(time: 2, latitude: 1, longitude: 1)], .onCard)
        #expect(database.transactions == Database.Transactions(onCard: 6, eventual: 1))
    }

    /// After a kill all of it is read before the daemon serves, from a card that may read a hundred pages a second.
    @Test func `thousands of transactions leave a write-ahead log of fewer than 160 pages`() throws {
        var database = try scratch.database()
        var largest = 0
        for index in 0..<1200 {
            try database.apply([put(.events, "a", "\(index % 40)", String(repeating: "x", count: index % 700))])
            if index % 50 == 0 { largest = max(largest, try scratch.stateBytes("state.sqlite-wal").count) }
        }
        #expect(largest < 160 * 4096)
        #expect(try scratch.stateBytes("state.sqlite").count < 200_000)
    }
}

@Suite("Database versions")
struct DatabaseVersionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let later = Schema(
        migrations: Schema.current.migrations + [
            "ALTER TABLE track ADD COLUMN satellites INTEGER; DELETE FROM learned;"
        ])

    private func open(_ schema: Schema) throws(StoreError) -> Database {
        try Database(folder: scratch.state, retention: .standard, schema: schema)
    }

    @Test func `an older file is migrated to the present version`() throws {
        do {
            var database = try open(.current)
            try database.apply([put(.settings, "", "a", "one"), put(.learned, "b", "1", "x")])
        }
        for _ in 0..<2 {
            let rows = try open(later).rows()
            #expect(rows == [row(.settings, "", "a", "one")])
        }
    }

    @Test func `a file of the first release keeps its rows and gets a table of visits`() throws {
        do {
            var database = try open(Schema(migrations: [Schema.current.migrations[0]]))
            try database.apply([put(.settings, "", "a", "one")])
        }
        var database = try scratch.database()
        try database.apply([put(.visits, "", "1", "x")])
        #expect(try database.rows() == [row(.settings, "", "a", "one"), row(.visits, "", "1", "x")])
    }

    @Test func `the days of a track from before days were counted are counted by their dates`() throws {
        let day: Int64 = 86_400_000_000_000
        let points = (Int64(0)..<5).map { "INSERT INTO track (time, latitude, longitude) VALUES (\($0 * day), 1, 1);" }
        var migrations = Array(Schema.current.migrations.prefix(3))
        migrations[2] += points.joined()
        _ = try open(Schema(migrations: migrations))
        var database = try scratch.database(TrackRetention(days: 2, points: 99))
        try database.append(track: [TrackPoint(time: 5 * day, latitude: 1, longitude: 1, steady: day)], .onCard)
        #expect(try database.track(from: .min, to: .max, limit: 9).map(\.time) == [3 * day, 4 * day, 5 * day])
    }

    @Test func `a migration that fails changes nothing`() throws {
        do {
            var database = try open(.current)
            try database.apply([put(.settings, "", "a", "one")])
        }
        let wrong = Schema(migrations: later.migrations + ["CREATE TABLE further (a); UPDATE nowhere SET a = 1;"])
        let error = refusal { () throws(StoreError) in _ = try open(wrong) }
        #expect(error?.kind == .database(code: 1))
        #expect(try open(.current).rows() == [row(.settings, "", "a", "one")])
        #expect(scratch.stateNames == ["state.lock", "state.sqlite"])
    }

    @Test func `a file of a later release is refused and left as it is`() throws {
        do {
            var database = try open(later)
            try database.apply([put(.settings, "", "a", "one")])
        }
        let (bytes, names) = (try scratch.stateBytes("state.sqlite"), scratch.stateNames)
        let error = refusal { () throws(StoreError) in _ = try open(.current) }
        #expect(error?.kind == .newerVersion(found: Schema.current.version + 1, known: Schema.current.version))
        #expect(error?.description.contains("install the later release again") == true)
        #expect(try scratch.stateBytes("state.sqlite") == bytes && scratch.stateNames == names)
    }

    @Test func `a later version that is only in the write-ahead log is refused too`() throws {
        let copy = try Scratch()
        try FileManager.default.createDirectory(atPath: copy.state, withIntermediateDirectories: false)
        do {
            var database = try open(later)
            // The file grows, so that its head is in the log too.
            try database.apply([put(.settings, "", "a", String(repeating: "x", count: 100_000))])
            var bytes = try scratch.stateBytes("state.sqlite")
            bytes[63] = UInt8(Schema.current.version)
            try copy.write(bytes, to: "state/state.sqlite")
            try copy.write(try scratch.stateBytes("state.sqlite-wal"), to: "state/state.sqlite-wal")
        }
        let (bytes, log) = (try copy.stateBytes("state.sqlite"), try copy.stateBytes("state.sqlite-wal"))
        let error = refusal { () throws(StoreError) in _ = try copy.database() }
        #expect(error?.kind == .newerVersion(found: Schema.current.version + 1, known: Schema.current.version))
        #expect(try copy.stateBytes("state.sqlite") == bytes && copy.stateBytes("state.sqlite-wal") == log)
    }
}
