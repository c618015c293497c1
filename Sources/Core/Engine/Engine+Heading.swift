internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import JSONText
internal import Magnetism
internal import Monitors
internal import Sessions
internal import Units

/// Headings: read while somebody wants them, told to each as it asked.
///
/// A magnetic heading says nothing of where the board is, and needs no authorization; it comes in the background too,
/// and ends with the connection. True north is told by the place: to a session that watches locations and may see them,
/// and no more exactly than it may.
extension Engine {
    mutating func serveHeading(
        _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        switch request.kind {
        case .watchHeading(let settings):
            watchHeading(settings, request, clientAt: client, at: instant, into: &outputs)
        case .changeHeading(let settings):
            guard let place = clients.local[client].session.place(ofHeading: request.session) else { return }
            clients.local[client].session.headings[place].change(to: settings)
        case .unwatchHeading:
            endHeadings(of: request.session, clientAt: client)
            outputs.send(clients.local[client].id) {
                ClientEvent.appendWatchingHeading(false, session: request.session, id: request.id, to: &$0)
            }
        case .displayHeadingCalibration:
            guard let place = clients.local[client].session.place(ofHeading: request.session) else { return }
            clients.local[client].session.headings[place].displayCalibration()
        case .dismissHeadingCalibration:
            guard let place = clients.local[client].session.place(ofHeading: request.session) else { return }
            clients.local[client].session.headings[place].dismissCalibration()
        default: break
        }
    }

    /// Begins a session's headings; asked again, it takes the settings and goes on.
    private mutating func watchHeading(
        _ settings: HeadingSettings, _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        outputs.send(clients.local[client].id) {
            ClientEvent.appendWatchingHeading(true, session: request.session, id: request.id, to: &$0)
        }
        guard let place = clients.local[client].session.place(ofHeading: request.session) else {
            clients.local[client].session.headings.append(HeadingSession(settings, number: request.session))
            if compass.state == .failed, compass.chips != nil {
                tellFailure(toHeadingsOf: client, into: &outputs)
            }
            return compass.schedule.hurry(at: instant)
        }
        clients.local[client].session.headings[place].change(to: settings)
    }

    /// Ends a session's headings, and the question for a calibration with them.
    mutating func endHeadings(of session: UInt8, clientAt client: Int) {
        clients.local[client].session.headings.removeAll { $0.number == session }
    }

    /// The daemon runs: a compass that the board has is looked for.
    mutating func beginCompass(at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard configuration.hasCompass else { return }
        compass.schedule.begin(at: instant)
        outputs.actions.append(.findCompass)
    }

    /// Has the compass read as often as all who want headings need it, and looked for where it is missing.
    mutating func settleCompass(at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard configuration.hasCompass else { return }
        showCalibration(into: &outputs)
        compass.schedule.want(every: clients.headingPeriod, at: instant)
        if compass.schedule.period != nil, compass.schedule.isHung(at: instant) {
            compassFailed("it has not answered for 5 s; the bus hangs", at: instant, into: &outputs)
        }
        switch compass.schedule.advance(to: instant, isOccasion: isCompassOccasion) {
        case .find: outputs.actions.append(.findCompass)
        case .sample: outputs.actions.append(.sampleCompass)
        case nil: break
        }
        isCompassOccasion = false
    }
}

// MARK: What the compass says

extension Engine {
    mutating func compassFound(_ chips: CompassChips, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let isNews = compass.chips != chips || compass.state != .ready
        let wasAvailable = isHeadingAvailable
        if compass.found(chips, at: instant) { keepCalibration(into: &outputs) }
        if isNews { outputs.actions.append(.log(.compassFound(compass.description))) }
        tellRefusal(into: &outputs)
        if !wasAvailable { announceCapabilities(into: &outputs) }
    }

    /// A calibration of another board or chip is not used, which the log says once.
    mutating func tellRefusal(into outputs: inout Outputs) {
        guard configuration.hasCompass, let refusal = compass.takeRefusal() else { return }
        outputs.actions.append(.log(.compassTrouble(refusal)))
    }

    /// Nobody answers where the compass should be.
    mutating func compassAbsent(_ detail: String, at instant: MonotonicInstant, into outputs: inout Outputs) {
        compassFailed(detail, as: compass.chips == nil ? .absent : .failed, at: instant, into: &outputs)
    }

    /// The compass, or the bus that it is on, does not do what it was told.
    mutating func compassFailed(
        _ detail: String, as state: CompassStatus.State = .failed, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        guard compass.failed(detail, at: instant) else { return }
        let isNews = compass.state != state
        compass.state = state
        if isNews { outputs.actions.append(.log(.compassTrouble("the compass: \(detail)"))) }
        guard compass.chips != nil else { return }
        for client in clients.local.indices { tellFailure(toHeadingsOf: client, into: &outputs) }
    }

    private mutating func tellFailure(toHeadingsOf client: Int, into outputs: inout Outputs) {
        for place in clients.local[client].session.headings.indices {
            guard clients.local[client].session.headings[place].fails() else { continue }
            let number = clients.local[client].session.headings[place].number
            outputs.send(clients.local[client].id) {
                ClientEvent.appendFailed(Engine.headingFailure, session: number, id: nil, to: &$0)
            }
        }
    }

    /// `CLError.headingFailure`.
    private static let headingFailure = 3

    mutating func compassSampled(_ sample: CompassSample, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let time = clock.utc(sample.instant)
        tellRaw(sample, time: time, into: &outputs)
        let reading = compass.take(sample, expecting: worldField(at: instant), at: instant)
        keepBetter(at: instant, into: &outputs)
        tellCalibrationQuestions(into: &outputs)
        hint(reading, at: sample.instant)
        for client in clients.local.indices where !clients.local[client].session.headings.isEmpty {
            tell(reading, time: time, toHeadingsOf: client, at: instant, into: &outputs)
        }
    }

    private mutating func tell(
        _ reading: CompassReading, time: UTCInstant?, toHeadingsOf client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        for place in clients.local[client].session.headings.indices {
            let number = clients.local[client].session.headings[place].number
            let orientation = clients.local[client].session.headings[place].orientation
            let magnetic = reading.magneticHeading(orientation)
            let declination = declination(forSession: number, ofClientAt: client, at: instant)
            let heading = HeadingObject(
                magneticHeading: magnetic,
                trueHeading: magnetic.flatMap { degrees in declination.map { Angle.turn(degrees + $0) } },
                accuracy: reading.accuracy(orientation), field: reading.field, time: time)
            guard clients.local[client].session.headings[place].takes(heading) else { continue }
            outputs.send(id) { ClientEvent.append(heading, session: number, to: &$0) }
        }
    }

    /// The compass to the estimator, which has a use for it where the board is too slow to have a course.
    private mutating func hint(_ reading: CompassReading, at instant: MonotonicInstant) {
        guard let declination = compass.worldFields.declination, let heading = reading.magneticHeading(.portrait),
            let accuracy = reading.accuracy(.portrait)
        else { return }
        path.sensed(heading: Angle.turn(heading + declination), accuracy: accuracy, at: instant)
    }

    private func tellRaw(_ sample: CompassSample, time: UTCInstant?, into outputs: inout Outputs) {
        let raw = compass.chips?.inMagnetometerFrame(sample) ?? sample
        for client in clients.local where client.watchesCompass {
            outputs.send(client.id) { ClientEvent.append(raw, time: time, to: &$0) }
        }
    }
}

// MARK: True north

extension Engine {
    /// The world model's field where the board is; nil before a fix, or where the model does not hold.
    private func worldField(at instant: MonotonicInstant) -> GeomagneticField? {
        guard let fix = lastLocation?.fix, let latitude = fix.latitude, let longitude = fix.longitude else {
            return nil
        }
        compass.worldFields.follow(
            latitude: latitude, longitude: longitude, altitude: fix.heightAboveEllipsoid ?? 0,
            at: clock.utc(instant) ?? configuration.now)
        return compass.worldFields.here
    }

    /// By how much true and magnetic heading differ for a session; nil where it may not know, or nobody does.
    ///
    /// A session that may see where the board is no more exactly than a cell of some kilometres gets the declination of
    /// that cell's representative, so that it tells no more.
    private func declination(
        forSession number: UInt8, ofClientAt client: Int, at instant: MonotonicInstant
    ) -> Double? {
        switch grant(ofLocationsIn: number, clientAt: client) {
        case .none: return nil
        case .full: return compass.worldFields.declination
        case .reduced:
            if let fix = reduced.current(at: instant)?.fix, let latitude = fix.latitude, let longitude = fix.longitude {
                compass.worldFields.followCoarse(
                    latitude: latitude, longitude: longitude, at: clock.utc(instant) ?? configuration.now)
            }
            return compass.worldFields.coarseDeclination
        }
    }

    /// What a session may see now that watches locations, or epochs.
    private func grant(ofLocationsIn number: UInt8, clientAt client: Int) -> LocationGrant {
        let session = clients.local[client].session
        if let place = session.place(ofSession: number) { return session.locations[place].grant }
        return number == 0 && session.watchesSatellites != nil && session.grant == .full ? .full : .none
    }
}

// MARK: Calibration

extension Engine {
    /// Tells sessions that their users should be asked to turn the device about, or no longer.
    private mutating func tellCalibrationQuestions(into outputs: inout Outputs) {
        let occasion = compass.calibrationOccasion
        for client in clients.local.indices {
            for place in clients.local[client].session.headings.indices {
                let told = clients.local[client].session.headings[place].follow(calibrationWantedFor: occasion)
                guard let isWanted = told else { continue }
                let number = clients.local[client].session.headings[place].number
                outputs.send(clients.local[client].id) {
                    ClientEvent.appendHeadingCalibration(isWanted: isWanted, session: number, to: &$0)
                }
            }
        }
    }

    /// Tells agents whether somebody's user is asked to turn the device about.
    private mutating func showCalibration(into outputs: inout Outputs) {
        let isShown = clients.local.contains { $0.session.headings.contains(where: \.displaysCalibration) }
        guard isShown != isCalibrationShown else { return }
        isCalibrationShown = isShown
        tellAgents(into: &outputs) { ClientEvent.appendCalibrationDisplay(isShown: isShown, to: &$0) }
    }

    mutating func serve(
        _ request: CompassRequest, id: String?, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let connection = clients.local[client].id
        guard let problem = problem(with: request) else {
            return obey(request, id: id, clientAt: client, at: instant, into: &outputs)
        }
        outputs.send(connection) { ClientEvent.appendError(problem.code, problem.message, id: id, to: &$0) }
    }

    private func problem(with request: CompassRequest) -> (code: StaticString, message: String)? {
        guard configuration.hasCompass else {
            return ("unavailable", "this board has no compass; name its magnetometer in the board's file")
        }
        guard case .calibrate(let calibration, let magnetometer) = request else { return nil }
        if let magnetometer, let chips = compass.chips, magnetometer != chips.magnetometer {
            return (
                "badValue",
                "that calibration is of a \(magnetometer), and this board has a \(chips.magnetometer); calibrate this one"
            )
        }
        guard Engine.determinants.contains(calibration.matrix.determinant) else {
            return (
                "badValue",
                "\"matrix\" turns the field inside out or flat, or is of another scale: its determinant is not from 0.1 to "
                    + "10; calibrate anew"
            )
        }
        return nil
    }

    /// Of a calibration's matrix; a chip's scale is wrong by a fifth at most, and soft iron as much again.
    private static let determinants = 0.1...10.0

    private mutating func obey(
        _ request: CompassRequest, id: String?, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let connection = clients.local[client].id
        switch request {
        case .status: break
        case .watch(let isEnabled):
            clients.local[client].watchesCompass = isEnabled
            if isEnabled { compass.schedule.hurry(at: instant) }
            outputs.send(connection) {
                ClientEvent.appendDone("watchingCompass", isEnabled: isEnabled, id: id, to: &$0)
            }
            return
        case .calibrate(let calibration, let magnetometer):
            let chip = magnetometer ?? compass.chips?.magnetometer ?? ""
            compass.calibrate(record(of: calibration, chip: chip, at: instant))
            keepCalibration(into: &outputs)
            tellCalibrationQuestions(into: &outputs)
        case .eraseCalibration:
            compass.calibrate(nil)
            keepCalibration(into: &outputs)
        }
        if let status = compassStatus(at: instant) {
            outputs.send(connection) { ClientEvent.append(status, id: id, to: &$0) }
        }
    }

    private func record(
        of calibration: CompassCalibration, chip: String, at instant: MonotonicInstant
    ) -> CalibrationRecord {
        CalibrationRecord(
            calibration, chip: chip, board: configuration.board, date: clock.utc(instant) ?? configuration.now)
    }

    /// What the background found better is used from now on, and kept.
    private mutating func keepBetter(at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard let better = compass.takeBetter(), let chips = compass.chips else { return }
        compass.adopt(record(of: better, chip: chips.magnetometer, at: instant))
        keepCalibration(into: &outputs)
        outputs.actions.append(.log(.compassFound(compass.description)))
    }

    private func keepCalibration(into outputs: inout Outputs) {
        guard let record = compass.record else { return outputs.remove(.settings, "", "compassCalibration") }
        outputs.put(.settings, "", "compassCalibration", record.encode())
    }

    func compassStatus(at instant: MonotonicInstant) -> CompassStatus? {
        configuration.hasCompass ? compass.status(at: instant) : nil
    }

    var isHeadingAvailable: Bool { compass.chips != nil }
}

extension ClientTable {
    /// Nanoseconds from sample to sample that all who want headings need; nil where nobody does.
    var headingPeriod: Int64? {
        var period: Int64?
        for client in local {
            if client.watchesCompass { period = HeadingRate.period(forFilter: nil) }
            for heading in client.session.headings {
                let wanted = HeadingRate.period(forFilter: heading.settings.filter)
                period = min(period ?? wanted, wanted)
            }
        }
        return period
    }
}
