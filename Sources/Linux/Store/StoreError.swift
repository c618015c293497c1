internal import Glibc
internal import SextantReactor
internal import SextantSQLite

/// Why the store failed, with as many kinds as a caller can react to.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The storage card has no room.
        case full
        /// The daemon is not allowed to write to the folder, or the folder's file system is read-only.
        case notWritable
        /// There is no such folder.
        case noFolder
        /// A row is longer than the database accepts.
        case rowTooLarge
        /// Another process has the database open.
        case inUse
        /// The database was written by a later release.
        case newerVersion(found: Int, known: Int)
        /// The database is damaged and can no longer be read; opening it again rebuilds it.
        case damaged(reason: String)
        /// The file that keeps the operator's decisions about clients is damaged.
        case noDecisions
        /// Another file has taken the place of the file that is open.
        case replaced
        /// The store has been stopped.
        case closed
        /// An SQLite error that none of the other cases covers, with its result code.
        case database(code: Int32)
        case other
    }

    public var kind: Kind
    public var path: String
    /// The kernel's error number (errno); 0 if there is none.
    public var errno: Int32

    public init(_ kind: Kind, path: String, errno: Int32 = 0) {
        self.kind = kind
        self.path = path
        self.errno = errno
    }

    package init(path: String, errno: Int32) {
        let kind: Kind =
            switch errno {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS: .notWritable
            case ENOENT, ENOTDIR: .noFolder
            default: .other
            }
        self.init(kind, path: path, errno: errno)
    }

    public var description: String {
        switch kind {
        case .full: "\(path): \(SystemError.text(of: errno)); make room on the card"
        case .notWritable where errno == EROFS:
            "\(path): \(SystemError.text(of: errno)); sextant doctor says whether the card or the daemon's unit forbids it"
        case .other where errno == EIO:
            "\(path): \(SystemError.text(of: errno)); the card may be failing: check it, or replace it"
        case .notWritable:
            "\(path): \(SystemError.text(of: errno)); let the user who runs sextantd write to its directory"
        case .noFolder: "\(path): \(SystemError.text(of: errno)); create its directory first"
        case .rowTooLarge: "\(path): a row may have at most \(StateRow.maximumBytes) bytes"
        case .inUse:
            "\(path): another process has it open; stop that one, or choose another state directory for this one"
        case .newerVersion(let found, let known):
            "\(path): written in version \(found) by a later release, and this one knows version \(known) at most; "
                + "install the later release again, or move the file away"
        case .damaged(let reason): "\(path): \(reason); start sextantd again, which repairs the store"
        case .noDecisions: "\(path): the file of decisions is damaged; the next decision writes it anew"
        case .replaced:
            "\(path): another file was put in its place, and sextantd leaves it alone; start sextantd again to use it"
        case .closed: "\(path): the store is closed; start sextantd again"
        case .database(let code): "\(path): \(SQLiteFailure.text(of: code)) (SQLite's code \(code))"
        case .other: "\(path): \(SystemError.text(of: errno))"
        }
    }
}
