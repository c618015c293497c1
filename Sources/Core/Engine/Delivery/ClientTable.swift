internal import ClientProtocol
internal import Power
internal import Sessions
internal import Units

/// One connection of the local socket, and what it asked for.
struct LocalClient {
    let id: ClientID
    var session: LocalSession
    /// What it may see.
    var access: ConnectionGrant
    /// Whether its services were told that it may see nothing.
    var wasDenied = false

    /// What a session of it may see now.
    ///
    /// In the background a client that is authorized only in use gets reports of sessions that asked for it, and began
    /// while it was in use; one that is always authorized gets them while it runs.
    func grant(of location: LocationSession) -> LocationGrant {
        guard access.client != nil, access.grant > .none else { return .none }
        if location.options.isLive { return access.live.flows ? access.grant : .none }
        guard access.isForeground || isInGrace else {
            return isContinuous(location) || access.status == .authorizedAlways ? access.grant : .none
        }
        return access.grant
    }

    /// Whether a session's reports go on in the background, and the indicator says so.
    private func isContinuous(_ location: LocationSession) -> Bool {
        location.goesOnInBackground && access.client != nil && access.hasBackgroundMode
    }

    /// Whether it has just left the foreground, and counts as in use for a moment more.
    private var isInGrace: Bool {
        let watches = session.locations.contains(where: \.goesOnInBackground)
        return access.isInUse && !access.usesBackground(watchesInBackground: watches)
    }

    /// Whether its use of locations must be seen.
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
    /// Whether its reports are to go on in the background, as far as it is its own business.
    var goesOnInBackground: Bool { options.inBackground && beganInUse }
}

/// One connection of the gpsd port.
struct GPSDClient {
    let id: ClientID
    var session = GPSDSession()
    /// What it may see now.
    var grant = LocationGrant.none

    /// The form in which it reads the receiver's own messages; nil where it does not.
    var form: PassthroughReader.Form? {
        guard grant == .full else { return nil }
        switch session.raw {
        case 1: return .hexadecimal
        case 2: return .verbatim
        default: return session.wantsNMEA ? .sentences : nil
        }
    }
}

/// Where a session stands: its connection's place, and its own among the connection's.
struct SessionPlace {
    var client: Int
    var session: Int
}

/// The connected clients, in the order in which they came: an order that a replay has too.
struct ClientTable {
    var local: [LocalClient] = []
    var gpsd: [GPSDClient] = []

    mutating func remove(_ id: ClientID) {
        local.removeAll { $0.id == id }
        gpsd.removeAll { $0.id == id }
    }

    func place(of id: ClientID) -> Int? { local.firstIndex { $0.id == id } }

    /// Every session that watches locations.
    var places: [SessionPlace] {
        local.indices.flatMap { client in
            local[client].session.locations.indices.map { SessionPlace(client: client, session: $0) }
        }
    }

    subscript(place: SessionPlace) -> LocationSession {
        get { local[place.client].session.locations[place.session] }
        _modify { yield &local[place.client].session.locations[place.session] }
    }

    func id(of place: SessionPlace) -> ClientID { local[place.client].id }

    func isForeground(_ place: SessionPlace) -> Bool { local[place.client].access.isForeground }

    /// Whether some gpsd client wants sentences, and may see them.
    var wantNMEA: Bool { gpsd.contains { $0.grant == .full && $0.session.wantsNMEA } }

    /// Who reads the receiver's own messages.
    var readers: [PassthroughReader] {
        gpsd.compactMap { client in client.form.map { PassthroughReader(client: client.id, form: $0) } }
    }

    /// What all of them need positions for.
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

    /// The earliest deadline of the positions that are waited for, of pauses and of deferrals.
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
