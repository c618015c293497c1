internal import CSextantSQLite

/// A prepared statement of a table of places.
///
/// A class, because a table keeps it while a search steps through it.
@safe final class TableStatement {
    private let handle: OpaquePointer
    private let file: TableFile

    /// Takes ownership of a statement from `sqlite3_prepare_v3`.
    @unsafe init(adopting handle: OpaquePointer, of file: TableFile) {
        unsafe self.handle = handle
        self.file = file
    }

    deinit {
        // Safety: the handle was adopted in `init`, and is finalized only here.
        _ = unsafe sqlite3_finalize(handle)
    }

    // The results are not checked: SQLite binds whatever fits into memory, and the following `step` reports a failure.

    func bind(_ number: Int64, at index: Int32) {
        // Safety: the statement lives as long as this object.
        _ = unsafe sqlite3_bind_int64(handle, index, number)
    }

    func bind(_ number: Double, at index: Int32) {
        // Safety: the statement lives as long as this object.
        _ = unsafe sqlite3_bind_double(handle, index, number)
    }

    func bind(_ text: String, at index: Int32) {
        // Safety: the statement lives as long as this object, and SQLite copies the text before it returns.
        _ = unsafe csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
    }

    func bind(_ bytes: [UInt8], at index: Int32) {
        // Safety: the statement lives as long as this object, and SQLite copies the bytes before it returns.
        _ = unsafe bytes.withUnsafeBytes { unsafe csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) }
    }

    func bindNull(at index: Int32) {
        // Safety: the statement lives as long as this object.
        _ = unsafe sqlite3_bind_null(handle, index)
    }

    /// Advances to the next row; false when there is no further row.
    func step() throws(PlaceTableError) -> Bool {
        // Safety: the statement lives as long as this object.
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw file.error(code)
        }
    }

    /// Makes the statement ready for its next use.
    func reset() {
        // Safety: the statement lives as long as this object. `step` already threw the error that reset repeats.
        _ = unsafe sqlite3_reset(handle)
    }

    /// Runs a statement without rows, and makes it ready for its next use.
    func run() throws(PlaceTableError) {
        defer { reset() }
        while try step() {}
    }

    // MARK: The current row

    func integer(_ column: Int32) -> Int64 {
        // Safety: the statement stands on a row, and lives as long as this object.
        unsafe sqlite3_column_int64(handle, column)
    }

    func isNull(_ column: Int32) -> Bool {
        // Safety: the statement stands on a row, and lives as long as this object.
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func real(_ column: Int32) -> Double {
        // Safety: the statement stands on a row, and lives as long as this object.
        unsafe sqlite3_column_double(handle, column)
    }

    /// A column as text; nil if it is not text, is empty, or has more bytes than the limit.
    func text(_ column: Int32, limit: Int = TableStatement.maximumName) -> String? {
        // Safety: the bytes stay where they are until the next call for this row; they are copied before it.
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let text = unsafe sqlite3_column_text(handle, column)
        else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard (1...limit).contains(count) else { return nil }
        return unsafe String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Lends the bytes of a column; none where it holds no bytes.
    func withBytes<Result>(_ column: Int32, _ body: (borrowing Span<UInt8>) -> Result) -> Result {
        // Safety: the bytes stay where they are until the next call for this row, and `body` makes none.
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe bytes == nil ? 0 : Int(unsafe sqlite3_column_bytes(handle, column))
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe buffer.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// The longest name that is read: bytes of UTF-8.
    static let maximumName = 400
}
