internal import ClientProtocol
internal import Configuration
internal import GPSDProtocol
internal import Parts
internal import SextantReactor
internal import SextantSockets

/// The sockets that clients come to.
struct Listeners {
    private let local: UnixListener
    private let gpsd: [TCPListener]

    /// Bytes that may wait for a gpsd client before it is dropped: several seconds of all messages it can ask for.
    private static let gpsdCapacity = 65_536
    /// Bytes that may wait for a client before it is dropped: more than the list of the 1000 regions that it may have.
    static let localCapacity = 1_048_576

    /// The gpsd port in use; nil where there is none.
    var gpsdPort: UInt16? { gpsd.first?.port }

    /// Opens the sockets.
    ///
    /// - Parameters:
    ///   - passed: Sockets that listen already; without any new ones are opened.
    ///   - accepted: Called with each client that comes.
    init(
        _ settings: TrackerSettings, passed: [PassedSocket], reactor: Reactor,
        accepted: @escaping (Connection, ClientKind) -> Void
    ) throws(TrackerError) {
        do {
            local = try Listeners.local(settings, passed, reactor) { accepted($0, .local) }
            gpsd = try Listeners.gpsd(settings, passed, reactor) { accepted($0, .gpsd) }
        } catch {
            throw TrackerError("\(error)")
        }
    }

    private static func local(
        _ settings: TrackerSettings, _ passed: [PassedSocket], _ reactor: Reactor,
        _ accepted: @escaping (Connection) -> Void
    ) throws -> UnixListener {
        let connections = ConnectionSettings(
            separators: .newline, lineLimit: ClientRequest.maximumLineBytes, outputCapacity: localCapacity)
        guard let passed = passed.first(where: { $0.role == .sextant }) else {
            return try UnixListener(
                path: settings.socket, mode: settings.socketMode, settings: connections, reactor: reactor,
                accepted: accepted)
        }
        return try UnixListener(
            passed: try passed.descriptor(), path: settings.socket, settings: connections, reactor: reactor,
            accepted: accepted)
    }

    /// The gpsd port's listeners: the passed sockets with that role, or, if no socket at all was passed, new ones.
    ///
    /// Where sockets are passed but none for gpsd, there is no listener, since the daemon may have no network then.
    private static func gpsd(
        _ settings: TrackerSettings, _ passed: [PassedSocket], _ reactor: Reactor,
        _ accepted: @escaping (Connection) -> Void
    ) throws -> [TCPListener] {
        let connections = ConnectionSettings(
            separators: [.newline, .semicolon], lineLimit: GPSDRequest.maximumBytes, outputCapacity: gpsdCapacity)
        guard !passed.contains(where: \.role.isListening) else {
            // systemd goes on listening where the port is off: a client that connects must not wait for answers that
            // never come.
            let answered = settings.gpsdPort == nil ? { $0.close() } : accepted
            return try passed.filter { $0.role == .gpsd }.map {
                try TCPListener(
                    passed: try $0.descriptor(), settings: connections, reactor: reactor, accepted: answered)
            }
        }
        guard let port = settings.gpsdPort else { return [] }
        return [
            try TCPListener(
                port: port, addresses: settings.gpsdAddresses ?? TCPListener.loopback, settings: connections,
                reactor: reactor, accepted: accepted)
        ]
    }

    /// Accepts no connection at the gpsd port for a while.
    func pauseGPSD() { gpsd.forEach { $0.pause() } }

    func resumeGPSD() { gpsd.forEach { $0.resume() } }
}
