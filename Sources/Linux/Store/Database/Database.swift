internal import SextantReactor
internal import SextantSQLite
internal import SextantUnits

/// What the daemon keeps between its runs: one SQLite file, `state.sqlite`, in the state directory.
///
/// When `apply` returns, all of its changes are on the storage card and survive a power cut; when it throws, none of
/// them was made. Only one process has the database open at a time. The database does not interpret the values.
///
/// The write-ahead log is synced at each commit (one `fdatasync`), and is written back into the file every 128 pages
/// (512 KiB), which costs two more syncs. After the daemon was killed, the whole log is read at the next start, before
/// anything else. With 256 pages (SQLite's default is 1000) that took 2.0 to 2.4 s from a card with 100 reads per
/// second. On a full card the log's space is reused, so that existing rows can mostly still be replaced and removed; if
/// they cannot, the error is `.full`, and nothing is lost.
public struct Database: ~Copyable {
    /// The number of transactions that were made since the database was opened.
    public struct Transactions: Sendable, Hashable {
        /// The number of transactions that waited until their changes were on the storage card.
        public var onCard: UInt64 = 0
        /// The number of transactions that did not wait for the storage card.
        public var eventual: UInt64 = 0

        public init(onCard: UInt64 = 0, eventual: UInt64 = 0) {
            self.onCard = onCard
            self.eventual = eventual
        }
    }

    /// Whether a write waits until it is on the storage card.
    public enum Durability: Sendable {
        /// The write waits, and survives a power cut once it returns.
        case onCard
        /// The write does not wait, and a power cut can undo it.
        case eventually
    }

    /// What was kept and what was lost when a damaged file was rebuilt during the opening; nil if the file was not
    /// damaged.
    public let recovery: Recovery?
    public internal(set) var transactions = Transactions()

    let files: DatabaseFiles
    let retention: TrackRetention
    private(set) var connection: Connection
    private var lock: Descriptor
    private let schema: Schema
    /// The device and inode numbers of the open database file, by which it is noticed that another file has taken its
    /// place.
    private var identity: FileIdentity?
    /// The number of points in the checked part of the track.
    public internal(set) var trackCount: Int
    /// The time at which the unchecked part of the track begins; nil if the whole track was checked.
    var uncheckedFrom: Int64?
    /// The steady time (`TrackPoint.steady`: time on which the receiver and the board's clock agree) in nanoseconds
    /// that was added since the last search for days to delete.
    var steadyUnseen = TrackRetention.wholeDay
    private var isSynchronous = true
    /// Whether the write-ahead log, or damaged files that were set aside, may still contain erased bytes.
    private var hasTraces = false

    /// Opens the database in a folder, or creates it; creates the folder if its parent exists.
    ///
    /// A damaged file is set aside as `state.sqlite.damaged-N` and rebuilt from its readable parts; `recovery` then
    /// describes the result.
    ///
    /// - Parameter isTrackDeferred: Whether the check of the track, which can be most of the file, is left to
    ///   `checkTrack`. Everything else is read and checked here, some 400 kB per second from a card with 100 reads per
    ///   second.
    public init(
        folder: String, retention: TrackRetention = .standard, isTrackDeferred: Bool = false,
        beforeRebuilding: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        try self.init(
            folder: folder, retention: retention, schema: .current, isTrackDeferred: isTrackDeferred,
            beforeRebuilding: beforeRebuilding)
    }

    package init(
        folder: String, retention: TrackRetention, schema: Schema, isTrackDeferred: Bool = false,
        beforeRebuilding: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        let files = DatabaseFiles(folder: folder)
        try files.makeFolder()
        let held = try files.takeLock()
        try files.finishReplacing()
        let opened = try Database.open(
            files, schema, isTrackDeferred: isTrackDeferred, beforeRebuilding: beforeRebuilding)
        let hasTrack = try opened.connection.integer("SELECT EXISTS (SELECT 1 FROM track)") == 1
        if hasTrack, schema.version >= Schema.versionOfDays { try opened.connection.countDays() }
        let count = isTrackDeferred ? 0 : Int(try opened.connection.integer("SELECT count(*) FROM track"))
        self.files = files
        self.retention = retention
        lock = held
        self.schema = schema
        identity = StoreFile.identity(of: files.main)
        connection = opened.connection
        recovery = opened.recovery
        trackCount = count
        uncheckedFrom = isTrackDeferred ? .min : nil
    }

    public var path: String { files.main }

    // MARK: State

    /// Makes either all of the changes, in their order, or none of them; when this returns, they are on the storage
    /// card.
    ///
    /// This is `store` in the Promela models authorization.pml and outbox.pml.
    public mutating func apply(_ changes: [StateChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        for case .put(let row) in changes where row.byteCount > StateRow.maximumBytes {
            throw StoreError(.rowTooLarge, path: path)
        }
        let connection = connection
        try write(.onCard) { () throws(StoreError) in
            for change in changes { try connection.make(change) }
        }
        // A decision of the operator's is written back from the log to the file at once: if only the log were lost, the
        // file would look intact, but contain older decisions.
        if changes.contains(where: \.isDecision) { _ = try? connection.writeBack() }
        guard changes.contains(where: \.isErasure) else { return }
        eraseTraces()
    }

    /// All rows, sorted by table (in the order of the enum's cases), then by client and by name, byte by byte.
    public borrowing func rows() throws(StoreError) -> [StateRow] {
        var rows: [StateRow] = []
        for table in StateTable.allCases { try connection.each(table) { rows.append($0) } }
        return rows
    }

    /// The number and size of a client's rows, for each table that has rows of the client.
    public borrowing func summary(client: String) throws(StoreError) -> [StateSummary] {
        var summary: [StateSummary] = []
        for table in StateTable.allCases {
            let sql = """
                SELECT count(*), sum(length(CAST(name AS BLOB)) + length(value)) FROM "\(table.name)" WHERE client = ?
                """
            try connection.each(sql, [.text(client)]) { row throws(StoreError) in
                guard row.integer(0) > 0 else { return }
                summary.append(StateSummary(table: table, count: Int(row.integer(0)), bytes: Int(row.integer(1))))
            }
        }
        return summary
    }

    /// Recreates the database with its whole content if its file was deleted while it was open.
    ///
    /// - Returns: Whether the file had been deleted.
    mutating func returnToPlace() throws(StoreError) -> Bool {
        let present = StoreFile.identity(of: files.main)
        guard present != identity else { return false }
        guard present == nil else { throw StoreError(.replaced, path: path) }
        try files.makeFolder()
        if StoreFile.identity(of: files.lock) == nil { lock = try files.takeLock() }
        try files.replaceMain { (path) throws(StoreError) in try connection.run("VACUUM INTO ?", [.text(path)]) }
        // The deleted file's log has the same path as the new file's log, so closing the old database must not delete
        // what is at that path.
        connection.leavesLogOnClose(true)
        connection = try Database.checked(files.main, schema)
        identity = StoreFile.identity(of: files.main)
        isSynchronous = true
        return true
    }

    /// After this call, closing leaves a damaged database's files unchanged, so that they can be read again.
    func leaveAsItIs() { connection.leavesLogOnClose(true) }

    // MARK: Writing

    /// Runs `body` in one transaction: either all of its changes are made, or none.
    mutating func write(
        _ durability: Durability, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try setSynchronous(durability == .onCard)
        do throws(StoreError) {
            try connection.transaction(body)
        } catch {
            // After the log was written back, SQLite reuses the log's space, so that a second attempt on a full card
            // can succeed.
            guard error.kind == .full, (try? connection.writeBack()) == true else { throw error }
            try connection.transaction(body)
        }
        switch durability {
        case .onCard: transactions.onCard += 1
        case .eventually: transactions.eventual += 1
        }
        if hasTraces { eraseTraces() }
    }

    /// Sets SQLite's option `synchronous`: with FULL the write-ahead log is synced at every commit, with NORMAL only
    /// before it is written back.
    private mutating func setSynchronous(_ isFull: Bool) throws(StoreError) {
        guard isFull != isSynchronous else { return }
        try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        isSynchronous = isFull
    }

    /// Empties the write-ahead log and deletes the damaged files that were set aside, because both can contain the
    /// erased bytes.
    ///
    /// The rows themselves are already deleted. If this fails (on a full card), it is tried again after the next
    /// transaction.
    mutating func eraseTraces() {
        hasTraces = true
        guard (try? connection.emptyLog()) == true, (try? files.removeDamaged()) != nil else { return }
        hasTraces = false
    }

    /// Limits the file to a number of pages, so that tests can simulate a full card; 0 removes the limit.
    package borrowing func limit(pages: Int) throws(StoreError) {
        try connection.execute("PRAGMA max_page_count = \(pages > 0 ? pages : 1_073_741_823)")
    }
}

extension StateChange {
    fileprivate var isErasure: Bool {
        if case .erase = self { true } else { false }
    }
}

extension StateTable {
    /// The query for all rows of the table, in no particular order.
    var selection: String { "SELECT client, name, value, crc32 FROM \"\(name)\"" }
}

extension StateRow {
    /// Reads a row from the statement's current row; nil if a column is missing or the checksum does not match.
    init?(_ table: StateTable, _ row: Statement) {
        guard let client = row.text(0), let name = row.text(1), let value = row.blob(2) else { return nil }
        self.init(table: table, client: client, name: name, value: value)
        guard row.integer(3) == Int64(check) else { return nil }
    }

    /// The CRC-32 of a row's client, name and value, separated by 0xFF, which no UTF-8 text contains.
    ///
    /// It is computed here because SQLite has no checksums.
    fileprivate var check: UInt32 {
        CRC32.of((Array(client.utf8) + [0xFF] + Array(name.utf8) + [0xFF] + value).span)
    }
}

extension Connection {
    /// Calls `body` for each row of a table, in the order of the primary key.
    func each(_ table: StateTable, _ body: (StateRow) -> Void) throws(StoreError) {
        try each(table.selection + " ORDER BY client, name") { row throws(StoreError) in
            guard let row = StateRow(table, row) else {
                throw StoreError(.damaged(reason: "a row of \(table.name) differs from what was written"), path: path)
            }
            body(row)
        }
    }

    fileprivate func make(_ change: StateChange) throws(StoreError) {
        switch change {
        case .put(let row): try put(row)
        case .remove(let table, let client, let name):
            try run("DELETE FROM \"\(table.name)\" WHERE client = ? AND name = ?", [.text(client), .text(name)])
        case .erase(let client):
            for table in StateTable.allCases {
                try run("DELETE FROM \"\(table.name)\" WHERE client = ?", [.text(client)])
            }
        case .removeThrough(let table, let client, let name):
            try run("DELETE FROM \"\(table.name)\" WHERE client = ? AND name <= ?", [.text(client), .text(name)])
        }
    }

    /// Stores a row; writes nothing if an equal row is stored already.
    func put(_ row: StateRow) throws(StoreError) {
        try run(
            """
            INSERT INTO "\(row.table.name)" (client, name, value, crc32) VALUES (?, ?, ?, ?)
            ON CONFLICT (client, name) DO UPDATE SET value = excluded.value, crc32 = excluded.crc32
            WHERE value IS NOT excluded.value
            """, [.text(row.client), .text(row.name), .blob(row.value), .integer(Int64(row.check))])
    }

    /// Writes the write-ahead log back into the file; the next transaction then overwrites the log from its beginning.
    ///
    /// - Returns: Whether the whole log was written back.
    fileprivate func writeBack() throws(StoreError) -> Bool {
        // The first column is 1 if another reader or writer blocked the checkpoint.
        try integer("PRAGMA wal_checkpoint(RESTART)") == 0
    }

    /// Writes the write-ahead log back into the file, and truncates the log to zero bytes.
    ///
    /// - Returns: Whether the whole log was written back.
    fileprivate func emptyLog() throws(StoreError) -> Bool {
        try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
}
