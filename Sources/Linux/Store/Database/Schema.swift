internal import SextantSQLite

/// The versions of the database's tables, counted by `PRAGMA user_version`, and the migration from each to the next.
package struct Schema: Sendable {
    /// The SQL statements that turn version n into version n + 1, at index n; an empty file has version 0.
    package let migrations: [String]

    package init(migrations: [String]) { self.migrations = migrations }

    package var version: Int { migrations.count }

    /// The migrations that this release knows.
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

    /// The first version of the file with the table `trackDays`: the dates of the track's points, each with its steady
    /// time in nanoseconds (`TrackPoint.steady`).
    ///
    /// The dates are numbered in the order in which the first point of each date was stored.
    static let versionOfDays = 4
    private static let trackDays = """
        CREATE TABLE trackDays (
            number INTEGER PRIMARY KEY,
            day INTEGER NOT NULL UNIQUE,
            steady INTEGER NOT NULL
        );
        """

    /// The first version of the file in which a track point says whether the host slept before it.
    static let versionOfSleeps = 5
    private static let trackSleeps = "ALTER TABLE track ADD COLUMN afterSleep INTEGER NOT NULL DEFAULT 0;"

    /// Brings a file of an older version to this version, in one transaction; a file of this version stays as it is.
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
        // The checkpoint also writes the version into the file's header; if the checkpoint fails, the version stays in
        // the log, which is read too.
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
