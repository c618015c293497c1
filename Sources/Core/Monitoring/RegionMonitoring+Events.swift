internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import Monitors
internal import Parts
internal import SextantUnits

/// Stores the new states of regions, and reports region events and delays to clients.
extension RegionMonitoring {
    /// Takes the instant since which no fix has come although one is needed; nil while fixes come.
    mutating func outage(since: MonotonicInstant?) {
        let from = since?.advanced(byNanoseconds: RegionMonitoring.toldDelay)
        guard from != delayedFrom else { return }
        delayedFrom = from
        mayTellDelays = from != nil
        for index in books.entries.indices { books.change(at: index) { $0.toldDelays = [] } }
    }

    /// Tells each client, once per outage of fixes, that monitoring of a region begins late or that events come late.
    mutating func tellDelays(_ turn: inout Turn) {
        guard mayTellDelays, let delayedFrom, delayedFrom <= turn.instant else { return }
        mayTellDelays = false
        for index in books.entries.indices where books.entries[index].value.watch.ofClient {
            let (client, book) = books.entries[index]
            let codes = Set(
                book.regions.values.filter { $0.isReported }.map { region -> FailureCode in
                    region.isInside == nil ? .regionMonitoringSetupDelayed : .regionMonitoringResponseDelayed
                })
            let new = codes.subtracting(book.toldDelays).sorted()
            books.change(at: index) { $0.toldDelays += new }
            for code in new { turn.tell(.delayed(errorCode: code, of: client)) }
        }
    }

    /// Sends the events that were found to the clients whose regions they are about.
    mutating func tell(_ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        for event in areas.found {
            guard let owner = areas.owner(of: event) else { continue }
            let (time, confirmed) = (clock.utc(event.crossing), clock.utc(event.confirmed))
            let kind: TransitionName =
                switch event.kind {
                case .determined(let isInside): isInside ? .enter : .exit
                case .entered: .enter
                case .exited: .exit
                case .dwelled: .dwell
                }
            // The first finding that the board is inside or outside a region is no crossing, so it is reported as an
            // event only for a condition of a `CLMonitor`.
            var isTold = true
            if case .determined = event.kind { isTold = owner.key.monitor != nil }
            var change = StateChange(kind, isInside: kind != .exit, time: time, confirmed: confirmed)
            if !event.wasFollowed, let time { change.range = gap.range(until: time) }
            note(change, of: owner, isTold: isTold, &turn)
        }
    }

    /// A change of a region's state.
    struct StateChange {
        var kind: TransitionName
        /// Whether the board is inside the region; nil where that is not known.
        var isInside: Bool?
        var beacon: BeaconIdentity?
        var patience: Int64?
        var time: UTCInstant?
        var confirmed: UTCInstant?
        /// The earliest and the latest time of the crossing of the border; nil where the board's path was followed.
        var range: TimeRange?

        init(_ kind: TransitionName, isInside: Bool?, time: UTCInstant?, confirmed: UTCInstant?) {
            self.kind = kind
            self.isInside = isInside
            self.time = time
            self.confirmed = confirmed
        }
    }

    /// Stores whether the board is inside a region, and tells the region's client.
    mutating func note(_ change: StateChange, of owner: RegionOwner, isTold: Bool, _ turn: inout Turn) {
        guard var region = books[owner.client]?.regions[owner.key] else { return }
        let kind = change.kind
        let isTold = isTold && (kind == .dwell || region.isInside != change.isInside)
        region.isInside = change.isInside
        region.hasDwelled = kind == .dwell
        region.beacon = change.beacon
        region.patience = change.patience
        if kind != .dwell { region.date = change.time }
        books.change(owner.client, initial: Book()) { [region] in $0[owner.key] = region }
        turn.put(.registrations, owner.client, owner.key.name, region.encode())
        tellWatchers(of: region, owner.client, kind == .dwell ? .dwell : .state, &turn)
        let isWanted =
            switch kind {
            case .enter: region.request.notifyOnEntry
            case .exit: region.request.notifyOnExit
            // A region has a dwell time only if its client asked for dwell events, so these events are always wanted.
            case .dwell: true
            // The first finding that the board is inside or outside a region is no crossing, so it is sent only to a
            // client that is connected.
            case .determined: false
            }
        guard isTold else { return }
        let transition = PendingEvent.RegionTransition(
            identifier: owner.key.identifier, monitor: owner.key.monitor, kind: kind,
            state: PendingEvent.RegionState(isInside: change.isInside), beacon: change.beacon, time: change.time,
            confirmed: change.confirmed, range: change.range)
        guard !region.isOfManifest else { return turn.tell(.cross(transition, of: owner.client)) }
        turn.tell(.post(.region(transition), for: owner.client, isWanted: isWanted))
    }
}

extension RegionRegistration {
    /// Whether delays of the region's events are reported: only for an area that the client itself asked for, and not
    /// for a `CLMonitor` condition.
    fileprivate var isReported: Bool { request.monitor == nil && !isOfManifest && request.shape != nil }
}

extension PendingEvent.RegionState {
    fileprivate init(isInside: Bool?) {
        switch isInside {
        case nil: self = .unknown
        case true?: self = .inside
        case false?: self = .outside
        }
    }
}
