internal import Access
internal import ClientProtocol
internal import Fusion
internal import Monitors
internal import Parts
internal import SextantUnits

/// Decides which regions are watched, and passes locations to the monitors of these regions.
extension RegionMonitoring {
    /// Watches exactly those regions whose events may be sent to clients or may start systemd units.
    mutating func settle(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        for index in books.entries.indices {
            let client = books.entries[index].client
            let (old, new) = (books.entries[index].value.watch, Watch(client, grants))
            guard old != new else { continue }
            books.change(at: index) { $0.watch = new }
            for var region in books.entries[index].value.sorted where old.covers(region.key) != new.covers(region.key) {
                let isWanted = new.covers(region.key)
                if isWanted { watch(&region, of: client, clock, at: turn.instant) } else { unwatch(region) }
                if !isWanted { region.slot = nil }
                books.change(at: index) { [region] in $0[region.key] = region }
                tellWatchers(of: region, client, .state, &turn)
            }
        }
    }

    /// Sets the entry times of restored regions as soon as UTC is known, so that a dwell that began before the restart
    /// goes on.
    mutating func date(_ clock: FixClock, at instant: MonotonicInstant) {
        guard !isDated, clock.offset != nil else { return }
        isDated = true
        for index in books.entries.indices {
            let client = books.entries[index].client
            for var region in books.entries[index].value.sorted where region.mustBeDated {
                unwatch(region)
                watch(&region, of: client, clock, at: instant)
                books.change(at: index) { [region] in $0[region.key] = region }
            }
        }
    }

    mutating func watch(
        _ region: inout RegionRegistration, of client: String, _ clock: FixClock, at instant: MonotonicInstant
    ) {
        let owner = RegionOwner(client: client, key: region.key)
        let since = region.date.flatMap { clock.instant(of: $0) }
        switch region.request.condition {
        case .area(let shape):
            let state = region.isInside.map {
                RegionState(isInside: $0, since: since ?? instant, hasDwelled: region.hasDwelled)
            }
            let area = MonitoredRegion(
                shape, dwell: region.request.dwell, cushion: region.request.cushion ?? 0, state: state)
            region.slot = .area(areas.add(area, of: owner))
            mayTellDelays = true
        case .beacons(let constraint):
            let state = region.isInside.map {
                BeaconMonitor.State(
                    isInside: $0, since: since ?? instant, hasDwelled: region.hasDwelled,
                    patience: region.patience ?? BeaconPresence.usualPatience)
            }
            let slot = reaches.add(
                constraint, within: region.request.within, dwell: region.request.dwell, state: state, of: owner,
                at: instant)
            region.slot = .beacons(slot)
            beaconPayers = nil
        }
    }

    mutating func unwatch(_ region: RegionRegistration) {
        switch region.slot {
        case nil: break
        case .area(let slot): areas.remove(slot)
        case .beacons(let slot):
            reaches.remove(slot)
            beaconPayers = nil
        }
    }

    mutating func found(_ location: FusedLocation, _ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        areas.found(location)
        tell(clock, gap, &turn)
    }

    mutating func advance(_ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        areas.advance(to: turn.instant)
        tell(clock, gap, &turn)
    }
}

extension RegionRegistration {
    /// Whether the region's dwell must be timed from a stored entry time, which can be converted only once UTC is
    /// known.
    fileprivate var mustBeDated: Bool {
        slot != nil && request.shape != nil && isInside == true && date != nil && request.dwell != nil && !hasDwelled
    }
}
