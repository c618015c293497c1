internal import Glibc
internal import SextantReactor

/// The reason why a file that asks systemd for something could not be written or removed, and how to correct it.
public struct WakeFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The file system of the run directory has no room.
        case full
        /// The daemon is not allowed to write to the folder, or its file system is read-only.
        case notWritable
        /// The run directory does not exist.
        case noFolder
        /// The unit's name cannot be turned into a file name.
        case invalidUnit
        case other
    }

    public var kind: Kind
    /// The path of the file that could not be written or removed; if the unit's name is invalid, the unit's name.
    public var path: String
    /// The kernel's error number; 0 if no system call failed.
    public var errno: Int32

    public init(_ kind: Kind, path: String, errno: Int32 = 0) {
        self.kind = kind
        self.path = path
        self.errno = errno
    }

    init(path: String, errno: Int32) {
        let kind: Kind =
            switch errno {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS: .notWritable
            case ENOENT, ENOTDIR: .noFolder
            default: .other
            }
        self.init(kind, path: path, errno: errno)
    }

    public var description: String {
        switch kind {
        case .full: "\(path): \(SystemError.text(of: errno)); no unit can be started or stopped; make room there"
        case .notWritable:
            "\(path): \(SystemError.text(of: errno)); no unit can be started or stopped; give its directory to the "
                + "user that runs sextantd, as RuntimeDirectory=sextant does"
        case .noFolder:
            "\(path): its directory does not exist; no unit can be started or stopped; create it, as "
                + "RuntimeDirectory=sextant does"
        case .invalidUnit:
            "\(path): not a unit that can be started; it must be a service, such as tracker.service, of letters, "
                + "digits and :_.@-"
        case .other: "\(path): \(SystemError.text(of: errno)); no unit can be started or stopped"
        }
    }
}
