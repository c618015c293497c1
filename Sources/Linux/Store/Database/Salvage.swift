internal import SextantSQLite

/// Rebuilds a damaged database from its readable parts.
struct Salvage {
    let files: DatabaseFiles
    let schema: Schema

    /// The largest number of rows that are read from a table, because reading a damaged file can go in circles.
    private static let maximumRows = 10_000_000

    /// Builds the new file and replaces the damaged file by it; if this throws, the damaged file is still in place.
    func rebuild(reason: String) throws(StoreError) -> Recovery {
        files.removeRebuilding()
        let tables: [Recovery.Table]
        do throws(StoreError) {
            tables = try build()
            try files.declareRebuilt()
        } catch {
            files.removeRebuilding()
            throw error
        }
        let aside = try files.finishReplacing() ?? files.main
        return Recovery(path: files.main, setAside: aside, reason: reason, tables: tables)
    }

    /// Builds the new file; when this returns, the file is closed and completely on the storage card.
    private func build() throws(StoreError) -> [Recovery.Table] {
        try files.prepare(files.rebuilding)
        let target = try Database.checked(files.rebuilding, schema)
        var source: Connection?
        do throws(StoreError) {
            let opened = try Connection(files.main, .readWrite)
            opened.leavesLogOnClose(true)
            // With `writable_schema` SQLite can also read a file that is shorter than its header says.
            try opened.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON")
            source = opened
        } catch {
            // If a file is too damaged to be opened, no row of it can be kept, and the new file is empty.
            guard case .damaged = error.kind else { throw error }
        }
        let tables = try copy(from: source, to: target)
        // The checkpoint writes the write-ahead log back, so that the new file is complete without its log.
        try target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return tables
    }

    private func copy(from source: Connection?, to target: Connection) throws(StoreError) -> [Recovery.Table] {
        var tables: [Recovery.Table] = []
        try target.transaction { () throws(StoreError) in
            for table in StateTable.allCases {
                let isWhole = try read(table.selection, "client", "name", of: source) { row throws(StoreError) in
                    guard let row = StateRow(table, row), row.byteCount <= StateRow.maximumBytes else { return false }
                    try target.put(row)
                    return true
                }
                tables.append(try target.table(table.name, isWhole))
            }
            let version = source.flatMap { try? $0.integer("PRAGMA user_version") } ?? Int64(schema.version)
            let track = "SELECT \(TrackPoint.columns(ofVersion: Int(version))) FROM track"
            let isWhole = try read(track, "time", "time", of: source) { row throws(StoreError) in
                guard let point = TrackPoint(row) else { return false }
                try target.put(point)
                return true
            }
            tables.append(try target.table("track", isWhole))
        }
        return tables
    }

    /// Reads a table from its beginning; if that fails on the way, reads it also from its end.
    ///
    /// - Parameter keep: Stores a row in the new file; returns false if the row is invalid. An error that it throws
    ///   concerns the new file, not the damaged file.
    /// - Returns: Whether all rows were read and kept.
    private func read(
        _ selection: String, _ key: String, _ second: String, of source: Connection?,
        _ keep: (Statement) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        guard let source else { return false }
        var refusal: StoreError?
        for direction in ["ASC", "DESC"] {
            let sql = "\(selection) ORDER BY \(key) \(direction), \(second) \(direction) LIMIT \(Salvage.maximumRows)"
            var isWhole = direction == "ASC"
            do throws(StoreError) {
                try source.each(sql) { row throws(StoreError) in
                    do throws(StoreError) {
                        if try !keep(row) { isWhole = false }
                    } catch {
                        refusal = error
                        throw error
                    }
                }
                return isWhole
            } catch {
                if let refusal { throw refusal }
            }
        }
        return false
    }
}

extension Connection {
    fileprivate func table(_ name: String, _ isWhole: Bool) throws(StoreError) -> Recovery.Table {
        let count = try integer("SELECT count(*) FROM \"\(name)\"")
        return Recovery.Table(name: name, kept: Int(count), isWhole: isWhole)
    }
}
