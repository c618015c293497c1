internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import Monitors
internal import Parts
internal import Power
internal import SextantUnits

/// The regions of clients: areas, watched by the fused location, and beacon regions, watched by the radio.
struct RegionMonitoring: ~Copyable {
    var books = PerClient<Book>()
    var areas = WatchedAreas()
    var reaches = BeaconReaches()
    /// The energy account numbers of the clients whose beacon regions are watched; nil where they must be computed
    /// anew.
    var beaconPayers: [UInt32]?
    /// Whether the board was perhaps moved since its regions were stored, so that it is not known until the first fix
    /// which regions the board is inside.
    var isDoubted = false
    /// Whether the entry times of restored regions have been set, which needs a validated time from a receiver.
    var isDated = false
    /// The instant, perhaps in the future, from which events count as delayed because no fix has come; nil while fixes
    /// come.
    var delayedFrom: MonotonicInstant?
    /// Whether a delay may still have to be reported to a client, so that `tellDelays` must check.
    var mayTellDelays = false
    /// The operators' connections that are sent every change of a region.
    var watchers: [ClientID] = []

    /// The largest number of positions in all polygons of one client together.
    ///
    /// Each fix near a polygon is measured against all its positions, and a list of the regions shows them all.
    static let maximumPositions = 32_768

    /// The smallest radius, in metres, of a circle whose events come without a delay (requirement REG-24).
    ///
    /// A smaller circle can lie wholly within the error of a position.
    static let minimumRadius = 20.0

    /// Nanoseconds without a needed fix after which clients are told that events are delayed; the same time as for lost
    /// location reports (`FixLoss.outage`).
    static let toldDelay: Int64 = 60_000_000_000

    /// One client's regions.
    struct Book {
        private(set) var regions: [RegionKey: RegionRegistration] = [:]
        var watch = Watch()
        /// The error codes of the delays that were reported to the client in the present outage of fixes.
        var toldDelays: [FailureCode] = []
        /// How many of the regions are from the client's manifest.
        private(set) var manifestCount = 0
        /// The number of positions in the polygons of all the client's regions.
        private(set) var positionCount = 0
        /// How many of the client's areas and how many of its beacon regions are watched.
        private(set) var (areaCount, reachCount) = (0, 0)

        /// The region with this key; nil where there is none, and setting nil removes the region.
        subscript(key: RegionKey) -> RegionRegistration? {
            get { regions[key] }
            set {
                positionCount += (newValue?.positionCount ?? 0) - (regions[key]?.positionCount ?? 0)
                if key.isOfManifest { manifestCount += (newValue == nil ? 0 : 1) - (regions[key] == nil ? 0 : 1) }
                count(regions[key]?.slot, by: -1)
                count(newValue?.slot, by: 1)
                regions[key] = newValue
            }
        }

        private mutating func count(_ slot: RegionRegistration.Slot?, by step: Int) {
            switch slot {
            case nil: break
            case .area: areaCount += step
            case .beacons: reachCount += step
            }
        }

        /// The client's regions in the order of their names.
        var sorted: [RegionRegistration] { regions.keys.sorted().compactMap { regions[$0] } }
    }

    /// Which kinds of a client's regions are watched.
    struct Watch: Equatable {
        /// Whether the regions that the client asked for are watched; true while the client is allowed to have their
        /// events.
        var ofClient = false
        /// Whether the conditions of the client's `CLMonitor` are watched: while the client also holds the sessions
        /// that the conditions need.
        var ofMonitors = false
        /// Whether the regions of the client's manifest are watched: while systemd units may be started for their
        /// events.
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

    var clients: [String] { books.entries.map { $0.client } }

    /// The names of the clients that have at least one watched area.
    var clientsOfAreas: [String] { books.entries.filter { $0.value.areaCount > 0 }.map { $0.client } }

    /// The energy account numbers of the clients that have a watched beacon region; the radio's energy is charged to
    /// them.
    mutating func radioPayers() -> [UInt32] {
        if let beaconPayers { return beaconPayers }
        let watched = books.entries.filter { $0.value.reachCount > 0 }
        let payers = watched.map { EnergyLedger.number(ofRegistrations: $0.client) }
        beaconPayers = payers
        return payers
    }

    func count(of client: String) -> Int { books[client]?.regions.count ?? 0 }

    /// How many of a client's regions are from its manifest.
    func manifestCount(of client: String) -> Int { books[client]?.manifestCount ?? 0 }

    /// The client's regions in the order of their names, with those of its manifest last.
    func registrations(of client: String) -> [RegionRegistration] { books[client]?.sorted ?? [] }

    var totalCount: Int { books.entries.reduce(0) { $0 + $1.value.regions.count } }

    var isWatching: Bool { areas.monitor.count > 0 }

    var deadline: MonotonicInstant? { .earlier(areas.monitor.deadline, mayTellDelays ? delayedFrom : nil) }

    var needs: [AccuracyRequest.Service] {
        guard let distance = areas.monitor.distanceToNearestBoundary else { return [] }
        return [.region(distanceToBoundary: distance, slack: distance - (areas.monitor.safeDistance ?? 0))]
    }

    // MARK: Clients

    /// - Parameter isLocated: Whether the board's location is known, so that it will soon be known whether the board is
    ///   inside the region.
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
            let isOut = delayedFrom.map { $0 <= turn.instant } ?? false
            let errorCode: FailureCode =
                isLocated && !isOut ? .regionMonitoringResponseDelayed : .regionMonitoringSetupDelayed
            turn.confirm(connection) {
                ClientEvent.appendMonitoringFailed(
                    request.identifier, errorCode: errorCode, reason: .smallRadius,
                    radius: RegionMonitoring.minimumRadius, id: nil, to: &$0)
            }
        }
        turn.tell(.want(.regions, on: connection))
    }

    /// Stores a region and, if its client's rights allow it, watches the region; an earlier region with the same key is
    /// replaced.
    private mutating func register(
        _ new: RegionRegistration, of client: String, _ grants: Grants, _ clock: FixClock, _ turn: inout Turn
    ) {
        var region = new
        if let old = books[client]?.regions[region.key] {
            unwatch(old)
            region.keepState(of: old)
        }
        // The client's rights are those that `settle` applied last; if they have changed since, the next `settle`
        // decides anew which of the client's regions are watched.
        let watched = books[client]?.watch ?? Watch(client, grants)
        if watched.covers(region.key) { watch(&region, of: client, clock, at: turn.instant) }
        books.change(client, initial: Book()) { [region] book in
            book.watch = watched
            book[region.key] = region
        }
        turn.put(.registrations, client, region.key.name, region.encode())
        tellWatchers(of: region, client, .added, &turn)
    }

    /// Registers the regions in the clients' manifests, and removes regions that have been taken out of a manifest.
    ///
    /// The manifest's regions are never refused, so that a client cannot displace them by registering many of its own.
    mutating func adopt(_ grants: Grants, _ clock: FixClock, _ turn: inout Turn) {
        for manifest in grants.manifests where !manifest.isAbsent {
            let (client, wanted) = (manifest.name, manifest.regions.map { $0.registration })
            guard !wanted.isEmpty || manifestCount(of: client) > 0 else { continue }
            let keys = Set(wanted.map { $0.key })
            for old in registrations(of: client) where old.isOfManifest && !keys.contains(old.key) {
                remove(old, of: client, &turn)
            }
            for region in wanted where books[client]?.regions[region.key]?.request != region.request {
                register(region, of: client, grants, clock, &turn)
            }
        }
    }

    /// Core Location's error code and the reason why a region cannot be monitored; nil if it can be monitored.
    private func refusal(
        of region: RegionRegistration, replacing old: RegionRegistration?, _ client: String, _ grants: Grants
    ) -> (errorCode: FailureCode, reason: FailureReason)? {
        guard grants.rights(of: client).mayBeWoken else { return (.regionMonitoringDenied, .wakeOff) }
        guard region.request.beacons == nil || !reaches.isHopeless else { return (.regionMonitoringFailure, .noRadio) }
        guard region.request.isPossible else { return (.regionMonitoringFailure, .impossible) }
        let isFull = old == nil && count(of: client) >= grants.manifest(of: client)?.maximumRegions ?? 0
        let kept = (books[client]?.positionCount ?? 0) - (old?.positionCount ?? 0)
        let isTooLong = region.positionCount > max(0, RegionMonitoring.maximumPositions - kept)
        return isFull || isTooLong ? (.regionMonitoringFailure, .limit) : nil
    }

    mutating func remove(_ key: RegionKey, of client: String, _ turn: inout Turn) {
        guard let region = books[client]?.regions[key] else {
            // Removes the row even if the region is not known, because the store can hold rows that could not be read.
            return turn.remove(.registrations, client, key.name)
        }
        remove(region, of: client, &turn)
        turn.tell(.withdraw(.regions, key, of: client))
    }

    private mutating func remove(_ region: RegionRegistration, of client: String, _ turn: inout Turn) {
        turn.remove(.registrations, client, region.key.name)
        unwatch(region)
        let isEmpty = books.change(client, initial: Book()) { book in
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

    /// Whether the board is inside a region, as monitoring found; for a region that is not monitored, by the present
    /// location.
    func isInside(
        _ identifier: String, _ region: RegionRequest?, of client: String, _ location: FusedLocation?
    ) -> Bool? {
        if let known = books[client]?.regions[RegionKey(identifier: identifier, monitor: nil)] {
            return shownState(of: known)
        }
        guard let shape = region?.shape, let location else { return nil }
        return RegionMonitor.isInside(shape, at: location)
    }

    /// Whether the board is inside a region; nil where that is not known.
    ///
    /// If the board was perhaps moved while the host slept, the result for an area is nil until the first fix.
    func shownState(of region: RegionRegistration) -> Bool? {
        if isDoubted, case .area(let slot)? = region.slot, !areas.monitor.isSettled(slot) { return nil }
        return region.isInside
    }

    // MARK: Stored rows

    mutating func restore(_ row: DurableRow) -> Bool {
        guard var region = RegionRegistration.decode(row.value.span) else { return false }
        region.isOfManifest = RegionKey.isOfManifest(row.name)
        guard region.key.name == row.name else { return false }
        books.change(row.client, initial: Book()) { [region] in $0[region.key] = region }
        return true
    }
}

extension RegionRequest {
    /// Whether the region is a circle so small that its events may be delayed.
    fileprivate var isSmall: Bool {
        if case .circle(_, _, let radius)? = shape { radius < RegionMonitoring.minimumRadius } else { false }
    }
}

extension RegionRegistration {
    /// The number of positions in the region's polygon; 0 for a region that is not a polygon.
    fileprivate var positionCount: Int {
        if case .polygon(let polygon)? = request.shape { polygon.positionCount } else { 0 }
    }
}
