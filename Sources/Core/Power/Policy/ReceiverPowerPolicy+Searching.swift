internal import Receivers
public import SextantUnits

/// Searching: from the receiver's waking to the first fix, or to the end of a search that fails.
extension ReceiverPowerPolicy {
    /// The shortest time between two starts of the receiver, in seconds.
    static let startDebounce = 2.0
    /// The time limit in seconds of a first search, or of a search while the board moves: the limit of other searches,
    /// 60 s, would end each cold start too early.
    static let firstSearch = 120.0
    /// The largest time limit in seconds of a search after the first fix, while the board rests and no client keeps the
    /// receiver on.
    static let laterSearch = 60.0
    /// Seconds that a search after the first fix may take beyond the time in which 95 % of starts without an ephemeris
    /// succeed; `laterSearch` limits the sum.
    static let searchMargin = 10.0
    /// The time limit in seconds of a search for a client that wants best accuracy, every epoch or one position now.
    static let insistentSearch = 900.0
    /// Seconds without any usable signal after which a search is given up; before the daemon's first fix it is 45 s,
    /// because satellites must be looked for everywhere.
    static let hopeless = 15.0
    static let firstHopeless = 45.0
    /// Carrier-to-noise density in dB-Hz below which a satellite's data cannot be read.
    static let weakestSignal = 20.0
    /// Minutes for which the receiver sleeps after the first, the second and each further failed search in a row.
    static let backOffMinutes: InlineArray<7, Double> = [1, 2, 5, 10, 20, 30, 60]

    mutating func ready(at now: MonotonicInstant) {
        guard case .unreachable = state else { return }
        state = .searching(Search(since: now))
        lingersUntil = nil
        linger(at: now)
    }

    mutating func start(_ sleep: Sleep, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        if let debounced = debouncedStart(at: now) {
            var later = sleep
            later.until = debounced
            state = .asleep(later)
            return
        }
        lastStart = now
        let slept = now.secondsAfter(sleep.since)
        let woken = Woken(
            kind: sleep.kind, offSeconds: slept, ephemerisAge: sleep.ephemerisAge, isForMotion: movement.hasDeparted)
        state = .searching(Search(since: now, woken: woken))
        lingersUntil = nil
        actions.append(.wake)
    }

    /// The instant before which the receiver must not be woken again; nil where it can be woken now.
    func debouncedStart(at now: MonotonicInstant) -> MonotonicInstant? {
        guard let lastStart, now.secondsAfter(lastStart) < ReceiverPowerPolicy.startDebounce else { return nil }
        return lastStart.advanced(bySeconds: ReceiverPowerPolicy.startDebounce)
    }

    func searchDeadline(_ search: Search) -> MonotonicInstant {
        var end = search.budgetSince.advanced(bySeconds: searchBudget(search))
        if let weakSince = search.weakSince {
            let hopeless = hasEverFixed ? ReceiverPowerPolicy.hopeless : ReceiverPowerPolicy.firstHopeless
            end = min(end, weakSince.advanced(bySeconds: hopeless))
        }
        guard demand.keepsOn, let deadline = demand.deadline else { return end }
        return max(end, deadline)
    }

    private func searchBudget(_ search: Search) -> Double {
        if demand.keepsOn { return ReceiverPowerPolicy.insistentSearch }
        // While the board moves, a slow start is not cut off: the sleep after a failure would leave a gap in the track.
        guard hasEverFixed, let woken = search.woken, !movement.isMoving else { return ReceiverPowerPolicy.firstSearch }
        let likely = starts.quantile(0.95, woken.kind, off: woken.offSeconds, ephemerisAge: nil)
        return min(ReceiverPowerPolicy.laterSearch, likely + ReceiverPowerPolicy.searchMargin)
    }

    /// The seconds from now within which a fix is found with a probability of 95 %.
    public func predictedStart(at now: MonotonicInstant) -> Double {
        switch state {
        case .tracking: 0
        case .searching, .unreachable: starts.firstStartQuantile(0.95)
        case .asleep(let sleep):
            starts.quantile(
                0.95, sleep.kind, off: now.secondsAfter(sleep.since), ephemerisAge: sleep.ephemerisAge)
        }
    }

    /// A search that takes at least this many seconds counts as a start that was not hot: nine in ten warm starts take
    /// longer, and so do three in a hundred hot ones.
    private var hotStartEnds: Double {
        let times = settings.startTimes
        return times.boot + times.warm.median * (1 - 1.3 * times.warm.spread)
    }

    mutating func tookNoFix(_ signal: Double?, at now: MonotonicInstant) {
        guard case .searching(var search) = state else { return }
        if let signal, signal < ReceiverPowerPolicy.weakestSignal {
            search.weakSince = search.weakSince ?? now
        } else {
            search.weakSince = nil
        }
        state = .searching(search)
    }

    /// Takes the fix of an epoch; what is to be done is appended to `actions`, in order.
    ///
    /// - Returns: Whether the fix is good enough to be delivered.
    public mutating func found(_ fix: PowerFix, at now: MonotonicInstant, into actions: inout [PowerAction]) -> Bool {
        switch state {
        case .unreachable, .asleep: return false
        case .searching(let search):
            found(search, at: now, into: &actions)
            let tracking = Tracking(
                since: now, lastFix: now, bestAccuracy: fix.horizontalAccuracy, fixesSinceBest: 0, isCyclic: false)
            return trackOn(fix, tracking, at: now, into: &actions)
        case .tracking(var tracking):
            tracking.lastFix = now
            if fix.horizontalAccuracy < tracking.bestAccuracy {
                tracking.bestAccuracy = fix.horizontalAccuracy
                tracking.fixesSinceBest = 0
            } else {
                tracking.fixesSinceBest += 1
            }
            return trackOn(fix, tracking, at: now, into: &actions)
        }
    }

    /// Learns from a search that ended in a fix.
    private mutating func found(_ search: Search, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let seconds = now.secondsAfter(search.since)
        startCounters.note(kind(of: search), .fix, seconds: seconds)
        if let woken = search.woken {
            starts.noteStart(woken.kind, off: woken.offSeconds, ephemerisAge: woken.ephemerisAge, seconds: seconds)
        } else if !hasEverFixed {
            starts.noteFirstStart(seconds: seconds)
        }
        // A fix needs an ephemeris; after a start that was not hot, the receiver has just read a fresh one.
        if seconds >= hotStartEnds {
            ephemerisAt = now
        } else if ephemerisAt == nil {
            // The receiver read its ephemeris at an unknown time before this policy began, as after the host slept: it
            // is assumed to have passed half of the time for which an ephemeris allows hot starts.
            ephemerisAt = now.advanced(bySeconds: -settings.startTimes.ephemerisFades / 2)
        }
        hasEverFixed = true
        failedSearches = 0
        keepLearned(at: now, into: &actions)
    }

    /// The kind of start (hot, warm, cold) that could be expected when the search began.
    func kind(of search: Search) -> StartCounters.Kind {
        guard let woken = search.woken else { return hasEverFixed ? .regained : .first }
        guard woken.kind != .cut else { return .cold }
        let age = woken.ephemerisAge.map { $0 + woken.offSeconds } ?? .infinity
        return age < settings.startTimes.ephemerisFades ? .hot : .warm
    }

    mutating func giveUp(_ search: Search, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let last = ReceiverPowerPolicy.backOffMinutes.count - 1
        // A receiver that cannot be put to sleep goes on searching.
        let canRest = chooser(at: now).cheapest(of: usableKinds(at: now), for: 60) != nil
        let pause = canRest ? ReceiverPowerPolicy.backOffMinutes[failedSearches] * 60 : 0
        failedSearches = min(failedSearches + 1, last)
        startCounters.note(kind(of: search), .failed, seconds: now.secondsAfter(search.since))
        unavailableSince = unavailableSince ?? search.since
        actions.append(.searchFailed(afterSeconds: now.secondsAfter(search.since), retryInSeconds: pause))
        rest(until: now.advanced(bySeconds: pause), isBackingOff: true, at: now, into: &actions)
    }
}
