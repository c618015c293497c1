import SextantReactor

/// A listening socket that is removed from its reactor before it closes.
///
/// A class, because the reactor's handler and the listener share it.
final class ListeningSocket {
    private let descriptor: Descriptor
    private let acceptor: Acceptor
    private var registration: Registration?

    init(_ descriptor: consuming Descriptor, acceptor: Acceptor) throws(LocalSocketError) {
        self.descriptor = descriptor
        self.acceptor = acceptor
        do {
            registration = try self.descriptor.register(with: acceptor.reactor, for: .read) { [unowned self] _ in
                self.acceptor.accept(from: self.descriptor)
            }
        } catch {
            throw .other(what: error.call, errno: error.errno)
        }
    }

    /// Leaves new connections in the kernel's queue until `resume`.
    func pause() {
        if let registration { acceptor.reactor.rest(registration) }
    }

    /// Ends a pause: accepts the first waiting connection at once, and the others in the next turns of the event loop.
    func resume() {
        guard let registration else { return }
        // The socket is watched again before a connection is accepted, because the handler that gets the connection can
        // pause the socket again.
        try? acceptor.reactor.arm(registration, for: .read)
        acceptor.accept(from: descriptor)
    }

    deinit {
        if let registration { acceptor.reactor.remove(registration) }
    }
}
