internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import Power
internal import SextantUnits

/// One client's connection to the daemon's local socket, with the sessions that the client began on it.
struct DeliveryClient {
    let id: ClientID
    var session: LocalSession
    /// What the client is allowed now: which locations, and whether it is in the foreground.
    var access: ConnectionGrant

    init(_ grant: ConnectionGrant, userID: UInt32?) {
        id = grant.connection
        session = LocalSession(userID: userID)
        session.grant = grant.grant
        access = grant
    }

    /// Takes what the client is allowed from now on; if the user has just decided about it, its requests for one
    /// position begin to wait for a position.
    mutating func take(_ grant: ConnectionGrant, at instant: MonotonicInstant) {
        if access.isUndecided, !grant.isUndecided { session.noteAnswer(at: instant) }
        access = grant
        session.grant = grant.grant
    }

    /// A location session of the client that begins at this instant.
    ///
    /// - Parameter label: A name by which the program differs from the client's others, for its held-back fixes.
    func makeSession(
        _ settings: LocationSettings, _ options: WatchOptions, number: UInt8, label: String,
        at instant: MonotonicInstant
    ) -> LocationSession {
        let key = DeferredKey(userID: session.userID, client: access.client, label: label, session: number)
        return LocationSession(
            settings, number: number, options: options, key: key, beganInUse: access.isInUse, at: instant)
    }

    /// Which locations a session is allowed now (none, reduced or full accuracy); reduced at most, where the session
    /// asked for reduced accuracy.
    func grant(of location: LocationSession) -> LocationGrant {
        let allowed = allowance(of: location)
        return location.settings.accuracy == .reduced ? min(allowed, .reduced) : allowed
    }

    /// Which locations a session is allowed now, whatever accuracy the session itself asked for.
    ///
    /// In the background, a client with when-in-use authorization gets reports only for sessions that asked for
    /// background reports and began while the client was in use. A client with Always gets reports as long as it runs.
    private func allowance(of location: LocationSession) -> LocationGrant {
        guard access.client != nil, access.grant > .none else { return .none }
        if location.options.isLive { return access.live.flows ? access.grant : .none }
        guard access.isForeground || isInGrace else {
            return isContinuous(location) || access.status == .authorizedAlways ? access.grant : .none
        }
        return access.grant
    }

    /// Whether a session gets reports in the background too, so that the indicator light must show them.
    private func isContinuous(_ location: LocationSession) -> Bool {
        location.goesOnInBackground && access.client != nil && access.hasBackgroundMode
    }

    /// Whether the client has just left the foreground, and still counts as in use for a short time.
    private var isInGrace: Bool {
        let watches = session.locations.contains { $0.goesOnInBackground }
        return access.isInUse && !access.usesBackground(watchesInBackground: watches)
    }

    /// Whether the indicator light must show that the client uses locations.
    var mustShow: Bool {
        guard access.client != nil else { return false }
        let seen = session.locations.filter { $0.grant > .none && isContinuous($0) }
        return IndicatorUse(
            isBackground: !access.isForeground, updatesContinuously: !seen.isEmpty, status: access.status,
            showsIndicator: seen.contains { $0.options.showsIndicator },
            holdsActiveBackgroundActivity: access.holdsBackgroundActivity
        ).mustShow
    }
}

extension LocationSession {
    /// Whether the session asked for background reports and began while its client was in use.
    ///
    /// The client's manifest must allow background reports as well, which is not checked here.
    var goesOnInBackground: Bool { options.inBackground && beganInUse }
}

/// Where a session is in the table: the index of its connection, and its index among that connection's sessions.
struct SessionIndex {
    var client: Int
    var session: Int
}

/// The indices of one connection's location sessions.
///
/// This is no lazy `map`, because its closure would be allocated each time a fix is delivered.
struct SessionIndices: Sequence, IteratorProtocol {
    let client: Int
    var sessions: Range<Int>

    mutating func next() -> SessionIndex? {
        guard let session = sessions.popFirst() else { return nil }
        return SessionIndex(client: client, session: session)
    }
}

/// The connected clients in the order in which they connected, so that a replay of a recording gives the same order.
struct ClientTable {
    var local: [DeliveryClient] = []
    var gpsd: [GPSDClient] = []

    mutating func remove(_ id: ClientID) {
        local.removeAll { $0.id == id }
        gpsd.removeAll { $0.id == id }
    }

    func index(of id: ClientID) -> Int? { local.firstIndex { $0.id == id } }

    /// The place in the table of the location session of this number on this connection; nil if there is none.
    func index(ofSession number: UInt8, clientAt client: Int) -> SessionIndex? {
        local[client].session.index(ofSession: number).map { SessionIndex(client: client, session: $0) }
    }

    /// The places in the table of the location sessions on this connection.
    func indices(ofClientAt client: Int) -> SessionIndices {
        SessionIndices(client: client, sessions: local[client].session.locations.indices)
    }

    var indices: [SessionIndex] {
        local.indices.flatMap { client in
            local[client].session.locations.indices.map { SessionIndex(client: client, session: $0) }
        }
    }

    /// Changes every location session in place, without allocating the array that `indices` returns.
    mutating func forEachLocation(_ change: (inout LocationSession) -> Void) {
        for client in local.indices {
            for session in local[client].session.locations.indices { change(&local[client].session.locations[session]) }
        }
    }

    subscript(index: SessionIndex) -> LocationSession {
        get { local[index.client].session.locations[index.session] }
        _modify { yield &local[index.client].session.locations[index.session] }
    }

    func id(of index: SessionIndex) -> ClientID { local[index.client].id }

    func isForeground(_ index: SessionIndex) -> Bool { local[index.client].access.isForeground }

    /// Whether any gpsd client wants NMEA sentences and is allowed to see them.
    var wantNMEA: Bool { gpsd.contains { $0.grant == .full && $0.session.wantsNMEA } }

    /// The gpsd clients that get the GNSS receiver's raw messages.
    var readers: [PassthroughReader] {
        gpsd.compactMap { client in client.form.map { PassthroughReader(client: client.id, form: $0) } }
    }

    /// The position requests of all connections, from which the receiver's power mode is chosen.
    var requests: [AccuracyRequest] {
        var requests: [AccuracyRequest] = []
        for client in local { client.session.appendRequests(of: client.id, to: &requests) }
        for client in gpsd where client.session.isWatching {
            switch client.grant {
            case .none: break
            case .reduced:
                requests.append(AccuracyRequest(client: client.id.rawValue, .standard(.reduced)))
            case .full: requests.append(AccuracyRequest(client: client.id.rawValue, .everyEpoch))
            }
        }
        return requests
    }

    /// The earliest instant at which a request for one position, a pause or a deferral of any connection is due.
    var deadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for client in local {
            for wait in client.session.waits { earliest = min(earliest ?? wait.deadline, wait.deadline) }
            for location in client.session.locations {
                if let deadline = location.deadline { earliest = min(earliest ?? deadline, deadline) }
            }
        }
        return earliest
    }
}
