internal import CSextantSQLite

/// A prepared SQLite statement.
///
/// A class, because the connection keeps it for the next use while a caller steps through it.
@safe package final class Statement {
    private let handle: OpaquePointer
    /// The connection, which owns its statements and releases them before it closes.
    private unowned let connection: Connection

    /// Takes ownership of a statement from `sqlite3_prepare_v3`.
    @unsafe init(adopting handle: OpaquePointer, of connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit {
        // Safety: the handle was adopted in `init`, and is finalized only here.
        _ = unsafe sqlite3_finalize(handle)
    }

    func bind(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
        // Safety: the statement lives as long as this object, and SQLite copies text and bytes before it returns.
        let code =
            switch value {
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .real(nil): unsafe sqlite3_bind_null(handle, index)
            case .real(let number?): unsafe sqlite3_bind_double(handle, index, number)
            case .text(let text): unsafe csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        guard code == SQLITE_OK else { throw connection.error(code) }
    }

    /// Advances to the next row; false if there is none.
    func step() throws(StoreError) -> Bool {
        // Safety: the statement lives as long as this object.
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code)
        }
    }

    /// Makes the statement ready for its next use, and releases the bound values.
    func reset() {
        // Safety: the statement lives as long as this object. The result is ignored: `step` has already thrown its
        // error.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }
}

// MARK: The current row

extension Statement {
    package func integer(_ column: Int32) -> Int64 {
        // Safety: the statement stands on a row, and lives as long as this object.
        unsafe sqlite3_column_int64(handle, column)
    }

    /// A column as a number; nil if it is not a number.
    package func real(_ column: Int32) -> Double? {
        // Safety: the statement stands on a row, and lives as long as this object.
        let type = unsafe sqlite3_column_type(handle, column)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_double(handle, column)
    }

    /// A column as text; nil if it is not text.
    package func text(_ column: Int32) -> String? {
        // Safety: the bytes stay in place until the next call for this row, and are copied before that call.
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let text = unsafe sqlite3_column_text(handle, column)
        else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
        return unsafe String(validating: bytes, as: UTF8.self)
    }

    /// A column as bytes; nil if it is not a blob.
    package func blob(_ column: Int32) -> [UInt8]? {
        // Safety: the bytes stay in place until the next call for this row, and are copied before that call.
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let bytes = unsafe sqlite3_column_blob(handle, column)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
