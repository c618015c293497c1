internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// Decides which clients are started for an event, how long they may run, and how often a failed start is repeated.
///
/// An event for a client that is not connected starts the client's systemd unit. Once it has connected, the client has
/// 10 s to run (its lease), which it can extend to 60 s in all; the lease ends early if the client comes "in use".
/// After the lease the unit is asked to stop. A failed start is repeated after 30 s, then after twice as long each time
/// up to an hour, and at most 20 times per day. Nothing of this is stored: after a restart of the daemon, `eventWaits`
/// is called again for every client with a waiting event.
struct WakeBook: Sendable, Equatable {
    private let limits: WakeLimits
    private let settled: MonotonicInstant
    /// The clients with waiting events, connections or failed starts, sorted by name.
    private var wakes: [Wake] = []

    /// - Parameter instant: When the daemon started.
    init(_ limits: WakeLimits = WakeLimits(), at instant: MonotonicInstant) {
        self.limits = limits
        settled = instant.advanced(byNanoseconds: limits.settling)
    }

    /// Whether the client's latest process was started for an event, and its time to run (its lease) is not over yet.
    func isLeased(_ client: String) -> Bool {
        guard let wake = wakes.first(where: { $0.client == client }), case .leased = wake.state else { return false }
        return true
    }

    /// The next instant at which `advance` must be called even if nothing else happens; nil for none.
    var deadline: MonotonicInstant? { wakes.lazy.compactMap { $0.deadline }.min() }

    /// Notes that an event waits for a client that may be started; called for each such event.
    mutating func eventWaits(
        for client: String, unit: String, reason: MonitoredService, at instant: MonotonicInstant
    ) -> [WakeEffect] {
        change(client, unit: unit) { [settled] wake, limits in
            wake.unit = unit
            wake.reason = wake.reason ?? reason
            wake.renew(limits, at: instant)
            guard wake.state == .idle, wake.connections.isEmpty else { return [] }
            guard settled <= instant else {
                wake.state = .resting(until: settled)
                return []
            }
            return wake.start(limits, at: instant)
        }
    }

    mutating func startFailed(_ client: String, at instant: MonotonicInstant) -> [WakeEffect] {
        change(client) { wake, limits in
            guard case .starting = wake.state else { return [] }
            let effects = wake.fail(.startFailed, limits, at: instant)
            if !wake.eventsWait { wake.state = .idle }
            return effects
        }
    }

    /// Notes that a client connected, whether or not its systemd unit was started for an event.
    ///
    /// - Returns: The service (such as regions) of the event for which the client was started; nil if it connected by
    ///   itself.
    mutating func connected(
        _ connection: ClientID, as client: String, at instant: MonotonicInstant
    ) -> MonitoredService? {
        var reason: MonitoredService?
        _ = change(client, unit: "") { wake, limits in
            wake.connections.append(connection)
            switch wake.state {
            case .starting(_, let cause):
                reason = cause
                wake.lease(limits, at: instant)
            case .resting: wake.state = .idle
            case .idle, .leased, .stopping: break
            }
            return []
        }
        return reason
    }

    mutating func disconnected(
        _ connection: ClientID, of client: String, at instant: MonotonicInstant
    ) -> [WakeEffect] {
        change(client) { wake, limits in
            wake.connections.removeAll { $0 == connection }
            guard wake.connections.isEmpty else { return [] }
            let state = wake.state
            wake.state = .idle
            guard wake.eventsWait else { return [] }
            switch state {
            case .leased: return wake.fail(.leftWithoutTaking, limits, at: instant)
            case .stopping(let until): wake.state = .resting(until: until)
            // The client connected by itself and left without acknowledging its events, so it is not started again
            // immediately.
            case .idle, .starting, .resting:
                wake.state = .resting(until: instant.advanced(byNanoseconds: wake.nextBackOff))
            }
            return []
        }
    }

    /// Extends the lease (the time to run) of a client that needs more time.
    ///
    /// - Parameter seconds: The extension; a value below 1 counts as 1, and a value above 30 as 30.
    mutating func extend(_ client: String, bySeconds seconds: Double) {
        _ = change(client) { wake, limits in
            let bounds = limits.extensions
            let counted = seconds >= bounds.upperBound ? bounds.upperBound : max(bounds.lowerBound, seconds)
            wake.extend(by: Int64(saturating: counted * 1e9))
            return []
        }
    }

    /// Notes that the client is "in use" and may go on running: it is in the foreground, or has a background activity
    /// session.
    mutating func cameIntoUse(_ client: String) {
        _ = change(client) { wake, _ in
            switch wake.state {
            case .leased, .stopping: wake.state = .idle
            case .idle, .resting, .starting: break
            }
            return []
        }
    }

    /// Notes that no event waits for the client, or that the client may not be started.
    mutating func emptied(_ client: String) -> [WakeEffect] {
        change(client) { wake, limits in
            guard wake.eventsWait else { return [] }
            wake.reason = nil
            wake.nextBackOff = limits.firstBackOff
            if case .resting = wake.state { wake.state = .idle }
            return [.wakeDone(client: client)]
        }
    }

    /// Does what is due at this instant, such as repeating a failed start.
    mutating func advance(to instant: MonotonicInstant) -> [WakeEffect] {
        guard let deadline, deadline <= instant else { return [] }
        var effects: [WakeEffect] = []
        for client in wakes.map({ $0.client }) {
            effects += change(client) { wake, limits in
                wake.forgetOldFailures(at: instant)
                return WakeBook.advance(&wake, limits, to: instant)
            }
        }
        return effects
    }

    private static func advance(
        _ wake: inout Wake, _ limits: WakeLimits, to instant: MonotonicInstant
    ) -> [WakeEffect] {
        switch wake.state {
        case .resting(let until) where until <= instant: return wake.start(limits, at: instant)
        case .starting(let until, _) where until <= instant: return giveUp(&wake, limits, at: instant)
        case .leased(let until, _) where until <= instant: return end(&wake, limits, at: instant)
        case .idle, .resting, .starting, .leased, .stopping: return []
        }
    }

    /// Ends the wait for a started client that did not connect in time, and asks systemd to stop its unit.
    private static func giveUp(
        _ wake: inout Wake, _ limits: WakeLimits, at instant: MonotonicInstant
    ) -> [WakeEffect] {
        let stop = WakeEffect.stopUnit(client: wake.client, unit: wake.unit)
        guard wake.eventsWait else {
            wake.state = .idle
            return [stop, .note(client: wake.client, unit: wake.unit, .neverConnected)]
        }
        return [stop] + wake.fail(.neverConnected, limits, at: instant)
    }

    /// Ends a client's lease (its time to run), which is over, and asks systemd to stop the unit.
    private static func end(_ wake: inout Wake, _ limits: WakeLimits, at instant: MonotonicInstant) -> [WakeEffect] {
        let stop = WakeEffect.stopUnit(client: wake.client, unit: wake.unit)
        let note = WakeNote.overran(eventsWait: wake.eventsWait)
        guard wake.eventsWait else {
            wake.state = .stopping(restUntil: instant)
            return [stop, .note(client: wake.client, unit: wake.unit, note)]
        }
        return [stop] + wake.fail(note, limits, at: instant)
    }

    /// Changes what is remembered about one client; if it has no entry yet, one is added, but only if `unit` is given.
    private mutating func change(
        _ client: String, unit: String? = nil, _ body: (inout Wake, WakeLimits) -> [WakeEffect]
    ) -> [WakeEffect] {
        let index = wakes.firstIndex { $0.client >= client } ?? wakes.count
        if index == wakes.count || wakes[index].client != client {
            guard let unit else { return [] }
            wakes.insert(Wake(client: client, unit: unit, nextBackOff: limits.firstBackOff), at: index)
        }
        let effects = body(&wakes[index], limits)
        if wakes[index].isOver { wakes.remove(at: index) }
        return effects
    }
}
