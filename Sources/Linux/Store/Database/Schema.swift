internal import SextantSQLite

/// The versions of the database's tables, counted by `PRAGMA user_version`, and the migration from each to the next.
package struct Schema: Sendable {
    /// The SQL that makes version n + 1 out of version n, at index n; an empty file is version 0.
    package let migrations: [String]

    package init(migrations: [String]) { self.migrations = migrations }

    package var version: Int { migrations.count }

    /// The migrations of this release.
    ///
    /// A released migration never changes: a new version adds a migration at the end.
    package static let current = Schema(
        migrations: [version1, stateTable("visits"), stateTable("deferred"), trackDays, trackSleeps])

    private static func stateTable(_ name: String) -> String {
        """
        CREATE TABLE "\(name)" (
            client TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            crc32 INTEGER NOT NULL,
            PRIMARY KEY (client, name)
        ) WITHOUT ROWID;

        """
    }

    private static let version1 =
        ["settings", "authorization", "registrations", "events", "sessions", "learned"].map(stateTable).joined() + """
            CREATE TABLE track (
                time INTEGER PRIMARY KEY,
                latitude REAL NOT NULL,
                longitude REAL NOT NULL,
                altitude REAL,
                horizontalAccuracy REAL,
                speed REAL,
                course REAL
            );
            """

    /// The dates of the track's points, each with its steady time in nanoseconds (`TrackPoint.steady`).
    ///
    /// They are numbered in the order in which the first point of each date was stored.
    ///
    /// Version 4 of the file has the table.
    static let versionOfDays = 4
    private static let trackDays = """
        CREATE TABLE trackDays (
            number INTEGER PRIMARY KEY,
            day INTEGER NOT NULL UNIQUE,
            steady INTEGER NOT NULL
        );
        """

    /// The version of the file in which a track point tells whether the host slept before it.
    static let versionOfSleeps = 5
    private static let trackSleeps = "ALTER TABLE track ADD COLUMN afterSleep INTEGER NOT NULL DEFAULT 0;"

    /// Brings a file of this version or an older one to this version, in one transaction.
    func migrate(_ connection: Connection) throws(StoreError) {
        let found = try connection.integer("PRAGMA user_version")
        guard found != version else { return }
        guard (0..<Int64(version)).contains(found) else {
            throw StoreError(.newerVersion(found: Int(found), known: version), path: connection.path)
        }
        try connection.transaction { () throws(StoreError) in
            for migration in migrations[Int(found)...] { try connection.execute(migration) }
            try connection.execute("PRAGMA user_version = \(version)")
        }
        // The checkpoint also writes the version into the file's header; if it fails, the version is read from the log.
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
