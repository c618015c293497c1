public import SextantUnits

/// Decides when the server can be asked next: one rate for the whole board, and pauses after refusals and failures.
public struct ServerPace: Sendable, Equatable {
    /// The shortest time between two requests, in nanoseconds.
    public let interval: Int64
    /// The earliest instant of the next request.
    public private(set) var next: MonotonicInstant
    /// The instant until which requests are paused; nil where there is no pause.
    public private(set) var pausedUntil: MonotonicInstant?
    /// How many times in a row the server asked for a pause.
    public private(set) var refusals: Int
    /// How many times in a row the server was not reached.
    public private(set) var failures: Int
    /// Whether the server has refused this board (HTTP 403): nothing is sent until the configuration changes.
    public private(set) var isForbidden: Bool

    /// The first pause, in seconds, if the server gives no length; each further pause is twice as long.
    public static let firstPause = 60.0
    /// The longest pause, in seconds, if the server gives no length.
    public static let longestPause = 3600.0
    /// The longest pause, in seconds, that a server can ask for.
    public static let longestAskedPause = 86_400.0

    /// The first pause, in seconds, after the server was not reached; each further pause is twice as long.
    public static let firstFailurePause = 10.0
    /// The longest pause, in seconds, after the server was not reached.
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

    /// Whether no request is allowed at an instant.
    public func isPaused(at now: MonotonicInstant) -> Bool { isForbidden || pausedUntil.map { now < $0 } ?? false }

    /// Notes that a request is sent now.
    public mutating func sent(at now: MonotonicInstant) { next = now.advanced(byNanoseconds: interval) }

    /// Notes that a request has ended; the interval counts from now, because the server can have received the request
    /// late.
    public mutating func ended(at now: MonotonicInstant) { next = max(next, now.advanced(byNanoseconds: interval)) }

    /// Notes that the server was not reached, or did not answer.
    public mutating func failed(at now: MonotonicInstant) {
        let seconds = ServerPace.firstFailurePause * Double(1 << min(failures, 10))
        failures += 1
        pausedUntil = now.advanced(bySeconds: min(seconds, ServerPace.longestFailurePause))
    }

    /// Notes that the server answered with an HTTP status.
    ///
    /// - Parameter retryAfter: The pause in seconds that the server asks for; nil where it asks for none.
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

/// Limits the number of lookups that each client can send to the server in any 60 s.
///
/// A token that a lookup takes comes back after the period, so no such period has more lookups than tokens.
public struct LookupTokens: Sendable, Equatable {
    public let perClient: Int
    /// When each client took its tokens, the oldest first.
    private var taken: [String: [MonotonicInstant]] = [:]

    /// Nanoseconds after which a token comes back.
    public static let period: Int64 = 60_000_000_000
    /// The largest number of clients that are counted; it bounds the memory that unknown clients can take.
    public static let maximumClients = 256

    public init(perClient: Int) { self.perClient = perClient }

    /// Takes a token; if there is none, returns the time in nanoseconds until the next one.
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

    /// There is no token for now.
    public struct Shortage: Error, Sendable, Equatable {
        public var nanoseconds: Int64
    }

    /// Gives the tokens back that were taken longer ago than the period.
    private mutating func forget(at now: MonotonicInstant) {
        taken = taken.compactMapValues { instants in
            let rest = instants.drop { now.nanoseconds(since: $0) >= LookupTokens.period }
            return rest.isEmpty ? nil : Array(rest)
        }
    }
}
