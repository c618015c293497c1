internal import Glibc
internal import SextantSQLite

/// A table of place names that is first written to a temporary file, which then replaces the older table.
///
/// If the writing stops for any reason, the older table stays. The next time that this table is written, the leftover
/// file is removed. It is a class because it removes an unfinished file when it is released.
final class NewTable {
    private let path: String
    private let beside: String

    init(at path: String) {
        self.path = path
        beside = path + ".new"
        _ = unsafe unlink(beside)
    }

    deinit { _ = unsafe unlink(beside) }

    /// Creates a database file with empty tables, and begins a transaction in it.
    func begin(_ definitions: [PlaceSchema.Definition]) throws(PlaceTableError) -> TableFile {
        let file = try TableFile(beside, .creating)
        try file.execute(
            """
            PRAGMA page_size = 4096; PRAGMA application_id = \(PlaceSchema.applicationID);
            PRAGMA user_version = \(PlaceSchema.format); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            PRAGMA cache_size = -32768; BEGIN
            """)
        for definition in definitions { try file.execute(definition.sql) }
        return file
    }

    /// Writes what the table says about itself, and replaces the older table by this one.
    func finish(_ file: TableFile, meta: [String: String]) throws(PlaceTableError) {
        let insert = try file.prepare("INSERT INTO meta VALUES (?, ?)")
        for (key, value) in meta.sorted(by: { $0.key < $1.key }) {
            try insert.run([.text(key), .text(value)])
        }
        try file.execute("COMMIT; PRAGMA synchronous = FULL; VACUUM")
        guard unsafe rename(beside, path) == 0 else {
            throw PlaceTableError(.inaccessible(errno: errno), path: path)
        }
    }
}
