internal import CCurl
internal import CSextantLinux
internal import Glibc
internal import SextantPlaces
internal import SextantReactor
internal import SextantUnits

enum ServerOutcome {
    case answered(status: Int, retryAfter: Double?, body: [UInt8])
    /// The server was not reached, or gave no complete answer; the text is libcurl's.
    case failed(String)
    /// The answer was longer than `ServerAnswer.maximumBytes`.
    case tooLong
}

/// A geocoding server that answers one request at a time.
protocol NameServer: AnyObject {
    /// Requests a URL, and calls `ended` exactly once; if the request cannot be started, it calls `ended` at once.
    func ask(_ address: String, seconds: Double, _ ended: @escaping (ServerOutcome) -> Void)
}

/// The connection to the geocoding server, used on the reactor's thread.
///
/// A class, because the reactor calls it.
@safe final class ServerConnection: NameServer {
    private let client: OpaquePointer
    private let descriptor: Descriptor
    private let reactor: Reactor
    private var registration: Registration?
    private var alarm: Alarm?
    private var ended: ((ServerOutcome) -> Void)?

    /// - Parameter authority: A file of certificates to trust instead of the system's.
    init(agent: String, authority: String?, allowsPlain: Bool, reactor: Reactor) throws(SystemError) {
        self.reactor = reactor
        unsafe client = try ServerConnection.start(agent, authority, allowsPlain)
        let number = unsafe ccurl_descriptor(client)
        descriptor = Descriptor(
            adopting: try SystemError.check(clinux_duplicate(number), "duplicate the epoll descriptor"))
        alarm = try Alarm(in: reactor) { [unowned self] in run() }
        registration = try reactor.register(descriptor, for: .read) { [unowned self] _ in run() }
    }

    private static func start(
        _ agent: String, _ authority: String?, _ allowsPlain: Bool
    ) throws(SystemError) -> OpaquePointer {
        // Safety: the texts live for the call, which copies them.
        let client = unsafe agent.withCString { agent in
            func start(_ authority: UnsafePointer<CChar>?) -> OpaquePointer? {
                let options = unsafe ccurl_options(
                    agent: agent, authority: authority, allows_plain: allowsPlain,
                    body: ServerAnswer.maximumBytes, connect_milliseconds: ServerConnection.connectMilliseconds)
                return unsafe ccurl_start(options)
            }
            guard let authority else { return unsafe start(nil) }
            return unsafe authority.withCString { unsafe start($0) }
        }
        guard let client = unsafe client else { throw SystemError("curl_easy_init", errno: ENOMEM) }
        return unsafe client
    }

    deinit {
        if let registration { reactor.remove(registration) }
        // Safety: the client was made in `init`, and only this object uses it.
        unsafe ccurl_stop(client)
    }

    private static let connectMilliseconds = 5000

    func ask(_ address: String, seconds: Double, _ ended: @escaping (ServerOutcome) -> Void) {
        // Safety: the text lives for the call, which copies it.
        guard unsafe ccurl_begin(client, address, Int(max(1, seconds * 1000))) else {
            return ended(.failed("libcurl refuses the request"))
        }
        self.ended = ended
        setAlarm()
    }

    private func run() {
        // Safety: the client lives as long as this object.
        unsafe ccurl_run(client)
        var answer = unsafe ccurl_answer()
        let hasEnded = unsafe ccurl_take(client, &answer)
        setAlarm()
        guard hasEnded, let ended else { return }
        self.ended = nil
        ended(unsafe ServerConnection.outcome(answer))
    }

    private static func outcome(_ answer: ccurl_answer) -> ServerOutcome {
        // 23 is CURLE_WRITE_ERROR: the answer had more bytes than allowed.
        if unsafe answer.code == 23 { return .tooLong }
        guard unsafe answer.code == 0 else {
            // Safety: libcurl returns a constant, zero-terminated text and never NULL.
            return .failed(unsafe String(cString: ccurl_text(answer.code)))
        }
        // Safety: the body has `body_count` bytes until the client's next request, and is copied here.
        let body = unsafe Array(UnsafeBufferPointer(start: answer.body, count: answer.body_count))
        let retryAfter = unsafe answer.retry_after > 0 ? Double(answer.retry_after) : nil
        return .answered(status: Int(unsafe answer.status), retryAfter: retryAfter, body: body)
    }

    private func setAlarm() {
        let timeout = unsafe ccurl_timeout(client)
        guard timeout >= 0 else { return }
        alarm?.set(at: Clock.now().advanced(byNanoseconds: timeout * 1_000_000))
    }
}
