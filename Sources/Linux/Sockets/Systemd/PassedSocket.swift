import CSextantLinux
public import SextantReactor

/// A socket that systemd passes to the daemon: a listening socket, or one from the unit's descriptor store.
///
/// Source: sd_listen_fds(3). The descriptor stays open as long as the process lives: listeners take duplicates, so that
/// the daemon finds the sockets again when it re-executes itself.
public struct PassedSocket: Sendable, Equatable {
    /// The purpose of the socket, as named in its unit's `FileDescriptorName=`.
    public enum Role: String, Sendable, CaseIterable {
        /// Sextant's own protocol, on a Unix socket.
        case sextant
        /// The gpsd protocol, on TCP.
        case gpsd
        /// The kernel's Bluetooth management socket, which `sextantd --open-bluetooth` puts into the unit's descriptor
        /// store.
        case bluetooth

        /// Whether clients connect to the socket.
        public var isListening: Bool { self != .bluetooth }
    }

    public var role: Role
    let number: Int32

    /// The first descriptor number that systemd passes (`SD_LISTEN_FDS_START`).
    static let firstNumber: Int32 = 3

    init(role: Role, number: Int32) {
        self.role = role
        self.number = number
    }

    /// A non-blocking duplicate of the descriptor, for a listener.
    public func descriptor() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try SystemError.check(clinux_duplicate(number), "duplicate descriptor \(number)"))
    }

    /// The path of a Unix socket; nil for another kind of socket.
    public var path: String? {
        // The longest path of a Unix socket has 108 bytes; one more is for the final zero.
        var name = [CChar](repeating: 0, count: 109)
        // Safety: the kernel's address is copied into no more than the array's count, with a final zero.
        let count = unsafe name.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe clinux_unix_name(number, $0, buffer.count) } ?? 0
        }
        guard count > 0 else { return nil }
        return String(decoding: name.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the descriptor is a socket of the kind that its role needs.
    public var isFitting: Bool {
        switch role {
        case .sextant: clinux_listening_kind(number) == clinux_listening_unix
        case .gpsd: clinux_listening_kind(number) == clinux_listening_tcp
        case .bluetooth: clinux_is_bluetooth_control(number)
        }
    }

}

/// A fault in the sockets that systemd passes; the description says which line of the unit file corrects the fault.
public enum PassedSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `LISTEN_FDS` is not a count.
    case noCount(String)
    /// The number of names in `LISTEN_FDNAMES` differs from the count in `LISTEN_FDS`.
    case unnamed(count: Int, names: [String])
    case unknownName(String, number: Int32)
    case unfitting(PassedSocket.Role, number: Int32)
    case repeated(PassedSocket.Role)

    public var description: String {
        switch self {
        case .noCount(let text): "LISTEN_FDS=\(text): not a number of descriptors; only systemd should set it"
        case .unnamed(let count, let names):
            "systemd passes \(count) sockets and names \(names.count): \(names.joined(separator: ":")); each socket "
                + "unit needs its FileDescriptorName=, sextant or gpsd"
        case .unknownName(let name, let number):
            "descriptor \(number), \"\(name)\": systemd passes a socket of an unknown name; in its socket unit set "
                + "FileDescriptorName= to sextant or gpsd, or Service= to the socket's own service"
        case .unfitting(.sextant, let number):
            "descriptor \(number), \"sextant\": not a listening Unix stream socket; its socket unit needs "
                + "ListenStream=/run/sextant/sextant.sock, and no Accept=yes"
        case .unfitting(.gpsd, let number):
            "descriptor \(number), \"gpsd\": not a listening TCP socket; its socket unit needs "
                + "ListenStream=127.0.0.1:2947, and no Accept=yes"
        case .unfitting(.bluetooth, let number):
            "descriptor \(number), \"bluetooth\": not a Bluetooth management socket; the unit needs the line ExecStartPre= "
                + "of the sextantd.service that comes with Sextant"
        case .repeated(let role):
            "systemd passes two sockets named \"\(role.rawValue)\"; only one socket unit may have this name"
        }
    }
}

extension [PassedSocket] {
    /// The sockets that systemd passes to this process; empty if it passes none, or passed them to another process.
    ///
    /// - Parameter close: The function that closes a descriptor that is not needed.
    init(
        environment: (String) -> String?, process: Int32, close: (Int32) -> Void
    ) throws(PassedSocketError) {
        self = []
        guard let owner = environment("LISTEN_PID"), Int32(owner) == process,
            let text = environment("LISTEN_FDS")
        else { return }
        guard let count = Int32(text), count >= 0 else { throw .noCount(text) }
        guard count > 0 else { return }
        let names =
            environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            ?? []
        guard names.count == Int(count) else { throw .unnamed(count: Int(count), names: names) }
        for (index, name) in names.enumerated() {
            let number = PassedSocket.firstNumber + Int32(index)
            append(try PassedSocket(name: name, number: number))
        }
        keepNewestBluetooth(close)
        if self.count(where: { $0.role == .sextant }) > 1 { throw .repeated(.sextant) }
    }

    /// Closes all Bluetooth sockets but the last usable one: systemd also passes the socket of the previous run.
    private mutating func keepNewestBluetooth(_ close: (Int32) -> Void) {
        let sockets = filter { $0.role == .bluetooth }
        // After the daemon has re-executed itself, systemd's variables still count the sockets that it closed before.
        guard sockets.count > 1, let newest = sockets.last(where: \.isFitting) ?? sockets.last else { return }
        for socket in sockets where socket != newest { close(socket.number) }
        removeAll { $0.role == .bluetooth && $0 != newest }
    }
}

extension PassedSocket {
    fileprivate init(name: String, number: Int32) throws(PassedSocketError) {
        guard let role = Role(rawValue: name) else { throw .unknownName(name, number: number) }
        self.init(role: role, number: number)
        // A descriptor named "bluetooth" that is no Bluetooth socket is no error here: the daemon also works without a
        // radio, and reports the fault later.
        guard isFitting || role == .bluetooth else { throw .unfitting(role, number: number) }
    }
}
