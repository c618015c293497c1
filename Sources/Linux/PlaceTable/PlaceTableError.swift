internal import CSextantSQLite
internal import Glibc

/// Why a table of places cannot be read or written.
public struct PlaceTableError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// The file is not a table of places.
        case notATable
        /// A later release of Sextant wrote the table.
        case newerFormat(found: Int)
        /// An earlier release of Sextant wrote the table.
        case olderFormat(found: Int)
        /// The file was cut or changed.
        case damaged(reason: String)
        /// The file could not be read or written; `errno` is the kernel's error number.
        case inaccessible(errno: Int32)
        /// A line of the input from which the table is made is wrong.
        case wrongLine(number: Int, problem: String)
    }

    public var kind: Kind
    public var path: String

    public init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// The error for one of SQLite's result codes; `errno` is the last error that the kernel gave SQLite.
    init(code: Int32, errno: Int32, path: String) {
        switch code & 0xFF {
        case SQLITE_NOTADB: self.init(.notATable, path: path)
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_READONLY, SQLITE_FULL, SQLITE_AUTH:
            // SQLITE_IOERR_SHORT_READ, which is a computed macro in C that Swift does not import.
            if code == SQLITE_IOERR | (2 << 8) || errno == 0 {
                self.init(.damaged(reason: PlaceTableError.text(of: code)), path: path)
            } else {
                self.init(errno == ENOENT ? .missing : .inaccessible(errno: errno), path: path)
            }
        default: self.init(.damaged(reason: PlaceTableError.text(of: code)), path: path)
        }
    }

    /// The file's name without its folder.
    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    public var description: String {
        switch kind {
        case .missing: "\(path): no such file"
        case .notATable: "\(name) is not a table of places"
        case .newerFormat(let found):
            "\(name) has format \(found); this Sextant reads \(PlaceSchema.format): update sextant"
        case .olderFormat(let found):
            "\(name) has format \(found); this Sextant reads \(PlaceSchema.format): install sextant-places or import the "
                + "region again"
        case .damaged(let reason): "\(name) is damaged: \(reason)"
        case .inaccessible(let errno): "\(path): \(unsafe String(cString: strerror(errno)))"
        case .wrongLine(let number, let problem): "\(path): line \(number): \(problem)"
        }
    }

    /// SQLite's text for a result code.
    private static func text(of code: Int32) -> String {
        // Safety: SQLite returns a constant, zero-terminated text and never NULL.
        unsafe String(cString: sqlite3_errstr(code))
    }
}
