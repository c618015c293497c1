internal import CSextantLinux
internal import Glibc
internal import SextantJSON
internal import SextantReactor
internal import SextantSockets

/// Asks the web page's server on this board for addresses that each open the page once.
struct PageClient {
    /// The numeric IP address at which the page's server listens.
    var address: String
    var port: UInt16
    var secret: String
    /// The user IDs as which the server must run to get the secret: any user could listen on the port while the page's
    /// server does not.
    var owners: Set<UInt32>

    init(address: String, port: UInt16, file: PageSecretFile) throws(CommandFailure) {
        (self.address, self.port, secret) = (address, port, try file.read())
        owners = [0, geteuid(), try file.owner()]
    }

    /// What the page's server answers.
    ///
    /// The answer has a code, which a browser exchanges once for a session, and the host names and addresses, with
    /// their port, under which other machines reach the page.
    struct Answer {
        var code: String
        var names: [String]
    }

    /// The URL of the page under a host name, with a code that was not used before.
    func url(under name: String) throws(CommandFailure) -> String {
        PageClient.url(under: name, code: try ask().code)
    }

    static func url(under name: String, code: String) -> String { "http://\(name)/#c=\(code)" }

    func ask() throws(CommandFailure) -> Answer {
        let name = NetworkAddress.withPort(address, port)
        let body = JSONValue.object(["secret": .string(secret)]).text
        let reply = try exchange(
            "POST /code HTTP/1.1\r\nHost: \(name)\r\nOrigin: http://\(name)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        guard !reply.isEmpty else {
            throw .unavailable("\(name): what answers there ends at once; see journalctl -u sextant-page")
        }
        guard let members = PageClient.members(of: reply) else {
            throw .unavailable(
                "\(name): another program than sextant-page answers; say which port is the page's: --port")
        }
        guard let code = members.text("code"), members.array("names") != nil else {
            if let problem = members.text("error") { throw .unavailable("the page refuses: \(problem)") }
            throw .unavailable(
                "\(name): another release of sextant-page runs; sudo systemctl stop sextant-page.service")
        }
        return Answer(code: code, names: members.texts("names"))
    }

    /// The JSON object in the body of an HTTP response.
    private static func members(of reply: [UInt8]) -> JSONMembers? {
        let text = String(decoding: reply, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}")
        else { return nil }
        return JSONMembers(parsing: Array(text[start...end].utf8))
    }

    /// Sends a request and returns the whole HTTP response, of at most 64 KiB.
    private func exchange(_ request: String) throws(CommandFailure) -> [UInt8] {
        // Safety: the C string lives for the call.
        let number = unsafe clinux_tcp_connect(address, port, 20)
        guard number >= 0 else {
            throw .unavailable(
                "the page is off; switch it on: sudo systemctl enable --now sextant-page.socket, or for other machines "
                    + "too: sudo sextant page --share (both of the package sextant-page)")
        }
        let connection = Descriptor(adopting: number)
        let listeners = TCPPeer.listeners(at: connection)
        guard !listeners.isEmpty, listeners.isSubset(of: owners) else {
            throw .unavailable(
                "\(NetworkAddress.withPort(address, port)): a program of another user listens there, and was not shown the "
                    + "page's secret; see sudo ss -ltnp")
        }
        var reply: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        guard case .bytes = connection.write(Array(request.utf8).span) else { return [] }
        while reply.count < 65_536, case .bytes(let count) = connection.read(into: &piece), count > 0 {
            reply += piece.prefix(count)
        }
        return reply
    }
}
