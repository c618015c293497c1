internal import Units

/// When the compass is looked for, and when each sample is asked for.
///
/// While nobody wants headings nothing is due: no timer runs, and the chips sleep. A sample that fails has the chips
/// looked for and configured again at once; what fails on is looked for after 1 s, then twice as long each time, 10
/// minutes at most, and from the beginning where somebody more wants headings.
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
    /// Whether nothing failed since the last sample that came.
    private var isSound = true
    /// Nanoseconds from the next failure on until it is looked for again.
    private var pause = CompassSchedule.firstPause
    /// Nanoseconds from sample to sample; nil while nobody wants any.
    private(set) var period: Int64?

    /// Nanoseconds that a worker may take to answer, before it counts as hung.
    static let patience: Int64 = 5_000_000_000
    private static let firstPause: Int64 = 1_000_000_000
    private static let longestPause: Int64 = 600_000_000_000

    /// The board has a compass: it is looked for.
    mutating func begin(at instant: MonotonicInstant) { phase = .looking(since: instant) }

    /// How often samples are wanted now; where that begins, one is due at once.
    mutating func want(every period: Int64?, at instant: MonotonicInstant) {
        guard period != self.period else { return }
        let wasFaster = self.period.map { old in period.map { $0 >= old } ?? true } ?? false
        self.period = period
        guard !wasFaster else { return }
        if case .ready(let due) = phase { phase = .ready(due: min(due, instant)) }
        if case .sampling(let since, let next) = phase { phase = .sampling(since: since, next: min(next, instant)) }
    }

    /// A sample is wanted out of turn, by somebody who has none yet; chips that are missing are looked for at once, as
    /// if they had just gone.
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

    /// What was asked for failed.
    ///
    /// - Returns: Whether it is a trouble: not the first failure after a sample.
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

    /// Whether it has not answered for so long that it counts as failed.
    func isHung(at instant: MonotonicInstant) -> Bool {
        switch phase {
        case .looking(let since), .sampling(let since, _):
            instant.nanoseconds(since: since) >= CompassSchedule.patience
        case .none, .missing, .ready: false
        }
    }

    /// When time alone changes something.
    var deadline: MonotonicInstant? {
        guard period != nil else { return nil }
        switch phase {
        case .none: return nil
        case .looking(let since), .sampling(let since, _):
            return since.advanced(byNanoseconds: CompassSchedule.patience)
        case .missing(let until): return until
        case .ready(let due): return due
        }
    }

    /// What is to be done now; nil for nothing.
    ///
    /// - Parameter isOccasion: Whether it may be looked for although nobody wants headings: somebody came who may.
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
