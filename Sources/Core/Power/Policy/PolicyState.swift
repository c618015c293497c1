internal import Receivers
internal import SextantUnits

/// The receiver's state, with the data that exist only in that state.
enum PolicyState: Sendable, Equatable {
    case unreachable
    case asleep(Sleep)
    case searching(Search)
    case tracking(Tracking)
}

/// A sleep of the receiver, with a planned end or without.
struct Sleep: Sendable, Equatable {
    var kind: SleepKind
    var since: MonotonicInstant
    /// Age of the ephemeris when the sleep began, in seconds; nil where there was none.
    var ephemerisAge: Double?
    /// The instant at which the next search is planned; nil if none is planned.
    var until: MonotonicInstant?
    /// Whether a search has failed and the receiver waits before the next one.
    var isBackingOff: Bool
}

struct Search: Sendable, Equatable {
    var since: MonotonicInstant
    /// The instant from which the search's time limit counts: the search's start, or the later request of a new client.
    var budgetSince: MonotonicInstant
    /// The sleep that the search ended; nil for a search that began while the receiver was on.
    var woken: Woken?
    /// The instant since which no usable signal was reported; nil while one is received, or where signals are not
    /// reported.
    var weakSince: MonotonicInstant?

    init(since: MonotonicInstant, woken: Woken? = nil) {
        self.since = since
        budgetSince = since
        self.woken = woken
    }
}

/// The sleep before a search, with the data that the statistics of starts need.
struct Woken: Sendable, Equatable {
    var kind: SleepKind
    var offSeconds: Double
    /// Age of the ephemeris when the sleep began, in seconds; nil where there was none.
    var ephemerisAge: Double?
    /// Whether the motion sensor ended the sleep.
    var isForMotion: Bool
}

/// A receiver that has fixes.
struct Tracking: Sendable, Equatable {
    var since: MonotonicInstant
    var lastFix: MonotonicInstant
    /// The best horizontal accuracy in metres since tracking began; `fixesSinceBest` counts the fixes after that one.
    var bestAccuracy: Double
    var fixesSinceBest: Int
    var isCyclic: Bool
}
