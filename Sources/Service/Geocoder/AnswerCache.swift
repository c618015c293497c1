internal import Glibc
internal import SextantPlaces
internal import SextantReactor
internal import SextantSQLite
public import SextantUnits

/// The clock readings from which the age of a cached answer is computed.
public struct CacheTime: Sendable {
    /// The kernel's identifier of the running boot, from whose start the boot clock (`sinceBoot`) counts.
    public var boot: String
    /// Seconds on the boot clock.
    public var sinceBoot: Int64
    /// Seconds on the wall clock; nil if the wall clock is not known to be right.
    public var wall: Int64?

    public init(boot: String, now: MonotonicInstant, wall: UTCInstant?) {
        self.boot = boot
        sinceBoot = now.nanoseconds / 1_000_000_000
        self.wall = wall.map { $0.nanoseconds / 1_000_000_000 }
    }
}

/// The cache of the geocoding server's answers, each kept for the client that asked, in a file that only its owner can
/// read.
///
/// A cache file that cannot be read is made anew; without a folder for the file, the cache is kept in memory. A class,
/// because it owns the database.
final class AnswerCache {
    private let database: CacheDatabase
    private let limit: Int
    private var count: Int
    private var lastUse: Int64

    /// The largest number of answers that are kept.
    static let standardLimit = 20_000
    /// The largest number of answers that are kept if the cache is in memory and not in a file.
    static let memoryLimit = 1000
    /// The largest size in bytes of an answer that is kept; an answer with ten places has about half as many bytes.
    private static let maximumBytes = 8192
    /// The version of the cache file's tables; a file with another version is made anew.
    private static let version: Int64 = 1
    /// Seconds for which an answer that contains no place is kept.
    private static let nothingSeconds: Int64 = 86_400

    /// - Parameter folder: The folder for the cache's file, created with mode 0700 if it is missing; nil for a cache in
    ///   memory.
    init(folder: String?, limit: Int = AnswerCache.standardLimit) throws(CacheError) {
        self.limit = folder == nil ? min(limit, AnswerCache.memoryLimit) : limit
        let opened: AnswerCache.Opened
        do throws(CacheError) {
            opened = try AnswerCache.open(folder)
        } catch {
            guard error.isDamage, let folder else { throw error }
            AnswerCache.discard(in: folder)
            opened = try AnswerCache.open(folder)
        }
        (database, count, lastUse) = (opened.database, opened.count, opened.lastUse)
    }

    private struct Opened {
        var database: CacheDatabase
        var count = 0
        var lastUse: Int64 = 0
    }

    private static func open(_ folder: String?) throws(CacheError) -> Opened {
        var opened = Opened(database: try database(in: folder))
        try prepare(opened.database)
        try opened.database.each("SELECT count(*), ifnull(max(used), 0) FROM answer") { row in
            opened.count = Int(row.integer(0))
            opened.lastUse = row.integer(1)
        }
        return opened
    }

    private static func prepare(_ database: CacheDatabase) throws(CacheError) {
        var found: Int64 = 0
        try database.each("PRAGMA user_version") { found = $0.integer(0) }
        if found != version {
            for table in ["answer", "state"] { try database.run("DROP TABLE IF EXISTS \(table)") }
        }
        for text in schema { try database.run(text) }
        try database.run("PRAGMA user_version=\(version)")
    }

    private static func database(in folder: String?) throws(CacheError) -> CacheDatabase {
        guard let folder else { return try CacheDatabase(path: ":memory:") }
        _ = unsafe mkdir(folder, 0o700)
        _ = unsafe chmod(folder, 0o700)
        let path = path(in: folder)
        // The file is created here with mode 0600, because SQLite would create it readable by others.
        _ = try? Descriptor(creating: path, mode: 0o600)
        _ = unsafe chmod(path, 0o600)
        return try CacheDatabase(path: path)
    }

    private static func path(in folder: String) -> String { "\(folder)/answers.sqlite" }

    /// Removes the cache's file; a process that has it open still sees its content.
    static func discard(in folder: String) {
        _ = unsafe unlink(path(in: folder))
    }

    private static let schema = [
        """
        CREATE TABLE IF NOT EXISTS answer(id INTEGER PRIMARY KEY, client TEXT, language TEXT, level TEXT,
            cellRow INTEGER, cellColumn INTEGER, latitude INTEGER, longitude INTEGER, words TEXT, boot TEXT,
            sinceBoot INTEGER, wall INTEGER, used INTEGER, places TEXT)
        """,
        "CREATE INDEX IF NOT EXISTS answer_cell ON answer(client, language, level, cellRow, cellColumn)",
        "CREATE INDEX IF NOT EXISTS answer_words ON answer(client, language, level, words)",
        "CREATE INDEX IF NOT EXISTS answer_used ON answer(used)",
        "CREATE TABLE IF NOT EXISTS state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    ]

    // MARK: Answers

    /// The kept answer to a client's request; nil if there is none that is recent enough.
    func answer(for key: ServerKey, of client: String, at time: CacheTime, days: Int) throws(CacheError) -> [Placemark]?
    {
        var found: (id: Int64, places: [Placemark])?
        try candidates(key, client) { row in
            guard found == nil, isNear(row, key), let places = AnswerCache.places(row.text(7)),
                let age = AnswerCache.age(row, at: time)
            else { return }
            let longest = places.isEmpty ? AnswerCache.nothingSeconds : Int64(days) * 86_400
            if age >= 0, age < longest { found = (row.integer(0), places) }
        }
        guard let found else { return nil }
        lastUse += 1
        try database.run("UPDATE answer SET used=? WHERE id=?", [.integer(lastUse), .integer(found.id)])
        return found.places
    }

    private static let columns = "SELECT id, latitude, longitude, boot, sinceBoot, wall, used, places FROM answer "

    private func candidates(
        _ key: ServerKey, _ client: String, _ body: (SQLiteStatement<CacheError>) throws(CacheError) -> Void
    ) throws(CacheError) {
        let whose: [SQLValue] = [.text(client), .text(key.language), .text(key.level.rawValue)]
        if case .text(let words) = key.subject {
            try database.each(
                AnswerCache.columns + "WHERE client=? AND language=? AND level=? AND words=? ORDER BY used DESC",
                whose + [.text(words)], body)
        } else if let (rows, columns) = key.cellsNear {
            let cells = [rows.lowerBound, rows.upperBound, columns.lowerBound, columns.upperBound]
            try database.each(
                AnswerCache.columns + "WHERE client=? AND language=? AND level=? AND cellRow BETWEEN ? AND ? "
                    + "AND cellColumn BETWEEN ? AND ? ORDER BY used DESC",
                whose + cells.map { .integer(Int64($0)) }, body)
        }
    }

    private func isNear(_ row: SQLiteStatement<CacheError>, _ key: ServerKey) -> Bool {
        if case .text = key.subject { return true }
        return key.holds(latitudeE5: Int(row.integer(1)), longitudeE5: Int(row.integer(2)))
    }

    private static func places(_ text: String?) -> [Placemark]? {
        guard case .places(let places)? = text.flatMap({ GeocoderReply(line: Array($0.utf8)) }) else { return nil }
        return places
    }

    /// Seconds since the answer in a row of the cache came from the server; nil if no clock can tell.
    private static func age(_ row: SQLiteStatement<CacheError>, at time: CacheTime) -> Int64? {
        if row.text(3) == time.boot { return time.sinceBoot - row.integer(4) }
        guard let wall = time.wall, !row.isNull(5) else { return nil }
        return wall - row.integer(5)
    }

    /// Keeps an answer in place of earlier ones to the same request; if there are too many, drops the least recently
    /// used.
    func keep(_ places: [Placemark], for key: ServerKey, of client: String, at time: CacheTime) throws(CacheError) {
        var old: [Int64] = []
        try candidates(key, client) { row in if isNear(row, key) { old.append(row.integer(0)) } }
        for id in old { try database.run("DELETE FROM answer WHERE id=?", [.integer(id)]) }
        count -= old.count
        let line = String(decoding: GeocoderReply.places(places).line, as: UTF8.self)
        guard line.utf8.count <= AnswerCache.maximumBytes else { return }
        lastUse += 1
        let subject: [SQLValue] =
            switch key.subject {
            case .cell(let row, let column, let latitude, let longitude):
                [row, column, latitude, longitude].map { .integer(Int64($0)) } + [.null]
            case .text(let words): [.null, .null, .null, .null, .text(words)]
            }
        try database.run(
            "INSERT INTO answer(client, language, level, cellRow, cellColumn, latitude, longitude, words, boot, "
                + "sinceBoot, wall, used, places) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [.text(client), .text(key.language), .text(key.level.rawValue)] + subject + [
                .text(time.boot), .integer(time.sinceBoot), time.wall.map { .integer($0) } ?? .null,
                .integer(lastUse), .text(line),
            ])
        count += 1
        try dropOldest()
    }

    private func dropOldest() throws(CacheError) {
        guard count > limit else { return }
        try database.run(
            "DELETE FROM answer WHERE id IN (SELECT id FROM answer ORDER BY used LIMIT ?)",
            [.integer(Int64(count - limit))])
        count = limit
    }

    // MARK: Forgetting

    /// Erases the answers kept for a client, and returns their number.
    func erase(_ client: String) throws(CacheError) -> Int {
        let erased = try database.run("DELETE FROM answer WHERE client=?", [.text(client)])
        count -= erased
        return erased
    }

    /// The number of answers kept for each client, for at most a thousand clients in the order of their names.
    func counts() throws(CacheError) -> [KeptLookups] {
        var counts: [KeptLookups] = []
        try database.each("SELECT client, count(*) FROM answer GROUP BY client ORDER BY client LIMIT 1000") { row in
            if let client = row.text(0) { counts.append(KeptLookups(client: client, count: Int(row.integer(1)))) }
        }
        return counts
    }

    /// The clients for which answers are kept.
    func clients() throws(CacheError) -> [String] {
        var clients: [String] = []
        try database.each("SELECT DISTINCT client FROM answer") { row in
            if let client = row.text(0) { clients.append(client) }
        }
        return clients
    }

    /// Erases all kept answers if they came from another server than the given one.
    func belong(to server: String) throws(CacheError) {
        guard try state("server") != server else { return }
        try eraseAll()
        try setState("server", server)
    }

    private func eraseAll() throws(CacheError) {
        try database.run("DELETE FROM answer")
        count = 0
    }

    /// Erases answers that are surely older than a number of days, and those whose age no clock can tell; if the number
    /// is 0, erases all answers.
    func expire(days: Int, at time: CacheTime) throws(CacheError) {
        guard days > 0 else { return try eraseAll() }
        let seconds = Int64(days) * 86_400
        var erased = try database.run(
            "DELETE FROM answer WHERE boot=? AND sinceBoot<=? OR boot<>? AND wall IS NULL",
            [.text(time.boot), .integer(time.sinceBoot - seconds), .text(time.boot)])
        if let wall = time.wall {
            erased += try database.run(
                "DELETE FROM answer WHERE boot<>? AND wall<=?", [.text(time.boot), .integer(wall - seconds)])
        }
        count -= erased
    }

    // MARK: State that is kept beside the answers

    func state(_ key: String) throws(CacheError) -> String? {
        var value: String?
        try database.each("SELECT value FROM state WHERE key=?", [.text(key)]) { value = $0.text(0) }
        return value
    }

    func setState(_ key: String, _ value: String) throws(CacheError) {
        try database.run("INSERT OR REPLACE INTO state VALUES(?,?)", [.text(key), .text(value)])
    }
}
