public import Beacons
public import ClientProtocol
internal import ClientVocabulary
public import Monitors
public import Parts
public import SextantUnits

/// Ranging of Bluetooth beacons: tells clients' sessions once per second which beacons are near, and how near.
public struct Ranging: ~Copyable {
    private var sessions: [Session] = []
    private var senders = BeaconRanging()
    /// When the beacons are next reported; nil while no session is allowed to know of any.
    private var next: MonotonicInstant?
    private var isMoving = false
    /// For each beacon constraint, the number of ranging requests for it that are allowed reports; the key nil stands
    /// for requests for all beacons.
    private var wanted: [BeaconConstraint?: Int] = [:]
    /// The connections for which the radio listens, in the order of their requests, each with the number of its ranging
    /// requests that are allowed reports.
    private var listeners: [(connection: ClientID, count: Int)] = []
    /// The radio's state, as all sessions were last told it; nil if some session may not have been told.
    private var followed: RadioState?
    /// The number of ranging requests examined since the daemon started, for tests of what an advertisement costs.
    private(set) var examined = 0

    public init() {}

    /// One ranging request: a session asks for the beacons that meet one constraint.
    private struct Session {
        let connection: ClientID
        let number: UInt8
        /// Which beacons the session asks for; nil for all.
        let constraint: BeaconConstraint?
        /// Whether the client is allowed reports of beacons now.
        var mayHear: Bool
        /// Whether the radio has listened since the request began, or since the session was last told of a failure.
        var hasListened = false
        var wasToldOfFailure = false
    }

    private static let period: Int64 = 1_000_000_000
    /// The largest number of beacons in one report to a session; the nearest ones are reported.
    private static let maximumReported = 128

    public var deadline: MonotonicInstant? { next }

    private var isNeeded: Bool { !listeners.isEmpty }

    /// What other parts of the daemon read about the ranging requests.
    public struct View {
        /// The number of ranging requests: pairs of a session and a constraint.
        public let count: Int
        /// The number of Bluetooth addresses from which beacons were received in the last 10 s; a beacon with two
        /// addresses counts twice.
        public let senderCount: Int
        /// The numbers of the connections for which the radio listens, each once, in the order of their requests.
        public let connections: [UInt32]
        /// Whether a beacon that was received before is not received now, so that the radio should listen all the time
        /// to find it again.
        public let isOneSilent: Bool
    }

    public var view: View {
        View(
            count: sessions.count, senderCount: senders.count, connections: listeners.map { $0.connection.rawValue },
            isOneSilent: senders.isOneSilent)
    }

    public mutating func sensed(motion: Bool) { isMoving = motion }

    // MARK: Clients

    /// Serves a connection's requests about beacons; only an operator is allowed to ask for all beacons.
    public mutating func serve(
        _ request: ClientRequest, _ grant: RangingGrant, _ radio: RadioState, _ turn: inout Turn
    ) {
        switch request.kind {
        case .rangeBeacons(let constraint): start(constraint, request, grant, radio, &turn)
        case .stopRangingBeacons(let constraint): stop(constraint, request, of: grant.connection, &turn)
        case .release:
            end { $0.connection == grant.connection && $0.number == request.session }
        default: break
        }
    }

    private mutating func start(
        _ constraint: BeaconConstraint?, _ request: ClientRequest, _ grant: RangingGrant, _ radio: RadioState,
        _ turn: inout Turn
    ) {
        let (connection, number) = (grant.connection, request.session)
        guard constraint != nil || grant.isOperator else {
            return turn.send(connection) {
                ClientEvent.appendError(
                    .notOperator, "only an operator may be told of all beacons; name a \"uuid\"", id: request.id,
                    to: &$0)
            }
        }
        guard sessions.count(where: { $0.connection == connection }) < ClientRequest.maximumRangings else {
            return turn.send(connection) {
                ClientEvent.appendError(
                    .limit,
                    "a connection may range \(ClientRequest.maximumRangings) kinds of beacons at once; end one first",
                    id: request.id, to: &$0)
            }
        }
        turn.send(connection) {
            ClientEvent.appendRanging(constraint, isEnabled: true, session: number, id: request.id, to: &$0)
        }
        if grant.isDenied {
            turn.send(connection) {
                ClientEvent.appendRangingFailed(
                    constraint, errorCode: .denied, reason: nil, session: number, id: nil, to: &$0)
            }
        }
        end(constraint, session: number, of: connection)
        let session = Session(
            connection: connection, number: number, constraint: constraint, mayHear: grant.mayHear)
        sessions.append(session)
        count(session, by: 1)
        settle(radio, &turn)
    }

    private mutating func stop(
        _ constraint: BeaconConstraint?, _ request: ClientRequest, of connection: ClientID, _ turn: inout Turn
    ) {
        end(constraint, session: request.session, of: connection)
        turn.send(connection) {
            ClientEvent.appendRanging(
                constraint, isEnabled: false, session: request.session, id: request.id, to: &$0)
        }
    }

    private mutating func end(_ constraint: BeaconConstraint?, session: UInt8, of connection: ClientID) {
        end { $0.connection == connection && $0.number == session && $0.constraint == constraint }
    }

    private mutating func end(_ isMeant: (Session) -> Bool) {
        for session in sessions where isMeant(session) { count(session, by: -1) }
        sessions.removeAll(where: isMeant)
    }

    /// Adds a ranging request to the counts (`step` 1) or removes it (-1); a request that is not allowed reports is not
    /// counted.
    private mutating func count(_ session: Session, by step: Int) {
        followed = nil
        guard session.mayHear else { return }
        wanted[session.constraint, default: 0] += step
        if wanted[session.constraint] == 0 { wanted[session.constraint] = nil }
        guard let index = listeners.firstIndex(where: { $0.connection == session.connection }) else {
            return listeners.append((session.connection, step))
        }
        listeners[index].count += step
        if listeners[index].count == 0 { listeners.remove(at: index) }
    }

    /// Applies what each connection is allowed now; the ranging requests of a connection that is not in the list end,
    /// because it is closed.
    public mutating func settle(_ grants: some Sequence<RangingGrant>) {
        guard !sessions.isEmpty else { return }
        var known: [ClientID: RangingGrant] = [:]
        for grant in grants { known[grant.connection] = grant }
        end { known[$0.connection] == nil }
        for index in sessions.indices {
            let session = sessions[index]
            guard let grant = known[session.connection] else { continue }
            let mayHear = session.constraint == nil ? grant.isOperator : grant.mayHear
            guard mayHear != session.mayHear else { continue }
            count(session, by: -1)
            sessions[index].mayHear = mayHear
            count(sessions[index], by: 1)
        }
    }

    // MARK: Beacons

    public mutating func heard(_ hearing: BeaconHearing, at instant: MonotonicInstant) {
        switch hearing {
        case .beacon(let heard): self.heard(heard, at: instant)
        case .telemetry(let telemetry, let sender): senders.heard(telemetry, from: sender)
        }
    }

    private mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) {
        guard isWanted(heard.beacon.identity) else { return }
        senders.heard(heard.beacon, from: heard.sender, strength: heard.strength, isMoving: isMoving, at: instant)
    }

    private func isWanted(_ beacon: BeaconIdentity) -> Bool {
        guard wanted[nil] == nil else { return true }
        let constraints = beacon.constraints
        return constraints.indices.contains { wanted[constraints[$0]] != nil }
    }

    /// Applies the radio's state: begins to report beacons, or tells sessions that the radio cannot be used.
    public mutating func settle(_ radio: RadioState, _ turn: inout Turn) {
        guard isNeeded else {
            next = nil
            if senders.count > 0 { senders = BeaconRanging() }
            return
        }
        let isNews = radio.isListening != followed?.isListening || radio.trouble != followed?.trouble
        if isNews { pass(radio, &turn) }
        if radio.trouble != nil {
            next = nil
        } else if next == nil {
            next = turn.instant.advanced(byNanoseconds: Ranging.period)
        }
    }

    /// Tells all ranging requests whether the radio listens or has failed.
    private mutating func pass(_ radio: RadioState, _ turn: inout Turn) {
        followed = radio
        examined &+= sessions.count
        for index in sessions.indices {
            if radio.isListening {
                sessions[index].hasListened = true
                sessions[index].wasToldOfFailure = false
            } else if let trouble = radio.trouble, sessions[index].mayHear, !sessions[index].wasToldOfFailure {
                sessions[index].wasToldOfFailure = true
                tell(trouble, to: sessions[index], &turn)
                sessions[index].hasListened = false
            }
        }
    }

    private func tell(_ trouble: RadioTrouble, to session: Session, _ turn: inout Turn) {
        let code: FailureCode = session.hasListened ? .rangingFailure : .rangingUnavailable
        turn.send(session.connection) {
            ClientEvent.appendRangingFailed(
                session.constraint, errorCode: code, reason: "\(trouble)", session: session.number, id: nil, to: &$0)
        }
    }

    /// Once per second, sends each session the beacons that were received in that second.
    ///
    /// - Parameter book: The names that operators gave to beacons.
    public mutating func advance(time: UTCInstant?, _ book: BeaconBook, _ turn: inout Turn) {
        guard let due = next, due <= turn.instant else { return }
        let later = due.advanced(byNanoseconds: Ranging.period)
        // If the daemon did not run for a while, the next report comes a second from now; the missed reports are not
        // made up for.
        next = later > turn.instant ? later : turn.instant.advanced(byNanoseconds: Ranging.period)
        let near = senders.nearest(Ranging.maximumReported, ofEach: Set(wanted.keys), at: turn.instant)
        examined &+= sessions.count
        for session in sessions where session.mayHear {
            turn.send(session.connection) {
                ClientEvent.appendBeacons(
                    near[session.constraint] ?? [], of: session.constraint, session: session.number, time: time,
                    book: book, to: &$0)
            }
        }
        senders.beginSecond(at: turn.instant)
    }
}

/// What a connection is allowed to know of beacons now.
public struct RangingGrant: Equatable {
    public let connection: ClientID
    public let mayHear: Bool
    public let isDenied: Bool
    public let isOperator: Bool

    /// Allows ranging to a client with full accuracy, while it is in use, or always if its authorization is Always.
    ///
    /// Ranging reveals the board's position more exactly than reduced accuracy allows.
    public init(_ grant: ConnectionGrant, isOperator: Bool) {
        connection = grant.connection
        let isUsed = grant.status == .authorizedAlways || grant.isInUse
        mayHear = grant.client != nil && grant.grant == .full && isUsed
        isDenied = grant.isDenied
        self.isOperator = isOperator
    }
}
