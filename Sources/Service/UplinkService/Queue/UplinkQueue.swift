internal import Glibc
internal import SextantReactor
internal import SextantSQLite
internal import SextantUnits
internal import SextantUplink
internal import Store

/// The queue of records to deliver; an event is stored on the storage card before it is confirmed, a fix first only in
/// memory.
///
/// Fixes are kept in a file on a file system in memory, which outlives the process. They are written to the storage
/// card every 256 fixes, or when `flush` is called; fixes that are delivered before that never reach the card. A power
/// cut loses the fixes that are in memory, but no event. If the queue's file on the card cannot be used at the start,
/// fixes are kept only in memory, and everything that must be on the card is refused. A class, because it owns the
/// database.
final class UplinkQueue {
    /// The number of fixes that are collected in memory before they are written to the storage card.
    static let tailLimit = 256
    /// The largest number of fixes in memory while they cannot be written to the storage card; above it, the oldest are
    /// dropped and counted.
    private static let tailBound = 4096
    /// How many record numbers are reserved on the storage card at a time.
    ///
    /// After a power cut the reserved numbers are skipped, so that none is used twice. New numbers are reserved when
    /// half of the reserved ones are used, so that fixes still get numbers for a while after the card has filled up.
    private static let reserve: Int64 = 1 << 20
    /// The number of finished events and commands whose ids are stored, so that a repeated one is recognised.
    private static let remembered: Int64 = 1000

    let connection: Connection
    /// Why the queue is only in memory; nil if it is on the storage card.
    let problem: StoreError?
    /// The path of the queue's file.
    private let path: String
    private var tailFile: TailFile
    /// The fixes that are only in memory, oldest first.
    private var tail: [UplinkRecord] = []
    private var isSynchronous = true
    /// The queue's content at the start, as an input for the reducer (the uplink's state machine).
    private(set) var start: UplinkStart
    /// The number that the next record gets.
    private var next: Int64
    /// The first record number that is not reserved on the storage card.
    private var reserved: Int64
    private var newestFixTime: UTCInstant?
    /// The number of records on the storage card and in memory, and their size in bytes.
    private var counts = UplinkLoad()
    /// The number of fixes that were lost because they could not be written to the storage card.
    var lost = 0
    /// Sentences for the log about what was found when the queue was opened.
    let notices: [String]

    /// Opens the queue, or begins a new one.
    ///
    /// If the storage card is full, read-only or failing, the queue is in memory, with a series of its own (an
    /// identifier of its numbering).
    ///
    /// - Parameters:
    ///   - state: The folder on the card; created with mode 0700 if it is missing.
    ///   - runtime: The folder in memory; created in the same way.
    ///   - boot: The kernel's identifier of this boot; uptimes are valid only within one boot.
    static func open(
        state: String, runtime: String, boot: String, random: () -> UInt32 = { .random(in: 1 ... .max) }
    ) throws(StoreError) -> UplinkQueue {
        do throws(StoreError) { return try onCard(state, runtime, boot, random) } catch {
            guard error.kind == .full || [EROFS, EIO].contains(error.errno) else { throw error }
            return try inMemory(state, runtime, boot, random, because: error)
        }
    }

    /// Begins a queue in memory, which takes over the records that an earlier queue left in memory.
    static func inMemory(
        _ state: String, _ runtime: String, _ boot: String, _ random: () -> UInt32 = { .random(in: 1 ... .max) },
        because error: StoreError
    ) throws(StoreError) -> UplinkQueue {
        try UplinkQueue(try QueueFile.inMemory(boot, random), path(state), runtime, notices: [], problem: error)
    }

    /// Opens the queue on the storage card, or begins a new one, and takes over the records of a queue in memory.
    ///
    /// A file that is damaged, or that a later release has written, is renamed and does not prevent a new queue.
    static func onCard(
        _ state: String, _ runtime: String, _ boot: String, _ random: () -> UInt32 = { .random(in: 1 ... .max) }
    ) throws(StoreError) -> UplinkQueue {
        for folder in [runtime, state] where unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw StoreError(path: folder, errno: errno)
        }
        let path = path(state)
        var notices: [String] = []
        let connection: Connection
        do throws(StoreError) {
            connection = try QueueFile.open(path, boot, random)
        } catch {
            guard let aside = try QueueFile.setAside(path, because: error) else { throw error }
            connection = try QueueFile.open(path, boot, random)
            var count = 0
            if case .damaged = error.kind { count = try QueueSalvage.run(aside.path, into: connection, boot) }
            notices.append(aside.words + (count > 0 ? "; \(count) records were taken over" : ""))
        }
        return try UplinkQueue(connection, path, runtime, notices: notices, problem: nil)
    }

    private static func path(_ state: String) -> String { state + "/queue.sqlite" }

    private init(
        _ connection: Connection, _ path: String, _ runtime: String, notices: [String], problem: StoreError?
    ) throws(StoreError) {
        (self.connection, self.path, self.notices, self.problem) = (connection, path, notices, problem)
        tailFile = TailFile(folder: runtime)
        let content = try tailFile.content()
        if problem != nil, let content, content.isOffCard {
            // The earlier process could not use the storage card either, so its series (numbering) continues. The
            // series on the card must not be continued: the card may hold records that cannot be read now, and the
            // program that gets the records would give these up once it got later numbers of that series.
            try connection.run("UPDATE state SET value = ? WHERE key = 'series'", [.integer(Int64(content.series))])
        }
        let series = UInt32(truncatingIfNeeded: try connection.integer("SELECT value FROM state WHERE key = 'series'"))
        next = max(
            try connection.integer("SELECT value FROM state WHERE key = 'next'"),
            try connection.integer("SELECT max(number) + 1 FROM record"), 1)
        (start, reserved) = (UplinkStart(series: series, next: next), next)
        newestFixTime = try connection.time("SELECT value FROM state WHERE key = 'newestFix'")
        try takeOver(content)
        try reserveNumbers()
        try beginTail()
        try describe()
    }

    /// Takes over the records that an earlier process left in memory; records from another queue get new numbers.
    private func takeOver(_ content: TailFile.Content?) throws(StoreError) {
        guard let content else { return }
        let isOurs = content.series == start.series
        if isOurs {
            next = max(content.next, try connection.integer("SELECT max(number) + 1 FROM record"))
            for numbers in content.delivered { try delete(numbers) }
        }
        let onCard = try connection.integer("SELECT ifnull(max(number), 0) FROM record WHERE kind = 0")
        note(content.newestFixTime)
        for var fix in content.fixes {
            note(fix.time)
            guard !content.delivered.contains(where: { $0.contains(fix.n) }) else { continue }
            if !isOurs {
                fix.n = next
                next += 1
            } else if fix.n <= onCard {
                // A fix that was written to the storage card just before the earlier process ended is not kept in
                // memory as well.
                continue
            }
            tail.append(fix)
        }
    }

    private func note(_ time: UTCInstant?) {
        if let time { newestFixTime = max(newestFixTime ?? time, time) }
    }

    private func beginTail() throws(StoreError) {
        try tailFile.begin(
            series: start.series, isOffCard: problem != nil, next: next, newestFixTime: newestFixTime, fixes: tail)
    }

    /// Begins the file of the newest fixes again if it has become long.
    ///
    /// Fixes that are delivered before they go to the card would fill the memory otherwise. If there is no room for a
    /// new file, the present one goes on.
    private func shortenTailFile() { if tailFile.isLong { try? beginTail() } }

    /// Collects the content of the queue with which the reducer (the uplink's state machine) begins.
    func describe() throws(StoreError) {
        (start.identities, start.commandIDs, start.regions) = ([], [], [])
        start.next = next
        start.newestFixTime = newestFixTime
        // A queue in memory does not know whether the broker retains a location from an earlier process, and assumes
        // that it does. If this is wrong, the location is cleared once more than necessary, which does no harm.
        let noted = try connection.integer("SELECT count(*) FROM state WHERE key = 'retained' AND value = 1")
        start.hasRetained = problem != nil || noted == 1
        counts = UplinkLoad()
        for fix in tail { count(fix, 1) }
        try count(.min ... .max, 1)
        start.load = try load()
        try connection.each("SELECT event FROM known ORDER BY position") {
            start.identities.append(UInt64(bitPattern: $0.integer(0)))
        }
        try connection.each("SELECT id FROM command ORDER BY position") {
            start.commandIDs.append($0.text(0) ?? "")
        }
        let regions = "SELECT identifier, name, latitude, longitude, radius, timestamp FROM region ORDER BY identifier"
        try connection.each(regions) { row in
            start.regions.append(
                UplinkRegion(
                    identifier: row.text(0) ?? "", name: row.text(1) ?? "", latitude: row.real(2) ?? 0,
                    longitude: row.real(3) ?? 0, radius: row.real(4) ?? 0, timestamp: row.integer(5)))
        }
    }

    // MARK: Counting

    /// The number and the size in bytes of the records in the queue.
    func load() throws(StoreError) -> UplinkLoad {
        var load = counts
        load.oldest = try records(nil, from: 0, limit: 1).first?.n
        var dated = tail.first { $0.time != nil }.map { (number: $0.n, time: $0.time) }
        try connection.each("SELECT number, time FROM record WHERE time IS NOT NULL ORDER BY number LIMIT 1") { row in
            if dated.map({ row.integer(0) < $0.number }) ?? true {
                dated = (row.integer(0), UTCInstant(nanoseconds: row.integer(1)))
            }
        }
        load.oldestTime = dated?.time
        return load
    }

    private func count(_ record: UplinkRecord, _ sign: Int) {
        switch record.kind {
        case .fix: counts.fixes += sign
        case .event: counts.events += sign
        }
        counts.bytes += sign * record.cost
    }

    /// Adds the storage card's records in a range of numbers to the counts of records, or subtracts them.
    private func count(_ numbers: ClosedRange<Int64>, _ sign: Int) throws(StoreError) {
        // The query has no "GROUP BY kind", since SQLite would then sort copies of all records' bodies in memory.
        let sums =
            "SELECT count(*), ifnull(sum(kind = 1), 0), ifnull(sum(length(body)), 0) FROM record WHERE number BETWEEN ? AND ?"
        try connection.each(sums, [.integer(numbers.lowerBound), .integer(numbers.upperBound)]) { row in
            let (count, events) = (Int(row.integer(0)), Int(row.integer(1)))
            counts.events += sign * events
            counts.fixes += sign * (count - events)
            counts.bytes += sign * (Int(row.integer(2)) + count * UplinkRecord.cost(bodyBytes: 0))
        }
    }

    // MARK: Adding

    /// Whether some fixes are only in memory.
    var hasTail: Bool { !tail.isEmpty }

    /// Adds a record; when this returns, an event is on the storage card, and a fix is in memory.
    func store(_ record: UplinkRecord) throws(StoreError) { try store(record, removing: []) }

    /// Removes fixes and adds the event that reports their removal, in one transaction.
    func thin(removing numbers: [Int64], record: UplinkRecord) throws(StoreError) {
        try store(record, removing: numbers)
    }

    private func store(_ record: UplinkRecord, removing numbers: [Int64]) throws(StoreError) {
        next = max(next, record.n + 1)
        if next > reserved - UplinkQueue.reserve / 2 {
            do throws(StoreError) { try reserveNumbers() } catch { if next > reserved { throw error } }
        }
        guard record.kind == .event else {
            note(record.time)
            tail.append(record)
            count(record, 1)
            try tailFile.add(record)
            shortenTailFile()
            if tail.count >= UplinkQueue.tailLimit { try flush() }
            return
        }
        try setSynchronous(true)
        try change { () throws(StoreError) in
            try insert(record)
            for number in numbers { try deleteRows(number...number) }
            guard let identity = record.identity else { return }
            try remember("known", "event", .integer(Int64(bitPattern: identity)))
        }
        for number in numbers { try removeFromTail(number...number) }
        try tailFile.addNext(next, series: start.series)
        // Counted last, since an event is stored again if one of the steps before fails.
        count(record, 1)
    }

    /// Adds a row to a table in which only a fixed number of the newest rows are kept.
    func remember(_ table: String, _ column: String, _ value: SQLValue) throws(StoreError) {
        try connection.run("INSERT INTO \(table)(\(column)) VALUES(?)", [value])
        try connection.run(
            "DELETE FROM \(table) WHERE position <= (SELECT max(position) FROM \(table)) - ?",
            [.integer(UplinkQueue.remembered)])
    }

    private func reserveNumbers() throws(StoreError) {
        // A queue in memory reserves no numbers, since its records get new numbers once they move to the storage card.
        guard problem == nil else { return reserved = .max }
        try setSynchronous(true)
        try setState("next", .integer(next + UplinkQueue.reserve))
        reserved = next + UplinkQueue.reserve
    }

    func setState(_ key: String, _ value: SQLValue) throws(StoreError) {
        try connection.run("INSERT OR REPLACE INTO state VALUES(?, ?)", [.text(key), value])
    }

    /// Writes the fixes that are only in memory to the storage card.
    func flush() throws(StoreError) {
        guard hasTail else { return }
        do throws(StoreError) {
            try setSynchronous(true)
            try connection.transaction { () throws(StoreError) in
                for record in tail { try insert(record) }
                if let time = newestFixTime { try setState("newestFix", .integer(time.nanoseconds)) }
            }
        } catch {
            let excess = tail.count - UplinkQueue.tailBound
            if excess > 0 {
                for fix in tail.prefix(excess) { count(fix, -1) }
                tail.removeFirst(excess)
                lost += excess
            }
            throw error
        }
        tail = []
        try beginTail()
    }

    /// Writes everything to the storage card, and releases the reserved numbers that were not used.
    func close() throws(StoreError) {
        try flush()
        try setSynchronous(true)
        if let time = newestFixTime { try setState("newestFix", .integer(time.nanoseconds)) }
        try setState("next", .integer(next))
        reserved = next
    }

    private func insert(_ record: UplinkRecord) throws(StoreError) {
        let uptime = record.time == nil ? record.uptime?.nanoseconds : nil
        try connection.run(
            "INSERT OR REPLACE INTO record VALUES(?, ?, ?, ?, ?)",
            [
                .integer(record.n), .integer(Int64(record.kind.rawValue)),
                record.time.map { .integer($0.nanoseconds) } ?? .null, uptime.map { .integer($0) } ?? .null,
                .blob(record.body),
            ])
    }

    // MARK: Reading and removing

    /// The records of one kind (of both kinds if it is nil) from a number on, in ascending order of their numbers.
    func records(_ kind: UplinkRecord.Kind?, from number: Int64, limit: Int) throws(StoreError) -> [UplinkRecord] {
        var records: [UplinkRecord] = []
        let condition = kind.map { "kind = \($0.rawValue) AND" } ?? ""
        let sql =
            "SELECT number, kind, body, time IS NULL, time, uptime IS NULL, uptime FROM record "
            + "WHERE \(condition) number >= ? ORDER BY number LIMIT ?"
        try connection.each(sql, [.integer(number), .integer(Int64(limit))]) { row throws(StoreError) in
            guard let body = row.blob(2), let kind = UplinkRecord.Kind(rawValue: UInt8(clamping: row.integer(1))) else {
                throw StoreError(.damaged(reason: "a record has no content"), path: connection.path)
            }
            records.append(
                UplinkRecord(
                    n: row.integer(0), kind: kind,
                    time: row.integer(3) == 1 ? nil : UTCInstant(nanoseconds: row.integer(4)),
                    uptime: row.integer(5) == 1 ? nil : MonotonicInstant(nanoseconds: row.integer(6)), body: body))
        }
        guard kind != .event, let last = tail.last, last.n >= number else { return records }
        records += tail.lazy.filter { $0.n >= number }.prefix(limit)
        records.sort { $0.n < $1.n }
        return Array(records.prefix(limit))
    }

    /// Removes delivered records.
    ///
    /// If the process is killed, none of the removed records comes back; after a power cut some can, since the removal
    /// does not wait for the card.
    func remove(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        try removeFromTail(numbers)
        try delete(numbers)
        shortenTailFile()
    }

    /// Removes fixes that are too old to be sent, by their numbers.
    func discard(_ numbers: [Int64]) throws(StoreError) {
        try setSynchronous(false)
        try change { () throws(StoreError) in for number in numbers { try deleteRows(number...number) } }
        for number in numbers { try removeFromTail(number...number) }
    }

    private func removeFromTail(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        guard let first = tail.first, let last = tail.last, numbers.overlaps(first.n...last.n) else { return }
        try tailFile.addDelivered(numbers)
        for fix in tail where numbers.contains(fix.n) { count(fix, -1) }
        tail.removeAll { numbers.contains($0.n) }
    }

    private func delete(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        try setSynchronous(false)
        try change { () throws(StoreError) in try deleteRows(numbers) }
    }

    /// Changes rows in one transaction; if it fails, for example on a full card, the counts are as before too.
    private func change(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let before = counts
        do throws(StoreError) {
            try connection.transaction(body)
        } catch {
            counts = before
            throw error
        }
    }

    private func deleteRows(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        try count(numbers, -1)
        try connection.run(
            "DELETE FROM record WHERE number BETWEEN ? AND ?",
            [.integer(numbers.lowerBound), .integer(numbers.upperBound)])
    }

    func removeOldestEvents(count: Int) throws(StoreError) {
        let oldest = try records(.event, from: 0, limit: count).map(\.n)
        try discard(oldest)
    }

    /// Removes all records, all regions and the unusable files that were renamed, and overwrites them; the numbering
    /// continues.
    ///
    /// If the queue's file cannot be used now, the whole file is deleted.
    func erase() throws(StoreError) {
        tail = []
        counts = UplinkLoad()
        var names = ["damaged", "later"].flatMap { QueueFile.asides(of: path, $0) }
        if problem == nil {
            try setSynchronous(true)
            try connection.run("DELETE FROM record")
            try connection.run("DELETE FROM region")
        } else {
            names.append(path)
        }
        try beginTail()
        if problem == nil {
            try connection.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        for name in names {
            for file in [name, name + "-wal"] where unsafe unlink(file) != 0 && errno != ENOENT {
                throw StoreError(.notWritable, path: file, errno: errno)
            }
        }
    }

    /// Sets whether each further change must be on the storage card before the call returns; throws if that is
    /// impossible.
    func setSynchronous(_ isFull: Bool) throws(StoreError) {
        if isFull, let problem { throw problem }
        guard isFull != isSynchronous else { return }
        try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        isSynchronous = isFull
    }
}

extension Connection {
    /// The time in the first column of a query's last row; nil if there is no row.
    fileprivate func time(_ sql: String) throws(StoreError) -> UTCInstant? {
        var time: UTCInstant?
        try each(sql) { time = UTCInstant(nanoseconds: $0.integer(0)) }
        return time
    }
}
