public import Beacons
public import SextantUnits

/// Finds out which beacon regions the board is in.
///
/// An advertisement that matches no region costs as little with a thousand regions as with a few. Regions are looked up
/// by the identities that they match. Regions with the same beacons and the same distance limit form a group; in a
/// group, all regions that the board is inside of wait together for the beacons' silence. Regions that can change
/// without an advertisement are sorted by the time at which they do. An advertisement costs one comparison for each
/// distance limit, and there are a hundred limits at most.
public struct BeaconMonitor: Sendable {
    /// The index of a watched region in the monitor's table.
    public struct Slot: Sendable, Hashable {
        public let index: Int32
    }

    /// The state that a region had before the monitor watched it, as it was stored.
    public struct State: Sendable, Hashable {
        public var isInside: Bool
        /// When the board entered or left the region; nil where that is not known.
        public var since: MonotonicInstant?
        public var hasDwelled: Bool
        /// Nanoseconds of listening, without receiving the region's beacons, after which the board counts as outside.
        public var patience: Int64

        public init(
            isInside: Bool, since: MonotonicInstant?, hasDwelled: Bool = false,
            patience: Int64 = BeaconPresence.usualPatience
        ) {
            self.isInside = isInside
            self.since = since
            self.hasDwelled = hasDwelled
            self.patience = patience
        }
    }

    public struct Event: Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
            /// Whether the board is inside, found for the first time, so it is no entry or exit; nil if what was found
            /// before no longer holds, because the radio was off.
            case determined(isInside: Bool?)
            case entered
            case exited
            /// The board has been inside for the region's dwell time.
            case dwelled
        }

        public var slot: Slot
        public var kind: Kind
        /// When the event happened (for an entry, the time of the first advertisement; for an exit, of the last); nil
        /// if that is not known.
        public var instant: MonotonicInstant?
        /// The beacon that was received first since the board entered; nil for an exit.
        public var beacon: BeaconIdentity?
    }

    private struct Region {
        /// The index of the region's group in `groups`.
        let group: Int32
        var wait: BeaconGroup.Wait
        /// The region's dwell time in nanoseconds; nil where no dwell is to be reported.
        let dwell: Int64?
        /// Whether the board is inside, and since when; for a region that waits for silence together with others, its
        /// state when this wait began.
        var presence: BeaconPresence
        var enteredAt: MonotonicInstant?
        var hasDwelled = false
        /// The beacon that was heard first since the board was last outside.
        var first: BeaconIdentity?

        /// The instant at which the board has been inside for the dwell time; nil where the dwell was reported, or not
        /// requested.
        var dwellDue: MonotonicInstant? {
            guard presence.state == .inside, !hasDwelled, let dwell, let enteredAt else { return nil }
            return enteredAt.advanced(byNanoseconds: dwell)
        }

        /// Whether the radio listens all the time because the region's beacons have been silent for long.
        var isInDoubt = false

        /// Notes this beacon as the first one received since the board was last outside, if none is noted yet.
        mutating func note(_ beacon: BeaconIdentity, at instant: MonotonicInstant) {
            let isKnown = presence.state == .inside ? first != nil : presence.awaitsPair(at: instant)
            if !isKnown { first = beacon }
        }
    }

    private var regions: [Region?] = []
    private var vacant: [Int32] = []
    private var groups: [BeaconGroup?] = []
    private var vacantGroups: [Int32] = []
    /// For each set of beacons, the indices in `groups` of its region groups, one for each distance limit.
    private var numbers: [BeaconConstraint: [Int32]] = [:]
    /// The region groups that wait for their beacons' silence, each with the radio's total listening time, in
    /// nanoseconds, at which the radio must begin to listen all the time for the group.
    private var silences = DueQueue()
    /// Two queues of regions; the times in them are total listening times of the radio, in nanoseconds.
    ///
    /// `doubts` tells when the radio must begin to listen all the time for a region that waits for silence by itself;
    /// `changes` tells when a region changes if no advertisement comes.
    private var (doubts, changes) = (DueQueue(), DueQueue())
    /// Two queues of regions; the times in them are nanoseconds since the daemon's start.
    ///
    /// `bursts` tells when the wait for a second advertisement ends; `dwells` tells when a dwell is complete.
    private var (bursts, dwells) = (DueQueue(), DueQueue())
    /// The number of regions with a distance limit.
    private var withinCount = 0
    /// The number of regions for whose sake the radio listens all the time, because their beacons have long been
    /// silent.
    private var doubtCount = 0
    /// The indices of the regions that the present call must examine, and of the region groups that the present
    /// advertisement concerns.
    private var (concerned, concernedGroups): ([Int32], [Int32]) = ([], [])
    /// The number of regions and groups examined for all advertisements so far, for tests of what an advertisement
    /// costs.
    private(set) var examined = 0
    /// How many regions are watched.
    public var count: Int { regions.count - vacant.count }

    public init() {}

    /// Begins to watch a region.
    ///
    /// - Parameters:
    ///   - within: The largest distance to a beacon in metres, which is rounded by up to 2.5 %; nil for the whole radio
    ///     range.
    ///   - dwell: Seconds inside the region after which a dwell is reported; nil for never.
    ///   - listened: The nanoseconds for which the radio has listened since the daemon's start.
    public mutating func add(
        _ constraint: BeaconConstraint, within: Double? = nil, dwell: Double?, state known: State?, listened: Int64
    ) -> Slot {
        let state = known.map { $0.isInside ? BeaconPresence.State.inside : .outside } ?? .unknown
        let number = group(BeaconGroup.Reach(constraint, within: within))
        let region = Region(
            group: number, wait: .away, dwell: dwell.map { Int64(saturating: $0 * 1e9, .towardZero) },
            presence: BeaconPresence(
                state, patience: known?.patience ?? BeaconPresence.usualPatience, listened: listened),
            enteredAt: state == .inside ? known?.since : nil, hasDwelled: known?.hasDwelled ?? false)
        let index = vacant.popLast() ?? Int32(clamping: regions.count)
        if Int(index) == regions.count { regions.append(region) } else { regions[Int(index)] = region }
        if within != nil { withinCount += 1 }
        groups[Int(number)]?.insert(index, .away)
        if state == .inside { move(index, to: .alone) }
        file(Int(index))
        return Slot(index: index)
    }

    public mutating func remove(_ slot: Slot) {
        guard let region = self[slot] else { return }
        if region.isInDoubt { doubtCount -= 1 }
        regions[Int(slot.index)] = nil
        file(Int(slot.index))
        vacant.append(slot.index)
        groups[Int(region.group)]?.remove(slot.index, region.wait)
        guard let group = groups[Int(region.group)] else { return }
        if group.reach.within != nil { withinCount -= 1 }
        silences.set(region.group, due: group.doubtDue)
        guard group.isEmpty else { return }
        groups[Int(region.group)] = nil
        vacantGroups.append(region.group)
        numbers[group.reach.constraint]?.removeAll { $0 == region.group }
        if numbers[group.reach.constraint]?.isEmpty ?? false { numbers[group.reach.constraint] = nil }
    }

    /// The index of the group with these beacons and this distance limit, which is added if it does not exist.
    private mutating func group(_ reach: BeaconGroup.Reach) -> Int32 {
        let known = numbers[reach.constraint]?.first { groups[Int($0)]?.reach == reach }
        if let known { return known }
        let number = vacantGroups.popLast() ?? Int32(clamping: groups.count)
        if Int(number) == groups.count { groups.append(nil) }
        groups[Int(number)] = BeaconGroup(reach)
        numbers[reach.constraint, default: []].append(number)
        return number
    }

    private subscript(slot: Slot) -> Region? {
        regions.indices.contains(Int(slot.index)) ? regions[Int(slot.index)] : nil
    }

    /// Nanoseconds of listening, without receiving the region's beacons, after which the board counts as outside.
    public func patience(of slot: Slot) -> Int64 {
        self[slot].map(current)?.patience ?? BeaconPresence.usualPatience
    }

    /// Whether the board is in a region now, and since when.
    private func current(_ region: Region) -> BeaconPresence {
        guard region.wait == .together, let group = groups[Int(region.group)] else { return region.presence }
        return group.current(region.presence)
    }

    /// Changes the event that a region waits for.
    private mutating func move(_ place: Int32, to wait: BeaconGroup.Wait) {
        guard var region = regions[Int(place)], region.wait != wait else { return }
        groups[Int(region.group)]?.remove(place, region.wait)
        groups[Int(region.group)]?.insert(place, wait)
        region.presence = current(region)
        region.wait = wait
        regions[Int(place)] = region
        silences.set(region.group, due: groups[Int(region.group)]?.doubtDue)
    }

    // MARK: What happens

    /// Whether any region that this beacon belongs to has a distance limit.
    public mutating func needsDistance(of beacon: BeaconIdentity) -> Bool {
        guard withinCount > 0 else { return false }
        findGroups(of: beacon)
        return concernedGroups.contains { groups[Int($0)]?.reach.within != nil }
    }

    /// Puts the groups of the regions that a beacon belongs to into `concernedGroups`.
    private mutating func findGroups(of beacon: BeaconIdentity) {
        concernedGroups.removeAll(keepingCapacity: true)
        let constraints = beacon.constraints
        for index in constraints.indices {
            if let found = numbers[constraints[index]] { concernedGroups.append(contentsOf: found) }
        }
    }

    /// Handles an advertisement.
    ///
    /// - Parameter metres: The distance to the beacon; nil if it is not known.
    public mutating func heard(
        _ beacon: BeaconIdentity, metres: Double? = nil, at instant: MonotonicInstant, listened: Int64,
        into events: inout [Event]
    ) {
        findGroups(of: beacon)
        concerned.removeAll(keepingCapacity: true)
        for number in concernedGroups {
            let counts = groups[Int(number)]?.heard(from: metres, at: instant, listened: listened, into: &concerned)
            if counts ?? false { silences.set(number, due: groups[Int(number)]?.doubtDue) }
        }
        examined &+= concernedGroups.count + concerned.count
        concerned.sort()
        for place in concerned {
            change(at: Int(place), into: &events) { region in
                region.note(beacon, at: instant)
                return region.presence.heard(at: instant, listened: listened)
            }
            if regions[Int(place)]?.presence.state == .inside { move(place, to: .together) }
            file(Int(place))
        }
    }

    /// Reports the changes that come by time alone: those due at this instant, or at this total listening time of the
    /// radio.
    public mutating func advance(to instant: MonotonicInstant, listened: Int64, into events: inout [Event]) {
        pass(to: instant, listened: listened)
        concerned.removeAll(keepingCapacity: true)
        while let place = changes.popFirst(dueBy: listened) { concerned.append(place) }
        while let place = dwells.popFirst(dueBy: instant.nanoseconds) { concerned.append(place) }
        concerned.sort()
        // If both a change and a dwell of a region are due, the region is handled twice, the second time without
        // effect.
        for place in concerned {
            // A region that waits together with others (`together`) needs no check for silence, because its beacons
            // were received lately.
            if regions[Int(place)]?.wait != .together {
                change(at: Int(place), into: &events) { region in region.presence.listened(listened, at: instant) }
            }
            if regions[Int(place)]?.presence.state != .inside { move(place, to: .away) }
            dwell(at: Int(place), to: instant, into: &events)
            file(Int(place))
        }
    }

    /// For every region, forgets whether the board is inside, because the radio has been off for longer than 30 s.
    public mutating func forget(listened: Int64, into events: inout [Event]) {
        for index in regions.indices where regions[index]?.presence.state != .unknown {
            guard regions[index] != nil else { continue }
            move(Int32(index), to: .away)
            regions[index]?.presence.forget(listened: listened)
            regions[index]?.first = nil
            regions[index]?.enteredAt = nil
            file(index)
            events.append(Event(slot: Slot(index: Int32(index)), kind: .determined(isInside: nil)))
        }
    }

    private mutating func change(
        at index: Int, into events: inout [Event], _ body: (inout Region) -> BeaconPresence.Event?
    ) {
        guard var region = regions[index] else { return }
        let found = body(&region)
        let slot = Slot(index: Int32(index))
        switch found {
        case nil: break
        case .determined(let isInside):
            region.enteredAt = isInside ? region.presence.enteredAt : nil
            if !isInside { region.first = nil }
            events.append(
                Event(
                    slot: slot, kind: .determined(isInside: isInside), instant: region.enteredAt,
                    beacon: region.first))
        case .entered(let instant):
            region.enteredAt = instant
            region.hasDwelled = false
            events.append(Event(slot: slot, kind: .entered, instant: instant, beacon: region.first))
        case .exited(let instant):
            region.enteredAt = nil
            region.first = nil
            events.append(Event(slot: slot, kind: .exited, instant: instant))
        }
        regions[index] = region
    }

    private mutating func dwell(at index: Int, to instant: MonotonicInstant, into events: inout [Event]) {
        guard let due = regions[index]?.dwellDue, due <= instant else { return }
        regions[index]?.hasDwelled = true
        events.append(
            Event(slot: Slot(index: Int32(index)), kind: .dwelled, instant: due, beacon: regions[index]?.first))
    }

    // MARK: When time alone changes something

    /// Puts a region that has changed into the queues, with the times at which the region will change if no
    /// advertisement comes.
    private mutating func file(_ index: Int) {
        let (place, region) = (Int32(clamping: index), regions[index])
        let presence = region?.presence
        if region?.isInDoubt ?? false {
            regions[index]?.isInDoubt = false
            doubtCount -= 1
        }
        doubts.set(place, due: region?.wait == .alone ? presence?.doubtDue : nil)
        changes.set(place, due: presence?.state == .unknown ? presence?.changeDue : nil)
        bursts.set(place, due: presence?.burstEnd?.nanoseconds)
        dwells.set(place, due: region?.dwellDue?.nanoseconds)
    }

    /// Marks the regions whose beacons have been silent for long, so that the radio listens all the time for them, and
    /// ends overdue waits for a second advertisement.
    private mutating func pass(to instant: MonotonicInstant, listened: Int64) {
        while let number = silences.popFirst(dueBy: listened) {
            for place in groups[Int(number)]?.together ?? [] {
                move(place, to: .alone)
                doubt(place)
            }
        }
        while let place = doubts.popFirst(dueBy: listened) { doubt(place) }
        while bursts.popFirst(dueBy: instant.nanoseconds) != nil {}
    }

    private mutating func doubt(_ place: Int32) {
        regions[Int(place)]?.isInDoubt = true
        doubtCount += 1
        changes.set(place, due: regions[Int(place)]?.presence.changeDue)
    }

    /// The instant at which a region, or the radio's way of listening, next changes without an advertisement.
    ///
    /// - Parameter isListening: Whether the radio listens; only then can its total listening time reach a limit.
    public mutating func deadline(
        isListening: Bool, listened: Int64, at instant: MonotonicInstant
    ) -> MonotonicInstant? {
        pass(to: instant, listened: listened)
        func fixed(_ due: Int64?) -> MonotonicInstant? { due.map { MonotonicInstant(nanoseconds: $0) } }
        func listening(_ due: Int64?) -> MonotonicInstant? {
            isListening ? due.map { instant.advanced(byNanoseconds: max(0, $0 - listened)) } : nil
        }
        return .earlier(
            .earlier(fixed(bursts.earliest), fixed(dwells.earliest)),
            .earlier(
                listening(changes.earliest), .earlier(listening(doubts.earliest), listening(silences.earliest))))
    }

    /// How the radio is to listen for the regions; nil where none is watched.
    public mutating func timing(listened: Int64, at instant: MonotonicInstant) -> ScanTiming? {
        guard count > 0 else { return nil }
        pass(to: instant, listened: listened)
        return bursts.isEmpty && doubtCount == 0 ? BeaconScanPolicy.sparse : BeaconScanPolicy.continuous
    }
}
