internal import Access
internal import Configuration
internal import SextantPlaces
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// A program that is connected to the geocoder service.
///
/// A class, because its lookups and its connection share it.
final class ServedClient {
    let connection: Connection
    let name: String
    let isOperator: Bool
    let identity: PeerIdentity?
    /// The name under which this program's connections and lookups are counted for the limits.
    let account: String
    /// The time of this program's last request; if there was none, the time when it connected.
    var heardAt: MonotonicInstant

    init(
        _ connection: Connection, name: String, account: String, isOperator: Bool, identity: PeerIdentity?,
        at instant: MonotonicInstant
    ) {
        self.connection = connection
        self.name = name
        self.account = account
        self.isOperator = isOperator
        self.identity = identity
        heardAt = instant
    }
}

/// The programs that are connected to the geocoder service, and what the manifests say of each.
///
/// A class, because the connections call it.
final class ServedClients {
    /// The largest number of connections at the same time.
    static let maximumConnections = 64
    /// The largest number of connections at the same time of one client or, without a manifest, of one user, so that
    /// none keeps the others out.
    static let maximumPerClient = 16
    /// Seconds without a request after which a client's connection can be closed to make room for a new one.
    static let silenceSeconds: Int64 = 15

    private let manifests: ManifestFolder
    private let reactor: Reactor
    private var clients: [ObjectIdentifier: ServedClient] = [:]

    /// Called with each line that a client sends; the line is empty where the client sent something else.
    var received: ([UInt8], ServedClient) -> Void = { _, _ in }
    /// Called after a client's connection has ended.
    var left: (ServedClient) -> Void = { _ in }
    /// Whether a client waits for an answer, and is therefore not closed to make room.
    var isWaiting: (ServedClient) -> Bool = { _ in false }

    init(manifests folder: String, _ reactor: Reactor) {
        manifests = ManifestFolder(folder: folder)
        self.reactor = reactor
    }

    deinit {
        for client in clients.values { client.connection.close() }
    }

    // MARK: Connections

    /// Serves a client that has connected.
    func serve(_ connection: Connection) {
        guard case .local(let credentials) = connection.peer else { return connection.close() }
        let identity = PeerIdentity(credentials)
        let admission = Admission(manifests: configuration.clients, policy: configuration.policy)
        serve(
            connection, as: name(of: identity), isOperator: admission.isOperator(identity, daemonUser: nil),
            identity: identity)
    }

    /// Serves a connection as the client with the given name.
    ///
    /// - Parameter identity: The identity of the client's process; nil if only its name is known.
    func serve(_ connection: Connection, as name: String, isOperator: Bool, identity: PeerIdentity?) {
        let client = ServedClient(
            connection, name: name, account: account(of: name, identity), isOperator: isOperator, identity: identity,
            at: reactor.now)
        guard makeRoom(),
            clients.values.count(where: { $0.account == client.account }) < ServedClients.maximumPerClient
        else { return connection.close() }
        clients[ObjectIdentifier(client)] = client
        do {
            try connection.start(
                received: { [unowned self, unowned client] event, line in
                    received(event == .line ? line.indices.map { line[$0] } : [], client)
                }, ended: { [unowned self, unowned client] _ in drop(client) })
        } catch {
            drop(client)
        }
    }

    /// Makes room for one more connection, if necessary by closing the one that was silent longest; false if none can
    /// be closed.
    private func makeRoom() -> Bool {
        guard clients.count >= ServedClients.maximumConnections else { return true }
        let now = reactor.now
        let silent = clients.values.filter { client in
            !isWaiting(client) && now.nanoseconds(since: client.heardAt) >= ServedClients.silenceSeconds * 1_000_000_000
        }
        guard let longest = silent.min(by: { $0.heardAt < $1.heardAt }) else { return false }
        drop(longest)
        return true
    }

    private func drop(_ client: ServedClient) {
        client.connection.close()
        clients[ObjectIdentifier(client)] = nil
        left(client)
    }

    /// Sends a reply; a client that does not read its replies is dropped.
    func answer(_ client: ServedClient, _ reply: GeocoderReply) {
        guard client.connection.isOpen else { return }
        if !client.connection.send(reply.line + [0x0A]) { drop(client) }
    }

    // MARK: Manifests

    private var configuration: ClientConfiguration { manifests.configuration }

    /// Reads the manifests again whenever their folder changes, and calls the handler after each change.
    func watch(changed: @escaping () -> Void) throws {
        try manifests.watch(in: reactor) { _ in changed() }
    }

    /// What is wrong with the manifests.
    var problems: [String] { configuration.problems.map(\.error.description) }

    /// Whether this was the name of a client whose manifest was removed.
    func hasLost(_ name: String) -> Bool { !name.hasPrefix("user ") && configuration.hasLost(name) }

    /// Whether the client must use only the tables of places on the board: its own manifest says so, or one that could be
    /// its own says so, or some manifest cannot be read.
    func geocodesLocally(_ client: ServedClient) -> Bool {
        if configuration.localGeocoding.contains(client.name) { return true }
        return client.identity.map(configuration.geocodesLocally) ?? !configuration.problems.isEmpty
    }

    /// The name under which the answers to a process are kept: the name of its manifest; without a manifest, its user
    /// with its systemd unit; without a unit, its user alone.
    private func name(of identity: PeerIdentity) -> String {
        if let manifest = configuration.clients.client(for: identity) { return manifest.name }
        return identity.unit.map { "user \(identity.userID), unit \($0)" } ?? "user \(identity.userID)"
    }

    /// The name under which a client's connections and lookups are counted for its limits.
    ///
    /// A client with a manifest is counted by its name; any other by its user, because a user can start any number of
    /// systemd units.
    private func account(of name: String, _ identity: PeerIdentity?) -> String {
        guard let identity, configuration.clients.client(for: identity) == nil else { return name }
        return "user \(identity.userID)"
    }
}
