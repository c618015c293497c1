public import SextantUnits

/// Decides when the geocoding server can be asked again: one rate limits the whole board, and pauses follow refusals
/// and failures.
public struct ServerPace: Sendable, Equatable {
    /// The shortest allowed time between two requests, in nanoseconds.
    public let interval: Int64
    /// The earliest instant at which the next request can be sent.
    public private(set) var next: MonotonicInstant
    /// The instant until which requests are paused; nil if there is no pause.
    public private(set) var pausedUntil: MonotonicInstant?
    /// The number of consecutive answers in which the server asked for a pause.
    public private(set) var refusals: Int
    /// The number of consecutive requests for which the server was not reached.
    public private(set) var failures: Int
    /// Whether the server has refused this board (HTTP 403): nothing is sent until the configuration changes.
    public private(set) var isForbidden: Bool

    /// The seconds of the first pause after the server asked for one without giving its length; each further pause is
    /// twice as long.
    public static let firstPause = 60.0
    /// The largest number of seconds of a pause for which the server did not give the length.
    public static let longestPause = 3600.0
    /// The largest number of seconds of a pause whose length the server gave; a longer one is shortened to this.
    public static let longestAskedPause = 86_400.0

    /// The seconds of the first pause after the server was not reached; each further pause is twice as long.
    public static let firstFailurePause = 10.0
    /// The largest number of seconds of a pause after the server was not reached.
    public static let longestFailurePause = 300.0

    public init(
        interval: Int64, next: MonotonicInstant = .zero, pausedUntil: MonotonicInstant? = nil, refusals: Int = 0,
        failures: Int = 0, isForbidden: Bool = false
    ) {
        self.interval = interval
        self.next = next
        self.pausedUntil = pausedUntil
        self.refusals = refusals
        self.failures = failures
        self.isForbidden = isForbidden
    }

    /// Whether requests to the server are paused at an instant.
    public func isPaused(at now: MonotonicInstant) -> Bool { isForbidden || pausedUntil.map { now < $0 } ?? false }

    /// Must be called when a request is sent to the server.
    public mutating func sent(at now: MonotonicInstant) { next = now.advanced(byNanoseconds: interval) }

    /// Must be called when a request has ended; the interval to the next request is then measured from this instant,
    /// because the server may have received the request late.
    public mutating func ended(at now: MonotonicInstant) { next = max(next, now.advanced(byNanoseconds: interval)) }

    /// Must be called when the server was not reached, or did not answer.
    public mutating func failed(at now: MonotonicInstant) {
        let seconds = ServerPace.firstFailurePause * Double(1 << min(failures, 10))
        failures += 1
        pausedUntil = now.advanced(bySeconds: min(seconds, ServerPace.longestFailurePause))
    }

    /// Must be called when the server answered with an HTTP status.
    ///
    /// - Parameter retryAfter: The length in seconds of the pause that the server asks for; nil if it gives no length.
    public mutating func answered(status: Int, retryAfter: Double?, at now: MonotonicInstant) {
        failures = 0
        switch status {
        case 403: isForbidden = true
        case 429, 503:
            let seconds = retryAfter.map { min($0, ServerPace.longestAskedPause) } ?? unsaidPause
            refusals += 1
            pausedUntil = now.advanced(bySeconds: seconds)
        default:
            refusals = 0
            pausedUntil = nil
        }
    }

    private var unsaidPause: Double {
        min(ServerPace.firstPause * Double(1 << min(refusals, 10)), ServerPace.longestPause)
    }
}

/// Limits the number of lookups that each client can send to the server in any period of 60 s.
///
/// A lookup takes one of the client's tokens, which comes back after 60 s, so no such period has more lookups than the
/// client has tokens.
public struct LookupTokens: Sendable, Equatable {
    public let perClient: Int
    /// For each client, the instants at which it took tokens (one for each lookup), the oldest first.
    private var taken: [String: [MonotonicInstant]] = [:]

    /// Nanoseconds after which a token that a lookup took comes back.
    public static let period: Int64 = 60_000_000_000
    /// The largest number of clients whose lookups are counted, which bounds the memory; the lookups of further clients
    /// are refused.
    public static let maximumClients = 256

    public init(perClient: Int) { self.perClient = perClient }

    /// Takes one of a client's tokens for a lookup; if the client has none left, returns the nanoseconds until one
    /// comes back.
    public mutating func take(for client: String, at now: MonotonicInstant) -> Result<Void, Shortage> {
        forget(at: now)
        let used = taken[client] ?? []
        guard used.count < perClient else {
            let wait = used.first.map { LookupTokens.period - now.nanoseconds(since: $0) } ?? LookupTokens.period
            return .failure(Shortage(nanoseconds: wait))
        }
        guard taken[client] != nil || taken.count < LookupTokens.maximumClients else {
            return .failure(Shortage(nanoseconds: LookupTokens.period))
        }
        taken[client] = used + [now]
        return .success(())
    }

    /// The client has no token left for a lookup; `nanoseconds` is the time until one comes back.
    public struct Shortage: Error, Sendable, Equatable {
        public var nanoseconds: Int64
    }

    /// Gives tokens back to the clients that took them at least 60 s ago.
    private mutating func forget(at now: MonotonicInstant) {
        taken = taken.compactMapValues { instants in
            let rest = instants.drop { now.nanoseconds(since: $0) >= LookupTokens.period }
            return rest.isEmpty ? nil : Array(rest)
        }
    }
}
