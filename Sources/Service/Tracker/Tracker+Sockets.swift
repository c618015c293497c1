internal import Access
internal import ClientProtocol
internal import Configuration
internal import Engine
internal import GPSDProtocol
internal import Logging
internal import Parts
internal import SextantJSON
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

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
        guard !passedSockets.contains(where: \.role.isListening) else {
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
        let start = reactor.processorTime
        let client = ClientID(rawValue: nextClient)
        let other = otherEnd(of: connection)
        let holder = holder(other)
        // Whoever is turned away has cost time too. At the gpsd port that delays the next ones; at the local socket it
        // would use up everybody's share, and nobody be delayed who comes.
        defer { if kind == .gpsd || places[client] != nil { charge(holder, since: start) } }
        if case .gone = other { return refuse(connection, kind, .nameless) }
        let (refusal, idle) = places.take(holder, for: client, at: reactor.now)
        if let refusal { return refuse(connection, kind, refusal) }
        if let idle { end(idle, kind) }
        nextClient &+= 1
        connections[client] = connection
        do {
            try connection.start(
                received: { [unowned self] event, line in received(event, line, from: client, kind) },
                ended: { [unowned self] _ in
                    forget(client)
                    feed(.clientGone(client))
                    clientLeft()
                })
        } catch {
            forget(client)
            logger.warning("a client could not be served: \(error)")
            return
        }
        let identities = other.identities
        awaitStore(for: client)
        askClock()
        feed(.clientConnected(client, kind, identities.first, others: Array(identities.dropFirst())))
    }

    /// What the kernel says of the other end of a connection.
    private func otherEnd(of connection: Connection) -> OtherEnd {
        if case .local(let peer) = connection.peer { return .local(PeerIdentity(peer)) }
        // Where every client may have everything, nobody need be known.
        guard !admitted.admitsEveryone else { return .port(nil) }
        switch connection.tcpPeer {
        case .unknown: return .port(nil)
        case .gone: return .gone
        case .owner(let owner): return .port(owner)
        }
    }

    private func holder(_ other: OtherEnd) -> ConnectionHolder {
        switch other {
        case .local(let identity): ConnectionHolder(identity, admitted, daemonUser: configuration.userID)
        case .port(let owner): .gpsd(user: owner?.userID)
        case .gone: .gpsd(user: nil)
        }
    }

    /// Tells the Engine the time, once the host's clock is right.
    ///
    /// A board without a battery for its clock learns the time from the network minutes after it has started. The clock
    /// is looked at when a client needs the Engine, since nothing else depends on it.
    func askClock() {
        guard !isClockTrusted, reactor.utcIsSynchronized else { return }
        isClockTrusted = true
        feed(.clockTrusted(reactor.utc))
    }

    /// Ends an idle connection, whose place another one of its kind needs.
    private func end(_ client: ClientID, _ kind: ClientKind) {
        guard let connection = connections[client] else { return }
        close(connection, kind, "idle", "this connection asked for nothing, and another one needs its place")
        forget(client)
        feed(.clientGone(client))
        note("an idle connection is ended: all places of its kind are taken", kind: "idle")
        clientLeft()
    }

    private func forget(_ client: ClientID) {
        connections.removeValue(forKey: client)
        places.release(client)
        forgetSends(to: client)
    }

    private func refuse(_ connection: Connection, _ kind: ClientKind, _ refusal: ConnectionPlaces.Refusal) {
        close(connection, kind, "tooManyConnections", "\(refusal)")
        note("a client is turned away: \(refusal)", kind: "\(refusal)")
    }

    /// Tells a connection in one line why it is not served any more, and closes it.
    private func close(_ connection: Connection, _ kind: ClientKind, _ code: StaticString, _ message: String) {
        var text = TextBuffer(capacity: 256)
        switch kind {
        case .local: ClientEvent.appendError(code, message, id: nil, to: &text)
        case .gpsd: GPSDReply.appendError(message, to: &text)
        }
        _ = text.withBytes(0..<text.count) { connection.send($0) }
        connection.close()
    }

    /// Whether a client's changes have room in the store's queue.
    private func mayAsk(_ client: ClientID, _ kind: ClientKind) -> Bool {
        guard kind == .local, let name = engine.client(of: client) else { return true }
        return !stateStore.isFull(name)
    }

    private func received(
        _ event: LineEvent, _ line: borrowing Span<UInt8>, from client: ClientID, _ kind: ClientKind
    ) {
        let (start, holder) = (reactor.processorTime, places[client])
        places.asked(client, at: reactor.now)
        switch event {
        case .line:
            askClock()
            if kind == .local { tellFigures() }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(line.count)
            for index in line.indices { bytes.append(line[index]) }
            feed(mayAsk(client, kind) ? .clientLine(client, kind, bytes) : .clientLineUnkept(client, bytes))
        case .tooLong: feed(.clientLineTooLong(client, kind))
        }
        if let holder { charge(holder, since: start) }
    }

    /// Charges a client for a request or for coming, and hears none of its connections for a while if its share is used
    /// up; a connection that comes meanwhile is not heard either.
    ///
    /// `start` is the processor's time before the request. Operators are not charged: they are trusted with the daemon.
    private func charge(_ holder: ConnectionHolder, since start: Int64) {
        let used = reactor.processorTime - start
        for account in holder.accounts where shares.charge(account, nanoseconds: used, at: reactor.now) {
            for client in connections(chargedTo: account) { connections[client]?.pause() }
            // The kernel is asked whose each connection of the port is, so a share is needed to come, too.
            if account == .client(.gpsd) { gpsdListeners.forEach { $0.pause() } }
            setWake()
        }
    }

    /// Hears the clients again whose share of the processor's time has filled up.
    func hearAgain(at instant: MonotonicInstant) {
        for account in shares.advance(to: instant) {
            // First whoever waits to be accepted: those that are connected may use up the share again at once.
            if account == .client(.gpsd) { gpsdListeners.forEach { $0.resume() } }
            for client in connections(chargedTo: account) {
                guard let holder = places[client], !holder.accounts.contains(where: shares.isSpent) else { continue }
                connections[client]?.resume()
            }
        }
    }

    /// The connections that are charged to an account, in the order in which they came.
    private func connections(chargedTo account: ProcessorShares.Account) -> [ClientID] {
        connections.keys.filter { places[$0]?.accounts.contains(account) == true }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

/// The other end of a connection, as the kernel tells it.
private enum OtherEnd {
    case local(PeerIdentity)
    /// The other end of a connection to the gpsd port; nil where its owner is not known.
    case port(PortOwner?)
    /// A process that has closed its connection to the gpsd port before the kernel could say whose it is.
    case gone

    /// The processes that may be at the other end; empty where none is known.
    var identities: [PeerIdentity] {
        switch self {
        case .local(let identity): [identity]
        case .port(let owner): owner?.processes.map { PeerIdentity($0) } ?? []
        case .gone: []
        }
    }
}
