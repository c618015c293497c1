internal import Glibc
internal import Reactor

/// Why systemd could not be asked for something, in terms the caller can act on.
public struct WakeFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// No room on the file system of the run directory.
        case full
        /// The directory, or its file system, may not be written to.
        case notWritable
        /// There is no run directory.
        case noDirectory
        /// No file can be named for this unit.
        case invalidUnit
        case other
    }

    public var kind: Kind
    /// The file, or the unit where it is invalid.
    public var path: String
    /// The kernel's reason; 0 where it has none.
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
            case ENOENT, ENOTDIR: .noDirectory
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
        case .noDirectory:
            "\(path): its directory does not exist; no unit can be started or stopped; create it, as "
                + "RuntimeDirectory=sextant does"
        case .invalidUnit:
            "\(path): not a unit that can be started; it must be a service, such as tracker.service, of letters, "
                + "digits and :_.@-"
        case .other: "\(path): \(SystemError.text(of: errno)); no unit can be started or stopped"
        }
    }
}
