internal import Access
internal import ClientVocabulary
internal import Configuration
internal import SextantPlaces
public import SextantReactor
public import SextantSockets
internal import SextantUnits

/// The geocoder service: asks one geocoding server on behalf of all programs on the board.
///
/// All local clients share its one server, with one request rate, one cache and one policy. The service does not know
/// the board's location. A class, because the reactor and its connections call it; everything runs on the reactor's
/// thread.
public final class GeocoderService {
    public struct Options: Sendable {
        /// The folder for the cache of the server's answers; nil to keep the cache in memory.
        public var stateFolder: String?
        /// The folder of the manifests, files in which the owner names the clients and says what they are allowed to
        /// do.
        public var manifests: String
        /// Seconds after the last request until the process ends; nil if it never ends by itself.
        public var idleSeconds: Int64?
        /// A file of certificates to trust instead of the system's; nil to trust the system's.
        public var authority: String?
        /// The kernel's identifier of the running boot, from whose start the boot clock counts.
        public var boot: String

        public init(stateFolder: String?, manifests: String, idleSeconds: Int64?, authority: String?, boot: String) {
            self.stateFolder = stateFolder
            self.manifests = manifests
            self.idleSeconds = idleSeconds
            self.authority = authority
            self.boot = boot
        }
    }

    /// The largest number of lookups that can wait at the same time, for all clients together.
    public static let maximumWaiting = 16
    /// The largest size of a request line in bytes.
    public static let lineLimit = GeocoderRequest.maximumBytes
    /// The largest number of connections at the same time.
    static let maximumConnections = 64
    /// The largest number of connections at the same time of one client or, without a manifest, of one user, so that
    /// none keeps the others out.
    static let maximumPerClient = 16
    /// Seconds without a request after which a client's connection can be closed to make room for a new one.
    static let silenceSeconds: Int64 = 15

    let reactor: Reactor
    let options: Options
    let log: (String) -> Void
    private let clients: ManifestFolder
    private var settings: GeocoderSettings?
    private let connect: (GeocoderSettings) throws -> any NameServer
    private var server: (any NameServer)?
    private var cache: AnswerCache
    private var pace = ServerPace(interval: 0)
    private var tokens = LookupTokens(perClient: 0)
    private var waiting: [Lookup] = []
    private var underWay: Lookup?
    private var connections: [ObjectIdentifier: ServedClient] = [:]
    private var idleAt: MonotonicInstant?
    private var lastProblem = ""
    private var whenIdle: () -> Void = {}
    private var configurationStamp = ""
    private var file: (stamp: () -> String, read: () -> GeocoderSettings?)?

    /// A lookup that waits for its turn to be sent to the server.
    private struct Lookup {
        var question: ServerQuestion
        var client: ServedClient
        var until: MonotonicInstant
        /// Seconds of the lookup's timeout that were left when the request was sent to the server.
        var patience = 0.0
    }

    /// - Parameters:
    ///   - settings: Nil if no server is configured: every request is answered at once, and nothing leaves the board.
    ///   - stamp: Identifies this configuration. A server that refused the board is not asked again until the stamp
    ///     changes.
    public convenience init(
        _ settings: GeocoderSettings?, stamp: String, options: Options, reactor: Reactor,
        log: @escaping (String) -> Void
    ) throws {
        try self.init(settings, stamp: stamp, options: options, reactor: reactor, log: log) { settings in
            try ServerConnection(
                agent: GeocoderService.agent(settings), authority: options.authority,
                allowsPlain: settings.allowPlain, reactor: reactor)
        }
    }

    /// - Parameter connect: Makes the connection to the server.
    init(
        _ settings: GeocoderSettings?, stamp: String, options: Options, reactor: Reactor,
        log: @escaping (String) -> Void, connect: @escaping (GeocoderSettings) throws -> any NameServer
    ) throws {
        self.options = options
        self.connect = connect
        self.reactor = reactor
        self.log = log
        clients = ManifestFolder(folder: options.manifests)
        cache = try AnswerCache(folder: nil)
        openCache()
        reactor.onWake { [unowned self] in woken($0) }
        try clients.watch(in: reactor) { [unowned self] _ in manifestsChanged() }
        manifestsChanged()
        try configure(settings, stamp: stamp, isRead: false)
        restartIdle()
    }

    deinit {
        for client in connections.values { client.connection.close() }
    }

    /// Sets the handler that is called after `Options.idleSeconds` without a request.
    public func onIdle(_ handler: @escaping () -> Void) { whenIdle = handler }

    /// Sets how to check whether the configuration file has changed and to read it again.
    ///
    /// This is done before each lookup while the server refuses the board.
    public func onForbidden(stamp: @escaping () -> String, read: @escaping () -> GeocoderSettings?) {
        file = (stamp, read)
    }

    private func rereadIfChanged() {
        guard pace.isForbidden, let file else { return }
        let stamp = file.stamp()
        guard stamp != configurationStamp else { return }
        do {
            try reconfigure(file.read(), stamp: stamp)
        } catch {
            log("\(error)")
        }
    }

    /// Applies the configuration after it has been reread.
    public func reconfigure(_ settings: GeocoderSettings?, stamp: String) throws {
        try configure(settings, stamp: stamp, isRead: true)
    }

    private func configure(_ settings: GeocoderSettings?, stamp: String, isRead: Bool) throws {
        if let underWay { answer(underWay.client, .unavailable) }
        underWay = nil
        server = nil
        self.settings = settings
        configurationStamp = stamp
        giveUpWaiting()
        guard let settings else { return }
        withCache { cache throws(CacheError) in
            try cache.belong(to: "\(settings.format.rawValue) \(settings.server)")
            try cache.expire(days: settings.cacheDays, at: time)
        }
        tokens = LookupTokens(perClient: settings.perClient)
        pace = restoredPace(settings, stamp: stamp, isRead: isRead)
        if isRead { keepPace() }
        server = try connect(settings)
    }

    // MARK: Clients

    /// Serves a client that has connected.
    public func serve(_ connection: Connection) {
        guard case .local(let credentials) = connection.peer else { return connection.close() }
        let identity = PeerIdentity(credentials)
        serve(
            connection, as: name(of: identity), isOperator: admission.isOperator(identity, daemonUser: nil),
            identity: identity)
    }

    /// Serves a connection as the client with the given name.
    ///
    /// - Parameter identity: The identity of the client's process; nil if only its name is known.
    func serve(_ connection: Connection, as name: String, isOperator: Bool, identity: PeerIdentity? = nil) {
        let client = ServedClient(connection, name: name, isOperator: isOperator, identity: identity)
        client.account = account(of: name, identity)
        client.heardAt = reactor.now
        guard makeRoom(),
            connections.values.count(where: { $0.account == client.account }) < GeocoderService.maximumPerClient
        else { return connection.close() }
        connections[ObjectIdentifier(client)] = client
        do {
            try connection.start(
                received: { [unowned self, unowned client] event, line in
                    received(event == .line ? line.indices.map { line[$0] } : [], from: client)
                }, ended: { [unowned self, unowned client] _ in drop(client) })
        } catch {
            drop(client)
        }
    }

    private var admission: Admission {
        Admission(manifests: clients.configuration.clients, policy: clients.configuration.policy)
    }

    /// The name under which the answers to a process are kept: the name of its manifest; without a manifest, its user
    /// with its systemd unit; without a unit, its user alone.
    private func name(of identity: PeerIdentity) -> String {
        if let manifest = clients.configuration.clients.client(for: identity) { return manifest.name }
        return identity.unit.map { "user \(identity.userID), unit \($0)" } ?? "user \(identity.userID)"
    }

    /// The name under which a client's connections and lookups are counted for its limits.
    ///
    /// A client with a manifest is counted by its name; any other by its user, because a user can start any number of
    /// systemd units.
    private func account(of name: String, _ identity: PeerIdentity?) -> String {
        guard let identity, clients.configuration.clients.client(for: identity) == nil else { return name }
        return "user \(identity.userID)"
    }

    /// Makes room for one more connection, if necessary by closing the one that was silent longest; false if none can
    /// be closed.
    private func makeRoom() -> Bool {
        guard connections.count >= GeocoderService.maximumConnections else { return true }
        let now = reactor.now
        let silent = connections.values.filter { client in
            underWay?.client !== client && !waiting.contains { $0.client === client }
                && now.nanoseconds(since: client.heardAt) >= GeocoderService.silenceSeconds * 1_000_000_000
        }
        guard let longest = silent.min(by: { $0.heardAt < $1.heardAt }) else { return false }
        drop(longest)
        return true
    }

    private func drop(_ client: ServedClient) {
        client.connection.close()
        connections[ObjectIdentifier(client)] = nil
        waiting.removeAll { $0.client === client }
        plan()
    }

    private func answer(_ client: ServedClient, _ reply: GeocoderReply) {
        guard client.connection.isOpen else { return }
        if !client.connection.send(reply.line + [0x0A]) { drop(client) }
    }

    // MARK: Requests

    private func received(_ line: [UInt8], from client: ServedClient) {
        let request = GeocoderRequest(line: line)
        if request != nil {
            client.heardAt = reactor.now
            restartIdle()
        }
        switch request {
        case .question(let question): look(question, for: client)
        case .erase(let name): erase(name, for: client)
        case .kept: tellKept(client)
        case nil: answer(client, .refused)
        }
    }

    private func erase(_ name: String, for client: ServedClient) {
        guard client.isOperator || client.name == name else { return answer(client, .refused) }
        let count = withCache { cache throws(CacheError) in try cache.erase(name) }
        answer(client, .erased(count ?? 0))
    }

    /// Sends the number of kept answers: an operator gets the numbers of all clients, any other client only its own.
    private func tellKept(_ client: ServedClient) {
        let counts = withCache { cache throws(CacheError) in try cache.counts() } ?? []
        answer(client, .kept(counts.filter { client.isOperator || $0.client == client.name }))
    }

    private func look(_ asked: ServerQuestion, for client: ServedClient) {
        rereadIfChanged()
        guard let settings, server != nil, !geocodesLocally(client) else { return answer(client, .unavailable) }
        var question = asked
        question.level = .coarser(asked.level, settings.level)
        if let places = kept(question, for: client) { return answer(client, .places(places)) }
        let now = reactor.now
        guard !pace.isPaused(at: now), mayWait(client) else { return answer(client, .unavailable) }
        switch tokens.take(for: client.account, at: now) {
        case .failure(let shortage):
            answer(client, .tooMany(retryAfter: Double(shortage.nanoseconds) / 1e9))
        case .success:
            waiting.append(
                Lookup(question: question, client: client, until: now.advanced(bySeconds: settings.timeout)))
            sendNext()
        }
    }

    /// Whether the client must use only the tables of places on the board: its manifest says so, or a manifest that is
    /// perhaps the client's says so, or some manifest cannot be read.
    private func geocodesLocally(_ client: ServedClient) -> Bool {
        let configuration = clients.configuration
        if configuration.localGeocoding.contains(client.name) { return true }
        return client.identity.map(configuration.geocodesLocally) ?? !configuration.problems.isEmpty
    }

    /// Whether a client's lookup can be queued: the queue has room, and the client (or its user, without a manifest)
    /// has no lookup that waits or is under way.
    private func mayWait(_ client: ServedClient) -> Bool {
        waiting.count < GeocoderService.maximumWaiting && underWay?.client.account != client.account
            && !waiting.contains { $0.client.account == client.account }
    }

    // MARK: The server

    private func sendNext() {
        let now = reactor.now
        giveUpWaiting { $0.until <= now }
        if pace.isPaused(at: now) { giveUpWaiting() }
        if underWay == nil, var lookup = waiting.first, pace.next <= now, let settings, let server {
            waiting.removeFirst()
            lookup.patience = Double(lookup.until.nanoseconds(since: now)) / 1e9
            underWay = lookup
            pace.sent(at: now)
            keepPace()
            let address = settings.server + lookup.question.path(for: settings.format)
            server.ask(address, seconds: lookup.patience) { [unowned self] in
                ended($0)
            }
        }
        plan()
    }

    private func giveUpWaiting(_ isOver: (Lookup) -> Bool = { _ in true }) {
        let over = waiting.filter(isOver)
        waiting.removeAll(where: isOver)
        for lookup in over { answer(lookup.client, .unavailable) }
    }

    private func ended(_ outcome: ServerOutcome) {
        guard let lookup = underWay else { return }
        underWay = nil
        pace.ended(at: reactor.now)
        answer(lookup.client, reply(to: lookup, outcome))
        sendNext()
    }

    private func reply(to lookup: Lookup, _ outcome: ServerOutcome) -> GeocoderReply {
        switch outcome {
        case .failed(let text):
            // The failure slows later requests only if the lookup left the server at least half of the timeout.
            if let settings, lookup.patience >= settings.timeout / 2 { pace.failed(at: reactor.now) }
            keepPace()
            tell("the server gives no answer: \(text)")
            return .unavailable
        case .tooLong:
            pace.answered(status: 200, retryAfter: nil, at: reactor.now)
            keepPace()
            tell("the server's answer is of no use: \(ServerAnswer.Problem.tooLong.description)")
            return .unavailable
        case .answered(let status, let retryAfter, let body):
            pace.answered(status: status, retryAfter: retryAfter, at: reactor.now)
            keepPace()
            guard status == 200 else {
                tell(status == 403 ? GeocoderService.forbidden : "the server answers with status \(status)")
                return .unavailable
            }
            return reply(to: lookup, body)
        }
    }

    private static let forbidden =
        "the server answers with status 403 and is not asked again until the configuration is changed or reloaded"

    private func reply(to lookup: Lookup, _ body: [UInt8]) -> GeocoderReply {
        do throws(ServerAnswer.Problem) {
            let places = try ServerAnswer.places(in: body, to: lookup.question)
            lastProblem = ""
            keep(places, for: lookup)
            return .places(places)
        } catch {
            tell("the server's answer is of no use: \(error.description)")
            return .unavailable
        }
    }

    /// Logs a problem, but not a second time before another problem or a useful answer has come.
    private func tell(_ problem: String) {
        if problem != lastProblem { log(problem) }
        lastProblem = problem
    }

    private static func agent(_ settings: GeocoderSettings) -> String {
        "Sextant/\(ProtocolVersion.software)" + (settings.contact.map { " (\($0))" } ?? "")
    }

    // MARK: What is kept

    private var time: CacheTime {
        CacheTime(boot: options.boot, now: reactor.now, wall: reactor.utcIsSynchronized ? reactor.utc : nil)
    }

    private func kept(_ question: ServerQuestion, for client: ServedClient) -> [Placemark]? {
        guard let settings, settings.cacheDays > 0 else { return nil }
        let places = withCache { cache throws(CacheError) in
            try cache.answer(for: ServerKey(question), of: client.name, at: time, days: settings.cacheDays)
        }
        return (places ?? nil)?.map { $0.seen(from: question) }
    }

    private func keep(_ places: [Placemark], for lookup: Lookup) {
        guard let settings, settings.cacheDays > 0 else { return }
        withCache { cache throws(CacheError) in
            try cache.keep(places, for: ServerKey(lookup.question), of: lookup.client.name, at: time)
        }
    }

    private func openCache() {
        guard let folder = options.stateFolder else { return }
        do throws(CacheError) {
            cache = try AnswerCache(folder: folder)
        } catch {
            log("\(folder): \(error); answers are kept in memory")
            if let inMemory = try? AnswerCache(folder: nil) { cache = inMemory }
        }
    }

    /// Runs a closure on the cache; if the cache's file turns out to be damaged, makes the file anew.
    @discardableResult
    private func withCache<Result>(_ body: (AnswerCache) throws(CacheError) -> Result) -> Result? {
        do throws(CacheError) {
            return try body(cache)
        } catch {
            tell("kept answers: \(error)")
            if error.isDamage, let folder = options.stateFolder {
                AnswerCache.discard(in: folder)
                openCache()
            }
            return nil
        }
    }

    private func manifestsChanged() {
        forgetLostClients()
        for problem in clients.configuration.problems {
            log("\(problem.error.description); no server is asked until that is right")
        }
    }

    /// Erases the answers kept for clients whose manifests were removed.
    private func forgetLostClients() {
        withCache { cache throws(CacheError) in
            for client in try cache.clients() where !client.hasPrefix("user ") && clients.configuration.hasLost(client)
            {
                _ = try cache.erase(client)
            }
        }
    }

    // MARK: The pace of requests, which is kept when the process ends

    private func keepPace() {
        let until = pace.pausedUntil?.nanoseconds ?? 0
        let text = "\(options.boot) \(pace.next.nanoseconds) \(until) \(pace.refusals) \(pace.failures)"
        withCache { cache throws(CacheError) in
            try cache.setState("pace", text)
            try cache.setState("forbidden", pace.isForbidden ? configurationStamp : "")
        }
    }

    private func restoredPace(_ settings: GeocoderSettings, stamp: String, isRead: Bool) -> ServerPace {
        let kept = withCache { cache throws(CacheError) in (try cache.state("pace"), try cache.state("forbidden")) }
        let words = kept?.0?.split(separator: " ") ?? []
        let interval = Int64(settings.interval * 1e9)
        let isForbidden = !isRead && !stamp.isEmpty && kept?.1 == stamp
        guard words.count == 5, words[0] == options.boot, let next = Int64(words[1]), let until = Int64(words[2]),
            let refusals = Int(words[3]), let failures = Int(words[4])
        else { return ServerPace(interval: interval, isForbidden: isForbidden) }
        return ServerPace(
            interval: interval, next: MonotonicInstant(nanoseconds: next),
            pausedUntil: until > 0 ? MonotonicInstant(nanoseconds: until) : nil, refusals: max(0, refusals),
            failures: max(0, failures), isForbidden: isForbidden)
    }

    // MARK: Time

    private func restartIdle() {
        idleAt = options.idleSeconds.map { reactor.now.advanced(byNanoseconds: $0 * 1_000_000_000) }
        plan()
    }

    /// Sets the service's only timer to the earliest of: the next request to the server, the end of a lookup's timeout,
    /// the end of the process.
    private func plan() {
        var next = underWay == nil && waiting.isEmpty ? idleAt : nil
        for lookup in waiting { next = .earlier(next, lookup.until) }
        if underWay == nil, !waiting.isEmpty { next = .earlier(next, pace.next) }
        reactor.setWake(at: next)
    }

    private func woken(_ now: MonotonicInstant) {
        sendNext()
        guard let idleAt, idleAt <= now, underWay == nil, waiting.isEmpty else { return }
        self.idleAt = nil
        whenIdle()
    }
}

/// A program that is connected to the geocoder service.
///
/// A class, because its lookups and its connection share it.
final class ServedClient {
    let connection: Connection
    let name: String
    let isOperator: Bool
    let identity: PeerIdentity?
    /// The name under which this program's connections and lookups are counted for the limits: its client or its user.
    var account = ""
    /// The time of this program's last request; if there was none, the time when it connected.
    var heardAt = MonotonicInstant.zero

    init(_ connection: Connection, name: String, isOperator: Bool, identity: PeerIdentity?) {
        self.connection = connection
        self.identity = identity
        self.name = name
        self.isOperator = isOperator
    }
}
