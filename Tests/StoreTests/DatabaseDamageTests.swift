import Foundation
import Store
import TestSupport
import Testing

@Suite("Damaged database")
struct DatabaseDamageTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var aside: String { scratch.state + "/state.sqlite.damaged-1" }

    /// A closed database of some 150 pages, and its rows.
    private func filled() throws -> [StateRow] {
        var database = try scratch.database()
        for table in StateTable.allCases {
            try database.apply(
                (0..<40).map { put(table, "client", "\(100 + $0)", String(repeating: "v\($0)", count: 300)) })
        }
        let points = (0..<2000).map {
            TrackPoint(time: $0, latitude: 1.1, longitude: 2.2, altitude: 3.3, speed: 4.4)
        }
        try database.append(track: points, .onCard)
        return try database.rows()
    }

    private func spoil(_ range: Range<Int>, _ body: (UInt8) -> UInt8 = { $0 ^ 0xA5 }) throws {
        var bytes = try scratch.stateBytes("state.sqlite")
        for index in range.clamped(to: bytes.indices) { bytes[index] = body(bytes[index]) }
        try scratch.write(bytes, to: "state/state.sqlite")
    }

    @Test func `a damaged page loses only its own rows, and the recovery reports the loss`() throws {
        let rows = try filled()
        let filledRows = Set(rows)
        let whole = try scratch.stateBytes("state.sqlite")
        var (recovered, lossless) = (0, 0)
        for page in 1..<whole.count / 4096 {
            try scratch.write(whole, to: "state/state.sqlite")
            try? FileManager.default.removeItem(atPath: aside)
            try spoil(page * 4096..<page * 4096 + 4096)
            var database = try scratch.database()
            let kept = try database.rows()
            #expect(filledRows.isSuperset(of: kept), "page \(page)")
            // One that has nothing of the rows may not show.
            guard let recovery = database.recovery else {
                #expect(kept == rows && database.trackCount == 2000, "page \(page)")
                continue
            }
            recovered += 1
            lossless += recovery.isWhole ? 1 : 0
            let lost = (rows.count - kept.count, 2000 - database.trackCount)
            // A root page takes its table; nothing takes two.
            #expect(lost.0 <= 40 && lost.1 <= 2000 && (lost.0 == 0 || lost.1 == 0), "page \(page)")
            #expect(recovery.isWhole == (lost == (0, 0)), "page \(page): \(recovery)")
            #expect(recovery.setAside == aside && recovery.path == database.path)
            #expect(recovery.tables.map(\.name) == StateTable.allCases.map { "\($0)" } + ["track"])
            #expect(recovery.tables.last?.kept == database.trackCount)
            #expect(recovery.tables.dropLast().map(\.kept).reduce(0, +) == kept.count)
            try database.apply([put(.events, "new", "1", "x")])
            #expect(
                try scratch.mode("state/state.sqlite.damaged-1") == 0o600 && scratch.mode("state/state.sqlite") == 0o600
            )
        }
        #expect(recovered > 80, "\(recovered) of \(whole.count / 4096) pages told, \(lossless) of them without loss")
    }

    @Test func `one changed bit of a value loses only its row`() throws {
        do {
            var database = try scratch.database()
            try database.apply((0..<9).map { put(.authorization, "a", "\($0)", "value \($0)") })
        }
        let bytes = try scratch.stateBytes("state.sqlite")
        let place = try #require(bytes.firstRange(of: Array("value 4".utf8))).lowerBound
        try spoil(place..<place + 1) { $0 ^ 1 }
        let database = try scratch.database()
        #expect(database.recovery?.reason == "a row of authorization differs from what was written")
        #expect(try database.rows().map(\.name) == ["0", "1", "2", "3", "5", "6", "7", "8"])
        #expect(database.recovery?.tables.filter { !$0.isWhole }.map(\.name) == ["authorization"])
    }

    @Test(arguments: ["noise", "zeros", "text", "head"])
    func `a file that is not a database is set aside, and a new one is created`(kind: String) throws {
        _ = try filled()
        switch kind {
        case "noise": try spoil(0..<Int.max)
        case "zeros": try spoil(0..<Int.max) { _ in 0 }
        case "text": try scratch.write(Array("not a database at all\n".utf8), to: "state/state.sqlite")
        default: try spoil(0..<100)
        }
        let bytes = try scratch.stateBytes("state.sqlite")
        do {
            var database = try scratch.database()
            let told = database.recovery
            let recovery = try #require(told)
            #expect(!recovery.isWhole && recovery.tables.allSatisfy { $0.kept == 0 })
            #expect(
                recovery.description == "\(database.path) was damaged (file is not a database) and was built anew with "
                    + "the rows that could be read: 0 of settings (not all), 0 of authorization (not all), 0 of registrations "
                    + "(not all), 0 of events (not all), 0 of sessions (not all), 0 of learned (not all), 0 of visits "
                    + "(not all), 0 of deferred (not all), 0 of track (not all); the damaged one is kept as \(aside)")
            #expect(try database.rows().isEmpty)
            try database.apply([put(.events, "a", "1", "x")])
        }
        #expect(try scratch.stateBytes("state.sqlite.damaged-1") == bytes)
        let again = try scratch.database()
        #expect(try again.recovery == nil && again.rows().count == 1)
    }

    @Test func `a truncated file keeps rows from before the cut`() throws {
        let rows = try filled()
        let bytes = try scratch.stateBytes("state.sqlite")
        for part in [2, 3, 4] {
            try scratch.write(Array(bytes[..<(bytes.count * part / 5)]), to: "state/state.sqlite")
            let database = try scratch.database()
            let kept = try database.rows()
            #expect(database.recovery?.isWhole == false && kept.count > 20 && Set(kept).isSubset(of: Set(rows)))
        }
    }

    @Test func `the rows of a damaged file's write-ahead log are kept too`() throws {
        _ = try filled()
        let copy = try Scratch()
        try FileManager.default.createDirectory(atPath: copy.state, withIntermediateDirectories: false)
        do {
            var database = try scratch.database()
            try database.apply([put(.settings, "late", "1", "in the log")])
            try copy.write(try scratch.stateBytes("state.sqlite-wal"), to: "state/state.sqlite-wal")
            var bytes = try scratch.stateBytes("state.sqlite")
            // The last pages are the track's.
            for index in bytes.count - 40_000..<bytes.count { bytes[index] ^= 0xA5 }
            try copy.write(bytes, to: "state/state.sqlite")
        }
        let database = try copy.database()
        #expect(database.recovery?.isWhole == false && database.trackCount < 2000)
        let rows = try database.rows()
        #expect(rows.count == 40 * StateTable.allCases.count + 1)
        #expect(rows.contains(row(.settings, "late", "1", "in the log")))
        #expect(copy.stateNames.contains("state.sqlite.damaged-1-wal"))
    }

    /// Adds points to a closed database, and spoils one of the track's last pages.
    private func spoilTrack(points: Int64) throws {
        do {
            var database = try scratch.database()
            try database.append(
                track: (0..<points).map { TrackPoint(time: 10_000 + $0, latitude: 1.1, longitude: 2.2) }, .onCard)
        }
        let size = try scratch.stateBytes("state.sqlite").count
        try spoil(size - 3 * 4096..<size - 2 * 4096)
    }

    @Test func `a deferred track is checked in parts, and its damage keeps nothing else from being opened`() throws {
        let rows = try filled()
        try spoilTrack(points: 4000)
        let bytes = try scratch.stateBytes("state.sqlite")
        do {
            var database = try Database(folder: scratch.state, isTrackDeferred: true)
            let isChecked = database.isTrackChecked
            #expect(try database.recovery == nil && database.rows() == rows && !isChecked)
            var parts = 0
            let error = refusal { () throws(StoreError) in
                while !database.isTrackChecked {
                    try database.checkTrack()
                    parts += 1
                }
            }
            guard case .damaged? = error?.kind else {
                Issue.record("the check ended with \(String(describing: error))")
                return
            }
            #expect(parts > 5)
        }
        #expect(try scratch.stateBytes("state.sqlite") == bytes)
    }

    @Test func `damage of a track that is found behind the opening is mended, and told`() throws {
        let rows = try filled()
        try spoilTrack(points: 4000)
        let files = scratch.files()
        let (problems, isChecked) = (files.problems, files.isTrackChecked)
        #expect(problems == [] && !isChecked)
        let worker = StoreWorker(inline: files)
        var news: [String] = []
        worker.onNews = { news.append($0) }
        for _ in 0..<100 {
            try worker.perform(
                { database throws(StoreError) in try database.checkTrack() },
                then: { if case .failure(let error) = $0 { Issue.record("\(error)") } })
        }
        #expect(news.count == 1 && news.first?.contains("was built anew") == true)
        try worker.submit([put(.events, "new", "1", "x")]) { #expect($0 == nil) }
        worker.stop()
        let database = try scratch.database()
        #expect(try database.recovery == nil && database.rows().count == rows.count + 1)
        #expect((3000..<6000).contains(database.trackCount))
    }

    @Test func `points that come while the track is checked are counted once`() throws {
        _ = try filled()
        var database = try Database(folder: scratch.state, isTrackDeferred: true)
        try database.checkTrack()
        for time in [Int64(3), 20_000, 700, 1999, 20_001, -5] {
            try database.append(track: [TrackPoint(time: time, latitude: 1, longitude: 2)], .eventually)
        }
        while !database.isTrackChecked { try database.checkTrack() }
        #expect(database.trackCount == 2003)
        #expect(try database.track(from: .min, to: .max, limit: 9999).count == 2003)
    }

    @Test func `an erased track needs no check`() throws {
        let rows = try filled()
        var database = try Database(folder: scratch.state, isTrackDeferred: true)
        try database.checkTrack()
        #expect(try database.eraseTrack() == 2000)
        let isChecked = database.isTrackChecked
        #expect(isChecked && database.trackCount == 0)
        #expect(try database.rows() == rows)
    }

    @Test func `at most three damaged files are kept, and the third is replaced`() throws {
        for round in 1...5 {
            do { _ = try filled() }
            try spoil(0..<100)
            let database = try scratch.database()
            #expect(database.recovery?.setAside == scratch.state + "/state.sqlite.damaged-\(min(round, 3))")
        }
        #expect(scratch.stateNames.filter { $0.contains("damaged") }.count == 3)
    }

    @Test(arguments: 0..<3)
    func `an interrupted replacement of a damaged file is finished`(step: Int) throws {
        let rows = try filled()
        let good = try scratch.stateBytes("state.sqlite")
        try scratch.write(good, to: "state/state.sqlite.rebuilt")
        try scratch.write([1, 2, 3], to: "state/state.sqlite.rebuilding")
        try spoil(0..<100)
        try scratch.write(Array("log".utf8), to: "state/state.sqlite-wal")
        let (main, log) = (scratch.state + "/state.sqlite", scratch.state + "/state.sqlite-wal")
        if step >= 1 { try FileManager.default.moveItem(atPath: log, toPath: aside + "-wal") }
        if step >= 2 { try FileManager.default.moveItem(atPath: main, toPath: aside) }
        let database = try scratch.database()
        #expect(try database.rows() == rows && database.recovery == nil)
        #expect(try scratch.stateBytes("state.sqlite.damaged-1-wal") == Array("log".utf8))
        #expect(!scratch.stateNames.contains { $0.hasSuffix("rebuilt") })
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `a damaged file stays unchanged when there is no room to rebuild it`() throws {
        let disk = try #require(SmallDisk(scratch.path("disk"), bytes: 1_000_000))
        let rows = try filled()
        try spoil(200_704..<204_800)
        let bytes = try scratch.stateBytes("state.sqlite")
        let path = disk.folder + "/state.sqlite"
        try Data(bytes).write(to: URL(filePath: path))
        try Data(count: 1_000_000 - bytes.count - 100_000).write(to: URL(filePath: disk.folder + "/ballast"))
        for _ in 0..<2 {
            let error = refusal { () throws(StoreError) in _ = try Database(folder: disk.folder) }
            #expect(error?.kind == .full)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
        }
        try FileManager.default.removeItem(atPath: disk.folder + "/ballast")
        try FileManager.default.removeItem(atPath: scratch.state)
        let roomy = try Scratch()
        try FileManager.default.createDirectory(atPath: roomy.state, withIntermediateDirectories: false)
        try roomy.write(bytes, to: "state/state.sqlite")
        let database = try roomy.database()
        #expect(try database.recovery != nil && Set(database.rows()).isSubset(of: Set(rows)))
    }
}
