internal import CSextantSQLite

/// An error that can be made from an SQLite failure; whoever opens a file chooses the error's type.
package protocol SQLiteError: Error {
    init(_ failure: SQLiteFailure)
}

/// A failed SQLite call: its result code, the kernel's error number and SQLite's text.
package struct SQLiteFailure: SQLiteError, CustomStringConvertible {
    /// The result codes between which callers distinguish, from "Result and Error Codes" of SQLite.
    package enum Kind: Int32 {
        case error = 1, permission = 3, busy = 5, locked = 6, noMemory = 7, readOnly = 8, inputOutput = 10, damaged = 11
        case full = 13, cannotOpen = 14, notAuthorized = 23, notADatabase = 26
    }

    package let path: String
    /// SQLite's extended result code.
    package let code: Int32
    /// The last error number (errno) that SQLite got from the kernel; 0 if there is none.
    package let errno: Int32
    /// SQLite's text about this failure, which can say more than its text for the result code.
    package let message: String

    /// The extended result code for a file that ends too early; in C it is a computed macro, which Swift does not
    /// import.
    package static let shortRead: Int32 = SQLITE_IOERR | (2 << 8)

    /// Describes the last failed call on a connection, even if the connection could not be opened; a handle of nil
    /// means that there was no memory.
    @unsafe init(_ path: String, _ code: Int32, of handle: OpaquePointer?) {
        self.path = path
        self.code = code
        // Safety: the handle is open or NULL, which both calls accept; the text is zero-terminated, and is copied.
        errno = unsafe sqlite3_system_errno(handle)
        message = unsafe String(cString: sqlite3_errmsg(handle))
    }

    package init(_ failure: SQLiteFailure) { self = failure }

    package var kind: Kind? { Kind(rawValue: code & 0xFF) }

    package var description: String { SQLiteFailure.text(of: code) }

    /// SQLite's text for a result code.
    package static func text(of code: Int32) -> String {
        // Safety: SQLite returns a constant, zero-terminated string and never NULL.
        unsafe String(cString: sqlite3_errstr(code))
    }
}
