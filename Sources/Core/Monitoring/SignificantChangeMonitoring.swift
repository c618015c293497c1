internal import Access
internal import GNSS
internal import Monitors
internal import Parts
internal import Power
internal import SextantUnits

/// Significant changes of the location, found for each client with the accuracy that it may see.
struct SignificantChangeMonitoring: ~Copyable {
    private var monitors = PerClient<SignificantChangeMonitor>()

    var clients: [String] { monitors.entries.map { $0.client } }

    func count(of client: String) -> Int { monitors[client] == nil ? 0 : 1 }

    func needs(of client: String) -> [AccuracyRequest.Service] { monitors[client] == nil ? [] : [.significantChange] }

    func deadline(_ grants: Grants) -> MonotonicInstant? {
        var earliest: MonotonicInstant?
        for (client, monitor) in monitors.entries {
            guard let deadline = monitor.deadline, grants.mayMonitor(client) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    func hearsEstimates(_ grants: Grants) -> Bool { monitors.entries.contains { grants.isReduced($0.client) } }

    mutating func start(
        of client: String, on id: ClientID, _ whereabouts: Whereabouts, _ grants: Grants,
        _ turn: inout Turn
    ) {
        guard monitors[client] != nil else {
            monitors[client] = SignificantChangeMonitor()
            turn.put(.registrations, client, "significantChange", [])
            begin(whereabouts, grants, &turn)
            return turn.tell(.want(.significantChange, on: id))
        }
        // An event that waits answers the request; where none waits, the last known location does.
        let known =
            grants.mayMonitor(client) ? whereabouts.latest(isReduced: grants.isReduced(client), at: turn.instant) : nil
        turn.tell(.want(.significantChange, on: id, known: known))
    }

    mutating func stop(of client: String, _ turn: inout Turn) {
        // Also where it was not on: a store that could not be read may say that it is.
        turn.remove(.registrations, client, "significantChange")
        guard monitors[client] != nil else { return }
        monitors[client] = nil
        turn.tell(.withdraw(.significantChange, of: client))
    }

    mutating func forget(_ client: String) { monitors[client] = nil }

    /// Begins monitoring for clients that have come to be allowed it; the last known location is their first event.
    mutating func begin(_ whereabouts: Whereabouts, _ grants: Grants, _ turn: inout Turn) {
        for place in monitors.entries.indices {
            let (client, monitor) = monitors.entries[place]
            guard !monitor.isMonitoring, grants.mayMonitor(client) else { continue }
            let isReduced = grants.isReduced(client)
            let latest = whereabouts.latest(isReduced: isReduced, at: turn.instant)?.fix
            let first = monitors.change(at: place) { $0.start(latest: latest, isCoarse: isReduced, at: turn.instant) }
            if let fix = first { notice(fix, at: place, grants, &turn) }
        }
    }

    mutating func found(_ fix: Fix, isCoarse: Bool, _ grants: Grants, _ turn: inout Turn) {
        // A time that the receiver has not validated must not date an event; the next fix may have a valid one.
        guard fix.time == nil || fix.isTimeValidated else { return }
        for place in monitors.entries.indices {
            let client = monitors.entries[place].client
            guard grants.mayMonitor(client), grants.isReduced(client) == isCoarse else { continue }
            let change = monitors.change(at: place) { $0.found(fix, isCoarse: isCoarse, at: turn.instant) }
            if let fix = change { notice(fix, at: place, grants, &turn) }
        }
    }

    mutating func advance(_ grants: Grants, _ turn: inout Turn) {
        for place in monitors.entries.indices where grants.mayMonitor(monitors.entries[place].client) {
            let change = monitors.change(at: place) { $0.advance(to: turn.instant) }
            if let fix = change { notice(fix, at: place, grants, &turn) }
        }
    }

    private func notice(_ fix: Fix, at place: Int, _ grants: Grants, _ turn: inout Turn) {
        let (client, monitor) = monitors.entries[place]
        if let notified = monitor.notified {
            turn.put(.registrations, client, "significantChange", notified.encode())
        }
        let shown = grants.isReduced(client) ? ReducedAccuracy.coarse(fix) : fix
        guard let shown, let kept = DeferredFix(shown, sequence: 0) else { return }
        turn.tell(.post(.significantChange(kept), for: client))
    }

    /// Takes a stored registration, with the place that its client was last told, if any.
    ///
    /// - Returns: Whether the row could be decoded.
    mutating func restore(_ row: DurableRow, at instant: MonotonicInstant) -> Bool {
        let place = row.value.isEmpty ? nil : NotifiedPlace.decode(row.value.span)
        guard row.value.isEmpty || place != nil else { return false }
        var monitor = SignificantChangeMonitor()
        if let place { monitor.restore(place, at: instant) }
        monitors[row.client] = monitor
        return true
    }
}
