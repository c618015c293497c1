internal import SextantSQLite

typealias CacheError = SQLiteFailure

extension CacheError {
    /// Whether the error means that the file is damaged and useless.
    var isDamage: Bool { kind == .damaged || kind == .notADatabase }
}

/// The SQLite database of kept answers.
///
/// It is written without waiting for the storage card, since losing the answers does no harm. It has no journal on the
/// card, since a journal would keep what was erased; deleted content is overwritten.
typealias CacheDatabase = SQLiteFile<CacheError>

extension CacheDatabase {
    convenience init(path: String) throws(CacheError) {
        try self.init(path, .creatingWithoutLinks)
        try execute(
            """
            PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON; PRAGMA cache_size=-256;
            PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY
            """)
    }
}
