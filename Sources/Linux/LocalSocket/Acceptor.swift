import CLinux
import Glibc
import Reactor

/// Takes connections off listening sockets; shared by both kinds of listener.
///
/// A class, because the reactor's handlers share it.
final class Acceptor {
    let reactor: Reactor
    private let settings: ConnectionSettings
    private let accepted: (Connection) -> Void
    /// Given up for a moment when descriptors run out, so that the waiting client can be turned away: left in the
    /// queue, it would wake the loop without end.
    private var spare: Descriptor?

    init(reactor: Reactor, settings: ConnectionSettings, accepted: @escaping (Connection) -> Void) {
        self.reactor = reactor
        self.settings = settings
        self.accepted = accepted
        spare = Acceptor.makeSpare()
    }

    /// Takes one; the reactor calls again while more wait.
    func accept(from listener: borrowing Descriptor) {
        let result = listener.withRawValue { clinux_accept($0) }
        switch result {
        case 0...: welcome(Descriptor(adopting: result))
        case -EMFILE, -ENFILE: turnAway(listener)
        default: break
        }
    }

    private func turnAway(_ listener: borrowing Descriptor) {
        spare = nil
        let result = listener.withRawValue { clinux_accept($0) }
        if result >= 0 { _ = Descriptor(adopting: result) }
        spare = Acceptor.makeSpare()
    }

    private func welcome(_ descriptor: consuming Descriptor) {
        guard let peer = descriptor.withRawValue(Acceptor.peer(of:)) else { return }
        if case .network = peer { _ = descriptor.withRawValue { clinux_tcp_prepare($0) } }
        accepted(Connection(descriptor, peer: peer, reactor: reactor, settings: settings))
    }

    private static func makeSpare() -> Descriptor? {
        try? Descriptor(opening: "/dev/null", flags: O_RDONLY)
    }

    private static func peer(of number: Int32) -> Peer? {
        var (user, group, process): (uid_t, gid_t, pid_t) = (0, 0, 0)
        // Safety: the C function writes the three numbers, which outlive the call.
        if unsafe clinux_unix_peer(number, &user, &group, &process) == 0, process != 0 {
            return .local(PeerCredentials(userID: user, groupID: group, processID: process))
        }
        var text = [CChar](repeating: 0, count: 64)
        // Safety: the C function writes a zero-terminated string of at most the buffer's count.
        let result = unsafe text.withUnsafeMutableBufferPointer {
            unsafe clinux_tcp_peer(number, $0.baseAddress, $0.count)
        }
        guard result == 0 else { return nil }
        return .network(address: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
