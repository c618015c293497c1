package import SextantSQLite

/// Opens the database file, or rebuilds it if it is damaged.
extension Database {
    /// - Parameter beforeRebuilding: Called before a damaged file is replaced; if it throws, the damaged file stays as
    ///   it is.
    static func open(
        _ files: DatabaseFiles, _ schema: Schema, isTrackDeferred: Bool, beforeRebuilding: () throws(StoreError) -> Void
    ) throws(StoreError) -> (connection: Connection, recovery: Recovery?) {
        try files.prepare(files.main)
        if let found = try files.versionInHead(), found > schema.version {
            throw StoreError(.newerVersion(found: found, known: schema.version), path: files.main)
        }
        do throws(StoreError) {
            return (try checked(files.main, schema, isTrackDeferred: isTrackDeferred), nil)
        } catch {
            guard case .damaged(let reason) = error.kind else { throw error }
            try beforeRebuilding()
            let recovery = try Salvage(files: files, schema: schema).rebuild(reason: reason)
            return (try checked(files.main, schema, isTrackDeferred: isTrackDeferred), recovery)
        }
    }

    /// Opens a file, checks it (the track only if its check is not put off), and brings it to the current version of
    /// the tables.
    ///
    /// Until the file has passed all checks, closing it changes nothing in it.
    static func checked(
        _ path: String, _ schema: Schema, isTrackDeferred: Bool = false
    ) throws(StoreError) -> Connection {
        let connection = try Connection(path, .readWrite)
        connection.leavesLogOnClose(true)
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let found = try connection.integer("PRAGMA user_version")
        guard found <= schema.version else {
            throw StoreError(.newerVersion(found: Int(found), known: schema.version), path: path)
        }
        try connection.configure()
        for table in isTrackDeferred ? try connection.tablesButTrack() : [nil] { try connection.check(table) }
        do throws(StoreError) {
            try schema.migrate(connection)
            try connection.checkTables(ofVersion: schema.version)
        } catch {
            // SQLite reports that tables are missing or exist already if the version in the header is wrong: a file
            // without a version must have no tables, and a file of this version must have all.
            guard case .database = error.kind, found == 0 || found == schema.version else { throw error }
            throw StoreError(.damaged(reason: "its tables are not those of its version"), path: path)
        }
        connection.leavesLogOnClose(false)
        return connection
    }
}

extension Connection {
    /// Sets SQLite's options: `auto_vacuum` and `journal_mode` are stored in the file, the others end with the
    /// connection.
    package func configure() throws(StoreError) {
        try execute(
            """
            PRAGMA auto_vacuum = INCREMENTAL;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA wal_autocheckpoint = 128;
            PRAGMA journal_size_limit = 1310720;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON;
            PRAGMA trusted_schema = OFF;
            """)
    }

    /// The tables to check at opening if the check of the track is put off: the tables of clients' state, the days of
    /// the track, and the schema.
    ///
    /// When SQLite checks the schema, it also checks the list of free pages.
    fileprivate func tablesButTrack() throws(StoreError) -> [String?] {
        let known = Set(StateTable.allCases.map(\.name) + ["trackDays"])
        var names: [String?] = ["sqlite_schema"]
        try each("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
            if let name = row.text(0), known.contains(name) { names.append(name) }
        }
        return names
    }

    /// Reads a table and checks its structure.
    ///
    /// - Parameter table: The table's name; nil for the whole file.
    package func check(_ table: String?) throws(StoreError) {
        var complaint: String?
        try each("PRAGMA quick_check(\(table ?? "1"))") { row throws(StoreError) in
            let text = row.text(0)
            if text != "ok" { complaint = text }
        }
        // The first line of SQLite's error text only names the database; the last line gives the reason.
        if let complaint {
            let reason = complaint.split(separator: "\n").last.map(String.init) ?? complaint
            throw StoreError(.damaged(reason: reason), path: path)
        }
    }

    /// Checks that the tables and their columns exist, and that every row of clients' state matches its stored
    /// checksum.
    fileprivate func checkTables(ofVersion version: Int) throws(StoreError) {
        for table in StateTable.allCases where table.firstVersion <= version { try each(table) { _ in } }
        try run("SELECT \(TrackPoint.columns(ofVersion: version)) FROM track LIMIT 0")
        if version >= Schema.versionOfDays { try run("SELECT number, day, steady FROM trackDays LIMIT 0") }
    }
}
