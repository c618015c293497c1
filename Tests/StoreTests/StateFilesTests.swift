import Foundation
import Glibc
import TestSupport
import Testing

@testable import Store

@Suite("State files")
struct StateFilesTests {
    private let scratch: Scratch
    private let denial = row(.authorization, "camera", "record", "denied")
    private let off = row(.settings, "", StateRow.servicesSwitch, "0")
    private let visits = row(.registrations, "camera", "visits", "v")

    init() throws { scratch = try Scratch() }

    private func apply(_ rows: [StateRow]) throws(StoreError) {
        var files = scratch.files()
        #expect(files.problems == [] && !files.isInDoubt)
        try files.apply(rows.map { .put($0) })
    }

    private func write(_ bytes: [UInt8], to name: String) throws { try scratch.write(bytes, to: "state/\(name)") }

    /// The state files after something happened to them.
    private func found(
        inDoubt isInDoubt: Bool = false, failure: StoreError.Kind? = nil, problems: Int = 0,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) -> [StateRow] {
        let files = scratch.files()
        #expect(files.isInDoubt == isInDoubt, sourceLocation: sourceLocation)
        #expect(files.failure?.kind == failure, sourceLocation: sourceLocation)
        #expect(files.problems.count == problems, "\(files.problems)", sourceLocation: sourceLocation)
        return files.found
    }

    @Test func `a new folder holds nothing, and nothing is in doubt`() throws {
        #expect(found() == [])
        #expect(scratch.stateNames == ["state.decisions", "state.lock", "state.sqlite"])
        #expect(try scratch.mode("state/state.decisions") == 0o600)
    }

    @Test func `decisions and other rows are found after opening again`() throws {
        try apply([off, denial, visits])
        #expect(found() == [off, denial, visits])
    }

    @Test func `withdrawn decisions are gone from both files`() throws {
        try apply([off, denial])
        do {
            var files = scratch.files()
            try files.apply([.remove(.settings, client: "", name: StateRow.servicesSwitch), .erase(client: "camera")])
        }
        #expect(found() == [])
        try write([], to: "state.sqlite")
        #expect(found() == [])
    }

    @Test(arguments: ["noise", "empty", "half"])
    func `decisions are known after the database is damaged`(kind: String) throws {
        try apply([off, denial, visits])
        let bytes = try scratch.stateBytes("state.sqlite")
        switch kind {
        case "noise": try write(bytes.map { $0 ^ 0x5A }, to: "state.sqlite")
        case "half": try write(Array(bytes.prefix(bytes.count / 2)), to: "state.sqlite")
        default: try write([], to: "state.sqlite")
        }
        let rows = found(problems: kind == "empty" ? 0 : 1)
        #expect(rows.filter(\.key.isDecision) == [off, denial])
        #expect(found().filter(\.key.isDecision) == [off, denial])
    }

    @Test func `where the file of decisions is lost too, a damaged database is trusted with none`() throws {
        try apply([off, denial, visits])
        let bytes = try scratch.stateBytes("state.sqlite")
        // Its last page alone: the decisions of its tables can be read, but later ones may have been lost with its log.
        try write(Array(bytes.dropLast(4096)) + [UInt8](repeating: 0x5A, count: 4096), to: "state.sqlite")
        try write(Array("noise".utf8), to: "state.decisions")
        #expect(found(inDoubt: true, problems: 2).filter(\.key.isDecision) == [])
        #expect(found(inDoubt: true).filter(\.key.isDecision) == [])
    }

    @Test func `a decision does not stand in the database's log alone`() throws {
        var files = scratch.files()
        try files.apply([.put(visits)])
        try files.apply([.put(denial)])
        // As a sudden end leaves it, without its log and without the file of decisions.
        let copy = try Scratch()
        try copy.write(try scratch.stateBytes("state.sqlite"), to: "state.sqlite")
        let left = StateFiles(folder: copy.folder)
        #expect(left.found.filter(\.key.isDecision) == [denial])
    }

    @Test func `with a database of a later version old decisions are known and new ones are kept`() throws {
        try apply([denial, visits])
        try Database.tooNew(in: scratch)
        let later = StoreError.Kind.newerVersion(found: 99, known: Schema.current.version)
        #expect(found(failure: later, problems: 1) == [denial])
        do {
            var files = scratch.files()
            try files.apply([.put(off)])
            let error = refusal { () throws(StoreError) in try files.apply([.put(visits)]) }
            #expect(error?.kind == later)
        }
        #expect(found(failure: later, problems: 1) == [off, denial])
    }

    @Test func `while another process holds the database, decisions are known but none is accepted`() throws {
        try apply([denial])
        let holder = try scratch.database()
        var files = scratch.files()
        #expect(files.found == [denial] && files.failure?.kind == .inUse && !files.isInDoubt && !files.keepsDecisions)
        #expect(refusal { () throws(StoreError) in try files.apply([.put(off)]) }?.kind == .inUse)
        _ = consume holder
        #expect(found() == [denial])
    }

    @Test func `when neither file can be read, decisions are in doubt and stay in doubt`() throws {
        try apply([off, denial, visits])
        let bytes = try scratch.stateBytes("state.sqlite")
        try write(bytes.map { $0 ^ 0x5A }, to: "state.sqlite")
        try write([1, 2, 3], to: "state.decisions")
        #expect(found(inDoubt: true, problems: 2) == [])
        #expect(found(inDoubt: true) == [])
        do {
            var files = scratch.files()
            try files.apply([.put(denial)])
        }
        #expect(found(inDoubt: true) == [denial])
    }

    @Test func `a damaged database is rebuilt only once the doubt about decisions is on the card`() throws {
        try apply([off, denial])
        var bytes = try scratch.stateBytes("state.sqlite")
        let word = Array("denied".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: word) })
        bytes[place] ^= 0x20
        try write(bytes, to: "state.sqlite")
        try write([1, 2, 3], to: "state.decisions")
        // Nothing can be written in the file's place, as on a full card.
        let obstacle = "\(scratch.state)/state.decisions.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        for _ in 1...2 {
            let files = scratch.files()
            #expect(files.isInDoubt && files.failure != nil)
        }
        try FileManager.default.removeItem(atPath: obstacle)
        for _ in 1...2 {
            let files = scratch.files()
            #expect(files.isInDoubt && files.failure == nil)
        }
    }

    @Test func `with a damaged file of decisions and no database, decisions are in doubt`() throws {
        for left in [nil, []] as [[UInt8]?] {
            try apply([denial])
            try write([1, 2, 3], to: "state.decisions")
            try FileManager.default.removeItem(atPath: "\(scratch.state)/state.sqlite")
            if let left { try write(left, to: "state.sqlite") }
            #expect(found(inDoubt: true, problems: 1) == [])
            try FileManager.default.removeItem(atPath: scratch.state)
        }
    }

    /// What may become of a file of the state directory.
    enum Fate: CaseIterable { case whole, gone, empty }

    @Test(arguments: Fate.allCases, Fate.allCases)
    func `no denial is lost silently, whatever becomes of the database and its log`(main: Fate, log: Fate) throws {
        // As a kill leaves the files: the denial is in the database, and other rows in its log.
        var files = scratch.files()
        try files.apply([.put(denial)])
        try files.apply([.put(visits)])
        let copy = try Scratch()
        for name in scratch.stateNames where name != "state.decisions" {
            let bytes = try scratch.stateBytes(name)
            let fate: Fate = name == "state.sqlite" ? main : name == "state.sqlite-wal" ? log : .whole
            if fate != .gone { try copy.write(fate == .empty ? [] : bytes, to: name) }
        }
        for _ in 1...2 {
            let left = StateFiles(folder: copy.folder)
            #expect(left.isInDoubt || left.found.contains(denial), "the database \(main), its log \(log)")
            #expect(left.isInDoubt == (main != .whole))
        }
    }

    @Test func `a database without decisions is not trusted where their file was removed`() throws {
        try apply([visits])
        let before = try scratch.stateBytes("state.sqlite")
        try apply([denial])
        try write(before, to: "state.sqlite")
        try FileManager.default.removeItem(atPath: "\(scratch.state)/state.decisions")
        #expect(found(inDoubt: true) == [visits])
    }

    @Test func `with an unusable database and no file of decisions, decisions are in doubt`() throws {
        do {
            var database = try scratch.database()
            try database.apply([.put(denial)])
        }
        try Database.tooNew(in: scratch)
        let later = StoreError.Kind.newerVersion(found: 99, known: Schema.current.version)
        #expect(found(inDoubt: true, failure: later, problems: 1) == [])
    }

    @Test func `a damaged file of decisions is rewritten from the database`() throws {
        try apply([off, denial])
        let whole = try scratch.stateBytes("state.decisions")
        for spoilt in [[], Array(whole.dropLast()), whole.map { $0 ^ 1 }] {
            try write(spoilt, to: "state.decisions")
            #expect(found(problems: 1) == [off, denial])
            #expect(try scratch.stateBytes("state.decisions") == whole)
        }
    }

    @Test func `a decision missing from the database is copied into it`() throws {
        try apply([visits])
        let before = try scratch.stateBytes("state.sqlite")
        try apply([denial])
        try write(before, to: "state.sqlite")
        #expect(found() == [denial, visits])
        #expect(try scratch.database().rows() == [denial, visits])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a file system that became read-only the decisions are known`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 4_000_000))
        do {
            var files = StateFiles(folder: disk.folder)
            try files.apply([.put(off), .put(denial), .put(visits)])
        }
        #expect(disk.makeReadOnly())
        let files = StateFiles(folder: disk.folder)
        #expect(files.found == [off, denial] && !files.isInDoubt && files.failure?.kind == .notWritable)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a file system that was read-only from the first start nothing is in doubt`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 4_000_000))
        #expect(disk.makeReadOnly())
        for folder in [disk.folder, disk.folder + "/state"] {
            let files = StateFiles(folder: folder)
            #expect(files.found == [] && !files.isInDoubt && files.failure?.kind == .notWritable)
        }
        let unmounted = StateFiles(folder: disk.folder + "/not/mounted")
        #expect(unmounted.failure?.kind == .noFolder && unmounted.isInDoubt == true)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `on a full card a decision is refused, and both files keep their contents`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 1_000_000))
        do {
            var files = StateFiles(folder: disk.folder)
            try files.apply([.put(denial)])
            disk.fill()
            #expect(refusal { () throws(StoreError) in try files.apply([.put(off)]) }?.kind == .full)
        }
        do {
            let files = StateFiles(folder: disk.folder)
            #expect(files.found == [denial] && !files.isInDoubt && files.failure == nil)
        }
        disk.makeRoom()
        do {
            var files = StateFiles(folder: disk.folder)
            try files.apply([.put(off)])
        }
        let files = StateFiles(folder: disk.folder)
        #expect(files.found == [off, denial])
    }

    @Test func `a state folder deleted while in use is created again with all its contents`() throws {
        do {
            var files = scratch.files()
            try files.apply([.put(off), .put(denial), .put(visits)])
            try files.perform { database throws(StoreError) in
                try database.append(track: [TrackPoint(time: 5, latitude: 47, longitude: 8)], .eventually)
            }
            try FileManager.default.removeItem(atPath: scratch.state)
            try files.apply([put(.events, "camera", "1", "e")])
            try files.apply([put(.events, "camera", "2", "e")])
        }
        #expect(
            found() == [
                off, denial, visits, row(.events, "camera", "1", "e"), row(.events, "camera", "2", "e"),
            ])
        #expect(try scratch.database().track(from: 0, to: 9, limit: 9).count == 1)
        #expect(try scratch.mode("state") == 0o700 && scratch.mode("state/state.sqlite") == 0o600)
    }

    @Test func `a database file deleted while in use is created again, and others still cannot open it`() throws {
        var files = scratch.files()
        try files.apply([.put(visits)])
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try FileManager.default.removeItem(atPath: "\(scratch.state)/\(name)")
        }
        try files.apply([.put(denial)])
        #expect(refusal { () throws(StoreError) in _ = try scratch.database() }?.kind == .inUse)
        _ = consume files
        #expect(found() == [denial, visits])
    }

    @Test func `a database file deleted while in use is created again without the log that it left behind`() throws {
        let (kept, late) = (String(repeating: "e", count: 6000), String(repeating: "r", count: 6000))
        do {
            var files = scratch.files()
            try files.apply((10...49).map { put(.events, "camera", "\($0)", kept) })
            try files.apply((10...48).map { .remove(.events, client: "camera", name: "\($0)") })
            // A decision is written back at once, so that the log then has only some of the file's pages.
            try files.apply([.put(denial)])
            try files.apply([put(.registrations, "camera", "home", late)])
            try FileManager.default.removeItem(atPath: "\(scratch.state)/state.sqlite")
            try files.apply([.put(off)])
        }
        let rows = [row(.registrations, "camera", "home", late), row(.events, "camera", "49", kept)]
        #expect(found() == [off, denial] + rows)
    }

    @Test func `another file put in the database's place is not changed`() throws {
        var files = scratch.files()
        try files.apply([.put(visits)])
        try FileManager.default.removeItem(atPath: "\(scratch.state)/state.sqlite")
        try write([1, 2, 3], to: "state.sqlite")
        #expect(refusal { () throws(StoreError) in try files.apply([.put(denial)]) }?.kind == .replaced)
        #expect(try scratch.stateBytes("state.sqlite") == [1, 2, 3])
    }
}

extension Database {
    /// Gives the database's file a version that no release knows.
    fileprivate static func tooNew(in scratch: Scratch) throws {
        var bytes = try scratch.stateBytes("state.sqlite")
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try scratch.write(bytes, to: "state/state.sqlite")
    }
}
