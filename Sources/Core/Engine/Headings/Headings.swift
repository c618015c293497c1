internal import ClientProtocol
internal import GNSS
internal import Magnetism
internal import Monitors
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// Headings: the compass is read while any client wants them, and each session is told them as it asked.
///
/// A magnetic heading does not reveal where the board is, so it needs no authorization; it is told in the background
/// too, until the connection ends. True north depends on the place: it is told to a session that watches locations and
/// may see them, no more exactly than that session may know the place.
struct Headings: ~Copyable {
    let configuration: EngineConfiguration
    let compass: Compass
    /// The connections of the local socket, in the order in which they came.
    var connections: [Connection] = []
    /// How exactly each session that watches locations may know the place.
    private(set) var locationGrants: [SessionGrant] = []
    /// Whether a connection has begun since `settle` last ran; its client may come to want headings.
    private var isOccasion = false

    struct Connection {
        let id: ClientID
        var sessions: [HeadingSession] = []
        /// Whether the connection is sent every raw sample.
        var watchesSamples = false
    }

    init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        compass = Compass(board: configuration.board)
    }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { compass.schedule.deadline }

    var view: HeadingsView {
        HeadingsView(isAvailable: compass.chips != nil, hasCompass: hasCompass, connections: connections)
    }

    private var hasCompass: Bool { configuration.hasCompass && compass.state != .absent }

    /// Takes how exactly each session that watches locations may know the place from now on.
    mutating func settle(_ grants: [SessionGrant]) { locationGrants = grants }

    // MARK: Connections

    mutating func connected(_ id: ClientID) {
        connections.append(Connection(id: id))
        isOccasion = true
    }

    mutating func gone(_ id: ClientID) { connections.removeAll { $0.id == id } }

    /// Stops raw samples to a connection, which is no longer an operator's.
    mutating func stopSamples(of id: ClientID) {
        if let place = place(of: id) { connections[place].watchesSamples = false }
    }

    /// Ends all headings of a connection.
    mutating func end(_ id: ClientID) {
        if let place = place(of: id) { connections[place].sessions = [] }
    }

    /// Ends a session's headings, and the question for a calibration with them.
    private mutating func end(session: UInt8, of id: ClientID) {
        if let place = place(of: id) { connections[place].sessions.removeAll { $0.number == session } }
    }

    func place(of id: ClientID) -> Int? { connections.firstIndex { $0.id == id } }

    mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard let place = place(of: id) else { return }
        let session = connections[place].sessions.firstIndex { $0.number == request.session }
        switch request.kind {
        case .watchHeading(let settings): watch(settings, request, at: place, &turn)
        case .changeHeading(let settings): if let session { connections[place].sessions[session].change(to: settings) }
        case .unwatchHeading:
            end(session: request.session, of: id)
            turn.send(id) {
                ClientEvent.appendWatchingHeading(false, session: request.session, id: request.id, to: &$0)
            }
        case .displayHeadingCalibration: if let session { connections[place].sessions[session].displayCalibration() }
        case .release: end(session: request.session, of: id)
        case .dismissHeadingCalibration: if let session { connections[place].sessions[session].dismissCalibration() }
        default: break
        }
    }

    /// Begins a session's headings, or changes their settings where they run already.
    private mutating func watch(
        _ settings: HeadingSettings, _ request: ClientRequest, at place: Int,
        _ turn: inout Turn
    ) {
        turn.send(connections[place].id) {
            ClientEvent.appendWatchingHeading(true, session: request.session, id: request.id, to: &$0)
        }
        guard let session = connections[place].sessions.firstIndex(where: { $0.number == request.session }) else {
            connections[place].sessions.append(HeadingSession(settings, number: request.session))
            if compass.state == .failed, compass.chips != nil { tellFailure(at: place, &turn) }
            return compass.schedule.hurry(at: turn.instant)
        }
        connections[place].sessions[session].change(to: settings)
    }

    // MARK: The chips

    /// Looks for the board's compass when the daemon starts.
    func begin(_ turn: inout Turn) {
        guard configuration.hasCompass else { return }
        compass.schedule.begin(at: turn.instant)
        turn.actions.append(.findCompass)
    }

    /// Orders the next sample, as often as all clients together need, or the next search for a missing compass.
    mutating func settle(_ turn: inout Turn) {
        guard configuration.hasCompass else { return }
        compass.schedule.want(every: period, at: turn.instant)
        if compass.schedule.period != nil, compass.schedule.isHung(at: turn.instant) {
            failed("it has not answered for 5 s; the bus hangs", isAbsent: false, &turn)
        }
        switch compass.schedule.advance(to: turn.instant, isOccasion: isOccasion) {
        case .find: turn.actions.append(.findCompass)
        case .sample: turn.actions.append(.sampleCompass)
        case nil: break
        }
        isOccasion = false
    }

    /// Nanoseconds from sample to sample that all clients together need; nil where none wants headings.
    private var period: Int64? {
        var period: Int64?
        for connection in connections {
            if connection.watchesSamples { period = HeadingRate.period(forFilter: nil) }
            for session in connection.sessions {
                let wanted = HeadingRate.period(forFilter: session.settings.filter)
                period = min(period ?? wanted, wanted)
            }
        }
        return period
    }

    func found(_ chips: CompassChips, _ turn: inout Turn) {
        let isNews = compass.chips != chips || compass.state != .ready
        if compass.found(chips, at: turn.instant) { keepCalibration(&turn) }
        if isNews { turn.actions.append(.log(.compassFound(compass.description))) }
        tellRefusal(&turn)
    }

    /// All stored rows were given.
    func restored(_ turn: inout Turn) { tellRefusal(&turn) }

    /// Logs once that a calibration is not used because it belongs to another board or chip.
    private func tellRefusal(_ turn: inout Turn) {
        guard configuration.hasCompass, let refusal = compass.takeRefusal() else { return }
        turn.actions.append(.log(.compassTrouble(refusal)))
    }

    /// Notes that the compass or its bus failed.
    ///
    /// - Parameter isAbsent: Whether no chip answers at the compass's address.
    mutating func failed(_ detail: String, isAbsent: Bool, _ turn: inout Turn) {
        let state = isAbsent && compass.chips == nil ? CompassStatus.State.absent : .failed
        guard compass.failed(detail, at: turn.instant) else { return }
        let isNews = compass.state != state
        compass.state = state
        if isNews { turn.actions.append(.log(.compassTrouble("the compass: \(detail)"))) }
        guard compass.chips != nil else { return }
        for place in connections.indices { tellFailure(at: place, &turn) }
    }

    private mutating func tellFailure(at place: Int, _ turn: inout Turn) {
        for session in connections[place].sessions.indices {
            guard connections[place].sessions[session].fails() else { continue }
            let number = connections[place].sessions[session].number
            turn.send(connections[place].id) {
                ClientEvent.appendFailed(Headings.headingFailure, session: number, id: nil, to: &$0)
            }
        }
    }

    /// The code of Core Location's `CLError.headingFailure`.
    private static let headingFailure = 3

    func status(at instant: MonotonicInstant) -> CompassStatus? {
        configuration.hasCompass ? compass.status(at: instant) : nil
    }

    func keepCalibration(_ turn: inout Turn) {
        guard let record = compass.record else { return turn.remove(.settings, "", "compassCalibration") }
        turn.put(.settings, "", "compassCalibration", record.encode())
    }

    /// Takes the calibration that the store held when the daemon started.
    ///
    /// - Returns: Whether the value could be decoded.
    func restore(_ value: [UInt8]) -> Bool {
        guard let record = try? CalibrationRecord(decoding: value.span) else { return false }
        compass.calibrate(record)
        return true
    }
}

/// A heading for the location filter: degrees from true north, and the degrees that hold 68 % of its errors.
struct HeadingHint {
    let degreesTrue: Double
    let accuracy: Double
    let instant: MonotonicInstant
}

/// Whether there is a compass, and who watches it: a value for others to read.
struct HeadingsView {
    let isAvailable: Bool
    /// Whether the board has a compass; true until the compass is found missing.
    let hasCompass: Bool
    fileprivate let connections: [Headings.Connection]

    fileprivate init(isAvailable: Bool, hasCompass: Bool, connections: [Headings.Connection]) {
        self.isAvailable = isAvailable
        self.hasCompass = hasCompass
        self.connections = connections
    }

    /// Whether any session asks its user to turn the device about.
    var isCalibrationShown: Bool { connections.contains { $0.sessions.contains { $0.displaysCalibration } } }

    /// Whether any session watches headings.
    var isWatched: Bool { connections.contains { !$0.sessions.isEmpty || $0.watchesSamples } }

    /// The connections that are sent every raw sample.
    var sampleWatchers: [ClientID] { connections.filter { $0.watchesSamples }.map { $0.id } }
}
