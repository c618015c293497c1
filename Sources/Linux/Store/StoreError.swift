internal import Glibc
internal import Reactor

/// Why something could not be kept, in terms the caller can act on.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// No room on the card.
        case full
        /// The directory or its file system may not be written to.
        case notWritable
        /// There is no such directory.
        case noDirectory
        /// A record is longer than the log takes.
        case tooLarge
        case other
    }

    public var kind: Kind
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
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS: .notWritable
            case ENOENT, ENOTDIR: .noDirectory
            default: .other
            }
        self.init(kind, path: path, errno: errno)
    }

    public var description: String {
        switch kind {
        case .full: "\(path): \(SystemError.text(of: errno)); make room on the card"
        case .notWritable:
            "\(path): \(SystemError.text(of: errno)); let the user who runs sextantd write to its directory"
        case .noDirectory: "\(path): \(SystemError.text(of: errno)); create its directory first"
        case .tooLarge: "\(path): a record may have at most \(AppendLog.maximumRecordBytes) bytes"
        case .other: "\(path): \(SystemError.text(of: errno))"
        }
    }
}
