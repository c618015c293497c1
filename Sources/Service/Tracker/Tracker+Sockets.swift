internal import ClientProtocol
internal import Engine
internal import FlightRecording
internal import GPSDProtocol
internal import LocalSocket
internal import Logging
internal import ManifestReading
internal import Reactor
internal import Sessions

/// The sockets, and who connects.
extension Tracker {
    func listen() throws {
        do {
            localListener = try UnixListener(
                path: settings.socket, mode: settings.socketMode,
                settings: ConnectionSettings(
                    separators: .newline, lineLimit: ClientRequest.maximumLineBytes,
                    outputCapacity: Tracker.localOutputCapacity),
                reactor: reactor
            ) { [unowned self] connection in accept(connection, .local) }
            guard let port = settings.gpsdPort else { return }
            gpsdListener = try TCPListener(
                port: port, addresses: settings.gpsdAddresses ?? TCPListener.loopback,
                settings: ConnectionSettings(
                    separators: [.newline, .semicolon], lineLimit: GPSDRequest.maximumBytes,
                    outputCapacity: Tracker.outputCapacity),
                reactor: reactor
            ) { [unowned self] connection in accept(connection, .gpsd) }
        } catch {
            throw TrackerError(error.description)
        }
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
                    feed(.clientGone(client))
                })
        } catch {
            connections.removeValue(forKey: client)
            logger.warning("a client could not be served: \(error)")
            return
        }
        let identity: PeerIdentity? = if case .local(let peer) = connection.peer { PeerIdentity(peer) } else { nil }
        feed(.clientConnected(client, kind, identity))
    }

    private func received(
        _ event: LineEvent, _ line: borrowing Span<UInt8>, from client: ClientID, _ kind: ClientKind
    ) {
        switch event {
        case .line:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(line.count)
            for index in line.indices { bytes.append(line[index]) }
            feed(.clientLine(client, kind, bytes))
        case .tooLong: feed(.clientLineTooLong(client, kind))
        }
    }
}
