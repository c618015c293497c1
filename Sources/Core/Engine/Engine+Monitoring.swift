internal import ClientProtocol
internal import GNSS
internal import JSONText
internal import Monitors
internal import Power
internal import Sessions
internal import Units

/// What is monitored for clients, whether they run or not.
extension Engine {
    mutating func serveMonitoring(
        _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard let name = clients.local[client].session.client else { return }
        let id = clients.local[client].id
        switch request.kind {
        case .monitorSignificantChange(true):
            startSignificantChange(of: name, clientAt: client, at: instant, into: &outputs)
        case .monitorSignificantChange(false): stopSignificantChange(of: name, into: &outputs)
        case .monitorVisits(let isEnabled):
            monitorVisits(isEnabled, of: name, into: &outputs)
            demandChanged()
            if isEnabled { arm(.visits, clientAt: client, at: instant, into: &outputs) }
        case .monitorRegion(let region):
            monitor(region, of: name, id: request.id, clientAt: client, at: instant, into: &outputs)
        case .unmonitorRegion(let identifier, let monitor):
            unmonitor(RegionKey(identifier: identifier, monitor: monitor), of: name, into: &outputs)
        case .regionState(let identifier, let region):
            let isInside = isInside(identifier, region, of: name, clientAt: client)
            outputs.send(id) {
                ClientEvent.appendRegionState(identifier, isInside: isInside, id: request.id, to: &$0)
            }
        case .registrations:
            list(of: name, for: request.id, to: id, into: &outputs)
            armRegistered(clientAt: client, at: instant, into: &outputs)
        case .acknowledge(let number):
            follow(pending.acknowledge(number, by: id), at: instant, into: &outputs)
        default: break
        }
    }

    /// Whether what is monitored for a client may be told, or make it start.
    func mayMonitor(_ client: String) -> Bool {
        let standing = authorization.standing(of: client)
        switch standing.status {
        case .authorizedAlways: return true
        case .authorizedWhenInUse: return standing.isInUse
        case .notDetermined, .restricted, .denied: return false
        }
    }

    /// Whether a client may be told of events of a service now.
    func mayHear(of service: MonitoredService, _ client: String) -> Bool {
        guard mayMonitor(client) else { return false }
        // A region says more than reduced accuracy may.
        return service != .regions || !isReduced(client)
    }

    /// Who asks what is monitored for it wants to hear of it; of significant changes it has to ask for itself.
    private mutating func armRegistered(
        clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard let entry = clients.local[client].session.client.flatMap({ registrations[$0] }) else { return }
        if entry.regionCount > 0 { arm(.regions, clientAt: client, at: instant, into: &outputs) }
        if entry.visits != nil { arm(.visits, clientAt: client, at: instant, into: &outputs) }
    }

    private func list(of name: String, for id: String?, to client: ClientID, into outputs: inout Outputs) {
        let entry = registrations[name]
        let maySeeStates = mayHear(of: .regions, name)
        outputs.send(client) { text in
            if entry?.significantChange != nil { ClientEvent.appendRegistration("significantChange", to: &text) }
            if entry?.visits != nil { ClientEvent.appendRegistration("visits", to: &text) }
            for region in entry?.regions ?? [] {
                ClientEvent.appendRegistration(
                    region.request, isInside: maySeeStates ? region.isInside : nil,
                    date: maySeeStates ? region.date : nil, to: &text)
            }
            ClientEvent.appendRegistrations(count: entry?.count ?? 0, id: id, to: &text)
        }
    }
}

// MARK: Significant change

extension Engine {
    private mutating func startSignificantChange(
        of name: String, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        let isNew = registrations[name]?.significantChange == nil
        if isNew {
            registrations.update(name) { $0.significantChange = SignificantChangeMonitor() }
            outputs.put(.registrations, name, "significantChange", [])
            startSignificantChanges(at: instant, into: &outputs)
        }
        let count = pending.count(of: name)
        let isFirst = !pending.isArmed(.significantChange, on: id)
        arm(.significantChange, clientAt: client, at: instant, into: &outputs)
        // What waits is the first answer; where nothing waits it is what is known.
        guard !isNew, isFirst, count == 0, mayMonitor(name), let (fix, since) = latest(for: name, at: instant) else {
            return
        }
        let age = Double(instant.nanoseconds(since: since)) * 1e-9
        outputs.send(id) { [source = configuration.source] text in
            LocationObject.append(
                fix, age: age, source: source, .init(isSignificantChange: true), to: &text)
        }
    }

    private mutating func stopSignificantChange(of name: String, into outputs: inout Outputs) {
        guard registrations[name]?.significantChange != nil else { return }
        registrations.update(name) { $0.significantChange = nil }
        outputs.remove(.registrations, name, "significantChange")
        withdraw(of: name, into: &outputs) { $0.service == .significantChange }
    }

    /// Begins to follow changes for those who may be told, and did not begin yet: the first event is what is known.
    mutating func startSignificantChanges(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in registrations.entries.indices {
            let entry = registrations.entries[place]
            guard let monitor = entry.significantChange, !monitor.isMonitoring, mayMonitor(entry.client) else {
                continue
            }
            let latest = latest(for: entry.client, at: instant)?.fix
            let isCoarse = isReduced(entry.client)
            let first = registrations.update(at: place) {
                $0.significantChange?.start(latest: latest, isCoarse: isCoarse, at: instant)
            }
            guard let fix = first ?? nil else { continue }
            notice(fix, of: entry.client, at: instant, into: &outputs)
        }
    }

    /// What is known, as far as a client may see it, and when it was measured.
    private func latest(for client: String, at instant: MonotonicInstant) -> (fix: Fix, since: MonotonicInstant)? {
        let latest =
            isReduced(client)
            ? reduced.current(at: instant).map { ($0.fix, $0.measured) } : lastLocation.map { ($0.fix, $0.instant) }
        return latest.flatMap { fix, since in fix.time == nil || fix.isTimeValidated ? (fix, since) : nil }
    }

    /// A location was found, for whomever: significant changes are had for nothing.
    ///
    /// - Parameter isCoarse: Whether it is an estimate for those who may see no more.
    mutating func followSignificantChanges(
        _ fix: Fix, isCoarse: Bool, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        // A date that nobody vouches for is no event's; the next fix may have one.
        guard fix.time == nil || fix.isTimeValidated else { return }
        for place in registrations.entries.indices {
            let client = registrations.entries[place].client
            guard registrations.entries[place].significantChange != nil, mayMonitor(client),
                isReduced(client) == isCoarse
            else { continue }
            let change = registrations.update(at: place) {
                $0.significantChange?.follow(fix, isCoarse: isCoarse, at: instant)
            }
            if let fix = change ?? nil { notice(fix, of: client, at: instant, into: &outputs) }
        }
    }

    /// Changes that were owed until now.
    mutating func settleSignificantChanges(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in registrations.entries.indices {
            let client = registrations.entries[place].client
            guard mayMonitor(client) else { continue }
            let change = registrations.update(at: place) { $0.significantChange?.advance(to: instant) }
            if let fix = change ?? nil { notice(fix, of: client, at: instant, into: &outputs) }
        }
    }

    var significantChangeDeadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for entry in registrations.entries {
            guard let deadline = entry.significantChange?.deadline, mayMonitor(entry.client) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    private mutating func notice(
        _ fix: Fix, of client: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        if let place = registrations[client]?.significantChange?.notified {
            outputs.put(.registrations, client, "significantChange", place.encode())
        }
        guard let fix = shown(fix, to: client), let kept = DeferredFix(fix, sequence: 0) else { return }
        post(.significantChange(kept), for: client, at: instant, into: &outputs)
    }

    /// A fix as far as a client may see it.
    private func shown(_ fix: Fix, to client: String) -> Fix? {
        isReduced(client) ? ReducedAccuracy.coarse(fix) : fix
    }

    func isReduced(_ client: String) -> Bool { authorization.standing(of: client).accuracy == .reduced }

    /// What those who monitor need positions for.
    var monitoringRequests: [AccuracyRequest] {
        var requests: [AccuracyRequest] = []
        for entry in registrations.entries where mayMonitor(entry.client) {
            if entry.significantChange != nil {
                requests.append(AccuracyRequest(client: Engine.monitoringClient, .significantChange))
            }
            if entry.visits != nil { requests.append(AccuracyRequest(client: Engine.monitoringClient, .visits)) }
        }
        if let distance = path.regions.distanceToNearestBoundary {
            let slack = distance - (path.regions.safeDistance ?? 0)
            let request = AccuracyRequest.Service.region(distanceToBoundary: distance, slack: slack)
            requests.append(AccuracyRequest(client: Engine.monitoringClient, request))
        }
        return requests
    }

    /// Under which the energy of what is monitored is accounted for.
    static let monitoringClient: UInt32 = 0
}
