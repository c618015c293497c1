internal import CSextantSQLite

/// An error of the database of kept answers, with SQLite's result code.
struct CacheError: Error, Equatable, CustomStringConvertible {
    var code: Int32

    /// Whether the error means that the file is damaged and useless.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    // Safety: SQLite returns a constant, zero-terminated text and never NULL.
    var description: String { unsafe String(cString: sqlite3_errstr(code)) }
}

/// A value that is bound to a parameter of a statement.
enum CacheValue {
    case integer(Int64)
    case text(String)
    case null
}

/// The database of kept answers.
///
/// It is written without waiting for the storage card, since losing it does no harm. It has no journal on the card,
/// since a journal would keep what was erased; deleted content is overwritten. A class, because it owns the connection.
@safe final class CacheDatabase {
    private let handle: OpaquePointer

    init(path: String) throws(CacheError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            _ = unsafe sqlite3_close(opened)
            throw CacheError(code: code)
        }
        unsafe handle = opened
        for setting in [
            "journal_mode=MEMORY", "synchronous=OFF", "secure_delete=ON", "cache_size=-256", "mmap_size=0",
            "temp_store=MEMORY",
        ] {
            try rows("PRAGMA \(setting)") { _ in }
        }
    }

    // Safety: the connection was opened in `init`, and all statements are finalized.
    deinit { _ = unsafe sqlite3_close(handle) }

    /// Runs a statement that returns no rows, and returns the number of rows that it changed.
    @discardableResult
    func run(_ text: String, _ values: [CacheValue] = []) throws(CacheError) -> Int {
        try rows(text, values) { _ in }
        return Int(unsafe sqlite3_changes(handle))
    }

    /// Calls `body` with each row of a statement.
    func rows(
        _ text: String, _ values: [CacheValue] = [], _ body: (CacheRow) throws(CacheError) -> Void
    ) throws(CacheError) {
        var prepared: OpaquePointer?
        // Safety: the text lives for the call.
        let code = unsafe sqlite3_prepare_v2(handle, text, -1, &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else { throw CacheError(code: code) }
        defer { _ = unsafe sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() { unsafe bind(value, Int32(index + 1), statement) }
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: try body(unsafe CacheRow(statement))
            case SQLITE_DONE: return
            case let code: throw CacheError(code: code)
            }
        }
    }

    // Errors of a binding are not checked: SQLite binds any value that fits into memory.
    @unsafe private func bind(_ value: CacheValue, _ index: Int32, _ statement: OpaquePointer) {
        switch value {
        case .integer(let number): _ = unsafe sqlite3_bind_int64(statement, index, number)
        // Safety: SQLite copies the text before it returns.
        case .text(let text): _ = unsafe csqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .null: _ = unsafe sqlite3_bind_null(statement, index)
        }
    }
}

/// The current row of a statement.
@safe struct CacheRow {
    private let statement: OpaquePointer

    @unsafe init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    // Safety: a row is used only while its statement is at this row.

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String? {
        guard let text = unsafe sqlite3_column_text(statement, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}
