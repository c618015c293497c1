import CSextantLinux
import Glibc
import SextantReactor

/// The acceptor of connections for listening sockets, shared by the TCP and the Unix listener.
///
/// A class, because the reactor's handlers share it.
final class Acceptor {
    let reactor: Reactor
    private let settings: ConnectionSettings
    private let accepted: (Connection) -> Void
    /// A spare descriptor, closed for a moment when descriptors run out, to accept and close a waiting connection.
    ///
    /// A connection left in the kernel's queue would wake the reactor's loop again and again.
    private var spare: Descriptor?

    init(reactor: Reactor, settings: ConnectionSettings, accepted: @escaping (Connection) -> Void) {
        self.reactor = reactor
        self.settings = settings
        self.accepted = accepted
        spare = Acceptor.makeSpare()
    }

    /// Accepts one connection; the reactor calls this again while more connections wait.
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
        guard let peer = descriptor.withRawValue(Peer.init(connectedTo:)) else { return }
        if case .network = peer { _ = descriptor.withRawValue { clinux_tcp_prepare($0) } }
        accepted(Connection(descriptor, peer: peer, reactor: reactor, settings: settings))
    }

    private static func makeSpare() -> Descriptor? {
        try? Descriptor(opening: "/dev/null", flags: O_RDONLY)
    }
}
