internal import ClientProtocol
internal import Configuration
internal import GPSDProtocol
internal import Parts
internal import SextantReactor
internal import SextantSockets

/// The sockets to which clients connect.
struct Listeners {
    private let local: UnixListener
    private let gpsd: [TCPListener]

    /// The largest number of bytes that can wait for a gpsd client before it is dropped: what all gpsd messages of
    /// several seconds take.
    private static let gpsdCapacity = 65_536
    /// The largest number of bytes that can wait for a local client before it is dropped: more than a list of 1000
    /// regions takes.
    static let localCapacity = 1_048_576

    /// The TCP port at which gpsd clients are served; nil if there is none.
    var gpsdPort: UInt16? { gpsd.first?.port }

    /// Opens the sockets.
    ///
    /// - Parameters:
    ///   - passed: Sockets from systemd that are listening already; if there are none, new ones are opened.
    ///   - accepted: Called with each new connection.
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

    /// The gpsd port's listeners: the sockets that systemd passed for gpsd, or, if systemd passed no socket at all, new
    /// ones.
    ///
    /// If systemd passed sockets but none for gpsd, there is no listener, since the daemon may then have no network.
    private static func gpsd(
        _ settings: TrackerSettings, _ passed: [PassedSocket], _ reactor: Reactor,
        _ accepted: @escaping (Connection) -> Void
    ) throws -> [TCPListener] {
        let connections = ConnectionSettings(
            separators: [.newline, .semicolon], lineLimit: GPSDRequest.maximumBytes, outputCapacity: gpsdCapacity)
        guard !passed.contains(where: \.role.isListening) else {
            // If the gpsd port is switched off in the settings, systemd still listens at it: connections are closed at
            // once, so that no client waits for an answer that never comes.
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

    /// Stops accepting connections at the gpsd port until `resumeGPSD`.
    func pauseGPSD() { gpsd.forEach { $0.pause() } }

    func resumeGPSD() { gpsd.forEach { $0.resume() } }
}
