public import SextantReactor

extension Connection {
    /// Connects to a Unix socket as a client; the reactor's thread then serves the connection.
    public static func connected(
        toUnixSocket path: String, settings: ConnectionSettings, reactor: Reactor
    ) throws(LocalSocketError) -> Connection {
        let descriptor = try Descriptor.connected(toUnixSocket: path, isBlocking: false)
        guard let peer = descriptor.withRawValue(Peer.init(connectedTo:)) else { throw .noDaemon(path: path) }
        return Connection(descriptor, peer: peer, reactor: reactor, settings: settings)
    }
}
