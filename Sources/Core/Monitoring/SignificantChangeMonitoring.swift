internal import Access
internal import ClientVocabulary
internal import GNSS
internal import Monitors
internal import Parts
internal import SextantUnits

/// Finds significant changes of the location for each client, from fixes as accurate as the client is allowed to see.
struct SignificantChangeMonitoring: ~Copyable {
    private var monitors = PerClient<SignificantChangeMonitor>()

    func deadline(_ grants: Grants) -> MonotonicInstant? {
        var earliest: MonotonicInstant?
        for (client, monitor) in monitors.entries {
            guard let deadline = monitor.deadline, grants.mayMonitor(client) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Forgets the clients that have switched monitoring of significant changes off.
    mutating func settle(_ services: ServiceRegistrations) {
        for (client, _) in monitors.entries where services[.significantChange, client] == nil { monitors[client] = nil }
    }

    /// Begins monitoring for each client as soon as it is allowed; the client's first event is the last known location.
    mutating func begin(
        _ services: inout ServiceRegistrations, _ whereabouts: Whereabouts, _ grants: Grants, _ turn: inout Turn
    ) {
        restore(services, at: turn.instant)
        for index in monitors.entries.indices {
            let (client, monitor) = monitors.entries[index]
            guard !monitor.isMonitoring, grants.mayMonitor(client) else { continue }
            let isReduced = grants.isReduced(client)
            let latest = whereabouts.latest(isReduced: isReduced, at: turn.instant)?.fix
            let first = monitors.change(at: index) { $0.start(latest: latest, isCoarse: isReduced, at: turn.instant) }
            if let fix = first { notice(fix, at: index, &services, grants, &turn) }
        }
    }

    mutating func found(
        _ fix: Fix, isCoarse: Bool, _ services: inout ServiceRegistrations, _ grants: Grants, _ turn: inout Turn
    ) {
        // A fix whose time the receiver has not validated is skipped, because it would date an event wrongly.
        guard fix.time == nil || fix.isTimeValidated else { return }
        for index in monitors.entries.indices {
            let client = monitors.entries[index].client
            guard grants.mayMonitor(client), grants.isReduced(client) == isCoarse else { continue }
            let change = monitors.change(at: index) { $0.found(fix, isCoarse: isCoarse, at: turn.instant) }
            if let fix = change { notice(fix, at: index, &services, grants, &turn) }
        }
    }

    mutating func advance(_ services: inout ServiceRegistrations, _ grants: Grants, _ turn: inout Turn) {
        for index in monitors.entries.indices where grants.mayMonitor(monitors.entries[index].client) {
            let change = monitors.change(at: index) { $0.advance(to: turn.instant) }
            if let fix = change { notice(fix, at: index, &services, grants, &turn) }
        }
    }

    private func notice(
        _ fix: Fix, at index: Int, _ services: inout ServiceRegistrations, _ grants: Grants, _ turn: inout Turn
    ) {
        let (client, monitor) = monitors.entries[index]
        if let notified = monitor.notified {
            services.keep(notified.encode(), of: .significantChange, client, &turn)
        }
        let shown = grants.isReduced(client) ? ReducedAccuracy.coarse(fix) : fix
        guard let shown, let kept = DeferredFix(shown, sequence: 0) else { return }
        turn.tell(.post(.significantChange(kept), for: client))
    }

    /// Adds monitors for clients that have switched significant changes on; each monitor takes over the stored place of
    /// the client's last event.
    mutating func restore(_ services: ServiceRegistrations, at instant: MonotonicInstant) {
        for client in services.clients(of: .significantChange) where monitors[client] == nil {
            var monitor = SignificantChangeMonitor()
            let place = services[.significantChange, client].flatMap { NotifiedPlace.decode($0.span) }
            if let place { monitor.restore(place, at: instant) }
            monitors[client] = monitor
        }
    }
}
