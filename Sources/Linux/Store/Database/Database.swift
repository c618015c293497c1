internal import Reactor
internal import Units

/// What outlives the daemon: one SQLite file, `state.sqlite`, in the state directory.
///
/// When `apply` returns, its changes are on the card, whole, and a power cut does not take them back; when it throws,
/// none of them is there. One process has it open at a time. It knows nothing of what the values mean.
///
/// The write-ahead log is synced at each commit (one `fdatasync`), and is written back into the file every 256 pages
/// (1 MiB), which costs two more. On a full card that log's own room is used again, so that what is there can mostly
/// still be replaced and removed; where it cannot, the error is `.full`, and nothing is lost.
public struct Database: ~Copyable {
    /// How often something was written since it was opened.
    public struct Transactions: Sendable, Hashable {
        /// Each waited for the card.
        public var onCard: UInt64 = 0
        /// None waited.
        public var eventual: UInt64 = 0

        public init(onCard: UInt64 = 0, eventual: UInt64 = 0) {
            self.onCard = onCard
            self.eventual = eventual
        }
    }

    /// Whether a write returns before the card has it.
    public enum Durability: Sendable {
        /// It waits: afterwards it is there whatever happens.
        case onCard
        /// It does not wait, for what may be lost.
        case eventually
    }

    /// What was lost of a file that was found damaged; nil where none was.
    public let recovery: Recovery?
    public internal(set) var transactions = Transactions()

    let files: DatabaseFiles
    let retention: TrackRetention
    let connection: Connection
    private let lock: Descriptor
    /// Points that there are.
    public internal(set) var trackCount: Int
    private var isSynchronous = true
    /// Whether bytes that were erased may still stand in the write-ahead log.
    private var hasTraces = false

    /// Opens the database of a directory, or begins it; the directory is made where its parent is there.
    ///
    /// A damaged file is set aside as `state.sqlite.damaged-N` and built anew from what can be read of it, and
    /// `recovery` says so. All of the file is read for that: a second or two for each 35 MB on a slow card.
    public init(directory: String, retention: TrackRetention = .standard) throws(StoreError) {
        try self.init(directory: directory, retention: retention, schema: .current)
    }

    package init(directory: String, retention: TrackRetention, schema: Schema) throws(StoreError) {
        let files = DatabaseFiles(directory: directory)
        try files.makeDirectory()
        let held = try files.takeLock()
        try files.finishReplacing()
        let opened = try Database.open(files, schema)
        let count = Int(try opened.connection.integer("SELECT count(*) FROM track"))
        self.files = files
        self.retention = retention
        lock = held
        connection = opened.connection
        recovery = opened.recovery
        trackCount = count
    }

    public var path: String { files.main }

    // MARK: State

    /// Makes all of the changes, in order, or none of them; when it returns they are on the card.
    public mutating func apply(_ changes: [StateChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        for case .put(let row) in changes where row.byteCount > StateRow.maximumBytes {
            throw StoreError(.rowTooLarge, path: path)
        }
        let connection = connection
        try write(.onCard) { () throws(StoreError) in
            for change in changes { try connection.make(change) }
        }
        guard changes.contains(where: \.isErasure) else { return }
        eraseTraces()
    }

    /// All rows: by table in the order of its cases, then by client and by name, byte by byte.
    public borrowing func rows() throws(StoreError) -> [StateRow] {
        var rows: [StateRow] = []
        for table in StateTable.allCases { try connection.each(table) { rows.append($0) } }
        return rows
    }

    /// What is kept for a client: every table that has something.
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

    // MARK: Writing

    /// Does all of it or nothing, in one transaction.
    mutating func write(
        _ durability: Durability, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try setSynchronous(durability == .onCard)
        do throws(StoreError) {
            try connection.transaction(body)
        } catch {
            // Written back, the log begins anew in the room that it has.
            guard error.kind == .full, (try? connection.writeBack()) == true else { throw error }
            try connection.transaction(body)
        }
        switch durability {
        case .onCard: transactions.onCard += 1
        case .eventually: transactions.eventual += 1
        }
        if hasTraces { eraseTraces() }
    }

    /// FULL syncs the write-ahead log at every commit, NORMAL only before it is written back.
    private mutating func setSynchronous(_ isFull: Bool) throws(StoreError) {
        guard isFull != isSynchronous else { return }
        try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        isSynchronous = isFull
    }

    /// Empties the write-ahead log, and deletes the damaged files, which have the erased bytes too.
    ///
    /// The erasure itself has been made; where this fails (a full card), it is tried again after the next transaction.
    mutating func eraseTraces() {
        hasTraces = true
        guard (try? connection.emptyLog()) == true, (try? files.removeDamaged()) != nil else { return }
        hasTraces = false
    }

    /// Lets the file have at most so many pages, as on a full card; 0 lifts it.
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
    /// Its rows, without an order.
    var selection: String { "SELECT client, name, value, crc32 FROM \"\(name)\"" }
}

extension StateRow {
    /// Reads the statement's current row; nil where a column is missing or the checksum does not match.
    init?(_ table: StateTable, _ row: Statement) {
        guard let client = row.text(0), let name = row.text(1), let value = row.blob(2) else { return nil }
        self.init(table: table, client: client, name: name, value: value)
        guard row.integer(3) == Int64(check) else { return nil }
    }

    /// The CRC-32 of client, name and value, separated by 0xFF, which no UTF-8 text contains: SQLite has no checksum.
    fileprivate var check: UInt32 {
        CRC32.of((Array(client.utf8) + [0xFF] + Array(name.utf8) + [0xFF] + value).span)
    }
}

extension Connection {
    /// Calls `body` for each row of a table, in the order of its key.
    func each(_ table: StateTable, _ body: (StateRow) -> Void) throws(StoreError) {
        try each(table.selection + " ORDER BY client, name") { row throws(StoreError) in
            guard let row = StateRow(table, row) else {
                throw StoreError(.damaged(reason: "a row of \(table.name) is not what was written"), path: path)
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

    /// Writes nothing where the row is there already.
    func put(_ row: StateRow) throws(StoreError) {
        try run(
            """
            INSERT INTO "\(row.table.name)" (client, name, value, crc32) VALUES (?, ?, ?, ?)
            ON CONFLICT (client, name) DO UPDATE SET value = excluded.value, crc32 = excluded.crc32
            WHERE value IS NOT excluded.value
            """, [.text(row.client), .text(row.name), .blob(row.value), .integer(Int64(row.check))])
    }

    /// Writes the log back into the file; the next transaction begins it anew.
    ///
    /// - Returns: Whether all of it was.
    fileprivate func writeBack() throws(StoreError) -> Bool {
        // The first column says whether somebody was in the way.
        try integer("PRAGMA wal_checkpoint(RESTART)") == 0
    }

    /// Writes the log back into the file, and cuts it to nothing.
    ///
    /// - Returns: Whether all of it was.
    fileprivate func emptyLog() throws(StoreError) -> Bool {
        try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
}
