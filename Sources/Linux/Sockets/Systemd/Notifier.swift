import CSextantLinux
import SextantReactor

/// Sends the daemon's state to systemd, by datagrams to the socket that systemd named in `NOTIFY_SOCKET`.
///
/// Source: sd_notify(3), whose "Notes" promise that the protocol is stable.
struct Notifier: ~Copyable {
    /// The socket's path, or "@" and a name in the abstract name space.
    private let address: String
    private let socket: Descriptor

    /// - Parameter address: The value of `NOTIFY_SOCKET`.
    /// - Returns: nil for a kind of address that is not supported.
    init?(address: String) {
        guard address.hasPrefix("/") || address.hasPrefix("@") else { return nil }
        let result = clinux_datagram_socket()
        guard result >= 0 else { return nil }
        self.address = address
        socket = Descriptor(adopting: result)
    }

    /// Sends one datagram without waiting.
    ///
    /// - Returns: Whether systemd received it.
    borrowing func send(_ assignments: [Assignment]) -> Bool {
        let text = Array(assignments.map(\.text).joined(separator: "\n").utf8)
        let result = socket.withRawValue { number in
            // Safety: the bytes and the C string live for the call.
            unsafe text.withUnsafeBytes { unsafe clinux_datagram_send(number, address, $0.baseAddress, $0.count) }
        }
        return result == 0
    }
}

extension Notifier {
    /// Sends one datagram with a descriptor attached; returns 0, or a negative errno.
    borrowing func send(_ assignments: [Assignment], passing descriptor: borrowing Descriptor) -> Int32 {
        let text = Array(assignments.map(\.text).joined(separator: "\n").utf8)
        return socket.withRawValue { number in
            descriptor.withRawValue { passed in
                // Safety: the bytes and the C string live for the call.
                unsafe text.withUnsafeBytes {
                    unsafe clinux_datagram_pass(number, address, $0.baseAddress, $0.count, passed)
                }
            }
        }
    }
}

/// One line of a datagram to systemd.
enum Assignment: Equatable {
    case ready
    case stopping
    /// The status text that `systemctl status` shows for the daemon.
    case status(String)
    /// The time in microseconds within which systemd must get the daemon's next message; 0 to switch the watchdog off.
    case watchdog(microseconds: UInt64)
    /// Tells systemd to keep the attached descriptor, and to pass it to the daemon at the daemon's next start.
    case store
    /// Tells systemd to drop the descriptors that it keeps under the name given in the same datagram.
    case removeFromStore
    case storedName(String)

    var text: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
        case .watchdog(let microseconds): "WATCHDOG_USEC=\(microseconds)"
        case .store: "FDSTORE=1"
        case .removeFromStore: "FDSTOREREMOVE=1"
        case .storedName(let name): "FDNAME=\(name)"
        }
    }
}
