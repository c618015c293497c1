internal import ClientProtocol
internal import Configuration
internal import Engine
internal import GPSDProtocol
internal import Logging
internal import Reactor
internal import Sessions
internal import Sockets

/// The listening sockets, and their clients' connections.
extension Tracker {
    func listen() throws {
        do {
            localListener = try makeLocalListener()
            gpsdListeners = try makeGPSDListeners()
        } catch {
            throw TrackerError("\(error)")
        }
    }

    private func makeLocalListener() throws -> UnixListener {
        let connections = ConnectionSettings(
            separators: .newline, lineLimit: ClientRequest.maximumLineBytes,
            outputCapacity: Tracker.localOutputCapacity)
        let accepted = { [unowned self] (connection: Connection) in accept(connection, .local) }
        guard let passed = passedSockets.first(where: { $0.role == .sextant }) else {
            return try UnixListener(
                path: settings.socket, mode: settings.socketMode, settings: connections, reactor: reactor,
                accepted: accepted)
        }
        return try UnixListener(
            passed: try passed.descriptor(), path: settings.socket, settings: connections, reactor: reactor,
            accepted: accepted)
    }

    /// Makes the gpsd port's listeners: the passed sockets with that role, or, if no socket at all was passed, new
    /// ones.
    ///
    /// Where sockets are passed but none for gpsd, there is no listener, since the daemon may have no network then.
    private func makeGPSDListeners() throws -> [TCPListener] {
        let connections = ConnectionSettings(
            separators: [.newline, .semicolon], lineLimit: GPSDRequest.maximumBytes,
            outputCapacity: Tracker.outputCapacity)
        let isOff = settings.gpsdPort == nil
        // systemd goes on listening where the port is off: a client that connects must not wait for answers that never
        // come.
        let accepted = { [unowned self] (connection: Connection) in
            if isOff { connection.close() } else { accept(connection, .gpsd) }
        }
        guard passedSockets.isEmpty else {
            return try passedSockets.filter { $0.role == .gpsd }.map {
                try TCPListener(
                    passed: try $0.descriptor(), settings: connections, reactor: reactor, accepted: accepted)
            }
        }
        guard let port = settings.gpsdPort else { return [] }
        return [
            try TCPListener(
                port: port, addresses: settings.gpsdAddresses ?? TCPListener.loopback, settings: connections,
                reactor: reactor, accepted: accepted)
        ]
    }

    private func accept(_ connection: Connection, _ kind: ClientKind) {
        guard connections.count < Tracker.maximumClients else {
            logger.warning("a client is turned away: \(Tracker.maximumClients) are connected")
            connection.close()
            return
        }
        let client = ClientID(rawValue: nextClient)
        nextClient += 1
        connections[client] = connection
        do {
            try connection.start(
                received: { [unowned self] event, line in received(event, line, from: client, kind) },
                ended: { [unowned self] _ in
                    connections.removeValue(forKey: client)
                    forgetSends(to: client)
                    feed(.clientGone(client))
                    clientLeft()
                })
        } catch {
            connections.removeValue(forKey: client)
            logger.warning("a client could not be served: \(error)")
            return
        }
        awaitStore(for: client)
        let identity: PeerIdentity? = if case .local(let peer) = connection.peer { PeerIdentity(peer) } else { nil }
        feed(.clientConnected(client, kind, identity))
    }

    /// Whether a client's changes have room in the store's queue.
    private func mayAsk(_ client: ClientID, _ kind: ClientKind) -> Bool {
        guard kind == .local, let name = engine.client(of: client) else { return true }
        return !stateStore.isFull(name)
    }

    private func received(
        _ event: LineEvent, _ line: borrowing Span<UInt8>, from client: ClientID, _ kind: ClientKind
    ) {
        switch event {
        case .line:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(line.count)
            for index in line.indices { bytes.append(line[index]) }
            feed(mayAsk(client, kind) ? .clientLine(client, kind, bytes) : .clientLineUnkept(client, bytes))
        case .tooLong: feed(.clientLineTooLong(client, kind))
        }
    }
}
