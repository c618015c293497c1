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
        guard let peer = descriptor.withRawValue(Peer.init(connectedTo:)) else { return }
        if case .network = peer { _ = descriptor.withRawValue { clinux_tcp_prepare($0) } }
        accepted(Connection(descriptor, peer: peer, reactor: reactor, settings: settings))
    }

    private static func makeSpare() -> Descriptor? {
        try? Descriptor(opening: "/dev/null", flags: O_RDONLY)
    }
}
