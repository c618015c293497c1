internal import CSextantSQLite
internal import Glibc

/// An open SQLite file and its prepared statements.
///
/// A class, because its statements refer to it for errors. It belongs to one thread at a time.
@safe package final class Connection {
    package let path: String
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens an existing file.
    ///
    /// `psow=0` makes a commit fill whole sectors of the write-ahead log. The reason: a storage card that loses power
    /// while it writes a sector can damage the whole sector (SQLite, "Powersafe Overwrite").
    package init(path: String) throws(StoreError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_open_v2("file:" + Connection.escaped(path) + "?psow=0", &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            // Safety: both calls accept the handle of a failed opening, or NULL; the second call releases it.
            let errno = unsafe sqlite3_system_errno(opened)
            _ = unsafe sqlite3_close_v2(opened)
            throw StoreError(path: path, code: code, errno: errno)
        }
        self.path = path
        unsafe handle = opened
    }

    deinit {
        statements.removeAll()
        // Safety: the handle was opened in `init`, and is closed only here, after its statements are gone.
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Makes the error for a result code; call it right after the SQLite call that returned the code.
    func error(_ code: Int32) -> StoreError {
        // Safety: the handle is open as long as this object lives.
        StoreError(path: path, code: code, errno: unsafe sqlite3_system_errno(handle))
    }

    /// Runs statements without parameters, one after the other, and does not keep them prepared.
    package func execute(_ sql: String) throws(StoreError) {
        // Safety: the handle is open as long as this object lives; the C string lives for the call.
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs a statement, which stays prepared for the next time.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        try each(sql, values) { _ in }
    }

    /// Calls `body` for every row of a statement, which stays prepared for the next time.
    package func each(
        _ sql: String, _ values: [SQLValue] = [], _ body: (Statement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    /// The first column of the first row; 0 where there is no row.
    package func integer(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int64 {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs `body` in a transaction: all of its changes are made, or none.
    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try run("COMMIT")
        } catch {
            // Safety: the handle is open as long as this object lives. After some errors SQLite has already rolled the
            // transaction back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// The number of rows that the last statement has inserted, changed or deleted.
    package var changes: Int {
        // Safety: the handle is open as long as this object lives.
        Int(unsafe sqlite3_changes64(handle))
    }

    /// Sets whether closing leaves the write-ahead log and the file as they are.
    package func leavesLogOnClose(_ leaves: Bool) {
        // Safety: the handle is open as long as this object lives; the setting exists since SQLite 3.26.
        _ = unsafe csqlite_leave_log_on_close(handle, leaves)
    }

    /// Copies the whole database into an empty file; the copy has no write-ahead log.
    func copy(to path: String) throws(StoreError) { try run("VACUUM INTO ?", [.text(path)]) }

    private func prepared(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error(code) }
        let statement = unsafe Statement(adopting: prepared, of: self)
        statements[sql] = statement
        return statement
    }

    /// Escapes the three characters of a path that have a meaning in a URI.
    private static func escaped(_ path: String) -> String {
        path.reduce(into: "") { result, character in
            switch character {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.append(character)
            }
        }
    }
}

extension StoreError {
    /// Makes the error for an SQLite result code; `errno` is the last kernel error that SQLite has seen.
    init(path: String, code: Int32, errno: Int32) {
        switch code & 0xFF {
        case SQLITE_FULL: self.init(path: path, errno: errno == EDQUOT ? EDQUOT : ENOSPC)
        case SQLITE_BUSY, SQLITE_LOCKED: self.init(.inUse, path: path)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.damaged(reason: Self.text(of: code)), path: path)
        case SQLITE_READONLY, SQLITE_PERM: self.init(path: path, errno: EROFS)
        case SQLITE_NOMEM: self.init(path: path, errno: ENOMEM)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            if errno == 0 { self.init(.database(code: code), path: path) } else { self.init(path: path, errno: errno) }
        default: self.init(.database(code: code), path: path)
        }
    }

    /// SQLite's text for a result code.
    static func text(of code: Int32) -> String {
        // Safety: SQLite returns a constant, zero-terminated string and never NULL.
        unsafe String(cString: sqlite3_errstr(code))
    }
}
