internal import Glibc
internal import SextantSQLite
internal import Store

/// The database file of the queue of records for the broker: its tables, and the handling of a file that cannot be
/// used.
enum QueueFile {
    /// The version of the tables.
    private static let version: Int64 = 1

    /// Opens the file, and creates it if it is missing.
    static func open(_ path: String, _ boot: String, _ random: () -> UInt32) throws(StoreError) -> Connection {
        // The file is created here with mode 0600, because SQLite would create it readable by others.
        _ = try StoreFile.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        let connection = try Connection(path, .readWrite)
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
        let found = try connection.integer("PRAGMA user_version")
        guard found <= version else {
            throw StoreError(.newerVersion(found: Int(found), known: Int(version)), path: path)
        }
        try connection.configure()
        try connection.check(nil)
        try prepare(connection, boot, random)
        return connection
    }

    /// Opens a database with the same tables as the file, but only in memory.
    static func inMemory(_ boot: String, _ random: () -> UInt32) throws(StoreError) -> Connection {
        let connection = try Connection(":memory:", .readWrite)
        try prepare(connection, boot, random)
        return connection
    }

    private static func prepare(
        _ connection: Connection, _ boot: String, _ random: () -> UInt32
    ) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            for text in schema { try connection.execute(text) }
            try connection.run("INSERT OR IGNORE INTO state VALUES('series', ?)", [.integer(Int64(random()))])
            if try connection.integer("SELECT count(*) FROM state WHERE key = 'boot' AND value = ?", [.text(boot)]) == 0
            {
                try connection.run("UPDATE record SET uptime = NULL WHERE uptime IS NOT NULL")
                try connection.run("INSERT OR REPLACE INTO state VALUES('boot', ?)", [.text(boot)])
            }
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    private static let schema = [
        "CREATE TABLE IF NOT EXISTS state(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
        """
        CREATE TABLE IF NOT EXISTS record(
            number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, time INTEGER, uptime INTEGER, body BLOB NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS event ON record(number) WHERE kind = 1",
        "CREATE TABLE IF NOT EXISTS known(position INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL)",
        "CREATE TABLE IF NOT EXISTS command(position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL)",
        """
        CREATE TABLE IF NOT EXISTS region(
            identifier TEXT PRIMARY KEY, name TEXT NOT NULL, latitude REAL, longitude REAL, radius REAL,
            timestamp INTEGER) WITHOUT ROWID
        """,
    ]

    /// Renames a queue's file that cannot be used, together with its write-ahead log.
    ///
    /// - Returns: The new path, and a sentence that says what was done; nil if the error is not caused by the file.
    static func setAside(
        _ path: String, because error: StoreError
    ) throws(StoreError) -> (path: String, words: String)? {
        let (suffix, words): (String, String)
        switch error.kind {
        case .damaged(let reason): (suffix, words) = ("damaged", "was damaged (\(reason))")
        case .newerVersion: (suffix, words) = ("later", "was written by a later release")
        default: return nil
        }
        let names = asides(of: path, suffix)
        let aside = names.first { StoreFile.size(of: $0) == 0 } ?? names[8]
        if StoreFile.size(of: path + "-wal") != 0 { try StoreFile.rename(path + "-wal", to: aside + "-wal") }
        try StoreFile.rename(path, to: aside)
        try StoreFile.syncFolder(of: path)
        return (aside, "\(path): \(words); it is kept as \(aside), and a new queue was begun")
    }

    /// The names of the unusable files that are kept beside the queue's file.
    static func asides(of path: String, _ suffix: String) -> [String] {
        (1...9).map { "\(path).\(suffix)-\($0)" }
    }
}
