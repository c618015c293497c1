internal import Beacons
internal import CSextantLinux
internal import Glibc
public import SextantReactor

/// The kernel's Bluetooth management socket: commands in, events out, for all controllers at once.
///
/// Each read gives one event and each write takes one command. Source: BlueZ, `doc/mgmt-api.txt`.
public struct BluetoothSocket: ~Copyable, Sendable {
    /// The socket's descriptor, for registering with a reactor.
    public let descriptor: Descriptor

    /// The requested size of the receive queue for events, in bytes.
    ///
    /// The kernel first limits the request to `net.core.rmem_max`, 212 992 by default, and then doubles it. For each
    /// advertisement it counts some 700 bytes. Source: socket(7), SO_RCVBUF.
    private static let queueByteCount: Int32 = 262_144

    /// Takes an open management socket, as systemd passes it to the daemon.
    public init(adopting descriptor: consuming Descriptor) throws(BluetoothSocketError) {
        guard descriptor.withRawValue({ clinux_is_bluetooth_control($0) }) else { throw .unfitting }
        self.descriptor = descriptor
    }

    /// Opens and binds a management socket, with a filter that drops advertisements that are not from beacons.
    ///
    /// Opening needs the capability CAP_NET_ADMIN and the machine's first network namespace; using the socket needs
    /// neither.
    public init() throws(BluetoothSocketError) {
        let filter = BeaconFilter.program.map {
            clinux_filter(code: $0.code, when_true: $0.whenTrue, when_false: $0.whenFalse, value: $0.value)
        }
        let result = unsafe filter.withUnsafeBufferPointer {
            // Safety: the kernel copies the filter's program during the call.
            unsafe clinux_bluetooth_open($0.baseAddress, $0.count, BluetoothSocket.queueByteCount)
        }
        guard result >= 0 else { throw BluetoothSocketError(errno: -result) }
        descriptor = Descriptor(adopting: result)
    }

    /// Reads one event into the front of the caller's buffer.
    public borrowing func read(into buffer: inout [UInt8]) -> Transfer { descriptor.read(into: &buffer) }

    /// Writes one command, whole or not at all.
    ///
    /// Any result but an error is success: some kernels of Linux 6.12 report 0 bytes for a command that they took.
    /// Source: habluetooth, issue 303.
    public borrowing func write(_ command: [UInt8]) throws(BluetoothSocketError) {
        while true {
            let result = descriptor.withRawValue { number in
                // Safety: the array outlives the call, and the kernel reads no more than its count.
                unsafe command.withUnsafeBytes { unsafe clinux_send(number, $0.baseAddress, $0.count) }
            }
            if result >= 0 { return }
            if result != -Int(EINTR) { throw BluetoothSocketError(errno: Int32(-result)) }
        }
    }
}

/// Why the Bluetooth management socket cannot be opened or used; the description includes the remedy.
public enum BluetoothSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kernel has no Bluetooth support, or offers none in this network namespace.
    case notSupported
    /// The process is not permitted to bind the socket.
    case notPermitted
    /// The descriptor is not a Bluetooth management socket.
    case unfitting
    case other(errno: Int32)

    init(errno: Int32) {
        switch errno {
        case EAFNOSUPPORT, EPROTONOSUPPORT: self = .notSupported
        case EPERM, EACCES: self = .notPermitted
        default: self = .other(errno: errno)
        }
    }

    /// Whether this system has no such socket, or denies it to this process: no fault if no beacons are wanted.
    public var isAbsence: Bool { self == .notSupported || self == .notPermitted }

    public var description: String {
        switch self {
        case .notSupported:
            "the kernel offers no Bluetooth here; load its module with: sudo modprobe bluetooth, and open the socket in "
                + "the first network namespace, as sextantd.service does"
        case .notPermitted:
            "this user may not open the Bluetooth management socket; run sextantd as root, or by its unit sextantd.service"
        case .unfitting:
            "the descriptor is no Bluetooth management socket; the unit needs the line ExecStartPre= of the sextantd.service "
                + "that comes with Sextant"
        case .other(let errno):
            "the Bluetooth management socket: \(SystemError.text(of: errno))"
        }
    }
}
