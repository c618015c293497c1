internal import Access
internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import Monitors
internal import Parts

/// Beacon regions: how the Bluetooth radio listens for them, and the events that follow.
extension RegionMonitoring {
    /// Seconds that the radio must listen without receiving the region's beacons before the region counts as left; nil
    /// for an area, or while the region is not watched.
    func exitAfter(_ region: RegionRegistration) -> Double? {
        guard case .beacons(let slot)? = region.slot else { return nil }
        return Double(reaches.patience(of: slot)) * 1e-9
    }

    mutating func heard(_ heard: HeardBeacon, _ radio: RadioState, _ clock: FixClock, _ turn: inout Turn) {
        reaches.heard(heard, listened: radio.listened, at: turn.instant)
        tellBeacons(clock, &turn)
        reaches.settle(radio, at: turn.instant)
    }

    mutating func advanceBeacons(_ radio: RadioState, _ clock: FixClock, _ turn: inout Turn) {
        reaches.advance(to: turn.instant, listened: radio.listened)
        tellBeacons(clock, &turn)
        reaches.settle(radio, at: turn.instant)
    }

    private mutating func tellBeacons(_ clock: FixClock, _ turn: inout Turn) {
        for event in reaches.found {
            guard let owner = reaches.owner(of: event) else { continue }
            var change = StateChange(
                event.kind(ofMonitor: owner.key.monitor != nil), isInside: event.isInside,
                time: event.instant.flatMap { clock.utc($0) }, confirmed: clock.utc(turn.instant))
            change.beacon = event.beacon
            change.patience = reaches.patience(of: event.slot)
            note(change, of: owner, isTold: true, &turn)
        }
    }

    /// Sends clients an event for each region that the board is inside of and that was registered with
    /// `notifyEntryStateOnDisplay`.
    func displayed(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        for (client, book) in books.entries where grants.mayHear(of: .regions, client) {
            for region in book.sorted where region.request.notifyEntryStateOnDisplay && region.isInside == true {
                let transition = PendingEvent.RegionTransition(
                    identifier: region.key.identifier, monitor: region.key.monitor, kind: .determined, state: .inside,
                    beacon: region.beacon, time: clock.utc(turn.instant), confirmed: clock.utc(turn.instant))
                turn.tell(.post(.region(transition), for: client))
            }
        }
    }
}

extension BeaconMonitor.Event {
    fileprivate var isInside: Bool? {
        switch kind {
        case .determined(let isInside): isInside
        case .entered, .dwelled: true
        case .exited: false
        }
    }

    /// The kind of event for the client: for a condition of a `CLMonitor`, the first finding that the board is inside
    /// or outside the region counts as an entry or an exit.
    fileprivate func kind(ofMonitor: Bool) -> TransitionName {
        switch kind {
        case .determined(let isInside?) where ofMonitor: isInside ? .enter : .exit
        case .determined: .determined
        case .entered: .enter
        case .exited: .exit
        case .dwelled: .dwell
        }
    }
}
