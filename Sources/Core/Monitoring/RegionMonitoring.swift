internal import Access
internal import Beacons
internal import ClientProtocol
internal import Fusion
internal import Monitors
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// The regions of clients: areas, watched by the fused location, and the reach of beacons, watched by the radio.
struct RegionMonitoring: ~Copyable {
    private var monitor = RegionMonitor()
    var books = PerClient<Book>()
    private var found: [RegionEvent] = []
    /// The owners of the watched regions, by the numbers of their slots in the monitor.
    private var owners: [Int32: Owner] = [:]
    var beacons = BeaconMonitor()
    var foundBeacons: [BeaconMonitor.Event] = []
    /// How far away the beacons are of regions that want them near.
    var beaconDistances = BeaconRanging()
    /// Whether the board moves, by its accelerometer.
    var isMoving = false
    /// The owners of the watched reaches of beacons, by the places of their slots.
    var beaconOwners: [Int32: Owner] = [:]
    /// The numbers, in the energy's accounts, of the clients whose reaches of beacons are watched; nil until asked for.
    private var beaconPayers: [UInt32]?
    /// What the radio did when last heard of.
    var radio = RadioStanding()
    /// Since when the radio has not listened although it should; nil while it does, or need not.
    var deafSince: MonotonicInstant?
    /// Whether it is not known any more which beacons are in reach, because the radio has been off for long.
    var hasForgotten = false
    /// The next instant at which time alone changes something about beacons.
    var beaconDeadline: MonotonicInstant?
    /// Whether the board may have been moved since the stored states were true, so that they say nothing.
    var isDoubted = false
    /// Whether restored regions were given their entry times, which needs a validated time from the receiver.
    private var isDated = false
    /// The instant from which events count as delayed, because no fix comes; nil while fixes come.
    private var delayedFrom: MonotonicInstant?
    /// Whether a client may have to be told of a delay.
    private var mayTellDelays = false
    /// The operators' connections that are told of every change.
    private(set) var watchers: [ClientID] = []

    /// The most positions that the polygons of one client may have together.
    ///
    /// Each fix near a polygon is measured against all its positions, and a list of the regions shows them all.
    static let maximumPositions = 32_768

    /// The smallest radius, in metres, at which a circle's events come as soon as others' do (REG-24).
    ///
    /// The borders of a smaller circle may all be within a position's error.
    static let leastRadius = 20.0

    /// Nanoseconds without the radio after which it is not known any more which beacons are in reach.
    static let deafness: Int64 = 30_000_000_000

    /// Nanoseconds without a needed fix after which clients are told that events are delayed; as long as for updates.
    private static let toldDelay: Int64 = 60_000_000_000

    /// One client's regions.
    struct Book {
        private(set) var regions: [RegionKey: RegionRegistration] = [:]
        var watch = Watch()
        /// The error codes of the delays that the client was told of since fixes last came.
        var toldDelays: [Int] = []
        /// How many of the regions are the manifest's.
        private(set) var manifestCount = 0
        /// The positions of all polygons among them.
        private(set) var positionCount = 0

        /// A region by its name; nil where there is none, or to remove it.
        subscript(key: RegionKey) -> RegionRegistration? {
            get { regions[key] }
            set {
                positionCount += (newValue?.positionCount ?? 0) - (regions[key]?.positionCount ?? 0)
                if key.isOfManifest { manifestCount += (newValue == nil ? 0 : 1) - (regions[key] == nil ? 0 : 1) }
                regions[key] = newValue
            }
        }

        /// The client's regions in the order of their names.
        var sorted: [RegionRegistration] { regions.keys.sorted().compactMap { regions[$0] } }
    }

    /// Which of a client's regions are watched.
    struct Watch: Equatable {
        /// Whether those that the client asked for are, which they are while it may be told of them.
        var ofClient = false
        /// Whether the conditions of its `CLMonitor` are, which also takes the sessions that these need.
        var ofMonitors = false
        /// Whether the manifest's are, which they are while units may be started for them.
        var ofManifest = false

        init() {}

        init(_ client: String, _ grants: Grants) {
            ofClient = grants.mayHear(of: .regions, client)
            ofMonitors = grants.mayWatchConditions(client)
            ofManifest = grants.mayCross(client)
        }

        func covers(_ key: RegionKey) -> Bool {
            if key.isOfManifest { return ofManifest }
            return key.monitor == nil ? ofClient : ofMonitors
        }
    }

    /// The client and the key of a region that the monitor knows by its slot's number.
    struct Owner {
        let client: String
        let key: RegionKey
    }

    var clients: [String] { books.entries.map { $0.client } }

    /// The clients with an area that is watched.
    var clientsOfAreas: [String] { clients { if case .area = $0 { true } else { false } } }

    /// The clients that pay for the radio, as the energy's accounts know them: those with a reach of beacons that is watched.
    mutating func radioPayers() -> [UInt32] {
        if let beaconPayers { return beaconPayers }
        let clients = clients { if case .beacons = $0 { true } else { false } }
        let payers = clients.map(EnergyLedger.number(ofRegistrations:))
        beaconPayers = payers
        return payers
    }

    private func clients(with isMeant: (RegionRegistration.Slot) -> Bool) -> [String] {
        books.entries.filter { entry in
            entry.value.watch != Watch() && entry.value.regions.values.contains { $0.slot.map(isMeant) ?? false }
        }.map { $0.client }
    }

    func count(of client: String) -> Int { books[client]?.regions.count ?? 0 }

    /// How many of a client's regions are its manifest's.
    func manifestCount(of client: String) -> Int { books[client]?.manifestCount ?? 0 }

    /// The client's regions in the order of their names, its manifest's last.
    func registrations(of client: String) -> [RegionRegistration] { books[client]?.sorted ?? [] }

    /// The regions of all clients.
    var totalCount: Int { books.entries.reduce(0) { $0 + $1.value.regions.count } }

    var isWatching: Bool { monitor.count > 0 }

    var deadline: MonotonicInstant? { .earlier(monitor.deadline, mayTellDelays ? delayedFrom : nil) }

    var needs: [AccuracyRequest.Service] {
        guard let distance = monitor.distanceToNearestBoundary else { return [] }
        return [.region(distanceToBoundary: distance, slack: distance - (monitor.safeDistance ?? 0))]
    }

    // MARK: Clients

    /// - Parameter isLocated: Whether the board's location is known, so that a new region's state soon is.
    mutating func add(
        _ request: RegionRequest, of client: String, id: String?, on connection: ClientID, _ grants: Grants,
        _ clock: FixClock, isLocated: Bool, _ turn: inout Turn
    ) {
        let region = RegionRegistration(request)
        let old = books[client]?.regions[region.key]
        if let (errorCode, reason) = refusal(of: region, replacing: old, client, grants) {
            return turn.send(connection) {
                ClientEvent.appendMonitoringFailed(
                    request.identifier, monitor: request.monitor, errorCode: errorCode, reason: reason, id: id, to: &$0)
            }
        }
        register(region, of: client, grants, clock, &turn)
        turn.confirm(connection) {
            ClientEvent.appendMonitoring(request.identifier, monitor: request.monitor, id: id, to: &$0)
        }
        if request.isSmall, request.monitor == nil {
            // Monitoring begins late (6) where no position comes, else events come late (7).
            let isOut = delayedFrom.map { $0 <= turn.instant } ?? false
            let errorCode = isLocated && !isOut ? 7 : 6
            turn.confirm(connection) {
                ClientEvent.appendMonitoringFailed(
                    request.identifier, errorCode: errorCode, reason: "smallRadius",
                    radius: RegionMonitoring.leastRadius, id: nil, to: &$0)
            }
        }
        turn.tell(.want(.regions, on: connection))
    }

    /// Watches and stores a region, which may replace one of the same name.
    private mutating func register(
        _ new: RegionRegistration, of client: String, _ grants: Grants, _ clock: FixClock, _ turn: inout Turn
    ) {
        var region = new
        if let old = books[client]?.regions[region.key] {
            unwatch(old)
            region.keepState(of: old)
        }
        // Where access has changed, `follow` watches the new region with the others.
        let watched = books[client]?.watch ?? Watch(client, grants)
        if watched.covers(region.key) { watch(&region, of: client, clock, at: turn.instant) }
        books.update(client, initial: Book()) { [region] book in
            book.watch = watched
            book[region.key] = region
        }
        turn.put(.registrations, client, region.key.name, region.encode())
        tellWatchers(of: region, client, .added, &turn)
    }

    /// Registers the regions of the clients' manifests, and removes those that are in no manifest any more.
    ///
    /// They are never refused, so that a client cannot crowd them out with regions of its own.
    mutating func adopt(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        for manifest in grants.manifests where !manifest.isAbsent {
            let (client, wanted) = (manifest.name, manifest.regions.map { $0.registration })
            guard !wanted.isEmpty || manifestCount(of: client) > 0 else { continue }
            for old in registrations(of: client) where old.isOfManifest {
                if !wanted.contains(where: { $0.key == old.key }) { remove(old, of: client, &turn) }
            }
            for region in wanted where books[client]?.regions[region.key]?.request != region.request {
                register(region, of: client, grants, clock, &turn)
            }
        }
    }

    /// Core Location's error code for a region that cannot be monitored, with the reason; nil where it can.
    private func refusal(
        of region: RegionRegistration, replacing old: RegionRegistration?, _ client: String, _ grants: Grants
    ) -> (errorCode: Int, reason: StaticString)? {
        guard grants.standing(of: client).mayBeWoken else { return (4, "wakeOff") }
        guard region.request.beacons == nil || !radio.isHopeless else { return (5, "noRadio") }
        guard region.request.isPossible else { return (5, "impossible") }
        let isFull = old == nil && count(of: client) >= grants.manifest(of: client)?.maximumRegions ?? 0
        let kept = (books[client]?.positionCount ?? 0) - (old?.positionCount ?? 0)
        let isTooLong = region.positionCount > max(0, RegionMonitoring.maximumPositions - kept)
        return isFull || isTooLong ? (5, "limit") : nil
    }

    mutating func remove(_ key: RegionKey, of client: String, _ turn: inout Turn) {
        guard let region = books[client]?.regions[key] else {
            // Also of one that is not known: a store that could not be read may hold it.
            return turn.remove(.registrations, client, key.name)
        }
        remove(region, of: client, &turn)
        turn.tell(.withdraw(.regions, key, of: client))
    }

    private mutating func remove(_ region: RegionRegistration, of client: String, _ turn: inout Turn) {
        turn.remove(.registrations, client, region.key.name)
        unwatch(region)
        let isEmpty = books.update(client, initial: Book()) { book in
            book[region.key] = nil
            return book.regions.isEmpty
        }
        if isEmpty { books[client] = nil }
        tellWatchers(of: region, client, .removed, &turn)
    }

    mutating func forget(_ client: String, _ turn: inout Turn) {
        for region in registrations(of: client) {
            unwatch(region)
            tellWatchers(of: region, client, .removed, &turn)
        }
        books[client] = nil
    }

    /// Whether the board is inside a region, by its monitor where it has one, else by the present location.
    func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ location: FusedLocation?
    ) -> Bool? {
        if let known = books[client]?.regions[RegionKey(identifier: identifier, monitor: nil)] {
            return shownState(of: known)
        }
        guard let shape = region?.shape, let location else { return nil }
        return RegionMonitor.isInside(shape, at: location)
    }

    /// Whether the board is inside a region, as far as that is known: after a sleep in which it may have been moved, only
    /// the first fix tells.
    func shownState(of region: RegionRegistration) -> Bool? {
        guard isDoubted, case .area(let slot)? = region.slot, !monitor.isSettled(slot) else { return region.isInside }
        return nil
    }

    // MARK: Watching

    /// Watches the regions that something may be told or started for, and no others.
    mutating func follow(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        for place in books.entries.indices {
            let client = books.entries[place].client
            let (old, new) = (books.entries[place].value.watch, Watch(client, grants))
            guard old != new else { continue }
            books.update(at: place) { $0.watch = new }
            for var region in books.entries[place].value.sorted where old.covers(region.key) != new.covers(region.key) {
                let isWanted = new.covers(region.key)
                if isWanted { watch(&region, of: client, clock, at: turn.instant) } else { unwatch(region) }
                if !isWanted { region.slot = nil }
                books.update(at: place) { [region] in $0[region.key] = region }
                tellWatchers(of: region, client, .state, &turn)
            }
        }
    }

    /// Gives restored regions their entry times as soon as the time is known, so that a dwell goes on.
    mutating func date(_ clock: FixClock, at instant: MonotonicInstant) {
        guard !isDated, clock.offset != nil else { return }
        isDated = true
        for place in books.entries.indices {
            let client = books.entries[place].client
            for var region in books.entries[place].value.sorted where region.mustBeDated {
                unwatch(region)
                watch(&region, of: client, clock, at: instant)
                books.update(at: place) { [region] in $0[region.key] = region }
            }
        }
    }

    private mutating func watch(
        _ region: inout RegionRegistration, of client: String, _ clock: FixClock, at instant: MonotonicInstant
    ) {
        let owner = Owner(client: client, key: region.key)
        let since = region.date.flatMap { clock.instant(of: $0) }
        switch region.request.condition {
        case .area(let shape):
            let standing = region.isInside.map {
                RegionStanding(isInside: $0, since: since ?? instant, hasDwelled: region.hasDwelled)
            }
            let slot = monitor.add(
                MonitoredRegion(
                    shape, dwell: region.request.dwell, cushion: region.request.cushion ?? 0, standing: standing))
            region.slot = .area(slot)
            mayTellDelays = true
            owners[slot.index] = owner
        case .beacons(let constraint):
            let standing = region.isInside.map {
                BeaconMonitor.Standing(
                    isInside: $0, since: since ?? instant, hasDwelled: region.hasDwelled,
                    patience: region.patience ?? BeaconPresence.usualPatience)
            }
            let slot = beacons.add(
                constraint, within: region.request.within, dwell: region.request.dwell, standing: standing,
                listened: radio.listened)
            region.slot = .beacons(slot)
            beaconOwners[slot.index] = owner
            beaconPayers = nil
            settleBeacons(at: instant)
        }
    }

    private mutating func unwatch(_ region: RegionRegistration) {
        switch region.slot {
        case nil: break
        case .area(let slot):
            monitor.remove(slot)
            owners[slot.index] = nil
        case .beacons(let slot):
            beacons.remove(slot)
            beaconOwners[slot.index] = nil
            beaconPayers = nil
        }
    }

    mutating func follow(_ location: FusedLocation, _ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        found.removeAll(keepingCapacity: true)
        monitor.follow(location, into: &found)
        tell(clock, gap, &turn)
    }

    mutating func advance(_ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        found.removeAll(keepingCapacity: true)
        monitor.advance(to: turn.instant, into: &found)
        tell(clock, gap, &turn)
    }

    /// Takes the instant since which a needed fix does not come; nil while fixes come.
    mutating func outage(since: MonotonicInstant?) {
        let from = since?.advanced(byNanoseconds: RegionMonitoring.toldDelay)
        guard from != delayedFrom else { return }
        delayedFrom = from
        mayTellDelays = from != nil
        for place in books.entries.indices { books.update(at: place) { $0.toldDelays = [] } }
    }

    /// Tells each client, once in an outage, that monitoring begins late (6) or that events come late (7).
    mutating func tellDelays(_ turn: inout Turn) {
        guard mayTellDelays, let delayedFrom, delayedFrom <= turn.instant else { return }
        mayTellDelays = false
        for place in books.entries.indices where books.entries[place].value.watch.ofClient {
            let (client, book) = books.entries[place]
            let codes = Set(book.regions.values.filter { $0.isReported }.map { $0.isInside == nil ? 6 : 7 })
            let new = codes.subtracting(book.toldDelays).sorted()
            books.update(at: place) { $0.toldDelays += new }
            for code in new { turn.tell(.delayed(errorCode: code, of: client)) }
        }
    }

    /// Tells the owners of regions about the events that were found.
    private mutating func tell(_ clock: FixClock, _ gap: UnfollowedTime, _ turn: inout Turn) {
        for event in found {
            guard let owner = owners[event.slot.index] else { continue }
            let (time, confirmed) = (clock.utc(event.crossing), clock.utc(event.confirmed))
            let kind: RegionEventObject.Kind =
                switch event.kind {
                case .determined(let isInside): isInside ? .enter : .exit
                case .entered: .enter
                case .exited: .exit
                case .dwelled: .dwell
                }
            // A region's first state is not a crossing; only a `CLMonitor`'s condition tells of it.
            var isTold = true
            if case .determined = event.kind { isTold = owner.key.monitor != nil }
            var change = StateChange(kind, isInside: kind != .exit, time: time, confirmed: confirmed)
            if !event.wasFollowed, let time { change.range = gap.range(until: time) }
            take(change, of: owner, isTold: isTold, &turn)
        }
    }

    /// A change of a region's state.
    struct StateChange {
        var kind: RegionEventObject.Kind
        /// Nil for unknown.
        var isInside: Bool?
        var beacon: BeaconIdentity?
        var patience: Int64?
        var time: UTCInstant?
        var confirmed: UTCInstant?
        /// Between which times it was; nil where the board was followed.
        var range: TimeRange?

        init(_ kind: RegionEventObject.Kind, isInside: Bool?, time: UTCInstant?, confirmed: UTCInstant?) {
            self.kind = kind
            self.isInside = isInside
            self.time = time
            self.confirmed = confirmed
        }
    }

    /// Stores a region's new state, and tells its client.
    mutating func take(_ change: StateChange, of owner: Owner, isTold: Bool, _ turn: inout Turn) {
        guard var region = books[owner.client]?.regions[owner.key] else { return }
        let kind = change.kind
        let isTold = isTold && (kind == .dwell || region.isInside != change.isInside)
        region.isInside = change.isInside
        region.hasDwelled = kind == .dwell
        region.beacon = change.beacon
        region.patience = change.patience
        if kind != .dwell { region.date = change.time }
        books.update(owner.client, initial: Book()) { [region] in $0[owner.key] = region }
        turn.put(.registrations, owner.client, owner.key.name, region.encode())
        tellWatchers(of: region, owner.client, kind == .dwell ? .dwell : .state, &turn)
        let isWanted =
            switch kind {
            case .enter: region.request.notifyOnEntry
            case .exit: region.request.notifyOnExit
            // A client that did not ask for dwell has no dwell time.
            case .dwell: true
            // No crossing, so that nobody is started for it.
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

    // MARK: Operators

    /// The most bytes of one answer that lists regions; a single region may be longer.
    static let maximumListBytes = 262_144

    /// Lists the regions of all clients behind the first `offset`, as many as fit one answer, and tells each change from
    /// then on; or ends that.
    mutating func serve(isEnabled: Bool, offset: Int, id: String?, on connection: ClientID, _ turn: inout Turn) {
        stopTelling(connection)
        guard isEnabled else { return turn.send(connection) { ClientEvent.appendRegionsEnded(id: id, to: &$0) } }
        watchers.append(connection)
        let total = totalCount
        turn.send(connection) { text in
            let count = list(behind: offset, id: id, to: &text)
            ClientEvent.appendRegions(
                count: count, total: total, hasMore: offset + count < total, id: id, to: &text)
        }
    }

    /// - Returns: How many regions were written.
    private func list(behind offset: Int, id: String?, to text: inout TextBuffer) -> Int {
        let start = text.count
        var (skipped, count) = (0, 0)
        for (client, book) in books.entries {
            guard skipped + book.regions.count > offset else {
                skipped += book.regions.count
                continue
            }
            for region in book.sorted {
                guard skipped >= offset else {
                    skipped += 1
                    continue
                }
                let end = text.count
                ClientEvent.append(
                    RegionObject(region, of: client, isInside: shownState(of: region)), id: id, to: &text)
                guard count == 0 || text.count - start <= RegionMonitoring.maximumListBytes else {
                    text.truncate(to: end)
                    return count
                }
                count += 1
            }
        }
        return count
    }

    /// Tells a connection of changes no longer.
    mutating func stopTelling(_ connection: ClientID) { watchers.removeAll { $0 == connection } }

    private func tellWatchers(
        of region: RegionRegistration, _ client: String, _ change: RegionObject.Change, _ turn: inout Turn
    ) {
        guard !watchers.isEmpty else { return }
        let start = turn.text.count
        let object = RegionObject(region, of: client, isInside: shownState(of: region))
        ClientEvent.appendRegionChanged(object, change, to: &turn.text)
        for watcher in watchers { turn.actions.append(.send(watcher, start..<turn.text.count)) }
    }

    // MARK: Stored rows

    mutating func restore(_ row: DurableRow) -> Bool {
        guard var region = RegionRegistration.decode(row.value.span) else { return false }
        region.isOfManifest = RegionKey.isOfManifest(row.name)
        guard region.key.name == row.name else { return false }
        books.update(row.client, initial: Book()) { [region] in $0[region.key] = region }
        return true
    }
}

extension RegionRequest {
    /// Whether the region is a circle so small that its events may be delayed.
    fileprivate var isSmall: Bool {
        if case .circle(_, _, let radius)? = shape { radius < RegionMonitoring.leastRadius } else { false }
    }
}

extension RegionObject {
    fileprivate init(_ region: RegionRegistration, of client: String, isInside: Bool?) {
        self.init(
            client: client, region: region.request, isOfManifest: region.isOfManifest, isWatched: region.slot != nil,
            isInside: isInside, date: region.date)
    }
}

extension RegionRegistration {
    /// The positions of the region's polygon; 0 for a circle.
    fileprivate var positionCount: Int {
        if case .polygon(let polygon)? = request.shape { polygon.positionCount } else { 0 }
    }

    /// Whether the client is told of delays in monitoring the region: it is neither a monitor's nor the manifest's.
    fileprivate var isReported: Bool { request.monitor == nil && !isOfManifest && request.shape != nil }

    /// Whether the region's dwell is being timed from a stored entry time, which could not be used before the time was
    /// known.
    fileprivate var mustBeDated: Bool {
        slot != nil && request.shape != nil && isInside == true && date != nil && request.dwell != nil && !hasDwelled
    }
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
