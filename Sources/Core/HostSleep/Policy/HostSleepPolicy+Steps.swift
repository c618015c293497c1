public import SextantUnits

// The steps to the host's sleep: inspect the system, tell the clients, write what is not stored yet, inspect again, set
// the alarm in the switch, read the alarm back, power off. If any step fails, the switch is disarmed where it was armed,
// and the host stays on.
extension HostSleepPolicy {
    /// The instant at which the policy must next act even if no event comes; nil while a client or the owner keeps the
    /// host on, so that the policy does not run in vain.
    public func deadline(at now: MonotonicInstant) -> MonotonicInstant? {
        switch state {
        case .inspecting, .arming, .stopping: return nil
        case .draining(let until, _): return until
        case .awake:
            if isTrial(at: now) { return retryAt }
            guard isMoving != true else { return nil }
            var last = restSince.advanced(bySeconds: HostSleepPolicy.rest)
            if let retryAt { last = max(last, retryAt) }
            if let maintenanceUntil { last = max(last, maintenanceUntil) }
            if let stayAwakeUntil { last = max(last, stayAwakeUntil) }
            if let history {
                let wait = needsMotionWake ? max(history.loopLeft, history.restlessLeft) : history.loopLeft
                last = max(last, booted.advanced(bySeconds: wait))
            }
            return last > now && holders(at: last).isEmpty ? last : nil
        }
    }

    /// Runs after each event: inspects the system where nothing prevents a sleep, and abandons a sleep in preparation
    /// where something does.
    mutating func settle(at now: MonotonicInstant, into actions: inout [HostAction]) {
        if let retryAt, now >= retryAt {
            self.retryAt = nil
            refused = StayAwakeReasons()
        }
        let isFree = refused.isEmpty && holders(at: now).isEmpty
        switch state {
        case .awake:
            guard isFree, let plan = newPlan(at: now) else { return }
            self.plan = plan
            state = .inspecting(isLast: false)
            actions.append(.order(.inspect(wall: nil)))
        case .inspecting(let isLast):
            if !isFree { stay(isTold: isLast, into: &actions) }
        case .draining(let until, _):
            guard isFree, let plan = newPlan(at: now) else { return stay(isTold: true, into: &actions) }
            guard now >= until else { return }
            self.plan = plan
            state = .inspecting(isLast: true)
            actions.append(.store)
            actions.append(.order(.inspect(wall: nil)))
        case .arming(let order, _), .stopping(let order):
            guard !isFree || order.byMotion && needs.isBlind else { return }
            actions.append(.order(.disarm))
            stay(isTold: true, into: &actions)
        }
    }

    /// Takes the result of the system's inspection: the preparation of the sleep goes on, or is abandoned if anything
    /// prevents the sleep.
    mutating func inspected(
        _ inspection: HostInspection, at now: MonotonicInstant, into actions: inout [HostAction]
    ) {
        guard case .inspecting(let isLast) = state, let plan else { return }
        charged(inspection.batteryPercent)
        attended(inspection.hasSession == true, at: now)
        let found = inspection.reasons(under: configuration.settings)
        guard found.isEmpty, let wall = inspection.wall else {
            refuse(found, isTold: isLast, at: now, into: &actions)
            return
        }
        guard holders(at: now).isEmpty else { return stay(isTold: isLast, into: &actions) }
        guard isLast else {
            let until = now.advanced(bySeconds: HostSleepPolicy.drain)
            state = .draining(until: until, held: 0)
            actions.append(.tellSleep(at: until, until: plan.wake))
            return
        }
        // The alarm is a whole second of the wall clock, rounded down so that it is not later than planned.
        let ahead = plan.wake.nanoseconds(since: now)
        let alarm = wall.advanced(byNanoseconds: ahead)
        let second: Int64 = 1_000_000_000
        let order = SwitchOrder(
            alarm: UTCInstant(nanoseconds: alarm.nanoseconds / second * second), backstop: plan.backstop,
            byMotion: plan.byMotion)
        state = .arming(order, attempt: 1)
        actions.append(.order(.arm(order)))
    }

    /// Takes the alarm that was read back from the chip, then powers off, tries again or gives up.
    ///
    /// This is `readBack` in the Promela model hostsleep.pml.
    mutating func armed(
        _ reading: SwitchReading?, wall: UTCInstant, at now: MonotonicInstant, into actions: inout [HostAction]
    ) {
        guard case .arming(let order, let attempt) = state else { return }
        if let reading, order.fault(in: reading, at: wall) == nil {
            state = .stopping(order)
            let seconds = booted.seconds(until: now)
            record(&actions) { $0.ends(after: seconds) }
            actions.append(.order(.powerOff(order)))
        } else if attempt < HostSleepPolicy.attempts {
            state = .arming(order, attempt: attempt + 1)
            actions.append(.order(.arm(order)))
        } else {
            fail(.alarmUnverified, at: now, into: &actions)
        }
    }

    /// Takes a client's request for more time before the sleep.
    mutating func held(_ seconds: Double) {
        guard case .draining(let until, let held) = state, seconds > 0 else { return }
        let granted = min(seconds, HostSleepPolicy.hold, HostSleepPolicy.allHolds - held)
        state = .draining(until: until.advanced(bySeconds: max(0, granted)), held: held + max(0, granted))
    }

    /// Notes whether anybody is logged in; after a logout the host stays on, because the person may come back.
    private mutating func attended(_ isAttended: Bool, at now: MonotonicInstant) {
        if wasAttended, !isAttended {
            maintenanceUntil = now.advanced(bySeconds: configuration.settings.maintenance)
        }
        wasAttended = isAttended
    }

    /// Takes the battery's charge in per cent; nil where no gauge answers, which does not count as low.
    mutating func charged(_ percent: Double?) {
        isLow = percent.map { $0 <= configuration.settings.lowPercent } ?? false
        isCritical = percent.map { $0 <= configuration.settings.criticalPercent } ?? false
    }

    mutating func moved(_ moves: Bool?, at now: MonotonicInstant) {
        if isMoving == true, moves != true { restSince = now }
        isMoving = moves
    }

    /// Handles a failure once an alarm may be set in the switch: the switch is disarmed.
    mutating func fail(_ reason: StayAwakeReason, at now: MonotonicInstant, into actions: inout [HostAction]) {
        actions.append(.order(.disarm))
        refuse(StayAwakeReasons(reason), isTold: true, at: now, into: &actions)
    }

    mutating func record(_ actions: inout [HostAction], _ change: (inout BootHistory) -> Void) {
        guard var changed = history else { return }
        change(&changed)
        guard changed != history else { return }
        history = changed
        actions.append(.keep)
    }

    func newPlan(at now: MonotonicInstant) -> HostSleepPlan? {
        guard let traits = configuration.traits, let history else { return nil }
        guard !isTrial(at: now) else {
            return HostSleepPlan(
                trial: HostSleepPolicy.trialSleep, of: traits, byMotion: mayWakeByMotion(at: now), at: now)
        }
        let bounds = HostSleepPlan.Bounds(
            floor: floor, longest: history.longest(configuration.settings.longest), boot: history.boot,
            heartbeat: isLow || isCritical ? HostSleepPlan.heartbeatOnLowBattery : HostSleepPlan.heartbeat,
            byMotion: mayWakeByMotion(at: now))
        var counted = needs
        if isCritical {
            counted = HostNeeds()
            counted.isAsked = true
        }
        return HostSleepPlan(counted, within: bounds, of: traits, at: now)
    }

    private mutating func refuse(
        _ reasons: StayAwakeReasons, isTold: Bool, at now: MonotonicInstant, into actions: inout [HostAction]
    ) {
        refused = reasons
        if isTrial(at: now) {
            retryAt = now.advanced(bySeconds: HostSleepPolicy.trialRetry)
        } else {
            let wait = HostSleepPolicy.retry * Double(1 << min(failures, 6))
            retryAt = now.advanced(bySeconds: min(wait, HostSleepPolicy.longestRetry))
            failures += 1
        }
        stay(isTold: isTold, into: &actions)
    }

    private mutating func stay(isTold: Bool, into actions: inout [HostAction]) {
        state = .awake
        plan = nil
        if isTold { actions.append(.tellStay) }
    }
}
