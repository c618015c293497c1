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
    /// Connections whose processes are looked for, in the order in which their turns come.
    private var newcomers: [Newcomer] = []
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

    /// When a process is looked for again, or a share that is used up has filled; nil for never.
    var deadline: MonotonicInstant? {
        newcomers.contains { !isSpent($0.client) } ? feed.reactor.now : shares.deadline
    }

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
        switch other {
        case .local(let identity): admit(connection, as: client, kind, [identity])
        case .port(nil), .gone: admit(connection, as: client, kind, [])
        case .port(let owner?):
            newcomers.append(Newcomer(client: client, connection: connection, search: PortSearch(for: owner)))
            searchOn()
            feed.planWake()
        }
    }

    /// Looks a slice further for the process of a connection of the gpsd port, and serves the connection once it is found.
    ///
    /// Each user's share pays for that: who has many processes waits, and nobody else does.
    private func searchOn() {
        guard let index = newcomers.firstIndex(where: { !isSpent($0.client) }) else { return }
        var newcomer = newcomers.remove(at: index)
        let (start, accounts) = (feed.reactor.processorTime, lines.slots[newcomer.client]?.accounts ?? [])
        let finding = newcomer.search.advance()
        charge(accounts, since: start)
        switch finding {
        // Then it is the others' turn.
        case .unfinished: newcomers.append(newcomer)
        case .found(let processes):
            admit(newcomer.connection, as: newcomer.client, .gpsd, processes.map { PeerIdentity($0) })
        case .hidden:
            lines.slots.release(newcomer.client)
            refuse(newcomer.connection, .gpsd, .hidden(newcomer.search.userID))
        }
    }

    /// Whether the share is used up that a connection is charged to.
    private func isSpent(_ client: ClientID) -> Bool {
        lines.slots[client]?.accounts.contains(where: shares.isSpent) == true
    }

    /// Begins to serve a connection, which one of these processes made.
    private func admit(
        _ connection: Connection, as client: ClientID, _ kind: ClientKind, _ identities: [PeerIdentity]
    ) {
        let start = feed.reactor.processorTime
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
        if let holder = lines.slots[client] { charge(holder.accounts, since: start) }
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
        let newcomer = newcomers.firstIndex { $0.client == client }.map { newcomers.remove(at: $0).connection }
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
        searchOn()
        for account in returned {
            if account == .arrivals { listeners?.resumeGPSD() }
            for client in connections(chargedTo: account) {
                if !isSpent(client) { lines.connections[client]?.resume() }
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
}

/// A connection of the gpsd port whose process is being looked for.
private struct Newcomer {
    let client: ClientID
    let connection: Connection
    var search: PortSearch
}
