internal import Units

/// One absent client and the unit that is started for it.
struct Wake: Sendable, Equatable {
    enum State: Sendable, Equatable {
        /// Nothing waits, or it is connected without our doing.
        case idle
        /// It is not started before then.
        case resting(until: MonotonicInstant)
        case starting(until: MonotonicInstant, reason: MonitoredService)
        /// It connected: the lease runs to `until` and never beyond `atMost`.
        case leased(until: MonotonicInstant, atMost: MonotonicInstant)
        /// Its lease is over and it was asked to stop; it is not started again before then.
        case stopping(restUntil: MonotonicInstant)
    }

    let client: String
    var unit: String
    var state = State.idle
    var reason: MonitoredService?
    var connections: [ClientID] = []
    /// The failures of the last day, oldest first.
    var failures: [MonotonicInstant] = []
    var nextBackOff: Int64

    /// Whether an event waits.
    var eventsWait: Bool { reason != nil }

    var deadline: MonotonicInstant? {
        switch state {
        case .idle, .stopping: failures.first?.advanced(byNanoseconds: WakeLimits.day)
        case .resting(let until), .starting(let until, _), .leased(let until, _): until
        }
    }

    /// Whether nothing need be known about it any more.
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

    /// The lease begins with the connection.
    mutating func lease(_ limits: WakeLimits, at instant: MonotonicInstant) {
        state = .leased(
            until: instant.advanced(byNanoseconds: limits.lease),
            atMost: instant.advanced(byNanoseconds: limits.longestLease))
    }

    /// Something new happened within the lease: it gets the time that it would have been started for.
    mutating func renew(_ limits: WakeLimits, at instant: MonotonicInstant) {
        guard case .leased(let until, let atMost) = state else { return }
        let renewed = min(atMost, instant.advanced(byNanoseconds: limits.lease))
        state = .leased(until: max(until, renewed), atMost: atMost)
    }

    mutating func extend(by nanoseconds: Int64) {
        guard case .leased(let until, let atMost) = state else { return }
        state = .leased(until: min(atMost, until.advanced(byNanoseconds: nanoseconds)), atMost: atMost)
    }

    /// The start was of no use: the next one is later, or tomorrow.
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

    /// Until when it failed too often; nil where it did not.
    private func dayOfRest(_ limits: WakeLimits) -> MonotonicInstant? {
        guard failures.count >= limits.failuresInADay else { return nil }
        return failures.first?.advanced(byNanoseconds: WakeLimits.day)
    }

    /// While it is connected it is not started, whatever the time.
    private mutating func rests(until instant: MonotonicInstant) {
        state = connections.isEmpty ? .resting(until: instant) : .stopping(restUntil: instant)
    }

    mutating func forgetOldFailures(at instant: MonotonicInstant) {
        failures.removeAll { $0.advanced(byNanoseconds: WakeLimits.day) <= instant }
    }
}
