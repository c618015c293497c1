/// Decides whether a request is served, from its head (request line and headers) alone.
///
/// A request over loopback is not trusted: every user of the board can reach a TCP port, and every web page in a
/// viewer's browser can send requests to it. So a host name that is not the page's own is refused (against DNS
/// rebinding), a request that changes something must come from the page itself (its origin, as JSON), and everything
/// about the board needs a session. Source: Fetch Standard, sections 3.2 and 4.10; Fetch Metadata Request Headers,
/// section 2.1.
public struct PageGate: Sendable {
    static let cookieName = "sextant"
    /// The largest size of a request's head (request line and headers) in bytes.
    public static let headLimit = 8192

    /// The host names under which the page can be requested, with their ports.
    private let hosts: Set<String>
    /// The addresses and names under which other machines reach the page; a name has no port if the owner gave none.
    let outside: [String]
    private let assets: Set<String>
    private let secret: PageSecret
    /// The secret of metrics scrapers, which opens only the metrics; nil if the owner has set none.
    private let metricsSecret: PageSecret?

    /// - Parameters:
    ///   - ports: The TCP ports that are listened on.
    ///   - addresses: The addresses that are listened on, with their ports; they are numeric, so no foreign host name
    ///     can stand for them.
    ///   - names: Further host names from the configuration. A name without a port is valid without a port and with
    ///     each port that is listened on.
    public init(
        ports: [UInt16], addresses: [String] = [], names: [String], assets: Set<String>, secret: PageSecret,
        metricsSecret: PageSecret? = nil
    ) {
        let reached = addresses.filter { address in
            !["127.", "[::1]", "0.0.0.0:", "[::]"].contains { address.hasPrefix($0) }
        }
        outside = reached + names
        var hosts = Set(reached)
        for port in ports {
            for name in ["127.0.0.1", "[::1]", "localhost"] { hosts.insert("\(name):\(port)") }
        }
        for name in names.map({ $0.lowercased() }) {
            hosts.insert(name)
            if !PageGate.hasPort(name) { for port in ports { hosts.insert("\(name):\(port)") } }
        }
        self.hosts = hosts
        self.assets = assets
        self.secret = secret
        self.metricsSecret = metricsSecret
    }

    private static func hasPort(_ name: String) -> Bool {
        guard let colon = name.lastIndex(of: ":") else { return false }
        return !name[colon...].utf8.contains(UInt8(ascii: "]"))
    }

    /// Checks a request and returns its route; throws if it must be refused.
    ///
    /// - Parameter seconds: The seconds since boot.
    public func route(_ request: PageRequest, at seconds: Int64) throws(Refusal) -> PageRoute {
        guard request.headSize <= PageGate.headLimit else {
            throw Refusal(431, "The request's head is longer than \(PageGate.headLimit) bytes.")
        }
        guard !request.isAmbiguous else { throw Refusal(400, "A header was sent twice.") }
        guard let host = request.host?.lowercased(), hosts.contains(host) else {
            throw Refusal(
                421,
                "This page has another name. Open it by the address that \"sextant page\" prints; a name of your "
                    + "own goes to hosts in /etc/sextant/page.json5.")
        }
        guard let route = PageRoute(path: request.path, assets: assets) else {
            throw Refusal(404, "There is nothing of this name.")
        }
        if route.isChange {
            try checkChange(request, host: host)
        } else if request.method != "GET" && request.method != "HEAD" {
            throw Refusal(405, "This is asked for by GET only.")
        }
        try checkSession(request, route, at: seconds)
        guard !request.isTooLong else { throw Refusal(413, "The request's body is longer than 64 KiB.") }
        return route
    }

    private func checkChange(_ request: PageRequest, host: String) throws(Refusal) {
        guard request.method == "POST" else { throw Refusal(403, "This is asked for by POST only.") }
        let origin = request.origin?.lowercased()
        guard origin == "http://\(host)" || origin == "https://\(host)",
            request.fetchSite == nil || request.fetchSite == "same-origin"
        else { throw Refusal(403, "Only the page itself may change something.") }
        let type = request.contentType?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json" else { throw Refusal(403, "A change is sent as application/json.") }
    }

    private func checkSession(_ request: PageRequest, _ route: PageRoute, at seconds: Int64) throws(Refusal) {
        switch route {
        case .asset, .session, .code: return
        case .metrics: try checkScraper(request)
        case .events, .track, .energyHistory, .near, .tile, .answer, .services, .anchor, .locate:
            guard let session = request.session, secret.accepts(session, at: seconds) else {
                throw Refusal(403, "No session. Open the page by the address that \"sextant page\" prints.")
            }
        }
    }

    /// Checks the secret that a metrics scraper sends, which opens nothing but the metrics; a viewer's session does not
    /// open them.
    ///
    /// Source: RFC 6750, section 2.1.
    private func checkScraper(_ request: PageRequest) throws(Refusal) {
        guard let metricsSecret else {
            throw Refusal(404, "The metrics are off here. \"sudo sextant page --new-metrics-secret\" switches them on.")
        }
        let words = request.authorization?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer", metricsSecret.matches(String(words[1])) else {
            throw Refusal(
                403, "The metrics want \"Authorization: Bearer\" and the secret in /etc/sextant/metrics.secret.")
        }
    }

    /// The headers of every answer.
    public static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// The value of the header that gives the browser a session cookie.
    static func cookie(_ token: String) -> String {
        "\(cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(PageSecret.sessionSeconds)"
    }
}
