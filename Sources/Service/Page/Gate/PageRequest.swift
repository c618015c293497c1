/// The parts of an HTTP request that decide how it is answered.
public struct PageRequest: Sendable, Equatable {
    public var method: String
    public var path: String
    public var host: String?
    public var origin: String?
    public var contentType: String?
    public var cookie: String?
    public var fetchSite: String?
    public var authorization: String?
    /// The size of the request line and the headers in bytes.
    public var headSize = 0
    /// Whether the request's body is longer than allowed.
    public var isTooLong = false
    /// Whether a header on which the decision depends came twice: Host, Origin, Cookie or Authorization.
    public var isAmbiguous = false

    public init(method: String, path: String, host: String?) {
        self.method = method
        self.path = path
        self.host = host
    }

    /// The value of the session cookie.
    var session: String? {
        cookie?.split(separator: ";").lazy
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix("\(PageGate.cookieName)=") }
            .map { String($0.dropFirst(PageGate.cookieName.count + 1)) }
    }
}

/// The resource that a request asks for.
public enum PageRoute: Sendable, Equatable {
    /// A file of the page, by its name; it contains nothing about the board.
    case asset(String)
    case events, track, energyHistory
    /// The names of places near some points, from the installed tables.
    case near
    case tile(zoom: Int, column: Int, row: Int)
    case session, answer, services
    /// The requests to set the anchor watch and to get a single position; both can wake the receiver.
    case anchor, locate
    /// A one-time code, which opens a session; only a request that shows the secret gets one.
    case code
    /// The daemon's counters, for a metrics scraper.
    case metrics

    /// Whether the request changes something, and so must be a POST.
    var isChange: Bool {
        switch self {
        case .session, .code, .answer, .services, .anchor, .locate: true
        case .asset, .events, .track, .energyHistory, .near, .tile, .metrics: false
        }
    }

    /// Whether this resource exists only in the version of the page for operators.
    public var isOperators: Bool {
        switch self {
        case .answer, .services, .anchor, .locate, .track: true
        case .asset, .events, .energyHistory, .near, .tile, .session, .code, .metrics: false
        }
    }

    init?(path: String, assets: Set<String>) {
        switch path {
        case "/": self = .asset("index.html")
        case "/events": self = .events
        case "/track": self = .track
        case "/energyHistory": self = .energyHistory
        case "/near": self = .near
        case "/session": self = .session
        case "/code": self = .code
        case "/answer": self = .answer
        case "/services": self = .services
        case "/anchor": self = .anchor
        case "/locate": self = .locate
        case "/metrics": self = .metrics
        default:
            if let tile = PageRoute.tile(path) {
                self = tile
            } else if assets.contains(String(path.dropFirst())) {
                self = .asset(String(path.dropFirst()))
            } else {
                return nil
            }
        }
    }

    /// Parses `/tiles/Z/X/Y`, with Y counted from the north; nil if the zoom level has no such tile.
    private static func tile(_ path: String) -> PageRoute? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "tiles",
            let zoom = number(parts[2]), let column = number(parts[3]), let row = number(parts[4]),
            zoom <= 24, column < 1 << zoom, row < 1 << zoom
        else { return nil }
        return .tile(zoom: zoom, column: column, row: row)
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}

/// Why a request is refused: an HTTP status, and a sentence that says what to do.
public struct Refusal: Error, Sendable, Equatable {
    public var status: UInt32
    public var sentence: String

    public init(_ status: UInt32, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }
}
