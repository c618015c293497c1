import GNSS
import Glibc
import NMEA0183
import SextantUnits
import UBX

/// The time in nanoseconds from the instant for which a solution is valid to the solution's first byte.
private let solutionLatency: Int64 = 50_000_000
/// The time in nanoseconds for which computed positions of the satellites are used again before they are computed anew.
private let viewLifetime: Int64 = 30_000_000_000
/// The speed, in metres per second, below which the receiver keeps reporting its last course.
private let movingSpeed = 0.3

extension EmulatedReceiver {
    /// Schedules the next navigation solution, whose UTC time of day is a whole multiple of the navigation period.
    mutating func scheduleEpoch() {
        let period = epochPeriod
        let sinceStart = now - solutionLatency - options.start.nanoseconds
        let offset = Int64((trajectory.startTime.truncatingRemainder(dividingBy: 86_400) * 1e9).rounded())
        let ofDay = sinceStart + offset
        let next = (ofDay >= 0 ? ofDay / period + 1 : (ofDay - period + 1) / period + 1) * period
        deadlines.epoch = options.start.nanoseconds + next - offset + solutionLatency
    }

    private var epochPeriod: Int64 {
        settings.powerSave == .cyclic && isOptimized ? max(settings.period, settings.updatePeriod) : settings.period
    }

    mutating func runEpoch() {
        let instant = now - solutionLatency
        if phase == .tracking { noise.advance(seconds: Double(epochPeriod) / 1e9, isMoving: isMoved(at: instant)) }
        scheduleEpoch()
        epochCount &+= 1
        guard transmit.count < TransmitQueue.backlogByteCount else { return }
        report(instant)
    }

    /// Whether the receiver moves, so that its surroundings change; always true under open sky, where this has no
    /// effect.
    private func isMoved(at instant: Int64) -> Bool {
        guard options.surroundings != .open else { return true }
        let velocity = trajectory.position(at: utc(instant)).velocity
        return hypot(velocity.north, velocity.east) >= movingSpeed
    }

    private mutating func report(_ instant: Int64) {
        let solution = solution(at: instant)
        let (settings, constellations, count) = (settings, personality.constellations, epochCount)
        let nmea = sentences(at: count)
        let state = powerSaveState
        let status = settings.status > 0 ? statusMessage(solution, at: instant) : nil
        transmit.append(at: now) { bytes in
            if settings.sendsUBX {
                UBXReport(solution: solution, settings: settings, count: count, powerSave: state)
                    .appendSolution(to: &bytes)
                if let status, count % settings.status == 0 { status.encoded(into: &bytes) }
            }
            if settings.sendsNMEA, !nmea.isEmpty {
                NMEABurst(
                    solution: solution, hasSystemIdentifiers: false, sentences: nmea, constellations: constellations
                ).append(to: &bytes)
            }
            if settings.sendsUBX, settings.endOfEpoch > 0, count % settings.endOfEpoch == 0 {
                NavEOE(timeOfWeekMilliseconds: solution.timeOfWeek).encoded(into: &bytes)
            }
        }
    }

    private func sentences(at count: Int) -> NMEABurst.Sentences {
        var sentences: NMEABurst.Sentences = []
        for index in settings.sentences.indices {
            let rate = settings.sentences[index]
            if rate > 0, count % rate == 0 { sentences.insert(NMEABurst.Sentences(rawValue: 1 << UInt8(index))) }
        }
        return sentences
    }

    private var powerSaveState: PowerSaveState {
        guard settings.powerSave != .off else { return .notActive }
        return phase != .tracking ? .acquisition : isOptimized ? .powerOptimizedTracking : .tracking
    }

    private func statusMessage(_ solution: SyntheticSolution, at instant: Int64) -> NavSTATUS {
        var status = NavSTATUS()
        status.timeOfWeekMilliseconds = solution.timeOfWeek
        status.fixType = solution.fixType
        status.flags = (solution.position == nil ? 0 : 1) | (solution.isDateKnown ? 0x0C : 0)
        status.timeToFirstFixMilliseconds = UInt32(clamping: (firmware.firstFixAfter ?? 0) / 1_000_000)
        status.timeSinceStartMilliseconds = UInt32(clamping: (instant - firmware.startedAt) / 1_000_000)
        return status
    }

    // MARK: The solution

    private mutating func solution(at instant: Int64) -> SyntheticSolution {
        let seconds = utc(instant)
        let truth = trajectory.position(at: seconds)
        let time = UTCInstant(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
        let stage: Acquisition.Stage = phase == .tracking ? .threeD : memory.isTimeKnown ? .date : .nothing
        look(from: truth, at: time, instant: instant, stage: stage)
        let timeOfWeek =
            stage == .nothing
            ? UInt32((instant - firmware.startedAt) / 1_000_000 % 604_800_000) : time.gpsMillisecondsOfWeek
        var solution = SyntheticSolution(
            stage: stage, time: time, clockError: stage == .threeD ? noise.clock : 0, timeOfWeek: timeOfWeek,
            position: nil, sky: viewedSky.view, reportsSky: true)
        guard phase == .tracking else { return solution }
        solution.position = position(of: truth)
        let stated = noise.statedRadius(sigma: options.positionSigma) * options.accuracyScale
        let horizontal = stated / (TrackingNoise.radiusRatio * options.positionSigma)
        let vertical = horizontal * TrackingNoise.verticalRatio
        solution.sky.dilution.horizontal = horizontal
        solution.sky.dilution.vertical = vertical
        solution.sky.dilution.position = hypot(horizontal, vertical)
        return solution
    }

    private mutating func look(
        from truth: TruePoint, at time: UTCInstant, instant: Int64, stage: Acquisition.Stage
    ) {
        let hasFix = stage == .threeD
        guard instant >= viewedSky.until || viewedSky.isOfFix != hasFix else { return }
        viewedSky.until = instant + (hasFix ? viewLifetime : 2_000_000_000)
        viewedSky.isOfFix = hasFix
        let isBlind = phase == .stopped || deadlines.fix == .max
        let expected = Double(max(deadlines.fix - search.since, 1))
        let share = hasFix ? 1 : isBlind ? 0 : min(0.8 * Double(instant - search.since) / expected, 0.8)
        viewedSky.view = sky.view(
            latitude: truth.latitude, longitude: truth.longitude, height: truth.altitude + options.geoidSeparation,
            at: time, reception: SyntheticSky.Reception(share: max(share, 0), fixType: stage.fixType))
    }

    private mutating func position(of truth: TruePoint) -> SyntheticSolution.Position {
        let error = noise.error(sigma: options.positionSigma)
        let stated = noise.statedRadius(sigma: options.positionSigma) * options.accuracyScale
        let frame = EarthFixedFrame(
            latitude: truth.latitude, longitude: truth.longitude, height: truth.altitude + options.geoidSeparation)
        let velocity = VelocityNED(
            north: truth.velocity.north + noise.velocity.north, east: truth.velocity.east + noise.velocity.east,
            down: truth.velocity.down + noise.velocity.down)
        let speed = hypot(velocity.north, velocity.east)
        let isMoving = speed >= movingSpeed
        if isMoving { lastCourse = courseOverGround(of: velocity) }
        let speedAccuracy = noise.statedSpeedAccuracy(sigma: options.positionSigma) * options.accuracyScale
        return SyntheticSolution.Position(
            latitude: truth.latitude + error.north / frame.metresPerDegreeNorth,
            longitude: LocalFrame.wrapped(truth.longitude + error.east / frame.metresPerDegreeEast),
            altitudeAboveMeanSeaLevel: truth.altitude + error.up, geoidSeparation: options.geoidSeparation,
            velocity: velocity, speed: speed, courseOverGround: lastCourse, isMoving: isMoving,
            horizontalAccuracy: stated,
            verticalAccuracy: stated / TrackingNoise.radiusRatio * TrackingNoise.verticalRatio,
            speedAccuracy: speedAccuracy,
            courseAccuracy: isMoving ? atan(speedAccuracy / speed) * 180 / .pi : 180)
    }

    // MARK: Besides solutions

    /// Sends the messages that the firmware sends when it has started.
    mutating func sendBanner() {
        let (settings, personality) = (settings, personality)
        transmit.append(at: now) { bytes in
            if settings.sendsNMEA {
                for line in personality.banner { NMEAEncoder.append(Array(line.utf8).span, to: &bytes) }
            }
            if settings.sendsUBX, settings.wakeState > 0 { MonRXR(isAwake: true).encoded(into: &bytes) }
        }
    }
}
