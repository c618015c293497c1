internal import CSextantSQLite

/// An open SQLite file.
///
/// A class, because its statements refer to it for errors. It belongs to one thread at a time.
@safe final class TableFile {
    let path: String
    private let handle: OpaquePointer

    enum Access {
        /// Nothing is written, and no other process writes while the file is open.
        case readOnly
        /// A new file, or an empty one.
        case creating
    }

    init(path: String, _ access: Access) throws(PlaceTableError) {
        var opened: OpaquePointer?
        let uri = "file:\(TableFile.escaped(path))" + (access == .readOnly ? "?immutable=1" : "")
        let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_open_v2(uri, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            // Safety: both calls accept the handle of a failed opening, or NULL; the second call frees it.
            let errno = unsafe sqlite3_system_errno(opened)
            _ = unsafe sqlite3_close_v2(opened)
            throw PlaceTableError(code: code, errno: errno, path: path)
        }
        self.path = path
        unsafe handle = opened
    }

    deinit {
        // Safety: the handle was opened in `init`. Statements that still exist keep it open until they are gone.
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// The error for a result code; to be called right after the SQLite call that returned the code.
    func error(_ code: Int32) -> PlaceTableError {
        // Safety: the handle is open as long as this object lives.
        PlaceTableError(code: code, errno: unsafe sqlite3_system_errno(handle), path: path)
    }

    /// Runs statements that have no parameters, one after the other.
    func execute(_ sql: String) throws(PlaceTableError) {
        // Safety: the handle is open as long as this object lives; the C string lives for the call.
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Prepares a statement that is used again and again.
    func prepare(_ sql: String) throws(PlaceTableError) -> TableStatement {
        var prepared: OpaquePointer?
        // Safety: SQLite writes one pointer, which outlives the call; the C string lives for the call.
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error(code) }
        return unsafe TableStatement(adopting: prepared, of: self)
    }

    /// The first column of the first row; nil where there is no row.
    func text(_ sql: String) throws(PlaceTableError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// The first column of the first row; 0 where there is no row.
    func integer(_ sql: String) throws(PlaceTableError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Lends the handle for one call.
    func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(handle) }

    /// Escapes a path for a URI, in which three characters have a meaning.
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
