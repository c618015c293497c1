internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import Magnetism
internal import Parts
internal import SextantUnits

/// Headings: the compass is read while any client wants headings, and each session gets them as it asked.
///
/// A magnetic heading does not reveal where the board is, so it needs no authorization. It is sent in the background
/// too, until the connection ends. True north depends on the position: it is sent only to a session that also receives
/// locations, and is computed for the position that this session is allowed to see.
struct Headings: ~Copyable {
    private let configuration: EngineConfiguration
    private let compass: Compass
    private var connections = HeadingConnections()
    /// Whether a connection has begun since `settle` last ran; its client may soon want headings.
    private var isOccasion = false

    init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        compass = Compass(board: configuration.board)
    }

    /// The next instant at which the compass needs an order or counts as hung; nil while no client wants headings.
    var deadline: MonotonicInstant? { compass.schedule.deadline }

    var view: HeadingsView {
        HeadingsView(isExpected: configuration.hasCompass, compass: compass, connections: connections)
    }

    // MARK: Connections

    mutating func connected(_ id: ClientID) {
        connections.add(id)
        isOccasion = true
    }

    mutating func gone(_ id: ClientID) { connections.remove(id) }

    /// Stops raw samples to a connection that is no longer an operator's.
    mutating func stopSamples(of id: ClientID) { connections.watchSamples(false, of: id) }

    mutating func end(_ id: ClientID) { connections.end(session: nil, of: id) }

    mutating func serve(_ request: ClientRequest, of id: ClientID, _ turn: inout Turn) {
        guard connections.contains(id) else { return }
        let session = request.session
        switch request.kind {
        case .watchHeading(let settings): watch(settings, request, of: id, &turn)
        case .changeHeading(let settings): connections.change(session, of: id) { $0.change(to: settings) }
        case .unwatchHeading:
            connections.end(session: session, of: id)
            turn.send(id) { ClientEvent.appendWatchingHeading(false, session: session, id: request.id, to: &$0) }
        case .displayHeadingCalibration: connections.change(session, of: id) { $0.displayCalibration() }
        case .release: connections.end(session: session, of: id)
        case .dismissHeadingCalibration: connections.change(session, of: id) { $0.dismissCalibration() }
        default: break
        }
    }

    private mutating func watch(
        _ settings: HeadingSettings, _ request: ClientRequest, of id: ClientID, _ turn: inout Turn
    ) {
        turn.send(id) { ClientEvent.appendWatchingHeading(true, session: request.session, id: request.id, to: &$0) }
        guard connections.watch(settings, session: request.session, of: id) else { return }
        if compass.state == .failed, compass.chips != nil { tellFailure(of: id, &turn) }
        compass.schedule.hurry(at: turn.instant)
    }

    // MARK: The chips

    /// Looks for the board's compass when the daemon starts.
    func begin(_ turn: inout Turn) {
        guard configuration.hasCompass else { return }
        compass.schedule.begin(at: turn.instant)
        turn.actions.append(.findCompass)
    }

    /// Orders the next compass sample, or the next search for a missing compass, if it is due.
    mutating func settle(_ turn: inout Turn) {
        guard configuration.hasCompass else { return }
        compass.schedule.want(every: connections.period, at: turn.instant)
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

    func found(_ chips: CompassChips, _ turn: inout Turn) {
        let isNews = compass.chips != chips || compass.state != .ready
        if compass.found(chips, at: turn.instant) { keepCalibration(&turn) }
        if isNews { turn.log(.compassFound(compass.description)) }
        tellRefusal(&turn)
    }

    /// Notes that all rows of the store have been read at the daemon's start, so that a stored calibration is known.
    func restored(_ turn: inout Turn) { tellRefusal(&turn) }

    /// Logs once that a calibration is not used because it belongs to another board or chip.
    private func tellRefusal(_ turn: inout Turn) {
        guard configuration.hasCompass, let refusal = compass.takeRefusal() else { return }
        turn.log(.compassTrouble(refusal))
    }

    /// Notes that the compass or its bus failed.
    ///
    /// - Parameter isAbsent: Whether no chip answers at the compass's address.
    mutating func failed(_ detail: String, isAbsent: Bool, _ turn: inout Turn) {
        let state = isAbsent && compass.chips == nil ? CompassStatus.State.absent : .failed
        guard compass.failed(detail, at: turn.instant) else { return }
        let isNews = compass.state != state
        compass.state = state
        if isNews { turn.log(.compassTrouble("the compass: \(detail)")) }
        if compass.chips != nil { tellFailure(of: nil, &turn) }
    }

    /// Tells the sessions of a connection that the compass fails; if `id` is nil, tells those of all connections.
    private mutating func tellFailure(of id: ClientID?, _ turn: inout Turn) {
        connections.forEachSession(of: id) { id, session in
            guard session.fails() else { return }
            let number = session.number
            turn.send(id) { ClientEvent.appendFailed(.headingFailure, session: number, id: nil, to: &$0) }
        }
    }

    // MARK: Samples

    /// Sends sessions the heading of a sample.
    ///
    /// - Parameter grants: How exactly each location session is allowed to know the board's position.
    /// - Returns: The heading for the location filter, which uses it where the board is too slow to have a course.
    mutating func sampled(
        _ sample: CompassSample, _ whereabouts: Whereabouts, _ grants: [SessionGrant], _ turn: inout Turn
    ) -> HeadingHint? {
        let time = whereabouts.clock.utc(sample.instant)
        tellRaw(sample, time: time, &turn)
        let now = whereabouts.clock.utc(turn.instant) ?? configuration.now
        let field = compass.worldFields.field(at: whereabouts.last?.fix, now)
        let reading = compass.sampled(sample, expecting: field, at: turn.instant)
        keepBetter(now: now, &turn)
        tellCalibrationQuestions(&turn)
        let (compass, estimate) = (compass, whereabouts.estimate(at: turn.instant)?.fix)
        connections.forEachSession { id, session in
            let grant = grants.first { $0.connection == id && $0.session == session.number }?.grant ?? .none
            let declination = compass.worldFields.declination(for: grant, estimate, now)
            let heading = HeadingObject(reading, session.orientation, declination: declination, time: time)
            guard session.takes(heading) else { return }
            let number = session.number
            turn.send(id) { ClientEvent.append(heading, session: number, to: &$0) }
        }
        return hint(reading, at: sample.instant)
    }

    private func hint(_ reading: CompassReading, at instant: MonotonicInstant) -> HeadingHint? {
        guard let declination = compass.worldFields.declination, let heading = reading.magneticHeading(.portrait),
            let accuracy = reading.accuracy(.portrait)
        else { return nil }
        return HeadingHint(degreesTrue: Angle.turn(heading + declination), accuracy: accuracy, instant: instant)
    }

    private func tellRaw(_ sample: CompassSample, time: UTCInstant?, _ turn: inout Turn) {
        let raw = compass.chips?.inMagnetometerFrame(sample) ?? sample
        for id in connections.sampleWatchers { turn.send(id) { ClientEvent.append(raw, time: time, to: &$0) } }
    }

    /// Tells sessions when to ask the user to turn the device about, and when to stop asking.
    private mutating func tellCalibrationQuestions(_ turn: inout Turn) {
        let occasion = compass.calibrationOccasion
        connections.forEachSession { id, session in
            guard let isWanted = session.settle(calibrationWantedFor: occasion) else { return }
            let number = session.number
            turn.send(id) { ClientEvent.appendHeadingCalibration(isWanted: isWanted, session: number, to: &$0) }
        }
    }
}

// MARK: Calibration

extension Headings {
    /// Serves an operator's request about the compass.
    mutating func serve(
        _ request: CompassRequest, id: String?, of connection: ClientID, _ clock: FixClock, _ turn: inout Turn
    ) {
        if let problem = problem(with: request) {
            return turn.send(connection) { ClientEvent.appendError(problem.code, problem.message, id: id, to: &$0) }
        }
        switch request {
        case .status: break
        case .watch(let isEnabled):
            connections.watchSamples(isEnabled, of: connection)
            if isEnabled { compass.schedule.hurry(at: turn.instant) }
            return turn.send(connection) {
                ClientEvent.appendDone(.watchingCompass, isEnabled: isEnabled, id: id, to: &$0)
            }
        case .calibrate(let calibration, let magnetometer):
            let chip = magnetometer ?? compass.chips?.magnetometer ?? ""
            compass.calibrate(record(of: calibration, chip: chip, now: clock.utc(turn.instant) ?? configuration.now))
            keepCalibration(&turn)
            tellCalibrationQuestions(&turn)
        case .eraseCalibration:
            compass.calibrate(nil)
            keepCalibration(&turn)
        }
        guard let status = view.status(at: turn.instant) else { return }
        turn.confirm(connection) { ClientEvent.append(status, id: id, to: &$0) }
    }

    private func problem(with request: CompassRequest) -> (code: ErrorCode, message: String)? {
        guard configuration.hasCompass else {
            return (.unavailable, "this board has no compass; name its magnetometer in the board's file")
        }
        guard case .calibrate(let calibration, let magnetometer) = request else { return nil }
        if let magnetometer, let chips = compass.chips, magnetometer != chips.magnetometer {
            return (
                .badValue,
                "the calibration is of a \(magnetometer), and this board has a \(chips.magnetometer); calibrate again"
            )
        }
        guard Headings.determinants.contains(calibration.matrix.determinant) else {
            return (
                .badValue,
                "\"matrix\" mirrors, flattens or rescales the field: its determinant is not from 0.1 to "
                    + "10; calibrate anew"
            )
        }
        return nil
    }

    /// The range of plausible determinants of a calibration's matrix; the chip's tolerance and soft iron each change
    /// the scale of an axis by a fifth at most.
    private static let determinants = 0.1...10.0

    private func record(of calibration: CompassCalibration, chip: String, now: UTCInstant) -> CalibrationRecord {
        CalibrationRecord(calibration, chip: chip, board: configuration.board, date: now)
    }

    /// Uses and stores a better calibration that the background calibration found.
    private func keepBetter(now: UTCInstant, _ turn: inout Turn) {
        guard let better = compass.takeBetter(), let chips = compass.chips else { return }
        compass.adopt(record(of: better, chip: chips.magnetometer, now: now))
        keepCalibration(&turn)
        turn.log(.compassFound(compass.description))
    }

    private func keepCalibration(_ turn: inout Turn) {
        guard let record = compass.record else { return turn.remove(.settings, "", Headings.calibrationName) }
        turn.put(.settings, "", Headings.calibrationName, record.encode())
    }

    private static let calibrationName = "compassCalibration"

    /// Takes a row of the store: true if it held a calibration, false if that calibration cannot be read, nil if the
    /// row belongs to another part of the Engine.
    func restore(_ row: DurableRow) -> Bool? {
        guard row.name == Headings.calibrationName else { return nil }
        guard let record = try? CalibrationRecord(decoding: row.value.span) else { return false }
        compass.calibrate(record)
        return true
    }
}

/// A heading for the location filter: degrees from true north, and its accuracy in degrees (68 % of the errors are
/// smaller).
struct HeadingHint {
    let degreesTrue: Double
    let accuracy: Double
    let instant: MonotonicInstant
}

extension HeadingObject {
    /// - Parameter declination: Degrees from true to magnetic north, east positive, as exactly as the session is
    ///   allowed to know the declination; nil where it is not allowed or the declination is not known.
    fileprivate init(
        _ reading: CompassReading, _ orientation: HeadingOrientation, declination: Double?, time: UTCInstant?
    ) {
        let magnetic = reading.magneticHeading(orientation)
        self.init(
            magneticHeading: magnetic,
            trueHeading: magnetic.flatMap { degrees in declination.map { Angle.turn(degrees + $0) } },
            accuracy: reading.accuracy(orientation), field: reading.field, time: time)
    }
}

/// The state of the compass and its clients, for other parts of the Engine to read.
struct HeadingsView {
    private let isExpected: Bool
    private let compass: Compass
    private let connections: HeadingConnections

    /// - Parameter isExpected: Whether the configuration says that the board has a compass.
    fileprivate init(isExpected: Bool, compass: Compass, connections: HeadingConnections) {
        self.isExpected = isExpected
        self.compass = compass
        self.connections = connections
    }

    var isAvailable: Bool { compass.chips != nil }

    /// Whether the board has a compass; true until the compass is found missing.
    var hasCompass: Bool { isExpected && compass.state != .absent }

    func status(at instant: MonotonicInstant) -> CompassStatus? { isExpected ? compass.status(at: instant) : nil }

    var isCalibrationShown: Bool { connections.isCalibrationShown }

    /// Whether any session receives headings, or any connection raw samples.
    var isWatched: Bool { connections.isWatched }

    var sampleWatchers: [ClientID] { connections.sampleWatchers }
}
