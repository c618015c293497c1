internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import Engine
internal import GPSDProtocol
internal import Logging
internal import Parts
internal import SextantJSON
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// The part of the daemon that serves the clients: their connections, their requests, and their shares of its
/// resources.
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
    /// The gpsd connections whose processes are still being searched for, in the order in which the searches continue.
    private var newcomers: [Newcomer] = []
    /// The clients that the present manifests and policy admit.
    var admitted = Admission.nobody
    /// Called when a client connects or sends a request, before the Engine (the daemon's logic) gets it.
    ///
    /// The argument is true for a local client's request, which can ask for facts about the daemon's own process.
    var isNeeded: (_ byRequest: Bool) -> Void = { _ in }
    /// Called when a client has disconnected and everything that follows from this was done.
    var clientLeft: () -> Void = {}

    init(_ lines: ClientLines, _ feed: Feed, _ journal: Journal, _ store: StateStore, daemonUser: UInt32) {
        self.lines = lines
        self.feed = feed
        self.journal = journal
        self.store = store
        self.daemonUser = daemonUser
    }

    /// The TCP port at which gpsd clients are served; nil if there is none.
    var gpsdPort: UInt16? { listeners?.gpsdPort }

    /// When to continue a search for a gpsd client's process, or when a client whose share of processor time is used up
    /// can be served again; nil for never.
    var deadline: MonotonicInstant? {
        newcomers.contains { !isSpent($0.client) } ? feed.reactor.now : shares.deadline
    }

    /// Opens the sockets.
    ///
    /// - Parameter passed: Sockets from systemd that are listening already; if there are none, new ones are opened.
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

    /// Continues the search for the process behind a gpsd connection for a short time, and serves the connection once
    /// the process is found.
    ///
    /// The search is charged to the processor time of the connection's user, so that a user with many processes waits,
    /// and others do not.
    private func searchOn() {
        guard let index = newcomers.firstIndex(where: { !isSpent($0.client) }) else { return }
        var newcomer = newcomers.remove(at: index)
        let (start, accounts) = (feed.reactor.processorTime, lines.slots[newcomer.client]?.accounts ?? [])
        let finding = newcomer.search.advance()
        charge(accounts, since: start)
        switch finding {
        // The search for this connection's process continues after those for the other connections.
        case .unfinished: newcomers.append(newcomer)
        case .found(let processes):
            admit(newcomer.connection, as: newcomer.client, .gpsd, processes.map { PeerIdentity($0) })
        case .hidden:
            lines.slots.release(newcomer.client)
            refuse(newcomer.connection, .gpsd, .hidden(newcomer.search.userID))
        }
    }

    /// Whether a connection's share of the processor time is used up.
    private func isSpent(_ client: ClientID) -> Bool {
        lines.slots[client]?.accounts.contains(where: shares.isSpent) == true
    }

    /// Begins to serve a connection whose client is one of the given processes.
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

    private func otherEnd(of connection: Connection) -> OtherEnd {
        if case .local(let peer) = connection.peer { return .local(PeerIdentity(peer)) }
        // If every client is allowed everything, it does not matter which client has connected.
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

    /// Closes an idle connection, to make room for another connection of the same kind.
    private func end(_ client: ClientID, _ kind: ClientKind) {
        let newcomer = newcomers.firstIndex { $0.client == client }.map { newcomers.remove(at: $0).connection }
        guard let connection = newcomer ?? lines.connections[client] else { return }
        close(connection, kind, .idle, "this connection asked for nothing, and another one needs its place")
        journal.note("an idle connection is ended: all places of its kind are taken", kind: "idle")
        guard newcomer == nil else { return }
        lines.forget(client)
        feed(.clientGone(client))
        clientLeft()
    }

    private func refuse(_ connection: Connection, _ kind: ClientKind, _ refusal: ConnectionSlots.Refusal) {
        close(connection, kind, .tooManyConnections, "\(refusal)")
        journal.note("a client is turned away: \(refusal)", kind: "\(refusal)")
    }

    /// Tells a client in one line why it is not served, and closes its connection.
    private func close(_ connection: Connection, _ kind: ClientKind, _ code: ErrorCode, _ message: String) {
        var text = TextBuffer(capacity: 256)
        switch kind {
        case .local: ClientEvent.appendError(code, message, id: nil, to: &text)
        case .gpsd: GPSDReply.appendError(message, to: &text)
        }
        _ = text.withBytes(0..<text.count) { connection.send($0) }
        connection.close()
    }

    /// Whether the queue of changes to store has room for a client's changes.
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

    /// Charges a client for the processor time of connecting or of a request; if its share is used up, stops reading
    /// its connections for a while.
    ///
    /// New connections of the client are not read either during that time. `start` is the daemon's processor time
    /// before the request. Operators are not charged: they are trusted with the daemon.
    private func charge(_ accounts: [ProcessorShares.Account], since start: Int64) {
        let used = feed.reactor.processorTime - start
        for account in accounts where shares.charge(account, nanoseconds: used, at: feed.reactor.now) {
            for client in connections(chargedTo: account) { lines.connections[client]?.pause() }
            // Finding the user of each new gpsd connection takes processor time, so new connections too must wait once
            // this time is used up.
            if account == .arrivals { listeners?.pauseGPSD() }
            feed.planWake()
        }
    }

    /// Resumes reading from the clients whose share of the processor time is available again.
    func advance(to instant: MonotonicInstant) {
        let returned = shares.advance(to: instant)
        // New connections are served first, because existing connections can use up the processor time again at once.
        searchOn()
        for account in returned {
            if account == .arrivals { listeners?.resumeGPSD() }
            for client in connections(chargedTo: account) {
                feed.reactor.serveUrgent()
                if !isSpent(client) { lines.connections[client]?.resume() }
            }
        }
    }

    /// The connections whose requests are charged to an account of processor time, in the order in which they were
    /// made.
    private func connections(chargedTo account: ProcessorShares.Account) -> [ClientID] {
        lines.connections.keys.filter { lines.slots[$0]?.accounts.contains(account) == true }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

/// The other end of a connection, as the kernel reports it.
private enum OtherEnd {
    case local(PeerIdentity)
    /// The owner of the other end of a connection to the gpsd port; nil if the owner is unknown.
    case port(PortOwner?)
    /// The other end was a process that closed its connection to the gpsd port before the kernel could name its user.
    case gone
}

/// A connection of the gpsd port whose process is still being searched for.
private struct Newcomer {
    let client: ClientID
    let connection: Connection
    var search: PortSearch
}
