import Access
import Foundation
import SextantPlaces
import SextantReactor
import SextantSockets
import SextantUnits
import Testing

@testable import Geocoder

/// The geocoder in virtual time: real clients at a real socket, and a server that answers as the test says.
final class GeocoderBench {
    /// The server, in the place of one on the network.
    final class Server: NameServer {
        private let now: () -> MonotonicInstant
        /// The instants and the addresses of the requests.
        private(set) var asked: [(at: MonotonicInstant, address: String)] = []
        private(set) var patience: [Double] = []
        private var ended: ((ServerOutcome) -> Void)?
        /// What is answered at once; nil for a server that is silent until `answer`.
        var outcome: ServerOutcome? = .answered(status: 200, retryAfter: nil, body: Server.house)

        static let house = Array(
            """
            {"features":[{"properties":{"geocoding":{"type":"house","street":"Bahnhofstrasse","housenumber":"1",\
            "city":"Zürich","country_code":"ch"}},"geometry":{"coordinates":[8.54,47.37]}}]}
            """.utf8)

        init(now: @escaping () -> MonotonicInstant) { self.now = now }

        func ask(_ address: String, seconds: Double, _ ended: @escaping (ServerOutcome) -> Void) {
            asked.append((now(), address))
            patience.append(seconds)
            guard let outcome else {
                self.ended = ended
                return
            }
            ended(outcome)
        }

        func answer(_ outcome: ServerOutcome) {
            let ended = ended
            self.ended = nil
            ended?(outcome)
        }
    }

    /// A program that asks.
    final class Client {
        private var socket: LocalClient

        init(_ path: String) throws { socket = try LocalClient(path: path) }

        func send(_ request: GeocoderRequest) throws { try socket.send(request.line + [0x0A]) }
        func send(line: String) throws { try socket.send(Array("\(line)\n".utf8)) }

        /// The next reply that is there; nil where none is.
        func reply() -> GeocoderReply? {
            (try? socket.readLine(deadline: Clock.now())).flatMap { $0 }.flatMap(GeocoderReply.init(line:))
        }
    }

    let folder = TemporaryFolder()
    let clock = DrivenClock(utc: UTCInstant(nanoseconds: 0), isSynchronized: false)
    let reactor: Reactor
    let server: Server
    private(set) var service: GeocoderService
    private var listener: UnixListener?
    private(set) var log: [String] = []
    private(set) var hasIdled = false
    /// Whether a connection to the server can be made.
    var connects = true
    /// What tells the configuration's file from another one, and what is in it.
    var file: (stamp: String, settings: GeocoderSettings?) = ("1", nil)
    /// The names of the next clients that connect.
    private var names: [(name: String, user: UInt32?)] = []

    init(_ settings: GeocoderSettings? = GeocoderSettings(server: "https://names.example"), stamp: String = "1") throws
    {
        reactor = try Reactor(time: .driven(clock))
        let clock = clock
        let server = Server { clock.now }
        self.server = server
        let box = LogBox()
        service = try GeocoderBench.service(settings, stamp, folder, reactor, server, box)
        box.take = { [unowned self] in log.append($0) }
        box.connects = { [unowned self] in connects }
        service.onIdle { [unowned self] in hasIdled = true }
        service.onForbidden(stamp: { [unowned self] in file.stamp }) { [unowned self] in file.settings }
        let lines = ConnectionSettings(separators: .newline, lineLimit: 4096, outputCapacity: 1 << 18)
        listener = try UnixListener(path: "\(folder.path)/socket", mode: 0o600, settings: lines, reactor: reactor) {
            [unowned self] connection in
            let (name, user) = names.removeFirst()
            service.serve(
                connection, as: name, isOperator: name == "root", identity: user.map { PeerIdentity(userID: $0) })
        }
    }

    private final class LogBox {
        var take: (String) -> Void = { _ in }
        var connects: () -> Bool = { true }
    }

    private static func service(
        _ settings: GeocoderSettings?, _ stamp: String, _ folder: TemporaryFolder, _ reactor: Reactor,
        _ server: Server, _ box: LogBox
    ) throws -> GeocoderService {
        try GeocoderService(
            settings, stamp: stamp,
            options: GeocoderService.Options(
                stateFolder: "\(folder.path)/state", manifests: "\(folder.path)/clients.d", idleSeconds: 60,
                authority: nil, boot: "boot"),
            reactor: reactor, log: { box.take($0) },
            connect: { _ in
                guard box.connects() else { throw SystemError("curl_easy_init", errno: 12) }
                return server
            })
    }

    /// The process ends and is started again.
    func restart(_ settings: GeocoderSettings?, stamp: String) throws {
        let box = LogBox()
        box.take = { [unowned self] in log.append($0) }
        service = try GeocoderBench.service(settings, stamp, folder, reactor, server, box)
    }

    /// - Parameter user: Whose process it is; nil where nothing but the name is known.
    func client(_ name: String, of user: UInt32? = nil) throws -> Client {
        names.append((name, user))
        let client = try Client("\(folder.path)/socket")
        try reactor.serveReady()
        return client
    }

    func advance(_ seconds: Double) throws { try reactor.advance(to: clock.now.advanced(bySeconds: seconds)) }

    /// Sends a request, and returns the reply that comes without time passing.
    func ask(_ client: Client, _ request: GeocoderRequest) throws -> GeocoderReply? {
        try client.send(request)
        try reactor.serveReady()
        return client.reply()
    }

    /// Asks about a point some metres north of the middle of Zürich.
    func ask(_ client: Client, metres: Double, language: String? = nil) throws -> GeocoderReply? {
        try ask(client, .question(GeocoderBench.question(metres: metres, language: language)))
    }

    static func question(metres: Double, language: String? = nil) -> ServerQuestion {
        ServerQuestion(.reverse(latitude: 47.37 + metres / 111_195, longitude: 8.54), language: language)
    }
}
