import CSextantLinux
import Glibc
public import SextantReactor

/// A listener on TCP; by default it listens on the loopback addresses of IPv4 and IPv6.
///
/// A class, because it owns its descriptors together with their registrations; it stops listening when it is released.
public final class TCPListener {
    public static let loopback = ["127.0.0.1", "::1"]

    /// The port in use: the requested port, or the port that the kernel chose if port 0 was requested.
    public let port: UInt16
    /// The addresses that the listener has opened, without IPv6 addresses if the kernel has no IPv6; empty if the
    /// socket was opened by systemd.
    public let addresses: [String]
    private let sockets: [ListeningSocket]

    public init(
        port: UInt16, addresses: [String] = TCPListener.loopback, settings: ConnectionSettings, reactor: Reactor,
        accepted: @escaping (Connection) -> Void
    ) throws(LocalSocketError) {
        let acceptor = Acceptor(reactor: reactor, settings: settings, accepted: accepted)
        var port = port
        var served: [String] = []
        var sockets: [ListeningSocket] = []
        for address in addresses {
            guard let descriptor = try TCPListener.listen(on: address, port: port) else { continue }
            if port == 0 { port = UInt16(clamping: descriptor.withRawValue { clinux_tcp_port($0) }) }
            sockets.append(try ListeningSocket(descriptor, acceptor: acceptor))
            served.append(address)
        }
        guard !sockets.isEmpty else { throw .other(what: "listen on port \(port)", errno: EADDRNOTAVAIL) }
        self.port = port
        self.addresses = served
        self.sockets = sockets
    }

    /// Takes over a TCP socket that is already listening, such as one that systemd passed.
    public init(
        passed descriptor: consuming Descriptor, settings: ConnectionSettings, reactor: Reactor,
        accepted: @escaping (Connection) -> Void
    ) throws(LocalSocketError) {
        port = UInt16(clamping: descriptor.withRawValue { clinux_tcp_port($0) })
        addresses = []
        let acceptor = Acceptor(reactor: reactor, settings: settings, accepted: accepted)
        sockets = [try ListeningSocket(descriptor, acceptor: acceptor)]
    }

    /// Leaves new connections in the kernel's queue until `resume`.
    public func pause() { sockets.forEach { $0.pause() } }

    /// Ends a pause: accepts the first waiting connection at each address now, the others in the next turns of the
    /// loop.
    public func resume() { sockets.forEach { $0.resume() } }

    private static func listen(on address: String, port: UInt16) throws(LocalSocketError) -> Descriptor? {
        let isVersion6 = address.contains(":")
        // Safety: the C string lives for the call.
        let result = unsafe clinux_tcp_listen(address, port, 16)
        switch -result {
        case ...0: return Descriptor(adopting: result)
        case EAFNOSUPPORT where isVersion6, EADDRNOTAVAIL where isVersion6: return nil
        case EINVAL: throw .invalidAddress(address)
        case EADDRINUSE: throw .addressInUse(address: address, port: port)
        case EACCES: throw .permissionDenied(path: "\(address) port \(port)")
        default: throw .other(what: "\(address) port \(port)", errno: -result)
        }
    }
}
