internal import CSextantSQLite

/// A prepared SQLite statement, which is kept for repeated use.
///
/// A class, because the file keeps the statement while a caller steps through its rows.
@safe package final class SQLiteStatement<Failure: SQLiteError> {
    // Safety of all calls: the statement lives as long as this object, which alone finalizes it. A column is read while
    // the statement stands on a row; its bytes stay in place until the next call for this row, and are copied or lent
    // before that.
    private let handle: OpaquePointer
    private unowned let file: SQLiteFile<Failure>

    /// Takes ownership of a statement that `sqlite3_prepare_v3` made.
    @unsafe init(adopting handle: OpaquePointer, of file: SQLiteFile<Failure>) {
        unsafe self.handle = handle
        self.file = file
    }

    // Safety: see above.
    deinit { _ = unsafe sqlite3_finalize(handle) }

    package func bind(_ values: [SQLValue]) throws(Failure) {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    /// Binds a value to a parameter of the statement; parameters are numbered from 1.
    package func bind(_ value: SQLValue, at index: Int32) throws(Failure) {
        // Safety: the statement lives as long as this object; SQLite copies text and bytes before it returns.
        let code =
            switch value {
            case .null, .real(nil): unsafe sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .real(let number?): unsafe sqlite3_bind_double(handle, index, number)
            case .text(let text): unsafe csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        guard code == SQLITE_OK else { throw file.error(code) }
    }

    /// Advances to the next row of the result; false if there is none.
    package func step() throws(Failure) -> Bool {
        // Safety: see above.
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw file.error(code)
        }
    }

    /// Makes the statement ready to be run again: releases the bound values, and resets the count of the steps that
    /// `SQLiteFile.limit` limits.
    package func reset() {
        // Safety: the statement lives as long as this object. The result is ignored: `step` has already thrown its
        // error.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
        _ = unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
    }

    /// Runs the statement to its end, and makes it ready to be run again.
    package func run(_ values: [SQLValue] = []) throws(Failure) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    // MARK: The current row

    package func integer(_ column: Int32) -> Int64 {
        // Safety: see above.
        unsafe sqlite3_column_int64(handle, column)
    }

    package func isNull(_ column: Int32) -> Bool {
        // Safety: see above.
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// A column's value as a number; 0 if SQLite cannot convert it.
    package func double(_ column: Int32) -> Double {
        // Safety: see above.
        unsafe sqlite3_column_double(handle, column)
    }

    /// A column's value as a number; nil if it is not a number.
    package func real(_ column: Int32) -> Double? {
        // Safety: see above.
        let type = unsafe sqlite3_column_type(handle, column)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? double(column) : nil
    }

    /// A column's value as text; nil if it is not text, or if its number of bytes is outside the given range.
    package func text(_ column: Int32, bytes: ClosedRange<Int> = 0...Int.max) -> String? {
        // Safety: see above.
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let text = unsafe sqlite3_column_text(handle, column)
        else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard bytes.contains(count) else { return nil }
        return unsafe String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// A column's value of any type as SQLite writes it, with bytes that are not UTF-8 replaced; nil for NULL.
    package func written(_ column: Int32) -> String? {
        // Safety: the statement stands on a row; the text is zero-terminated, and is copied at once.
        unsafe sqlite3_column_text(handle, column).map { unsafe String(cString: $0) }
    }

    /// A column's value as bytes; nil if it is not a blob.
    package func blob(_ column: Int32) -> [UInt8]? {
        // Safety: see above.
        unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB ? bytes(column) : nil
    }

    /// The bytes of a column's value, whatever its type is.
    package func bytes(_ column: Int32) -> [UInt8] {
        // Safety: see above.
        let bytes = unsafe sqlite3_column_blob(handle, column)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Lends the bytes of a column's value to `body`; no bytes if the value has none.
    package func withBytes<Result>(_ column: Int32, _ body: (borrowing Span<UInt8>) -> Result) -> Result {
        // Safety: the bytes stay in place until the next call for this row, and `body` makes none.
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe bytes == nil ? 0 : Int(unsafe sqlite3_column_bytes(handle, column))
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe buffer.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }
}
