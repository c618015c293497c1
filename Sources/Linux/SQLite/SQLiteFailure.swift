internal import CSextantSQLite

/// An error that is made of SQLite's: a file's owner tells failures in its own words.
package protocol SQLiteError: Error {
    init(_ failure: SQLiteFailure)
}

/// Why SQLite could not do something.
package struct SQLiteFailure: SQLiteError, CustomStringConvertible {
    /// The result codes that somebody tells apart, from "Result and Error Codes" of SQLite.
    package enum Kind: Int32 {
        case error = 1, permission = 3, busy = 5, locked = 6, noMemory = 7, readOnly = 8, inputOutput = 10, damaged = 11
        case full = 13, cannotOpen = 14, notAuthorized = 23, notADatabase = 26
    }

    package let path: String
    /// SQLite's extended result code.
    package let code: Int32
    /// The last error number that the kernel gave SQLite; 0 if there is none.
    package let errno: Int32
    /// SQLite's words for this failure, which can say more than those for its code.
    package let message: String

    /// The extended code for a file that ends too early, a computed macro in C that Swift does not import.
    package static let shortRead: Int32 = SQLITE_IOERR | (2 << 8)

    /// Describes the last failed call for a connection, whose opening can have failed; nil where there was no memory.
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
