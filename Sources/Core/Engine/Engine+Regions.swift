internal import ClientProtocol
internal import Fusion
internal import JSONText
internal import Monitors
internal import Sessions
internal import Units

/// The regions of clients, watched on the fused location.
extension Engine {
    mutating func monitor(
        _ request: RegionRequest, of name: String, id: String?, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let connection = clients.local[client].id
        var region = RegionRegistration(request)
        let old = registrations[name]?[region: region.key]
        let isFull = old == nil && registrations[name]?.regionCount ?? 0 >= admission[name]?.maximumRegions ?? 0
        var errorCode: Int?
        if isFull || !request.isPossible { errorCode = 5 }
        if !authorization.standing(of: name).mayBeWoken { errorCode = 4 }
        if let errorCode {
            return outputs.send(connection) {
                ClientEvent.appendMonitoringFailed(
                    request.identifier, monitor: request.monitor, errorCode: errorCode, id: id, to: &$0)
            }
        }
        if let old {
            unwatch(old)
            if old.request.shape == request.shape, request.assumed == nil {
                // The same place under the same name: how it stands is known already.
                region.isInside = old.isInside
                region.date = old.date
                region.hasDwelled = old.hasDwelled && old.request.dwell == request.dwell
            }
        }
        let isWatched = mayHear(of: .regions, name)
        if isWatched { watch(&region, of: name, at: instant) }
        registrations.update(name) {
            $0.watchesRegions = isWatched
            $0[region: region.key] = region
        }
        outputs.put(.registrations, name, region.key.name, region.encode())
        outputs.send(connection) {
            ClientEvent.appendMonitoring(request.identifier, monitor: request.monitor, id: id, to: &$0)
        }
        arm(.regions, clientAt: client, at: instant, into: &outputs)
        demandChanged()
    }

    mutating func unmonitor(_ key: RegionKey, of name: String, into outputs: inout Outputs) {
        guard let region = registrations[name]?[region: key] else { return }
        unwatch(region)
        registrations.update(name) { $0[region: key] = nil }
        outputs.remove(.registrations, name, key.name)
        withdraw(of: name, into: &outputs) { event in
            guard case .region(let region) = event.kind else { return false }
            return region.identifier == key.identifier && region.monitor == key.monitor
        }
        demandChanged()
    }

    /// How a region stands: as it is watched, or by where the board is now.
    func isInside(_ identifier: String, _ region: RegionRequest?, of name: String, clientAt client: Int) -> Bool? {
        guard clients.local[client].session.grant == .full else { return nil }
        if let known = registrations[name]?[region: RegionKey(identifier: identifier, monitor: nil)] {
            return known.isInside
        }
        guard let region, let location = lastFused else { return nil }
        return RegionMonitor.isInside(region.shape, at: location)
    }

    // MARK: Watching

    /// Watches the regions of those who may be told of them, and no others.
    mutating func watchRegions(at instant: MonotonicInstant) {
        var hasChanged = false
        for place in registrations.entries.indices {
            let entry = registrations.entries[place]
            let isWanted = mayHear(of: .regions, entry.client)
            guard entry.watchesRegions != isWanted, entry.regionCount > 0 else { continue }
            registrations.update(at: place) { $0.watchesRegions = isWanted }
            for var region in entry.regions {
                if isWanted { watch(&region, of: entry.client, at: instant) } else { unwatch(region) }
                if !isWanted { region.slot = nil }
                registrations.update(at: place) { $0[region: region.key] = region }
            }
            hasChanged = true
        }
        if hasChanged { demandChanged() }
    }

    /// As soon as the time is known, what was restored is watched from when it was entered: its dwell goes on.
    mutating func dateRegions(at instant: MonotonicInstant) {
        guard !areRegionsDated, clock.offset != nil else { return }
        areRegionsDated = true
        for place in registrations.entries.indices {
            let entry = registrations.entries[place]
            for var region in entry.regions where region.mustBeDated {
                unwatch(region)
                watch(&region, of: entry.client, at: instant)
                registrations.update(at: place) { $0[region: region.key] = region }
            }
        }
    }

    private mutating func watch(_ region: inout RegionRegistration, of name: String, at instant: MonotonicInstant) {
        let standing = region.isInside.map {
            RegionStanding(
                isInside: $0, since: region.date.flatMap { clock.instant(of: $0) } ?? instant,
                hasDwelled: region.hasDwelled)
        }
        let slot = path.regions.add(
            MonitoredRegion(
                region.request.shape, dwell: region.request.dwell, cushion: region.request.cushion ?? 0,
                standing: standing))
        region.slot = slot
        regionOwners[slot.index] = RegionOwner(client: name, key: region.key)
    }

    mutating func unwatch(_ region: RegionRegistration) {
        guard let slot = region.slot else { return }
        path.regions.remove(slot)
        regionOwners[slot.index] = nil
    }

    /// What the monitor found goes to those whose regions they are.
    mutating func tellRegionEvents(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in path.regionEvents.indices {
            let event = path.regionEvents[index]
            guard let owner = regionOwners[event.slot.index] else { continue }
            tell(event, to: owner, at: instant, into: &outputs)
        }
    }

    private mutating func tell(
        _ event: RegionEvent, to owner: RegionOwner, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let (time, confirmed) = (clock.utc(event.crossing), clock.utc(event.confirmed))
        switch event.kind {
        case .determined(let isInside):
            // That a region holds the board when it is registered is no crossing; a condition tells of it.
            let isTold = owner.key.monitor != nil
            turn(
                owner, isInside ? .enter : .exit, isTold: isTold, time: time, confirmed: confirmed, at: instant,
                into: &outputs)
        case .entered: turn(owner, .enter, time: time, confirmed: confirmed, at: instant, into: &outputs)
        case .exited: turn(owner, .exit, time: time, confirmed: confirmed, at: instant, into: &outputs)
        case .dwelled: turn(owner, .dwell, time: time, confirmed: confirmed, at: instant, into: &outputs)
        }
    }

    /// Keeps how a region stands now, and tells its client.
    private mutating func turn(
        _ owner: RegionOwner, _ kind: RegionEventObject.Kind, isTold: Bool = true, time: UTCInstant?,
        confirmed: UTCInstant?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard var region = registrations[owner.client]?[region: owner.key] else { return }
        let isTold = isTold && (kind == .dwell || region.isInside != (kind == .enter))
        region.isInside = kind != .exit
        region.hasDwelled = kind == .dwell
        if kind != .dwell { region.date = time }
        registrations.update(owner.client) { $0[region: owner.key] = region }
        outputs.put(.registrations, owner.client, owner.key.name, region.encode())
        let isWanted =
            switch kind {
            case .enter: region.request.notifyOnEntry
            case .exit: region.request.notifyOnExit
            // Who does not want it gives no time for it.
            case .dwell: true
            }
        guard isTold, isWanted || clients.isConnected(owner.client) else { return }
        let transition = PendingEvent.RegionTransition(
            identifier: owner.key.identifier, monitor: owner.key.monitor, kind: kind,
            state: kind == .exit ? .outside : .inside, time: time, confirmed: confirmed)
        post(.region(transition), for: owner.client, at: instant, into: &outputs)
    }
}

/// Whose a region is that the monitor knows by its number.
struct RegionOwner {
    var client: String
    var key: RegionKey
}

extension RegionRegistration {
    /// Whether a stay in it is waited for that began when the board's clock was not related to the time yet.
    fileprivate var mustBeDated: Bool {
        slot != nil && isInside == true && date != nil && request.dwell != nil && !hasDwelled
    }
}
