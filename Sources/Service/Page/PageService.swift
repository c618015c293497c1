internal import CSextantLinux
internal import DaemonClient
internal import Glibc
internal import SextantJSON
public import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// The web page's service: an HTTP server for viewers, and a client of the daemon.
///
/// A class, because the reactor and the server call it; everything runs on the reactor's thread. Without viewers it has
/// no connection to the daemon, and its only timer is the one that ends the process.
public final class PageService {
    public struct Settings: Sendable {
        /// The path of the daemon's socket.
        public var daemon: String
        /// Seconds after the last viewer has gone until the process ends; nil if it never ends by itself.
        public var idleSeconds: Int64?
        public var configuration = PageConfiguration()
        /// The secret of metrics scrapers; nil if the metrics are off.
        public var metricsSecret: PageSecret?
        /// The file in which sextant-uplink writes its status; it is missing if sextant-uplink has not run since boot.
        public var uplinkStatus = "/run/sextant-uplink/status.json"

        public init(daemon: String, idleSeconds: Int64?) {
            self.daemon = daemon
            self.idleSeconds = idleSeconds
        }
    }

    /// The largest number of viewers at the same time.
    public static let viewerLimit = 8

    let reactor: Reactor
    let settings: Settings
    private let secret: PageSecret
    private let assets: PageAssets
    private let gate: PageGate
    private var codes = OneTimeCodes()
    private let log: (String) -> Void
    private var servers: [HTTPServer] = []
    private var viewers: [Viewer] = []
    private var alarms: [Purpose: MonotonicInstant] = [:]
    var pipe: DaemonPipe?
    private var scraper: Scraper?
    var state = LiveState()
    var daemon = DaemonView()
    var map: TileMap?
    private var whenIdle: () -> Void = {}

    /// The purposes for which the page's only timer can be set.
    enum Purpose: Hashable, CaseIterable { case status, lists, energy, reconnect, heartbeat, scrape, end }

    public init(
        _ settings: Settings, secret: PageSecret, assets: PageAssets, listeners: [Int32], reactor: Reactor,
        log: @escaping (String) -> Void
    ) throws {
        self.settings = settings
        self.secret = secret
        self.assets = assets
        self.reactor = reactor
        self.log = log
        let ports = listeners.compactMap { UInt16(exactly: clinux_tcp_port($0)) }.filter { $0 > 0 }
        gate = PageGate(
            ports: ports, addresses: listeners.compactMap(PageService.address), names: settings.configuration.hosts,
            assets: assets.names, secret: secret,
            metricsSecret: settings.metricsSecret)
        servers = try listeners.map { listener in
            try HTTPServer(listener: listener, reactor: reactor) { [unowned self] in serve($0) }
        }
        pipe = DaemonPipe(
            path: settings.daemon, reactor: reactor, received: { [unowned self] in received($0) },
            lost: { [unowned self] in lostDaemon(because: $0) })
        scraper = Scraper(daemon: settings.daemon, reactor: reactor) { [unowned self] in uplinkMetrics }
        reactor.onWake { [unowned self] in fired($0) }
        for problem in settings.configuration.problems { log("page.json5: \(problem)") }
        openMap()
        restartIdle()
    }

    /// Sets the handler that is called when the last viewer has been gone for `Settings.idleSeconds`.
    public func onIdle(_ handler: @escaping () -> Void) { whenIdle = handler }

    private func openMap() {
        guard let path = settings.configuration.map else { return }
        do throws(TileProblem) {
            let map = try TileMap(path: path)
            self.map = map
            _ = state.set(.map, map.description, at: milliseconds)
        } catch {
            log("the map \(path): \(error.sentence)")
            let problem = PageText.object(["problem": "\(path): \(error.sentence)"])
            _ = state.set(.map, problem, at: milliseconds)
        }
    }

    // MARK: Requests

    private func serve(_ exchange: Exchange) {
        let now = reactor.now
        do throws(Refusal) {
            let route = try gate.route(exchange.request, at: now.nanoseconds / 1_000_000_000)
            if route.isOperators, !daemon.isOperator {
                throw Refusal(
                    403,
                    "This page may only look. Its owner can change that: operator: true in "
                        + "/etc/sextant/clients.d/sextant-page.json5.")
            }
            try serve(route, exchange, at: now)
        } catch {
            exchange.refuse(error)
        }
    }

    private func serve(_ route: PageRoute, _ exchange: Exchange, at now: MonotonicInstant) throws(Refusal) {
        let seconds = now.nanoseconds / 1_000_000_000
        switch route {
        case .asset(let name): assets.serve(name, to: exchange)
        case .session: try openSession(exchange, at: seconds)
        case .code: try issueCode(exchange, at: seconds)
        case .events: try addViewer(exchange)
        case .track: try askTrack(exchange)
        case .energyHistory: try askEnergyHistory(exchange)
        case .near: try sendNames(exchange)
        case .tile(let zoom, let column, let row): try sendTile(zoom, column, row, exchange)
        case .answer: try askAnswer(exchange)
        case .services: try askServices(exchange)
        case .anchor: try askAnchor(exchange)
        case .locate: try askLocation(exchange)
        case .metrics: try scrape(exchange)
        }
        restartIdle()
    }

    private func openSession(_ exchange: Exchange, at seconds: Int64) throws(Refusal) {
        let members = DaemonLine(exchange.body)?.members
        switch (members?["secret"], members?["code"]) {
        case (.string(let offered)?, nil):
            guard secret.matches(offered) else { throw PageService.wrongSecret }
        case (nil, .string(let offered)?):
            guard codes.take(offered, at: seconds) else {
                throw Refusal(
                    403,
                    "This address was used already, or is older than \(OneTimeCodes.seconds / 60) minutes. "
                        + "\"sextant page\" prints another one.")
            }
        default: throw Refusal(400, "A session is asked for with {\"code\": \"...\"} or {\"secret\": \"...\"}.")
        }
        exchange.answer(
            200, Array("{}".utf8), type: PageText.json,
            headers: PageText.noStore + [("Set-Cookie", PageGate.cookie(secret.token(at: seconds)))])
    }

    private static let wrongSecret = Refusal(
        403, "This is not the page's secret. \"sextant page\" prints an address that opens the page.")

    /// Answers a request that contains the secret with a one-time code, which opens one session, and with the names
    /// under which other machines reach the page.
    private func issueCode(_ exchange: Exchange, at seconds: Int64) throws(Refusal) {
        guard let offered = DaemonLine(exchange.body)?.members.text("secret"), secret.matches(offered) else {
            throw PageService.wrongSecret
        }
        let answer = JSONValue.object([
            "code": .string(codes.issue(at: seconds)), "names": .array(gate.outside.map { .string($0) }),
        ])
        exchange.answer(200, Array(answer.text.utf8), type: PageText.json, headers: PageText.noStore)
    }

    /// The address that a socket listens on, as written in a browser; nil if it cannot be determined.
    private static func address(of listener: Int32) -> String? {
        guard let address = NetworkAddress.bound(of: listener), let port = UInt16(exactly: clinux_tcp_port(listener))
        else { return nil }
        return NetworkAddress.withPort(address, port)
    }

    private func sendTile(_ zoom: Int, _ column: Int, _ row: Int, _ exchange: Exchange) throws(Refusal) {
        guard let map else { throw Refusal(404, "There is no map; /etc/sextant/page.json5 may name one.") }
        guard let tile = map.tile(zoom: zoom, column: column, row: row) else { throw Refusal(404, "No tile here.") }
        exchange.answer(
            200, tile, type: TileMap.type(of: tile), headers: [("Cache-Control", "private, max-age=86400")])
    }

    private func scrape(_ exchange: Exchange) throws(Refusal) {
        try scraper?.scrape(exchange)
        plan(.scrape, inSeconds: Scraper.answerSeconds)
    }

    // MARK: Viewers

    /// A browser tab that receives events.
    final class Viewer {
        let exchange: Exchange
        var queue: ViewerQueue
        let wantsHeading: Bool

        init(_ exchange: Exchange, _ queue: ViewerQueue, wantsHeading: Bool) {
            self.exchange = exchange
            self.queue = queue
            self.wantsHeading = wantsHeading
        }
    }

    private func addViewer(_ exchange: Exchange) throws(Refusal) {
        guard viewers.count < PageService.viewerLimit else {
            throw Refusal(
                503, "\(PageService.viewerLimit) viewers look already. Close one of the other tabs, and reload this.")
        }
        let isFirst = viewers.isEmpty
        let viewer = Viewer(
            exchange, ViewerQueue(state, at: milliseconds), wantsHeading: exchange.query("heading") == "1")
        viewers.append(viewer)
        exchange.stream(
            more: { [unowned self, unowned viewer] in viewer.queue.take($0, from: state) },
            ended: { [unowned self, unowned viewer] in removeViewer(viewer) })
        if isFirst { beginLooking() }
        askHeadings()
    }

    private func removeViewer(_ viewer: Viewer) {
        viewers.removeAll { $0 === viewer }
        askHeadings()
        if viewers.isEmpty { endLooking() }
    }

    var hasViewers: Bool { !viewers.isEmpty }
    var wantsHeading: Bool { viewers.contains { $0.wantsHeading } }

    /// Keeps a line of JSON as the newest state of its kind, and sends it to every viewer if it has changed.
    func publish(_ kind: LiveKind, _ line: [UInt8]) {
        guard state.set(kind, line, at: milliseconds) else { return }
        for viewer in viewers {
            viewer.queue.add(kind)
            viewer.exchange.wake()
        }
    }

    private func sendHeartbeat() {
        for viewer in viewers {
            viewer.queue.addHeartbeat()
            viewer.exchange.wake()
        }
    }

    private func beginLooking() {
        cancel(.end)
        pipe?.open()
        plan(.heartbeat, inSeconds: 15)
    }

    private func endLooking() {
        pipe?.close()
        forgetDaemon()
        for purpose in Purpose.allCases where purpose != .scrape { cancel(purpose) }
        restartIdle()
    }

    private func restartIdle() {
        guard let seconds = settings.idleSeconds, viewers.isEmpty else { return }
        // The process stays until its one-time codes expire, because only this process knows the codes.
        plan(.end, inSeconds: max(seconds, codes.remaining(at: reactor.now.nanoseconds / 1_000_000_000)))
    }

    // MARK: Time

    private var milliseconds: Int64 { reactor.now.nanoseconds / 1_000_000 }

    func plan(_ purpose: Purpose, inSeconds seconds: Int64) {
        alarms[purpose] = reactor.now.advanced(byNanoseconds: seconds * 1_000_000_000)
        reactor.setWake(at: alarms.values.min())
    }

    private func cancel(_ purpose: Purpose) {
        alarms[purpose] = nil
        reactor.setWake(at: alarms.values.min())
    }

    private func fired(_ now: MonotonicInstant) {
        let due = Purpose.allCases.filter { purpose in alarms[purpose].map { $0 <= now } ?? false }
        for purpose in due { alarms[purpose] = nil }
        for purpose in due { act(purpose) }
        reactor.setWake(at: alarms.values.min())
    }

    private func act(_ purpose: Purpose) {
        switch purpose {
        case .status: pollStatus()
        case .lists: pollLists()
        case .energy: pollEnergy()
        case .reconnect: pipe?.open()
        case .heartbeat:
            sendHeartbeat()
            plan(.heartbeat, inSeconds: 15)
        case .scrape: scraper?.giveUp()
        case .end: whenIdle()
        }
    }
}
