import Testing

@testable import Page

@Suite("The page's gate")
struct PageGateTests {
    static let secret = PageSecret(text: "0123456789abcdef0123456789ABCDEF\n", boot: "boot-1")
    static let hosts = ["board.lan", "page.example:8080"]

    let secret: PageSecret
    let gate: PageGate

    init() throws {
        secret = try #require(PageGateTests.secret)
        gate = PageGate(
            ports: [8947], names: PageGateTests.hosts, assets: ["index.html", "app.js"], secret: secret)
    }

    /// A request with a session that nothing is wrong with.
    private func request(_ method: String, _ path: String, host: String = "127.0.0.1:8947") -> PageRequest {
        var request = PageRequest(method: method, path: path, host: host)
        request.cookie = "other=1; sextant=\(secret.token(at: 100))"
        if method == "POST" {
            request.origin = "http://\(host)"
            request.contentType = "application/json; charset=utf-8"
            request.fetchSite = "same-origin"
        }
        return request
    }

    private func status(_ request: PageRequest) -> UInt32? {
        do throws(Refusal) {
            _ = try gate.route(request, at: 200)
            return nil
        } catch {
            #expect(error.sentence.hasSuffix(".") && error.sentence.count > 15)
            return error.status
        }
    }

    @Test(arguments: [
        "127.0.0.1:8947", "[::1]:8947", "LOCALHOST:8947", "board.lan", "board.lan:8947", "page.example:8080",
    ])
    func `a request under a name of the page is served`(host: String) throws {
        #expect(try gate.route(request("GET", "/events", host: host), at: 200) == .events)
        #expect(try gate.route(request("POST", "/answer", host: host), at: 200) == .answer)
    }

    @Test func `a page that listens on an address may be asked for by it, and tells it to whoever asks from elsewhere`()
        throws
    {
        let listened = ["127.0.0.1:8947", "[::1]:8947", "0.0.0.0:8947", "192.0.2.7:8947", "[2001:db8::7]:8947"]
        let shared = PageGate(ports: [8947], addresses: listened, names: ["board.lan"], assets: [], secret: secret)
        #expect(shared.outside == ["192.0.2.7:8947", "[2001:db8::7]:8947", "board.lan"])
        for host in ["192.0.2.7:8947", "[2001:DB8::7]:8947"] {
            #expect(try shared.route(request("GET", "/events", host: host), at: 200) == .events)
            #expect(try shared.route(request("POST", "/code", host: host), at: 200) == .code)
        }
        for host in ["0.0.0.0:8947", "192.0.2.8:8947"] {
            #expect(throws: Refusal.self) { try shared.route(request("GET", "/events", host: host), at: 200) }
        }
    }

    @Test func `a code opens one session, for ten minutes, and of seventeen the oldest is forgotten`() {
        var codes = OneTimeCodes()
        let first = codes.issue(at: 100)
        #expect(first.utf8.count == 32)
        #expect(codes.remaining(at: 100) == 600)
        let tries = ["", String(first.dropLast()), first, first].map { codes.take($0, at: 699) }
        #expect(tries == [false, false, true, false])
        #expect(codes.remaining(at: 699) == 0)

        let late = codes.issue(at: 1000)
        let isTaken = codes.take(late, at: 1600)
        #expect(!isTaken)

        let many = (0..<17).map { _ in codes.issue(at: 2000) }
        #expect(Set(many).count == 17)
        let taken = many.map { codes.take($0, at: 2001) }
        #expect(taken == [false] + Array(repeating: true, count: 16))
    }

    @Test(arguments: [
        "evil.test", "evil.test:8947", "127.0.0.1", "127.0.0.1:80", "localhost.evil.test:8947", "page.example", "", " ",
        "127.0.0.1:8947.evil.test",
    ])
    func `PAGE-11 a request under another name gets 421, the page's own files too`(host: String) {
        #expect(status(request("GET", "/events", host: host)) == 421)
        #expect(status(request("GET", "/", host: host)) == 421)
        #expect(status(request("POST", "/session", host: host)) == 421)
    }

    @Test func `PAGE-11 without a session only the page's files are served, and everything else gets 403`() {
        for path in ["/events", "/track", "/energyHistory", "/near", "/tiles/1/0/0"] {
            var bare = request("GET", path)
            bare.cookie = nil
            #expect(status(bare) == 403)
        }
        for path in ["/answer", "/services", "/anchor", "/locate"] {
            var bare = request("POST", path)
            bare.cookie = "sextant=100.00"
            #expect(status(bare) == 403)
        }
        var file = request("GET", "/app.js")
        file.cookie = nil
        #expect(status(file) == nil)
    }

    @Test func `PAGE-11 a change from another origin gets 403, with a stolen session too`() {
        for origin in [nil, "null", "http://evil.test", "http://127.0.0.1:80", "http://board.lan"] as [String?] {
            var foreign = request("POST", "/answer")
            foreign.origin = origin
            #expect(status(foreign) == 403)
        }
        for site in ["cross-site", "same-site", "none"] {
            var foreign = request("POST", "/services")
            foreign.fetchSite = site
            #expect(status(foreign) == 403)
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx",
    ])
    func `PAGE-11 a change that a form can send gets 403`(type: String) {
        var form = request("POST", "/answer")
        form.contentType = type
        #expect(status(form) == 403)
    }

    @Test(arguments: ["/answer", "/services", "/session", "/anchor", "/locate"])
    func `PAGE-11 GET on a path that changes something gets 403`(path: String) {
        #expect(status(request("GET", path)) == 403)
        #expect(status(request("HEAD", path)) == 403)
    }

    @Test(arguments: [
        "/nothing", "/../etc/passwd", "/app.js/", "//app.js", "/tiles/25/0/0", "/tiles/1/2/0", "/tiles/1/0/-1",
        "/tiles/1/0/0/0", "/tiles/1/0/0x1", "/tiles/99999999999/0/0",
    ])
    func `a path that is not there gets 404`(path: String) {
        #expect(status(request("GET", path)) == 404)
    }

    @Test func `what is too long or ambiguous is refused`() {
        var long = request("GET", "/")
        long.headSize = 8193
        #expect(status(long) == 431)
        var twice = request("GET", "/events")
        twice.isAmbiguous = true
        #expect(status(twice) == 400)
        var body = request("POST", "/answer")
        body.isTooLong = true
        #expect(status(body) == 413)
        #expect(status(request("DELETE", "/events")) == 405)
    }

    @Test func `PAGE-12 the policy allows nothing from elsewhere and nothing inline`() throws {
        let policy = try #require(PageGate.headers.first { $0.0 == "Content-Security-Policy" }?.1)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("data:"))
    }
}

@Suite("The page's secret")
struct PageSecretTests {
    @Test func `SHA-256 gives the digests of FIPS 180-4's examples`() {
        func digest(_ text: String) -> String {
            SHA256.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test func `HMAC gives the digest of RFC 4231's second example`() {
        let result = SHA256.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        let text = result.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(text == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `a secret is 32 hexadecimal digits, in either case, and nothing else`() throws {
        let secret = try #require(PageGateTests.secret)
        #expect(secret.matches("0123456789abcdef0123456789abcdef"))
        #expect(!secret.matches("0123456789abcdef0123456789abcdee"))
        #expect(!secret.matches("") && !secret.matches("0123456789abcdef0123456789abcdef0"))
        for text in ["", "0123", "0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef00"] {
            #expect(PageSecret(text: text, boot: "boot-1") == nil)
        }
    }

    @Test func `a session holds for 12 hours, in this boot and under this secret alone`() throws {
        let secret = try #require(PageGateTests.secret)
        let token = secret.token(at: 1000)
        #expect(secret.accepts(token, at: 1000))
        #expect(secret.accepts(token, at: 1000 + 12 * 3600 - 1))
        #expect(!secret.accepts(token, at: 1000 + 12 * 3600))
        #expect(!secret.accepts(token, at: 999))
        let later = try #require(PageSecret(text: "0123456789abcdef0123456789abcdef", boot: "boot-2"))
        #expect(!later.accepts(token, at: 1000))
        let other = try #require(PageSecret(text: "1123456789abcdef0123456789abcdef", boot: "boot-1"))
        #expect(!other.accepts(token, at: 1000))
    }

    @Test(arguments: ["", ".", "1000", "1000.", "-1.x", "99999999999999999999999.x", "1000.x.y", "1e3.abc"])
    func `a token that was made up is refused`(token: String) throws {
        #expect(try !#require(PageGateTests.secret).accepts(token, at: 2000))
    }
}
