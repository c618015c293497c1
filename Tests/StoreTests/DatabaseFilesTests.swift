import Foundation
import Glibc
import Store
import TestSupport
import Testing

@Suite("Database's files")
struct DatabaseFilesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func modes() throws -> [Int?] { try scratch.stateNames.map { try scratch.mode("state/" + $0) } }

    /// In a program of its own: a process has one umask, which other tests need as it is.
    @Test func `RUN-08: only its owner may read the folder and any file, whatever the umask`() throws {
        let line = "umask 0; exec '\(Writer.path)' '\(scratch.state)'"
        let writer = try ChildProgram("/bin/sh", ["-c", line], output: .pipe)
        for _ in 0..<20 {
            // It writes on as long as somebody reads.
            #expect(try !writer.readSome().isEmpty)
            #expect(try modes().allSatisfy { $0 == 0o600 })
        }
        #expect(try modes().count == 3 && scratch.mode("state") == 0o700)
    }

    @Test(.enabled(if: Tracing.isPossible, "strace cannot trace here"))
    func `RUN-08: other users can at no instant read any of the files`() throws {
        let trace = scratch.path("trace")
        let line =
            "umask 0; exec strace -f -e trace=open,openat,creat,mkdir -o '\(trace)' "
            + "'\(Writer.path)' '\(scratch.state)' 300"
        let program = try ChildProgram("/bin/sh", ["-c", line], output: .nothing, errors: .nothing)
        try #require(try program.waitForEnd() == 0)
        let calls = String(decoding: try scratch.bytes("trace"), as: UTF8.self).split(separator: "\n")
            .filter { $0.contains(scratch.state) }
        let made = calls.filter { $0.contains("O_CREAT") }
        #expect(made.count >= 3 && made.allSatisfy { $0.contains(", 0600)") }, "\(made)")
        #expect(calls.filter { $0.contains("mkdir(") }.allSatisfy { $0.contains(", 0700)") })
    }

    @Test func `restored files with another mode are made private again`() throws {
        do {
            var database = try scratch.database()
            try database.apply([put(.events, "a", "1", "x")])
        }
        try scratch.write([], to: "state/state.sqlite-wal")
        for name in ["state/state.sqlite", "state/state.sqlite-wal"] {
            #expect(unsafe chmod(scratch.path(name), 0o644) == 0)
        }
        let database = try scratch.database()
        #expect(try database.rows().count == 1 && modes().allSatisfy { $0 == 0o600 })
    }

    @Test func `an existing folder keeps its mode`() throws {
        #expect(unsafe mkdir(scratch.state, 0o755) == 0)
        _ = try scratch.database()
        #expect(try scratch.mode("state") == 0o755)
    }

    @Test(arguments: ["state", "a?b", "a#b", "a%41", "ä b'c"])
    func `a folder may have any name`(name: String) throws {
        for count in 0..<2 {
            var database = try Database(folder: scratch.path(name))
            #expect(try database.rows().count == count)
            try database.apply([put(.events, "a", "1", "x")])
        }
        #expect(scratch.names == [name])
    }

    @Test func `a symbolic link in the file's place is not followed`() throws {
        try scratch.write([1, 2, 3], to: "victim")
        #expect(unsafe mkdir(scratch.state, 0o700) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.state + "/state.sqlite", withDestinationPath: scratch.path("victim"))
        #expect(refusal { () throws(StoreError) in _ = try scratch.database() } != nil)
        #expect(try scratch.bytes("victim") == [1, 2, 3])
    }

    @Test func `without its parent folder the store fails, and the error says to create it`() {
        let error = refusal { () throws(StoreError) in _ = try Database(folder: scratch.path("none/state")) }
        #expect(error?.kind == .noFolder)
        #expect(
            error?.description == "\(scratch.path("none/state")): No such file or directory; create its directory first"
        )
    }

    @Test(arguments: ["/sys/kernel", "/sys/kernel/none"])
    func `in a folder that cannot be written to, the error says so`(folder: String) {
        let error = refusal { () throws(StoreError) in _ = try Database(folder: folder) }
        #expect(error?.kind == .notWritable)
        #expect(error?.description.hasSuffix("let the user who runs sextantd write to its directory") == true)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a file system that became read-only the error says so`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 4_000_000))
        do {
            var database = try Database(folder: disk.folder)
            try database.apply([put(.events, "a", "1", "x")])
        }
        #expect(disk.makeReadOnly())
        let error = refusal { () throws(StoreError) in _ = try Database(folder: disk.folder) }
        #expect(error?.kind == .notWritable && error?.description.contains("Read-only file system") == true)
    }

    @Test func `only one opener at a time has the database, in this process and in others`() throws {
        var database = try scratch.database()
        try database.apply([put(.events, "a", "1", "x")])
        var error = refusal { () throws(StoreError) in _ = try scratch.database() }
        #expect(error?.kind == .inUse)
        #expect(
            error?.description == "\(scratch.state)/state.sqlite: another process has it open; stop that one, or "
                + "choose another state directory for this one")
        #expect(try Writer(scratch.state, count: 1).ended() == ["failed inUse"])
        database = try Database(folder: scratch.path("other"))
        let writer = try Writer(scratch.state)
        try writer.wait(forBytes: 1)
        error = refusal { () throws(StoreError) in _ = try scratch.database() }
        #expect(error?.kind == .inUse)
        _ = try writer.killed(afterBytes: 0, microseconds: 0)
        #expect(try scratch.database().rows().contains(row(.events, "a", "1", "x")))
    }
}

@Suite("Database on a full card")
struct DatabaseFullTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func fill(_ database: inout Database, _ client: String) -> (rows: Int, error: StoreError?) {
        for index in 0..<1000 {
            let error = refusal { () throws(StoreError) in
                try database.apply([
                    put(.events, client, "\(index)", String(repeating: "x", count: 800)),
                    put(.settings, client, "count", "\(index + 1)"),
                ])
            }
            if let error { return (index, error) }
        }
        return (1000, nil)
    }

    private func expectWhole(_ database: borrowing Database, _ client: String, _ count: Int) throws {
        let rows = try database.rows().filter { $0.client == client }
        #expect(rows.filter { $0.table == .events }.count == count)
        #expect(rows.contains(row(.settings, client, "count", "\(count)")))
    }

    @Test func `at the file's size limit no row is lost, and removed rows make room for new ones`() throws {
        var database = try scratch.database()
        try database.limit(pages: 60)
        let (count, error) = fill(&database, "a")
        #expect(error?.kind == .full)
        #expect(error?.description.hasSuffix("No space left on device; make room on the card") == true)
        #expect(count > 60)
        try expectWhole(database, "a", count)
        try database.apply((0..<40).map { .remove(.events, client: "a", name: "\($0)") })
        try database.apply([put(.events, "b", "1", String(repeating: "x", count: 900))])
        try database.limit(pages: 0)
        #expect(fill(&database, "c").error == nil)
        try expectWhole(database, "c", 1000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a full file system no row is lost, and writing goes on once there is room`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 1_000_000))
        let ballast = disk.folder + "/ballast"
        try Data(count: 400_000).write(to: URL(filePath: ballast))
        let count: Int
        do {
            var database = try Database(folder: disk.folder)
            let (filled, error) = fill(&database, "a")
            #expect(error?.kind == .full && error?.errno == ENOSPC && filled > 20)
            for _ in 0..<5 { #expect(fill(&database, "b").error?.kind == .full) }
            try expectWhole(database, "a", filled)
            try FileManager.default.removeItem(atPath: ballast)
            try database.apply([.erase(client: "b"), put(.events, "c", "1", "x")])
            count = filled
        }
        let database = try Database(folder: disk.folder)
        #expect(database.recovery == nil)
        try expectWhole(database, "a", count)
        #expect(try database.rows().filter { $0.client != "a" } == [row(.events, "c", "1", "x")])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a card filled by other programs rows can still be replaced and removed`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 8_000_000))
        var database = try Database(folder: disk.folder)
        #expect(fill(&database, "a").error == nil)
        try database.apply((100..<1000).map { .remove(.events, client: "a", name: "\($0)") })
        disk.fill()
        for index in 0..<400 {
            let name = "\(index % 100)"
            let isPut = index < 300
            try database.apply([
                isPut ? put(.events, "a", name, "\(index)") : .remove(.events, client: "a", name: name)
            ])
        }
        #expect(try database.rows().map(\.table) == [.settings])
    }
}
