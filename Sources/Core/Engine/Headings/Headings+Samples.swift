internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import GNSS
internal import Magnetism
internal import Monitors
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// From compass samples to the headings that clients are told.
extension Headings {
    /// Tells sessions the heading of a sample.
    ///
    /// - Returns: The heading for the location filter, which uses it where the board is too slow to have a course.
    mutating func sampled(_ sample: CompassSample, _ whereabouts: Whereabouts, _ turn: inout Turn) -> HeadingHint? {
        let time = whereabouts.clock.utc(sample.instant)
        tellRaw(sample, time: time, &turn)
        let now = whereabouts.clock.utc(turn.instant) ?? configuration.now
        let reading = compass.sampled(sample, expecting: worldField(whereabouts, now: now), at: turn.instant)
        keepBetter(now: now, &turn)
        tellCalibrationQuestions(&turn)
        for place in connections.indices where !connections[place].sessions.isEmpty {
            tell(reading, time: time, at: place, whereabouts, now: now, &turn)
        }
        return hint(reading, at: sample.instant)
    }

    private mutating func tell(
        _ reading: CompassReading, time: UTCInstant?, at place: Int, _ whereabouts: Whereabouts, now: UTCInstant,
        _ turn: inout Turn
    ) {
        let id = connections[place].id
        for session in connections[place].sessions.indices {
            let number = connections[place].sessions[session].number
            let orientation = connections[place].sessions[session].orientation
            let magnetic = reading.magneticHeading(orientation)
            let declination = declination(
                for: grant(ofLocationsIn: number, of: id), whereabouts.estimate(at: turn.instant)?.fix, now: now)
            let heading = HeadingObject(
                magneticHeading: magnetic,
                trueHeading: magnetic.flatMap { degrees in declination.map { Angle.turn(degrees + $0) } },
                accuracy: reading.accuracy(orientation), field: reading.field, time: time)
            guard connections[place].sessions[session].takes(heading) else { continue }
            turn.send(id) { ClientEvent.append(heading, session: number, to: &$0) }
        }
    }

    private func hint(_ reading: CompassReading, at instant: MonotonicInstant) -> HeadingHint? {
        guard let declination = compass.worldFields.declination, let heading = reading.magneticHeading(.portrait),
            let accuracy = reading.accuracy(.portrait)
        else { return nil }
        return HeadingHint(degreesTrue: Angle.turn(heading + declination), accuracy: accuracy, instant: instant)
    }

    private func tellRaw(_ sample: CompassSample, time: UTCInstant?, _ turn: inout Turn) {
        let raw = compass.chips?.inMagnetometerFrame(sample) ?? sample
        for connection in connections where connection.watchesSamples {
            turn.send(connection.id) { ClientEvent.append(raw, time: time, to: &$0) }
        }
    }

    // MARK: True north

    /// The world model's field at the board's place; nil before a fix, or where the model is not valid.
    private func worldField(_ whereabouts: Whereabouts, now: UTCInstant) -> GeomagneticField? {
        guard let fix = whereabouts.last?.fix, let latitude = fix.latitude, let longitude = fix.longitude else {
            return nil
        }
        compass.worldFields.found(
            latitude: latitude, longitude: longitude, altitude: fix.heightAboveEllipsoid ?? 0, at: now)
        return compass.worldFields.here
    }

    /// The declination that a session may know, in degrees; nil where it may know none, or none is known.
    ///
    /// A session with reduced accuracy may know the place only to a cell of some kilometres. It gets the declination of
    /// the cell's representative point, which reveals nothing more.
    private func declination(for grant: LocationGrant, _ estimate: Fix?, now: UTCInstant) -> Double? {
        switch grant {
        case .none: return nil
        case .full: return compass.worldFields.declination
        case .reduced:
            if let estimate, let latitude = estimate.latitude, let longitude = estimate.longitude {
                compass.worldFields.followCoarse(latitude: latitude, longitude: longitude, at: now)
            }
            return compass.worldFields.coarseDeclination
        }
    }

    private func grant(ofLocationsIn session: UInt8, of id: ClientID) -> LocationGrant {
        locationGrants.first { $0.connection == id && $0.session == session }?.grant ?? .none
    }

    // MARK: Calibration

    /// Tells sessions when to ask their users to turn the device about, and when to stop asking.
    private mutating func tellCalibrationQuestions(_ turn: inout Turn) {
        let occasion = compass.calibrationOccasion
        for place in connections.indices {
            for session in connections[place].sessions.indices {
                let told = connections[place].sessions[session].settle(calibrationWantedFor: occasion)
                guard let isWanted = told else { continue }
                let number = connections[place].sessions[session].number
                turn.send(connections[place].id) {
                    ClientEvent.appendHeadingCalibration(isWanted: isWanted, session: number, to: &$0)
                }
            }
        }
    }

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
            if let place = place(of: connection) { connections[place].watchesSamples = isEnabled }
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
        guard let status = status(at: turn.instant) else { return }
        turn.confirm(connection) { ClientEvent.append(status, id: id, to: &$0) }
    }

    private func problem(with request: CompassRequest) -> (code: StaticString, message: String)? {
        guard configuration.hasCompass else {
            return ("unavailable", "this board has no compass; name its magnetometer in the board's file")
        }
        guard case .calibrate(let calibration, let magnetometer) = request else { return nil }
        if let magnetometer, let chips = compass.chips, magnetometer != chips.magnetometer {
            return (
                "badValue",
                "the calibration is of a \(magnetometer), and this board has a \(chips.magnetometer); calibrate again"
            )
        }
        guard Headings.determinants.contains(calibration.matrix.determinant) else {
            return (
                "badValue",
                "\"matrix\" mirrors, flattens or rescales the field: its determinant is not from 0.1 to "
                    + "10; calibrate anew"
            )
        }
        return nil
    }

    /// Possible determinants of a calibration's matrix, whose scales a chip and soft iron distort by a fifth each at
    /// most.
    private static let determinants = 0.1...10.0

    private func record(of calibration: CompassCalibration, chip: String, now: UTCInstant) -> CalibrationRecord {
        CalibrationRecord(calibration, chip: chip, board: configuration.board, date: now)
    }

    /// Uses and stores a better calibration that the background calibration found.
    private func keepBetter(now: UTCInstant, _ turn: inout Turn) {
        guard let better = compass.takeBetter(), let chips = compass.chips else { return }
        compass.adopt(record(of: better, chip: chips.magnetometer, now: now))
        keepCalibration(&turn)
        turn.actions.append(.log(.compassFound(compass.description)))
    }
}
