import CSextantLinux
import Glibc
public import SextantReactor

/// A listener on a Unix stream socket.
///
/// A class, because it owns its descriptor together with its path; when it is released it stops listening and removes
/// the path.
public final class UnixListener {
    public let path: String
    private let socket: ListeningSocket
    private let identity: SocketIdentity?

    /// Creates a socket with the given permissions and listens on it; creates its folder if possible.
    ///
    /// A stale socket, which refuses connections, is replaced; if a daemon answers at the path, an error is thrown.
    public init(
        path: String, mode: UInt32, settings: ConnectionSettings, reactor: Reactor,
        accepted: @escaping (Connection) -> Void
    ) throws(LocalSocketError) {
        let folder = InotifyWatches.parent(of: path)
        _ = unsafe mkdir(folder, 0o755)
        // The folder is locked while the path is checked and bound, so that two daemons that start together cannot
        // both find the socket stale.
        let guardian = try? Descriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        _ = guardian?.withRawValue { flock($0, LOCK_EX) }
        let descriptor = try UnixListener.bind(path, mode: mode)
        self.path = path
        identity = SocketIdentity(path: path)
        let acceptor = Acceptor(reactor: reactor, settings: settings, accepted: accepted)
        socket = try ListeningSocket(descriptor, acceptor: acceptor)
    }

    /// Takes over a listening socket that belongs to systemd; this listener therefore never removes the socket's path.
    public init(
        passed descriptor: consuming Descriptor, path: String, settings: ConnectionSettings, reactor: Reactor,
        accepted: @escaping (Connection) -> Void
    ) throws(LocalSocketError) {
        self.path = path
        identity = nil
        let acceptor = Acceptor(reactor: reactor, settings: settings, accepted: accepted)
        socket = try ListeningSocket(descriptor, acceptor: acceptor)
    }

    deinit {
        // Another daemon that was started later can have bound the same path; its socket is another file and must stay.
        guard let identity, SocketIdentity(path: path) == identity else { return }
        _ = unsafe unlink(path)
    }

    private static func bind(_ path: String, mode: UInt32) throws(LocalSocketError) -> Descriptor {
        let descriptor = Descriptor(adopting: try check(clinux_unix_socket(false), path))
        // The mode is set before bind, so that the socket never has wider permissions than asked for, and again after
        // bind, which applies the umask.
        _ = descriptor.withRawValue { fchmod($0, mode) }
        // Safety: the C string lives for the call.
        var result = descriptor.withRawValue { unsafe clinux_unix_bind($0, path) }
        if result == -EADDRINUSE {
            try removeStale(path)
            // Safety: the C string lives for the call.
            result = descriptor.withRawValue { unsafe clinux_unix_bind($0, path) }
        }
        _ = try check(result, path)
        guard unsafe chmod(path, mode) == 0 else { throw .other(what: path, errno: errno) }
        _ = try check(descriptor.withRawValue { clinux_listen($0, 64) }, path)
        return descriptor
    }

    private static func removeStale(_ path: String) throws(LocalSocketError) {
        guard SocketIdentity(path: path) != nil else { throw .notASocket(path: path) }
        let probe = Descriptor(adopting: try check(clinux_unix_socket(false), path))
        // Safety: the C string lives for the call.
        let result = probe.withRawValue { unsafe clinux_unix_connect($0, path) }
        switch -result {
        case ECONNREFUSED: _ = unsafe unlink(path)
        case ENOENT: break
        case EACCES: throw .permissionDenied(path: path)
        default: throw .alreadyServed(path: path)
        }
    }

    private static func check(_ result: Int32, _ path: String) throws(LocalSocketError) -> Int32 {
        switch -result {
        case ...0: return result
        case ENAMETOOLONG: throw .pathTooLong(path: path)
        case ENOENT, ENOTDIR: throw .noFolder(path: path)
        case EACCES, EPERM, EROFS: throw .permissionDenied(path: path)
        default: throw .other(what: path, errno: -result)
        }
    }
}

/// The identity of the socket at a path; nil if there is no socket at the path.
private struct SocketIdentity: Equatable {
    var device: dev_t
    var inode: ino_t

    init?(path: String) {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
