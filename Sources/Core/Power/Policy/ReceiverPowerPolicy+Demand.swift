internal import SextantUnits

/// What the power policy does when the clients' need for positions changes.
extension ReceiverPowerPolicy {
    /// Seconds for which the receiver stays on after the last client left, in case another one comes.
    static let linger = 2.0

    mutating func demanded(_ new: Demand, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let old = demand
        demand = new
        let isNews = isNews(new, after: old)
        if isNews { failedSearches = 0 }
        switch state {
        case .unreachable: break
        case .asleep(let sleep):
            guard needsReceiver else { return restOn(sleep, at: now, into: &actions) }
            replan(sleep, endsBackOff: isNews, at: now, into: &actions)
        case .searching(var search):
            if needsReceiver, lingersUntil != nil || isNews {
                // The search goes on for the new client, and its time limit begins anew.
                search.budgetSince = now
                search.weakSince = nil
                state = .searching(search)
            }
            linger(at: now)
        case .tracking(let tracking):
            linger(at: now)
            if demand.keepsOn { trackFully(tracking, at: now, into: &actions) }
        }
    }

    /// Whether the clients' new demand is a reason to search again although earlier searches failed.
    private func isNews(_ new: Demand, after old: Demand) -> Bool {
        if new.keepsOn, !old.keepsOn { return true }
        if let deadline = new.deadline, deadline != old.deadline { return true }
        if let accuracy = new.accuracy, accuracy < old.accuracy ?? .infinity { return true }
        return new.clients.contains { !old.clients.contains($0) }
    }

    /// Starts the time for which an unneeded receiver stays on, or ends it where a client needs the receiver again.
    mutating func linger(at now: MonotonicInstant) {
        guard !needsReceiver else {
            lingersUntil = nil
            return
        }
        lingersUntil = lingersUntil ?? now.advanced(bySeconds: ReceiverPowerPolicy.linger)
    }

    /// Removes the planned end of a sleep, because no client needs the receiver.
    private mutating func restOn(_ sleep: Sleep, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard sleep.until != nil else { return }
        var longer = sleep
        longer.until = nil
        longer.isBackingOff = false
        state = .asleep(longer)
        owesFix = true
        actions.append(.sleep(sleep.kind, forNanoseconds: nil))
    }
}
