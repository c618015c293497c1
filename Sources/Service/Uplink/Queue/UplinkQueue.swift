internal import Glibc
internal import SextantReactor
internal import Store

/// What waits to be delivered: events on the card before anybody is told that they are taken, fixes in memory first.
///
/// Fixes go to a file in memory, which survives the process, and from there to the card every 256 fixes or when the owner
/// says so; what is delivered meanwhile never reaches the card. A power cut takes the fixes that are in memory, and no
/// event. A class, because it owns the database.
final class UplinkQueue {
    /// The version of the tables.
    private static let version: Int64 = 1
    /// Fixes in memory after which they go to the card.
    static let tailLimit = 256
    /// Fixes that are kept in memory at most while the card refuses them; then the oldest are lost, and counted.
    private static let tailBound = 4096
    /// Numbers that are set aside on the card at once, so that a power cut repeats none.
    private static let reserve: Int64 = 1024
    /// Events whose identities are remembered after they are delivered.
    private static let rememberedEvents = 2000

    private let connection: Connection
    private var tailFile: TailFile
    /// The fixes that are not on the card, oldest first.
    private var tail: [QueueRecord] = []
    private var isSynchronous = true

    /// 32 random bits, made with the queue.
    let series: UInt32
    /// The number of the next record.
    private(set) var next: Int64
    /// The first number that is not set aside on the card.
    private var reserved: Int64
    private(set) var load = QueueLoad()
    /// Fixes that were lost because the card refused them.
    private(set) var lost = 0
    /// What was found at the start, in sentences for the log.
    private(set) var notices: [String] = []

    /// Opens the queue, or begins a new one.
    ///
    /// A file that is damaged, or that a later release has written, is set aside under another name and never in the way.
    ///
    /// - Parameters:
    ///   - state: The folder on the card; made with mode 0700 where it is not there.
    ///   - runtime: The folder in memory, likewise.
    init(state: String, runtime: String, random: () -> UInt32 = { .random(in: 1 ... .max) }) throws(StoreError) {
        for folder in [state, runtime] where unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw StoreError(errno == ENOENT ? .noDirectory : .notWritable, path: folder, errno: errno)
        }
        let path = state + "/queue.sqlite"
        let opened: Opened
        do throws(StoreError) {
            opened = try UplinkQueue.open(path, random)
        } catch {
            guard let aside = try UplinkQueue.setAside(path, because: error) else { throw error }
            notices.append(aside)
            opened = try UplinkQueue.open(path, random)
        }
        (connection, series, next, reserved, load) = (
            opened.connection, opened.series, opened.next, opened.next, opened.load
        )
        tailFile = TailFile(folder: runtime)
        try takeOver(try tailFile.content())
        try reserveNumbers()
        try tailFile.begin(series: series, next: next, fixes: tail)
    }

    private struct Opened {
        var connection: Connection
        var series: UInt32
        var next: Int64
        var load: QueueLoad
    }

    private static func open(_ path: String, _ random: () -> UInt32) throws(StoreError) -> Opened {
        // The file is there with its mode before the first byte.
        _ = try StoreFile.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
        let found = try connection.integer("PRAGMA user_version")
        guard found <= version else {
            throw StoreError(.newerVersion(found: Int(found), known: Int(version)), path: path)
        }
        try connection.configure()
        try connection.check(nil)
        try connection.transaction { () throws(StoreError) in
            for text in schema { try connection.execute(text) }
            try connection.run("INSERT OR IGNORE INTO state VALUES('series', ?)", [.integer(Int64(random()))])
            try connection.execute("PRAGMA user_version = \(version)")
        }
        var load = QueueLoad()
        try connection.each("SELECT kind, count(*), ifnull(sum(length(body)), 0) FROM record GROUP BY kind") { row in
            guard let kind = QueueRecord.Kind(rawValue: row.integer(0)) else { return }
            load.add(kind, count: Int(row.integer(1)), bodyBytes: Int(row.integer(2)))
        }
        return Opened(
            connection: connection,
            series: UInt32(truncatingIfNeeded: try connection.integer("SELECT value FROM state WHERE key = 'series'")),
            next: max(
                try connection.integer("SELECT value FROM state WHERE key = 'next'"),
                try connection.integer("SELECT max(number) + 1 FROM record"), 1), load: load)
    }

    private static let schema = [
        "CREATE TABLE IF NOT EXISTS state(key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
        """
        CREATE TABLE IF NOT EXISTS record(
            number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, time INTEGER, body BLOB NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS event ON record(number) WHERE kind = 1",
        "CREATE TABLE IF NOT EXISTS known(event TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE INDEX IF NOT EXISTS known_number ON known(number)",
    ]

    /// Renames a file that cannot be used, with its log.
    ///
    /// - Returns: What was done, in a sentence; nil where the file is not what is wrong.
    private static func setAside(_ path: String, because error: StoreError) throws(StoreError) -> String? {
        let (suffix, words): (String, String)
        switch error.kind {
        case .damaged(let reason): (suffix, words) = ("damaged", "was damaged (\(reason))")
        case .newerVersion(let found, _): (suffix, words) = ("version-\(found)", "was written by a later release")
        default: return nil
        }
        let names = (1...9).map { "\(path).\(suffix)-\($0)" }
        let aside = names.first { StoreFile.size(of: $0) == 0 } ?? names[8]
        if StoreFile.size(of: path + "-wal") != 0 { try StoreFile.rename(path + "-wal", to: aside + "-wal") }
        try StoreFile.rename(path, to: aside)
        try StoreFile.syncDirectory(of: path)
        return "\(path): \(words); it is kept as \(aside), and a new queue was begun"
    }

    /// Takes over what an earlier process left in memory; what belongs to another queue gets new numbers.
    private func takeOver(_ content: TailFile.Content?) throws(StoreError) {
        guard let content else { return }
        let isOurs = content.series == series
        if isOurs {
            next = max(content.next, try connection.integer("SELECT max(number) + 1 FROM record"))
            for numbers in content.delivered { try delete(numbers) }
        }
        let onCard = try connection.integer("SELECT ifnull(max(number), 0) FROM record WHERE kind = 0")
        for fix in content.fixes where !content.delivered.contains(where: { $0.contains(fix.number) }) {
            var fix = fix
            if !isOurs {
                fix.number = next
                next += 1
            } else if fix.number <= onCard {
                // It reached the card just before the process ended.
                continue
            }
            tail.append(fix)
            load.add(.fix, count: 1, bodyBytes: fix.body.count)
        }
    }

    // MARK: Adding

    /// Gives the next number.
    private func takeNumber() throws(StoreError) -> Int64 {
        if next >= reserved { try reserveNumbers() }
        next += 1
        return next - 1
    }

    private func reserveNumbers() throws(StoreError) {
        try setSynchronous(true)
        try connection.run(
            "INSERT OR REPLACE INTO state VALUES('next', ?)", [.integer(next + UplinkQueue.reserve)])
        reserved = next + UplinkQueue.reserve
    }

    /// Adds an event; when this returns it is on the card.
    ///
    /// - Parameter identity: What tells it from all others; nil for one that nobody repeats.
    /// - Returns: Its record; nil where it was added before.
    func addEvent(time: Int64?, body: [UInt8], identity: String?) throws(StoreError) -> QueueRecord? {
        if let identity, try connection.integer("SELECT number FROM known WHERE event = ?", [.text(identity)]) != 0 {
            return nil
        }
        let record = QueueRecord(number: try takeNumber(), kind: .event, time: time, body: body)
        try setSynchronous(true)
        try connection.transaction { () throws(StoreError) in
            try insert(record)
            guard let identity else { return }
            try connection.run("INSERT INTO known VALUES(?, ?)", [.text(identity), .integer(record.number)])
            try connection.run(
                "DELETE FROM known WHERE number <= (SELECT number FROM known ORDER BY number DESC LIMIT 1 OFFSET ?)",
                [.integer(Int64(UplinkQueue.rememberedEvents))])
        }
        load.add(.event, count: 1, bodyBytes: body.count)
        try tailFile.addNext(next, series: series)
        return record
    }

    /// Adds a fix, in memory.
    func addFix(time: Int64?, body: [UInt8]) throws(StoreError) -> QueueRecord {
        let record = QueueRecord(number: try takeNumber(), kind: .fix, time: time, body: body)
        tail.append(record)
        load.add(.fix, count: 1, bodyBytes: body.count)
        try tailFile.add(record)
        if tail.count >= UplinkQueue.tailLimit { try flush() }
        return record
    }

    /// Writes the fixes that are in memory to the card.
    func flush() throws(StoreError) {
        guard !tail.isEmpty else { return }
        do throws(StoreError) {
            try setSynchronous(true)
            try connection.transaction { () throws(StoreError) in
                for record in tail { try insert(record) }
            }
        } catch {
            let excess = tail.count - UplinkQueue.tailBound
            if excess > 0 {
                for record in tail.prefix(excess) { load.add(.fix, count: -1, bodyBytes: -record.body.count) }
                tail.removeFirst(excess)
                lost += excess
            }
            throw error
        }
        tail = []
        try tailFile.begin(series: series, next: next, fixes: tail)
    }

    /// Writes everything to the card, and gives back the numbers that were set aside.
    func close() throws(StoreError) {
        try flush()
        try setSynchronous(true)
        try connection.run("INSERT OR REPLACE INTO state VALUES('next', ?)", [.integer(next)])
        reserved = next
    }

    private func insert(_ record: QueueRecord) throws(StoreError) {
        try connection.run(
            "INSERT OR REPLACE INTO record VALUES(?, ?, ?, ?)",
            [
                .integer(record.number), .integer(record.kind.rawValue), record.time.map { .integer($0) } ?? .real(nil),
                .blob(record.body),
            ])
    }

    // MARK: Reading and removing

    /// The records of a kind from a number on, in the order of their numbers.
    func records(_ kind: QueueRecord.Kind, from number: Int64, limit: Int) throws(StoreError) -> [QueueRecord] {
        var records: [QueueRecord] = []
        let sql =
            "SELECT number, kind, time, body, time IS NULL FROM record WHERE kind = \(kind.rawValue) AND number >= ? "
            + "ORDER BY number LIMIT ?"
        try connection.each(sql, [.integer(number), .integer(Int64(limit))]) { row throws(StoreError) in
            guard let body = row.blob(3) else {
                throw StoreError(.damaged(reason: "a record has no content"), path: connection.path)
            }
            records.append(
                QueueRecord(
                    number: row.integer(0), kind: kind, time: row.integer(4) == 1 ? nil : row.integer(2), body: body))
        }
        guard kind == .fix, records.count < limit else { return records }
        return records + tail.lazy.filter { $0.number >= number }.prefix(limit - records.count)
    }

    /// The time of the record that has waited longest; nil where none waits, or no clock told it.
    func oldestTime() throws(StoreError) -> Int64? {
        var oldest: Int64?
        try connection.each("SELECT time FROM record WHERE time IS NOT NULL ORDER BY number LIMIT 1") {
            oldest = $0.integer(0)
        }
        return oldest ?? tail.first { $0.time != nil }?.time
    }

    /// Removes delivered records.
    ///
    /// A kill repeats none of them; a power cut may, since nothing waits for the card.
    func remove(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        let gone = tail.filter { numbers.contains($0.number) }
        if !gone.isEmpty {
            try tailFile.addDelivered(numbers)
            tail.removeAll { numbers.contains($0.number) }
            load.add(.fix, count: -gone.count, bodyBytes: -gone.reduce(0) { $0 + $1.body.count })
        }
        try delete(numbers)
    }

    private func delete(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        var gone = QueueLoad()
        let range: [SQLValue] = [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        try connection.each(
            "SELECT kind, length(body) FROM record WHERE number BETWEEN ? AND ?", range
        ) { row in
            guard let kind = QueueRecord.Kind(rawValue: row.integer(0)) else { return }
            gone.add(kind, count: 1, bodyBytes: Int(row.integer(1)))
        }
        guard gone != QueueLoad() else { return }
        try setSynchronous(false)
        try connection.run("DELETE FROM record WHERE number BETWEEN ? AND ?", range)
        load.fixes -= gone.fixes
        load.events -= gone.events
        load.bytes -= gone.bytes
    }

    /// Removes everything, and wipes it from the files; the numbers go on.
    func erase() throws(StoreError) {
        tail = []
        try setSynchronous(true)
        try connection.run("DELETE FROM record")
        load = QueueLoad()
        try tailFile.begin(series: series, next: next, fixes: tail)
        try connection.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func setSynchronous(_ isFull: Bool) throws(StoreError) {
        guard isFull != isSynchronous else { return }
        try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        isSynchronous = isFull
    }
}
