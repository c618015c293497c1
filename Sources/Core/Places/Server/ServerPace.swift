public import SextantUnits

/// When the server may be asked next: one rate for the whole board, and pauses where the server asks for them.
public struct ServerPace: Sendable, Equatable {
    /// Nanoseconds between two requests at least.
    public let interval: Int64
    /// The instant from which the next request may go.
    public private(set) var next: MonotonicInstant
    /// The instant until which the server wants to be left alone; nil where it has not said so.
    public private(set) var pausedUntil: MonotonicInstant?
    /// How many times in a row the server asked for a pause.
    public private(set) var refusals: Int
    /// How many times in a row the server was not reached.
    public private(set) var failures: Int
    /// Whether the server has refused this board: nothing is sent until the configuration is another one.
    public private(set) var isForbidden: Bool

    /// Seconds of the first pause whose length the server does not say; the next is twice as long.
    public static let firstPause = 60.0
    /// Seconds of the longest pause whose length the server does not say.
    public static let longestPause = 3600.0
    /// Seconds of the longest pause that a server may ask for.
    public static let longestAskedPause = 86_400.0

    /// Seconds of the first pause after a server was not reached; the next is twice as long.
    public static let firstFailurePause = 10.0
    /// Seconds of the longest pause after a server was not reached.
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

    /// Whether the server wants no request at an instant.
    public func isPaused(at now: MonotonicInstant) -> Bool { isForbidden || pausedUntil.map { now < $0 } ?? false }

    /// A request goes now.
    public mutating func sent(at now: MonotonicInstant) { next = now.advanced(byNanoseconds: interval) }

    /// A request has ended: the server may have seen it late, so that the interval counts from here.
    public mutating func ended(at now: MonotonicInstant) { next = max(next, now.advanced(byNanoseconds: interval)) }

    /// The server was not reached, or was silent.
    public mutating func failed(at now: MonotonicInstant) {
        let seconds = ServerPace.firstFailurePause * Double(1 << min(failures, 10))
        failures += 1
        pausedUntil = now.advanced(bySeconds: min(seconds, ServerPace.longestFailurePause))
    }

    /// The server answered with a status of HTTP.
    ///
    /// - Parameter retryAfter: Seconds for which it wants no request; nil where it does not say.
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

/// How many lookups each client may send to the server: so many in any 60 s.
///
/// A token that was taken comes back after the period, so that no period of that length has more lookups than tokens.
public struct LookupTokens: Sendable, Equatable {
    public let perClient: Int
    /// When each client took its tokens, the oldest first.
    private var taken: [String: [MonotonicInstant]] = [:]

    /// Nanoseconds after which a token comes back.
    public static let period: Int64 = 60_000_000_000
    /// The most clients that are counted, so that no stranger fills the memory.
    public static let maximumClients = 256

    public init(perClient: Int) { self.perClient = perClient }

    /// Takes a token; otherwise says in how many nanoseconds there is one.
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

    /// Gives back what is older than the period.
    private mutating func forget(at now: MonotonicInstant) {
        taken = taken.compactMapValues { instants in
            let rest = instants.drop { now.nanoseconds(since: $0) >= LookupTokens.period }
            return rest.isEmpty ? nil : Array(rest)
        }
    }
}
