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

/// The clients: their connections, their requests, and the share of the daemon that each of them may use.
///
/// A class, because sockets and connections call back.
final class ClientSide {
    private let lines: ClientLines
    private let feed: Feed
    private let journal: Journal
    private let store: StateStore
    private let daemonUser: UInt32
    private var listeners: Listeners?
    private var nextClient: UInt32 = 1
    private var shares = ProcessorShares()
    /// Connections whose processes are looked for once their user's share has filled, in the order in which they came.
    private var waiting: [(client: ClientID, connection: Connection, other: OtherEnd)] = []
    /// The clients that are served now.
    var admitted = Admission.nobody
    /// Called when a client comes or asks something, before the Engine hears of it; with a local client's request, which
    /// may be about the process, the argument is true.
    var isNeeded: (_ byRequest: Bool) -> Void = { _ in }
    /// Called when a client has gone and everything that follows from that is done.
    var clientLeft: () -> Void = {}

    /// - Parameter daemonUser: The user that the daemon runs as.
    init(_ lines: ClientLines, _ feed: Feed, _ journal: Journal, _ store: StateStore, daemonUser: UInt32) {
        self.lines = lines
        self.feed = feed
        self.journal = journal
        self.store = store
        self.daemonUser = daemonUser
    }

    /// The gpsd port in use; nil where there is none.
    var gpsdPort: UInt16? { listeners?.gpsdPort }

    /// When a share that is used up has filled again; nil for never.
    var deadline: MonotonicInstant? { shares.deadline }

    /// Opens the sockets.
    ///
    /// - Parameter passed: Sockets that listen already; without any new ones are opened.
    func listen(_ settings: TrackerSettings, passed: [PassedSocket]) throws(TrackerError) {
        listeners = try Listeners(settings, passed: passed, reactor: feed.reactor) { [unowned self] in accept($0, $1) }
    }

    private func accept(_ connection: Connection, _ kind: ClientKind) {
        let start = feed.reactor.processorTime
        let client = ClientID(rawValue: nextClient)
        let other = otherEnd(of: connection)
        if kind == .gpsd { charge([.arrivals], since: start) }
        if case .gone = other { return refuse(connection, kind, .nameless) }
        let (refusal, idle) = lines.slots.take(holder(other), for: client, at: feed.reactor.now)
        if let refusal { return refuse(connection, kind, refusal) }
        if let idle { end(idle, kind) }
        nextClient &+= 1
        waiting.append((client, connection, other))
        admitWaiting()
    }

    /// Admits the waiting connections whose users have a share left.
    ///
    /// A user of many processes costs time at the gpsd port, for which its own next connections wait, and nobody else's.
    private func admitWaiting() {
        while let index = waiting.firstIndex(where: { !mustWait($0.client) }) {
            let (client, connection, other) = waiting.remove(at: index)
            admit(connection, as: client, other)
        }
    }

    /// Whether a new connection waits for its user's share.
    ///
    /// At the local socket none does: what it costs is little, and its first request waits.
    private func mustWait(_ client: ClientID) -> Bool {
        guard let holder = lines.slots[client], holder.userID == nil else { return false }
        return holder.accounts.contains(where: shares.isSpent)
    }

    /// Finds out which processes may have made a connection, and begins to serve it.
    private func admit(_ connection: Connection, as client: ClientID, _ other: OtherEnd) {
        let (start, kind) = (feed.reactor.processorTime, other.kind)
        let holder = holder(other)
        // Whoever is turned away has cost time too. At the gpsd port that delays the user's next ones; at the local socket
        // it would use up everybody's share, and nobody be delayed who comes.
        defer { if kind == .gpsd || lines.slots[client] != nil { charge(holder.accounts, since: start) } }
        let identities: [PeerIdentity]
        do throws(ConnectionSlots.Refusal) {
            identities = try other.identities()
        } catch {
            lines.slots.release(client)
            return refuse(connection, kind, error)
        }
        lines.connections[client] = connection
        do {
            try connection.start(
                received: { [unowned self] event, line in received(event, line, from: client, kind) },
                ended: { [unowned self] _ in
                    lines.forget(client)
                    feed(.clientGone(client))
                    clientLeft()
                })
        } catch {
            lines.forget(client)
            journal.logger.warning("a client could not be served: \(error)")
            return
        }
        lines.awaitStore(for: client)
        isNeeded(false)
        feed(.clientConnected(client, kind, identities.first, others: Array(identities.dropFirst())))
    }

    /// The kernel's account of the other end of a connection.
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
        case .local(let identity): ConnectionHolder(identity, admitted, daemonUser: daemonUser)
        case .port(let owner): .gpsd(user: owner?.userID)
        case .gone: .gpsd(user: nil)
        }
    }

    /// Ends an idle connection, whose slot another one of its kind needs.
    private func end(_ client: ClientID, _ kind: ClientKind) {
        let newcomer = waiting.firstIndex { $0.client == client }.map { waiting.remove(at: $0).connection }
        guard let connection = newcomer ?? lines.connections[client] else { return }
        close(connection, kind, "idle", "this connection asked for nothing, and another one needs its place")
        journal.note("an idle connection is ended: all places of its kind are taken", kind: "idle")
        guard newcomer == nil else { return }
        lines.forget(client)
        feed(.clientGone(client))
        clientLeft()
    }

    private func refuse(_ connection: Connection, _ kind: ClientKind, _ refusal: ConnectionSlots.Refusal) {
        close(connection, kind, "tooManyConnections", "\(refusal)")
        journal.note("a client is turned away: \(refusal)", kind: "\(refusal)")
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
        guard kind == .local, let name = feed.client(of: client) else { return true }
        return !store.isFull(name)
    }

    private func received(
        _ event: LineEvent, _ line: borrowing Span<UInt8>, from client: ClientID, _ kind: ClientKind
    ) {
        let (start, holder) = (feed.reactor.processorTime, lines.slots[client])
        lines.slots.asked(client, at: feed.reactor.now)
        switch event {
        case .line:
            isNeeded(kind == .local)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(line.count)
            for index in line.indices { bytes.append(line[index]) }
            feed(mayAsk(client, kind) ? .clientLine(client, kind, bytes) : .clientLineUnkept(client, bytes))
        case .tooLong: feed(.clientLineTooLong(client, kind))
        }
        if let holder { charge(holder.accounts, since: start) }
    }

    /// Charges a client for a request or for coming, and hears none of its connections for a while if its share is used
    /// up; a connection that comes meanwhile is not heard either.
    ///
    /// `start` is the processor's time before the request. Operators are not charged: they are trusted with the daemon.
    private func charge(_ accounts: [ProcessorShares.Account], since start: Int64) {
        let used = feed.reactor.processorTime - start
        for account in accounts where shares.charge(account, nanoseconds: used, at: feed.reactor.now) {
            for client in connections(chargedTo: account) { lines.connections[client]?.pause() }
            // The kernel is asked whose each connection of the port is, so a share is needed to come, too.
            if account == .arrivals { listeners?.pauseGPSD() }
            feed.planWake()
        }
    }

    /// Hears the clients again whose share of the processor's time has filled up.
    func advance(to instant: MonotonicInstant) {
        let returned = shares.advance(to: instant)
        // New connections come first, because those that exist may use up the share again at once.
        admitWaiting()
        for account in returned {
            if account == .arrivals { listeners?.resumeGPSD() }
            for client in connections(chargedTo: account) {
                guard let holder = lines.slots[client], !holder.accounts.contains(where: shares.isSpent) else {
                    continue
                }
                lines.connections[client]?.resume()
            }
        }
    }

    /// The connections that are charged to an account, in the order in which they came.
    private func connections(chargedTo account: ProcessorShares.Account) -> [ClientID] {
        lines.connections.keys.filter { lines.slots[$0]?.accounts.contains(account) == true }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

/// The other end of a connection, as the kernel reports it.
private enum OtherEnd {
    case local(PeerIdentity)
    /// The other end of a connection to the gpsd port; nil where its owner is not known.
    case port(PortOwner?)
    /// A process that has closed its connection to the gpsd port before the kernel could say whose it is.
    case gone

    var kind: ClientKind { if case .local = self { .local } else { .gpsd } }

    /// Looks for the processes that may be at the other end; empty where none is known.
    ///
    /// - Throws: Where they are hidden or too many.
    func identities() throws(ConnectionSlots.Refusal) -> [PeerIdentity] {
        switch self {
        case .local(let identity): return [identity]
        case .port(let owner?):
            guard let processes = owner.processes else { throw .hidden(owner.userID) }
            return processes.map { PeerIdentity($0) }
        case .port(nil), .gone: return []
        }
    }
}
