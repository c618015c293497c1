internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// One client that is started for events when it does not run: its systemd unit, and the state of its start.
struct Wake: Sendable, Equatable {
    enum State: Sendable, Equatable {
        /// No start is under way: no event waits, or the client connected by itself.
        case idle
        /// The next start of the client waits until this instant.
        case resting(until: MonotonicInstant)
        case starting(until: MonotonicInstant, reason: MonitoredService)
        /// The client connected, and may run until `until` (its lease), which extensions can move to `atMost` at most.
        case leased(until: MonotonicInstant, atMost: MonotonicInstant)
        /// The lease is over and systemd was asked to stop the unit; the unit is not started again before this instant.
        case stopping(restUntil: MonotonicInstant)
    }

    let client: String
    var unit: String
    var state = State.idle
    var reason: MonitoredService?
    var connections: [ClientID] = []
    /// The times at which starts of the client failed within the last day, the earliest first.
    var failures: [MonotonicInstant] = []
    var nextBackOff: Int64

    var eventsWait: Bool { reason != nil }

    var deadline: MonotonicInstant? {
        switch state {
        case .idle, .stopping: failures.first?.advanced(byNanoseconds: WakeLimits.day)
        case .resting(let until), .starting(let until, _), .leased(let until, _): until
        }
    }

    /// Whether nothing about the client needs to be remembered.
    var isOver: Bool { state == .idle && !eventsWait && connections.isEmpty && failures.isEmpty }

    mutating func start(_ limits: WakeLimits, at instant: MonotonicInstant) -> [WakeEffect] {
        guard let reason else {
            state = .idle
            return []
        }
        forgetOldFailures(at: instant)
        if let rest = dayOfRest(limits) {
            state = .resting(until: rest)
            return []
        }
        state = .starting(until: instant.advanced(byNanoseconds: limits.lease), reason: reason)
        return [.startUnit(client: client, unit: unit, reason: reason)]
    }

    /// Starts the lease (the client's time to run), because the client connected.
    mutating func lease(_ limits: WakeLimits, at instant: MonotonicInstant) {
        state = .leased(
            until: instant.advanced(byNanoseconds: limits.lease),
            atMost: instant.advanced(byNanoseconds: limits.longestLease))
    }

    /// Renews the lease (the client's time to run) because of a new event, so that the client has as much time for the
    /// event as after a start.
    mutating func renew(_ limits: WakeLimits, at instant: MonotonicInstant) {
        guard case .leased(let until, let atMost) = state else { return }
        let renewed = min(atMost, instant.advanced(byNanoseconds: limits.lease))
        state = .leased(until: max(until, renewed), atMost: atMost)
    }

    mutating func extend(by nanoseconds: Int64) {
        guard case .leased(let until, let atMost) = state else { return }
        state = .leased(until: min(atMost, until.advanced(byNanoseconds: nanoseconds)), atMost: atMost)
    }

    /// Notes a failed start: the next attempt waits for the back-off time, or, after too many failures within a day,
    /// until the first of them is a day old.
    mutating func fail(_ note: WakeNote, _ limits: WakeLimits, at instant: MonotonicInstant) -> [WakeEffect] {
        failures.append(instant)
        let until = instant.advanced(byNanoseconds: nextBackOff)
        nextBackOff = min(2 * nextBackOff, limits.longestBackOff)
        let rest = dayOfRest(limits)
        rests(until: max(until, rest ?? until))
        let failed = WakeEffect.note(client: client, unit: unit, note)
        guard rest != nil else { return [failed] }
        return [failed, .note(client: client, unit: unit, .restsForADay(failures: failures.count))]
    }

    /// The time until which the client is not started because of too many failures within a day (when the first of them
    /// is a day old); nil if there were fewer.
    private func dayOfRest(_ limits: WakeLimits) -> MonotonicInstant? {
        guard failures.count >= limits.failuresInADay else { return nil }
        return failures.first?.advanced(byNanoseconds: WakeLimits.day)
    }

    /// Lets the next start wait until this instant; if the client is still connected, its unit counts as stopping.
    private mutating func rests(until instant: MonotonicInstant) {
        state = connections.isEmpty ? .resting(until: instant) : .stopping(restUntil: instant)
    }

    mutating func forgetOldFailures(at instant: MonotonicInstant) {
        failures.removeAll { $0.advanced(byNanoseconds: WakeLimits.day) <= instant }
    }
}
