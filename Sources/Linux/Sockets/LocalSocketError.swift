import CSextantLinux
import SextantReactor

/// The reason why a socket could not be offered or reached; the description says what to do.
public enum LocalSocketError: Error, Sendable, Equatable {
    /// Another daemon already answers at the path.
    case alreadyServed(path: String)
    /// A file that is not a socket has this path; the daemon does not remove it.
    case notASocket(path: String)
    case pathTooLong(path: String)
    /// The folder for the socket does not exist.
    case noFolder(path: String)
    case permissionDenied(path: String)
    /// No daemon listens at the path.
    case noDaemon(path: String)
    case addressInUse(address: String, port: UInt16)
    case invalidAddress(String)
    case timedOut
    /// The other end closed the connection.
    case ended
    case other(what: String, errno: Int32)
}

extension LocalSocketError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .alreadyServed(let path): "\(path): another sextantd serves it; stop that one first"
        case .notASocket(let path): "\(path): exists and is not a socket; remove it or choose another path"
        case .pathTooLong(let path):
            "\(path): too long for a socket path; choose one of at most \(clinux_unix_path_limit()) bytes"
        case .noFolder(let path): "\(path): its directory does not exist; create it, or choose another path"
        case .permissionDenied(let path): "\(path): permission denied; check the permissions of it and its directory"
        case .noDaemon(let path):
            "\(path): no sextantd answers; start it (sudo systemctl start sextantd, or sextantd --device PATH), or name "
                + "its socket: --socket PATH"
        case .addressInUse(let address, let port):
            "\(address) port \(port): in use by another program (gpsd?); stop it, or choose another port"
        case .invalidAddress(let text): "\(text): not a numeric IP address, such as 127.0.0.1 or ::1"
        case .timedOut: "no answer in time"
        case .ended: "the daemon closed the connection"
        case .other(let what, let errno): "\(what): \(SystemError.text(of: errno))"
        }
    }
}
