internal import Receivers
internal import SextantUnits

/// Sleeping: when the receiver sleeps, in which kind of sleep, and until when.
extension ReceiverPowerPolicy {
    /// A start that is planned within this many seconds from now counts as due.
    private static let atOnce = 0.5
    /// Seconds for which a sleep without a planned end is assumed to last.
    private static let openRest = 86_400.0

    func ephemerisAge(at now: MonotonicInstant) -> Double? { ephemerisAt.map { now.secondsAfter($0) } }

    func chooser(at now: MonotonicInstant) -> SleepChooser {
        SleepChooser(draw: settings.draw, starts: starts, ephemerisAge: ephemerisAge(at: now))
    }

    func usableKinds(at now: MonotonicInstant) -> Set<SleepKind> {
        var usable = kinds
        for kind in SleepKind.allCases where refusals.isExcluded(kind, at: now) { usable.remove(kind) }
        return usable
    }

    /// Seconds until the next search must begin; 0 if it must begin now, or if the receiver must stay on.
    ///
    /// - Parameters:
    ///   - slept: Seconds of this sleep that have passed.
    ///   - ephemerisAge: Age of the ephemeris when the sleep began, in seconds.
    ///   - isOn: Whether the receiver has fixes now.
    func plan(
        _ kind: SleepKind, slept: Double, ephemerisAge: Double?, isOn: Bool, at now: MonotonicInstant
    ) -> Double {
        guard let accuracy = demand.accuracy, !demand.keepsOn, !owesFix else { return 0 }
        let soon = wait(kind, off: slept + 60, ephemerisAge, accuracy: accuracy, isOn: isOn, at: now)
        // The first plan assumes the start time after one more minute of sleep. After a long sleep the start may be
        // warm instead of hot, and so take longer; then the sleep is planned again with the start time for its length.
        guard soon > 600 else { return soon }
        return wait(kind, off: slept + soon, ephemerisAge, accuracy: accuracy, isOn: isOn, at: now)
    }

    /// Whether a planned search is later than the accuracy requires, because the clients' minimum interval is longer.
    func isHeldByInterval(_ sleep: Sleep, at now: MonotonicInstant) -> Bool {
        guard let accuracy = demand.accuracy, demand.minimumInterval != nil, let until = sleep.until else {
            return false
        }
        let planner = planner(
            sleep.kind, off: now.secondsAfter(sleep.since), sleep.ephemerisAge, accuracy: accuracy, isOn: false,
            at: now)
        return planner.wait + ReceiverPowerPolicy.atOnce < until.secondsAfter(now)
    }

    private func wait(
        _ kind: SleepKind, off: Double, _ ephemerisAge: Double?, accuracy: Double, isOn: Bool,
        at now: MonotonicInstant
    ) -> Double {
        let planner = planner(kind, off: off, ephemerisAge, accuracy: accuracy, isOn: isOn, at: now)
        guard let interval = demand.minimumInterval else { return planner.wait }
        return max(planner.wait, interval - movement.age(at: now) - planner.search.quantile(0.5))
    }

    private func planner(
        _ kind: SleepKind, off: Double, _ ephemerisAge: Double?, accuracy: Double, isOn: Bool,
        at now: MonotonicInstant
    ) -> FixPlanner {
        FixPlanner(
            movement: movement, search: starts.search(kind, off: off, ephemerisAge: ephemerisAge), accuracy: accuracy,
            probe: settings.longestUnwatchedRest, isOn: isOn, now: now)
    }

    mutating func replanIfAsleep(endsBackOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard needsReceiver, case .asleep(let sleep) = state else { return }
        replan(sleep, endsBackOff: endsBackOff, at: now, into: &actions)
    }

    mutating func replan(
        _ sleep: Sleep, endsBackOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        if sleep.isBackingOff {
            guard endsBackOff else { return }
            failedSearches = 0
            return start(sleep, at: now, into: &actions)
        }
        let wait = plan(
            sleep.kind, slept: now.secondsAfter(sleep.since), ephemerisAge: sleep.ephemerisAge, isOn: false, at: now)
        guard wait > ReceiverPowerPolicy.atOnce else { return start(sleep, at: now, into: &actions) }
        var planned = sleep
        planned.until = now.advanced(bySeconds: wait)
        state = .asleep(planned)
    }

    /// Puts the receiver into the kind of sleep that costs least; where no kind is possible, the receiver stays on.
    mutating func rest(
        until: MonotonicInstant?, isBackingOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        let seconds = until.map { $0.secondsAfter(now) } ?? ReceiverPowerPolicy.openRest
        guard let kind = chooser(at: now).cheapest(of: usableKinds(at: now), for: seconds) else {
            return stayOn(at: now)
        }
        fallAsleep(kind, until: until, isBackingOff: isBackingOff, at: now, into: &actions)
    }

    mutating func fallAsleep(
        _ kind: SleepKind, until: MonotonicInstant?, isBackingOff: Bool, at now: MonotonicInstant,
        into actions: inout [PowerAction]
    ) {
        let age = ephemerisAge(at: now)
        if case .searching(let search) = state, !isBackingOff, search.since < now {
            startCounters.note(self.kind(of: search), .ended, seconds: now.secondsAfter(search.since))
        }
        state = .asleep(Sleep(kind: kind, since: now, ephemerisAge: age, until: until, isBackingOff: isBackingOff))
        lingersUntil = nil
        if until == nil { owesFix = true }
        actions.append(.sleep(kind, forNanoseconds: until.map { $0.nanoseconds(since: now) }))
    }

    /// Keeps the receiver on, and continues a search in progress, because no kind of sleep is possible now.
    private mutating func stayOn(at now: MonotonicInstant) {
        if case .searching = state { state = .searching(Search(since: now)) }
        // A kind of sleep that was refused is tried again later.
        lingersUntil = needsReceiver ? nil : refusals.end(of: kinds, at: now)
    }
}

// MARK: The receiver's responses

extension ReceiverPowerPolicy {
    mutating func confirmed(_ kind: SleepKind) {
        refusals.clear(kind)
        guard case .asleep(var sleep) = state, kind != .cyclic else { return }
        sleep.kind = kind
        state = .asleep(sleep)
    }

    /// Handles a refused sleep: the receiver stays on until a fix or, if none is needed, sleeps in another way at once.
    mutating func refused(_ kind: SleepKind, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        refusals.note(kind, at: now)
        switch state {
        case .unreachable, .searching: break
        case .asleep(let sleep):
            guard kind == sleep.kind else { return }
            roused(from: sleep, at: now, into: &actions)
        case .tracking(var tracking):
            guard kind == .cyclic else { return }
            tracking.isCyclic = false
            state = .tracking(tracking)
        }
    }

    mutating func changed(_ new: Set<SleepKind>, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        kinds = new
        refusals = SleepRefusals()
        switch state {
        case .unreachable: break
        case .asleep(let sleep):
            if !new.contains(sleep.kind) { roused(from: sleep, at: now, into: &actions) }
        case .tracking(var tracking):
            if tracking.isCyclic, !new.contains(.cyclic) {
                tracking.isCyclic = false
                state = .tracking(tracking)
            }
            if !needsReceiver { linger(at: now) }
        case .searching:
            if !needsReceiver { linger(at: now) }
        }
    }

    private mutating func roused(from sleep: Sleep, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        state = .searching(Search(since: now))
        guard !needsReceiver || sleep.isBackingOff, sleep.until.map({ $0 > now }) ?? true else { return }
        rest(until: sleep.until, isBackingOff: sleep.isBackingOff, at: now, into: &actions)
    }
}
