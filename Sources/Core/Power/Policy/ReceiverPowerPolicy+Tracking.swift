internal import Receivers
internal import SextantUnits

/// Tracking, from fix to fix: whether to deliver each fix to the clients, and whether to sleep until the next one.
extension ReceiverPowerPolicy {
    /// Seconds without a fix after which a tracking receiver counts as searching.
    static let trackingLost = 10.0
    /// The longest wait for a better fix after the first one, in seconds.
    static let longestDwell = 10.0
    /// The finest accuracy in metres that is waited for after the first fix, even if clients ask for a finer one.
    static let finestWaitedFor = 10.0
    /// The seconds of tracking after which every satellite in view has sent its ephemeris, which it does every 30 s.
    static let ephemerisDownload = 35.0
    /// Seconds within which a receiver in cyclic tracking is assumed to read all ephemerides once.
    static let cyclicRefresh = 1800.0

    func lostDeadline(_ tracking: Tracking) -> MonotonicInstant {
        tracking.lastFix.advanced(bySeconds: ReceiverPowerPolicy.trackingLost)
    }

    mutating func lost(_ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        state = .searching(Search(since: now))
        // A receiver in cyclic tracking searches only at intervals, so it is woken to search continuously.
        guard tracking.isCyclic else { return }
        lastStart = now
        actions.append(.wake)
    }

    /// Continues tracking after a fix.
    ///
    /// - Returns: Whether the fix is good enough to be delivered.
    mutating func trackOn(
        _ fix: PowerFix, _ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) -> Bool {
        state = .tracking(tracking)
        refreshEphemeris(tracking, at: now)
        guard needsReceiver, isGood(fix, tracking, at: now) else { return false }
        movement.found(fix, at: now)
        unavailableSince = nil
        owesFix = false
        keepLearned(at: now, into: &actions)
        if demand.keepsOn {
            trackFully(tracking, at: now, into: &actions)
        } else {
            sleepIfItPays(tracking, at: now, into: &actions)
        }
        return true
    }

    private mutating func refreshEphemeris(_ tracking: Tracking, at now: MonotonicInstant) {
        let tracked = now.secondsAfter(tracking.since)
        if !tracking.isCyclic, tracked >= ReceiverPowerPolicy.ephemerisDownload { ephemerisAt = now }
        guard tracking.isCyclic, tracked >= ReceiverPowerPolicy.cyclicRefresh else { return }
        let read = now.advanced(bySeconds: -ReceiverPowerPolicy.cyclicRefresh)
        ephemerisAt = max(ephemerisAt ?? read, read)
    }

    /// Whether a fix is worth delivering now: first fixes are often off, and a better one soon follows.
    private func isGood(_ fix: PowerFix, _ tracking: Tracking, at now: MonotonicInstant) -> Bool {
        guard !demand.keepsOn, let accuracy = demand.accuracy else { return true }
        return fix.horizontalAccuracy <= max(accuracy / 2, ReceiverPowerPolicy.finestWaitedFor)
            || tracking.fixesSinceBest >= 2
            || now.secondsAfter(tracking.since) >= ReceiverPowerPolicy.longestDwell
    }

    /// Changes from cyclic to full tracking; if the receiver was started less than 2 s ago, the change waits for the
    /// next fix.
    mutating func trackFully(_ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard tracking.isCyclic, debouncedStart(at: now) == nil else { return }
        lastStart = now
        var full = tracking
        full.isCyclic = false
        full.since = now
        state = .tracking(full)
        actions.append(.wake)
    }

    private mutating func trackCyclically(_ tracking: Tracking, into actions: inout [PowerAction]) {
        guard !tracking.isCyclic else { return }
        var cyclic = tracking
        cyclic.isCyclic = true
        state = .tracking(cyclic)
        actions.append(.sleep(.cyclic, forNanoseconds: nil))
    }

    private mutating func sleepIfItPays(
        _ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        let usable = usableKinds(at: now)
        let chooser = chooser(at: now)
        let stay = chooser.stayingOn(tracking, at: now, mayBeCyclic: usable.contains(.cyclic))
        let best = cheapestPlan(of: usable, chooser, at: now)
        movement.planned(wait: best?.wait ?? 0)
        guard let plan = best, plan.power < stay,
            !refreshPays(tracking, wait: plan.wait, kind: plan.kind, at: now)
        else {
            if usable.contains(.cyclic) { trackCyclically(tracking, into: &actions) }
            return
        }
        fallAsleep(plan.kind, until: now.advanced(bySeconds: plan.wait), isBackingOff: false, at: now, into: &actions)
    }

    private struct SleepPlan {
        var kind: SleepKind
        /// Seconds until the next search must begin.
        var wait: Double
        /// The receiver's mean draw in milliwatts from now to the next fix, with this kind of sleep between.
        var power: Double
    }

    /// The sleep with the lowest mean power; each kind of sleep has its own start times, so each is planned by itself.
    private func cheapestPlan(
        of usable: Set<SleepKind>, _ chooser: SleepChooser, at now: MonotonicInstant
    ) -> SleepPlan? {
        var best: SleepPlan?
        // The kinds of sleep are compared in the order of depth, so that of equally cheap kinds the lightest is taken.
        for kind in SleepKind.allCases where kind != .cyclic && usable.contains(kind) {
            let wait = plan(kind, slept: 0, ephemerisAge: chooser.ephemerisAge, isOn: true, at: now)
            guard wait >= SleepChooser.shortestSleep else { continue }
            let power = chooser.power(kind, wait)
            if power < best?.power ?? .infinity { best = SleepPlan(kind: kind, wait: wait, power: power) }
        }
        return best
    }

    /// Whether staying on until the ephemeris is received costs less than the warm start that this avoids.
    private func refreshPays(_ tracking: Tracking, wait: Double, kind: SleepKind, at now: MonotonicInstant) -> Bool {
        guard !tracking.isCyclic, kind != .cut, let age = ephemerisAge(at: now) else { return false }
        let left = ReceiverPowerPolicy.ephemerisDownload - now.secondsAfter(tracking.since)
        guard left > 0, age > ReceiverPowerPolicy.ephemerisDownload else { return false }
        let warm = starts.expected(kind, off: wait, ephemerisAge: age)
        let hot = starts.expected(kind, off: wait, ephemerisAge: 0)
        return settings.draw.tracking * left < settings.draw.acquiring * (warm - hot)
    }
}
