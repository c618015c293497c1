internal import Receivers
internal import Units

/// What the receiver does, with what only that state knows.
enum PolicyState: Sendable, Equatable {
    case unreachable
    case asleep(Sleep)
    case searching(Search)
    case tracking(Tracking)
}

/// A sleep, planned to an end or not.
struct Sleep: Sendable, Equatable {
    var kind: SleepKind
    var since: MonotonicInstant
    /// Of the ephemeris when the sleep began, in seconds; nil where there was none.
    var ephemerisAge: Double?
    /// When the next search is planned; nil for never.
    var until: MonotonicInstant?
    /// Whether a search failed, and the next one waits for its turn.
    var isBackingOff: Bool
}

/// A search that goes on.
struct Search: Sendable, Equatable {
    var since: MonotonicInstant
    /// From when on its time counts: the start, or a later client's request.
    var budgetSince: MonotonicInstant
    /// From which sleep; nil for one that began while the receiver was on.
    var woken: Woken?
    /// Since when the receiver has told of no signal worth the name; nil where it has one, or says nothing of them.
    var weakSince: MonotonicInstant?

    init(since: MonotonicInstant, woken: Woken? = nil) {
        self.since = since
        budgetSince = since
        self.woken = woken
    }
}

/// The sleep that ended in a search, as the statistics of starts want it.
struct Woken: Sendable, Equatable {
    var kind: SleepKind
    var offSeconds: Double
    /// When the sleep began, in seconds.
    var ephemerisAge: Double?
    /// Whether the motion sensor ended it.
    var isForMotion: Bool
}

/// A receiver that has fixes.
struct Tracking: Sendable, Equatable {
    var since: MonotonicInstant
    var lastFix: MonotonicInstant
    /// Metres; the best accuracy so far, and how many fixes ago it was.
    var bestAccuracy: Double
    var fixesSinceBest: Int
    var isCyclic: Bool
}
