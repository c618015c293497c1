internal import CSextantLinux
internal import Glibc
internal import SextantReactor

/// The socket of a chrony reference clock (`refclock SOCK`), to which time samples are sent.
///
/// chrony creates the socket anew at each start, so each datagram is sent to the path and not over a connection.
public struct ChronySocket: ~Copyable {
    /// The result of sending a datagram.
    public enum Outcome: Sendable, Equatable {
        case sent
        /// No program listens at the socket.
        case absent
        /// The socket's permissions refuse this process.
        case forbidden
        case failed
    }

    private let path: String
    private let socket: Descriptor

    /// - Returns: Nil if this process cannot create its own socket, for example because it has no descriptors left.
    public init?(path: String) {
        let result = clinux_datagram_socket()
        guard result >= 0 else { return nil }
        self.path = path
        socket = Descriptor(adopting: result)
    }

    /// Sends one datagram without waiting.
    public borrowing func send(_ bytes: [UInt8]) -> Outcome {
        let result = socket.withRawValue { number in
            // Safety: the bytes and the C string live for the call.
            unsafe bytes.withUnsafeBytes { unsafe clinux_datagram_send(number, path, $0.baseAddress, $0.count) }
        }
        return switch -result {
        case 0: .sent
        case ENOENT, ECONNREFUSED, ENOTDIR: .absent
        case EACCES, EPERM: .forbidden
        default: .failed
        }
    }
}
