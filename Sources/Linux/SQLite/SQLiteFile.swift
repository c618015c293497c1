internal import CSextantSQLite

/// How a file is opened.
package struct SQLiteAccess: Sendable {
    fileprivate let flags: Int32
    /// The parameters at the end of the file's URI, such as `?psow=0`; empty if there are none.
    fileprivate var parameters = ""
    /// Whether a statement that is run as text stays prepared, in case the same text is run again.
    fileprivate var keepsStatements = false

    /// Reads and writes a file that exists.
    ///
    /// `psow=0` makes a commit fill whole sectors of the write-ahead log. The reason: a storage card that loses power
    /// while it writes a sector can damage the whole sector (SQLite, "Powersafe Overwrite").
    package static let readWrite = SQLiteAccess(
        flags: SQLITE_OPEN_READWRITE, parameters: "?psow=0", keepsStatements: true)
    /// Reads and writes a file, which is created if it is missing.
    package static let creating = SQLiteAccess(flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    /// Reads and writes a file, which is created if it is missing, and which must not be a symbolic link.
    package static let creatingWithoutLinks = SQLiteAccess(
        flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW)
    /// Only reads a file, which no other process may write while it is open.
    ///
    /// SQLite does not lock the file, because a read-only file system would refuse that.
    package static let immutable = SQLiteAccess(flags: SQLITE_OPEN_READONLY, parameters: "?immutable=1")

    /// The file URI of a path; the three characters with a meaning in URIs (%, ? and #) are escaped.
    ///
    /// An absolute path gets an empty host before it, because SQLite would take the beginning of a path with `//` for
    /// the host.
    fileprivate func uri(of path: String) -> String {
        path.unicodeScalars.reduce(into: path.hasPrefix("/") ? "file://" : "file:") { uri, scalar in
            let isPlain = !"%?#".unicodeScalars.contains(scalar)
            uri += isPlain ? String(scalar) : "%" + String(scalar.value, radix: 16)
        } + parameters
    }
}

/// An open SQLite file; `Failure` is the type of the errors that its owner wants.
///
/// A class, because its statements refer to it for errors. It belongs to one thread at a time.
@safe package final class SQLiteFile<Failure: SQLiteError> {
    package let path: String
    private let handle: OpaquePointer
    private let keepsStatements: Bool
    private var statements: [String: SQLiteStatement<Failure>] = [:]

    package init(_ path: String, _ access: SQLiteAccess) throws(Failure) {
        var opened: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_open_v2(access.uri(of: path), &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            // Safety: both calls accept NULL and the handle of a file that could not be opened; the second call
            // releases the handle.
            let failure = unsafe SQLiteFailure(path, code, of: opened)
            _ = unsafe sqlite3_close_v2(opened)
            throw Failure(failure)
        }
        self.path = path
        unsafe handle = opened
        keepsStatements = access.keepsStatements
    }

    deinit {
        statements.removeAll()
        // Safety: the handle was opened in `init`. Statements that still exist keep it open until they are gone.
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Makes the error for a result code; call it right after the SQLite call that returned the code.
    func error(_ code: Int32) -> Failure {
        // Safety: the handle is open as long as this object lives.
        Failure(unsafe SQLiteFailure(path, code, of: handle))
    }

    /// Runs one or several statements without parameters, and does not keep them prepared.
    package func execute(_ sql: String) throws(Failure) {
        // Safety: the handle is open as long as this object lives; the C string lives for the call.
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Prepares a statement for repeated use, at most as long as the file is open.
    package func prepare(_ sql: String) throws(Failure) -> SQLiteStatement<Failure> {
        var prepared: OpaquePointer?
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error(code) }
        return unsafe SQLiteStatement(adopting: prepared, of: self)
    }

    /// Runs a statement.
    ///
    /// - Returns: The number of rows that the statement inserted, changed or deleted; after any other kind of
    ///   statement, that of the last statement that did so.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int {
        try each(sql, values) { _ in }
        // Safety: the handle is open as long as this object lives.
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// Runs a statement, and calls `body` for every row of its result.
    package func each(
        _ sql: String, _ values: [SQLValue] = [], _ body: (SQLiteStatement<Failure>) throws(Failure) -> Void
    ) throws(Failure) {
        let statement = try statement(of: sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    /// Runs a statement, and returns the first column of the first row as a number; 0 if there is no row.
    package func integer(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int64 {
        let statement = try statement(of: sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : 0
    }

    private func statement(of sql: String) throws(Failure) -> SQLiteStatement<Failure> {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        if keepsStatements { statements[sql] = statement }
        return statement
    }

    /// Runs `body` in a transaction: either all of its changes are made, or none.
    package func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            try body()
            try run("COMMIT")
        } catch {
            // Safety: the handle is open as long as this object lives. After some errors SQLite has already rolled the
            // transaction back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// Sets whether closing leaves the write-ahead log and the file as they are, without writing the log back.
    package func leavesLogOnClose(_ leaves: Bool) {
        // Safety: the handle is open as long as this object lives; the setting exists since SQLite 3.26.
        _ = unsafe csqlite_leave_log_on_close(handle, leaves)
    }

    /// Refuses values of more than `bytes` bytes, and aborts a statement after `steps` steps of SQLite's virtual
    /// machine.
    package func limit(bytes: Int32, steps: Int32) {
        // Safety: the handle is open as long as this object lives; the function uses no context.
        _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes)
        unsafe sqlite3_progress_handler(handle, steps, endStatement, nil)
    }

    /// Registers a best-first search under a name, so that statements can use it as in `id MATCH name()`.
    ///
    /// - Parameter search: The search, which must live as long as the file is used.
    package func register(_ search: BoxSearch, as name: String) throws(Failure) {
        // Safety: the pointer is not retained; the owner of the file also owns the search, and releases the search
        // after the file.
        let context = unsafe Unmanaged.passUnretained(search).toOpaque()
        let code = unsafe sqlite3_rtree_query_callback(handle, name, BoxSearch.callback, context, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }
}

private let endStatement: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { _ in 1 }
