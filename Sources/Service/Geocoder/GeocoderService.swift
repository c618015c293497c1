internal import Access
internal import ClientVocabulary
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
    private static let maximumWaiting = 16
    /// The largest size of a request line in bytes.
    public static let lineLimit = GeocoderRequest.maximumBytes

    let reactor: Reactor
    let options: Options
    private let problems: ProblemLog
    private let clients: ServedClients
    private let kept: KeptAnswers
    private var settings: GeocoderSettings?
    private let connect: (GeocoderSettings) throws -> any NameServer
    private var server: (any NameServer)?
    private var pace = ServerPace(interval: 0)
    private var tokens = LookupTokens(perClient: 0)
    private var waiting: [Lookup] = []
    private var underWay: Lookup?
    private var idleAt: MonotonicInstant?
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
        problems = ProblemLog(log)
        clients = ServedClients(manifests: options.manifests, reactor)
        kept = try KeptAnswers(folder: options.stateFolder, boot: options.boot, reactor, problems)
        reactor.onWake { [unowned self] in woken($0) }
        clients.received = { [unowned self] in received($0, from: $1) }
        clients.left = { [unowned self] client in
            waiting.removeAll { $0.client === client }
            plan()
        }
        clients.isWaiting = { [unowned self] client in
            underWay?.client === client || waiting.contains { $0.client === client }
        }
        try clients.watch { [unowned self] in manifestsChanged() }
        manifestsChanged()
        try configure(settings, stamp: stamp, isRead: false)
        restartIdle()
    }

    /// Sets the handler that is called after `Options.idleSeconds` without a request.
    public func onIdle(_ handler: @escaping () -> Void) { whenIdle = handler }

    /// Sets two functions: `stamp` identifies the present state of the configuration file, and `read` reads the file
    /// again.
    ///
    /// Before each lookup while the server refuses the board, the file is read again if its stamp has changed.
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
            problems.log("\(error)")
        }
    }

    /// Applies the configuration after it has been reread.
    public func reconfigure(_ settings: GeocoderSettings?, stamp: String) throws {
        try configure(settings, stamp: stamp, isRead: true)
    }

    private func configure(_ settings: GeocoderSettings?, stamp: String, isRead: Bool) throws {
        // While a lookup is under way the timer is off.
        defer { plan() }
        if let underWay { clients.answer(underWay.client, .unavailable) }
        underWay = nil
        server = nil
        self.settings = settings
        configurationStamp = stamp
        giveUpWaiting()
        guard let settings else { return }
        kept.belong(to: settings)
        tokens = LookupTokens(perClient: settings.perClient)
        pace = kept.pace(settings, stamp: stamp, isRead: isRead)
        if isRead { keepPace() }
        server = try connect(settings)
    }

    // MARK: Clients

    /// Serves a client that has connected.
    public func serve(_ connection: Connection) { clients.serve(connection) }

    /// Serves a connection as the client with the given name.
    func serve(_ connection: Connection, as name: String, isOperator: Bool, identity: PeerIdentity? = nil) {
        clients.serve(connection, as: name, isOperator: isOperator, identity: identity)
    }

    private func manifestsChanged() {
        kept.forget(where: clients.hasLost)
        for problem in clients.problems { problems.log("\(problem); no server is asked until that is right") }
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
        case nil: clients.answer(client, .refused)
        }
    }

    private func erase(_ name: String, for client: ServedClient) {
        guard client.isOperator || client.name == name else { return clients.answer(client, .refused) }
        clients.answer(client, kept.erase(name).map { .erased($0) } ?? .unavailable)
    }

    /// Sends the number of kept answers: an operator gets the numbers of all clients, any other client only its own.
    private func tellKept(_ client: ServedClient) {
        clients.answer(client, .kept(kept.counts.filter { client.isOperator || $0.client == client.name }))
    }

    private func look(_ asked: ServerQuestion, for client: ServedClient) {
        rereadIfChanged()
        guard let settings, server != nil, !clients.geocodesLocally(client) else {
            return clients.answer(client, .unavailable)
        }
        var question = asked
        question.level = .coarser(asked.level, settings.level)
        if let places = kept.places(for: question, of: client.name, settings) {
            return clients.answer(client, .places(places))
        }
        let now = reactor.now
        guard !pace.isPaused(at: now), mayWait(client) else { return clients.answer(client, .unavailable) }
        switch tokens.take(for: client.account, at: now) {
        case .failure(let shortage):
            clients.answer(client, .tooMany(retryAfter: Double(shortage.nanoseconds) / 1e9))
        case .success:
            waiting.append(
                Lookup(question: question, client: client, until: now.advanced(bySeconds: settings.timeout)))
            sendNext()
        }
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
        for lookup in over { clients.answer(lookup.client, .unavailable) }
    }

    private func ended(_ outcome: ServerOutcome) {
        guard let lookup = underWay else { return }
        underWay = nil
        pace.ended(at: reactor.now)
        clients.answer(lookup.client, reply(to: lookup, outcome))
        sendNext()
    }

    private func reply(to lookup: Lookup, _ outcome: ServerOutcome) -> GeocoderReply {
        switch outcome {
        case .failed(let text):
            // The failure slows later requests only if the server had at least half of the lookup's timeout to answer.
            if let settings, lookup.patience >= settings.timeout / 2 { pace.failed(at: reactor.now) }
            keepPace()
            problems.tell("the server gives no answer: \(text)")
            return .unavailable
        case .tooLong:
            pace.answered(status: 200, retryAfter: nil, at: reactor.now)
            keepPace()
            problems.tell("the server's answer is of no use: \(ServerAnswer.Problem.tooLong.description)")
            return .unavailable
        case .answered(let status, let retryAfter, let body):
            pace.answered(status: status, retryAfter: retryAfter, at: reactor.now)
            keepPace()
            guard status == 200 else {
                problems.tell(status == 403 ? GeocoderService.forbidden : "the server answers with status \(status)")
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
            problems.end()
            if let settings { kept.keep(places, for: lookup.question, of: lookup.client.name, settings) }
            return .places(places)
        } catch {
            problems.tell("the server's answer is of no use: \(error.description)")
            return .unavailable
        }
    }

    private static func agent(_ settings: GeocoderSettings) -> String {
        "Sextant/\(ProtocolVersion.software)" + (settings.contact.map { " (\($0))" } ?? "")
    }

    private func keepPace() { kept.keep(pace, stamp: configurationStamp) }

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
