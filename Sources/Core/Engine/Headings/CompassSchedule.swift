internal import SextantUnits

/// Decides when the compass is looked for, and when each sample is taken.
///
/// While no client wants headings, nothing is due: no timer runs, and the chips sleep. After the first failed sample
/// the chips are looked for and configured again at once. After further failures they are looked for after 1 s, then
/// after twice as long each time, 10 minutes at most; a new client that wants headings restarts this sequence.
struct CompassSchedule: Sendable, Equatable {
    enum Order: Sendable, Equatable {
        case find
        case sample
    }

    private enum Phase: Sendable, Equatable {
        /// The board has no compass.
        case none
        case looking(since: MonotonicInstant)
        case missing(until: MonotonicInstant)
        case ready(due: MonotonicInstant)
        case sampling(since: MonotonicInstant, next: MonotonicInstant)
    }

    private var phase = Phase.none
    /// Whether the compass works; false from a failure until the next good sample.
    private var isSound = true
    /// Nanoseconds from the next failure until the compass is looked for again.
    private var pause = CompassSchedule.firstPause
    /// Nanoseconds from sample to sample; nil while no client wants headings.
    private(set) var period: Int64?

    /// The most nanoseconds that an order to the compass can take; after that the bus counts as hung.
    static let orderNanoseconds: Int64 = 5_000_000_000
    private static let firstPause: Int64 = 1_000_000_000
    private static let longestPause: Int64 = 600_000_000_000

    /// Begins to wait for the result of the first search for the compass; called only on a board with a compass.
    mutating func begin(at instant: MonotonicInstant) { phase = .looking(since: instant) }

    /// Sets how often samples are wanted, in nanoseconds from one to the next; a faster rate makes a sample due at
    /// once.
    mutating func want(every period: Int64?, at instant: MonotonicInstant) {
        guard period != self.period else { return }
        let wasFaster = self.period.map { old in period.map { $0 >= old } ?? true } ?? false
        self.period = period
        guard !wasFaster else { return }
        if case .ready(let due) = phase { phase = .ready(due: min(due, instant)) }
        if case .sampling(let since, let next) = phase { phase = .sampling(since: since, next: min(next, instant)) }
    }

    /// Makes a sample due at once, for a new client; missing chips are looked for at once, and the pauses between
    /// searches start again from 1 s.
    mutating func hurry(at instant: MonotonicInstant) {
        if case .ready(let due) = phase { phase = .ready(due: min(due, instant)) }
        guard case .missing(let until) = phase else { return }
        phase = .missing(until: min(until, instant))
        pause = CompassSchedule.firstPause
    }

    mutating func found(at instant: MonotonicInstant) { phase = .ready(due: instant) }

    mutating func sampled(at instant: MonotonicInstant) {
        isSound = true
        pause = CompassSchedule.firstPause
        switch phase {
        case .sampling(_, let next): phase = .ready(due: next)
        case .looking, .missing: phase = .ready(due: instant)
        case .none, .ready: break
        }
    }

    /// Notes that the compass was not found, or that a sample failed.
    ///
    /// - Returns: Whether the failure must be reported; the first failure after a good sample need not be.
    mutating func failed(at instant: MonotonicInstant) -> Bool {
        guard phase != .none else { return false }
        defer { isSound = false }
        if isSound, case .sampling = phase {
            phase = .missing(until: instant)
            return false
        }
        phase = .missing(until: instant.advanced(byNanoseconds: pause))
        pause = min(2 * pause, CompassSchedule.longestPause)
        return true
    }

    /// Whether an order to the compass has been unanswered for so long that it counts as failed.
    func isHung(at instant: MonotonicInstant) -> Bool {
        switch phase {
        case .looking(let since), .sampling(let since, _):
            instant.nanoseconds(since: since) >= CompassSchedule.orderNanoseconds
        case .none, .missing, .ready: false
        }
    }

    /// The next instant at which the compass needs an order or counts as hung; nil while no client wants headings.
    var deadline: MonotonicInstant? {
        guard period != nil else { return nil }
        switch phase {
        case .none: return nil
        case .looking(let since), .sampling(let since, _):
            return since.advanced(byNanoseconds: CompassSchedule.orderNanoseconds)
        case .missing(let until): return until
        case .ready(let due): return due
        }
    }

    /// The order to the compass that is due now; nil for none.
    ///
    /// - Parameter isOccasion: Whether a missing compass is looked for although no client wants headings, because a
    ///   client has just connected and may soon want them.
    mutating func advance(to instant: MonotonicInstant, isOccasion: Bool = false) -> Order? {
        switch phase {
        case .missing(let until) where until <= instant && (period != nil || isOccasion):
            phase = .looking(since: instant)
            return .find
        case .ready(let due) where due <= instant:
            guard let period else { return nil }
            let next = due.advanced(byNanoseconds: period)
            phase = .sampling(since: instant, next: next > instant ? next : instant.advanced(byNanoseconds: period))
            return .sample
        case .none, .looking, .missing, .ready, .sampling: return nil
        }
    }
}
