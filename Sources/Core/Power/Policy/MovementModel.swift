internal import Units

/// What is known of the movement since the last fix, and what was learned of movements before.
///
/// Three kinds of gap between fixes are told apart, because their speeds have little in common: one that began in
/// motion (the displacement goes with the speed at the fix), one that began in a pause of a movement (it goes with the
/// movement's mean speed), and one that began at rest (it goes with nothing but how long the motion sensor was busy).
struct MovementModel: Sendable, Equatable {
    /// How the gap that runs began.
    enum Beginning: Sendable, Equatable {
        case moving
        case pausing
        case resting
    }

    let hasSensor: Bool
    private(set) var learned: LearnedMovements

    private(set) var lastFix: PowerFix?
    private(set) var lastFixAt = MonotonicInstant.zero
    private(set) var beginning = Beginning.resting
    /// Metres a second; what `cruising` and `restarting` multiply.
    private(set) var reference = MovementModel.typicalSpeed
    /// The mean speed of the movement that goes on.
    private var movementSpeed = MovementModel.typicalSpeed
    private var atRestSince: MonotonicInstant?

    private var sensorIsBusy = false
    private var busySince = MonotonicInstant.zero
    private var restSince = MonotonicInstant.zero
    /// Seconds of motion since the last fix that are over.
    private var movedBefore = 0.0
    /// When the sensor first told of motion since the last fix.
    private var noticedAt: MonotonicInstant?

    /// Metres a second; a walker's displacement.
    private static let typicalSpeed = 1.5
    private static let slowestReference = 0.5
    /// Metres a second under which a fix is one at rest.
    private static let restSpeed = 0.4
    /// Metres between fixes that noise alone makes.
    private static let restDistance = 20.0
    /// Seconds at rest after which a movement is over.
    private static let restTime = 240.0
    /// Seconds over which the movement's mean speed is taken.
    private static let movementTime = 200.0
    /// Faster than anything a short false report of the sensor explains, in metres a second.
    private static let fastest = 20.0
    /// Seconds by which an accelerometer may notice a smooth start late.
    private static let sensorLateness = 60.0
    /// Seconds that one move without any notice is charged with at most: a guess of hours would rule the whole day.
    private static let unreportedLimit = 900.0

    init(hasSensor: Bool, learned: LearnedMovements) {
        self.hasSensor = hasSensor
        self.learned = learned
    }

    // MARK: What is known now

    /// Seconds since the last fix.
    func age(at now: MonotonicInstant) -> Double { now.seconds(since: lastFixAt) }

    /// Whether it moves, as far as the sensor, or the last fix, can tell.
    var isMoving: Bool { hasSensor ? sensorIsBusy : beginning != .resting }

    /// Seconds moved since the last fix.
    func movedSeconds(at now: MonotonicInstant) -> Double {
        guard hasSensor else { return isMoving ? age(at: now) : 0 }
        return movedBefore + (sensorIsBusy ? now.seconds(since: max(busySince, lastFixAt)) : 0)
    }

    /// Seconds for which the sensor has reported rest; without one, for which fixes have shown it.
    func restSeconds(at now: MonotonicInstant) -> Double {
        if hasSensor { return sensorIsBusy ? 0 : now.seconds(since: restSince) }
        return atRestSince.map { lastFixAt.seconds(since: $0) } ?? 0
    }

    // MARK: What is expected

    /// The expected seconds beyond `limit` metres after so many moved seconds.
    func expectedExcess(moved: Double, limit: Double) -> Double {
        speeds(moved).meanExcess(of: moved, over: limit / unit)
    }

    /// The probability that so many moved seconds lead beyond `limit` metres.
    ///
    /// A twentieth of it is what strangers do in that time: the own habits are too few to rule a car ride out.
    func probability(beyond limit: Double, moved: Double) -> Double {
        guard moved > 0 else { return 0 }
        let own = speeds(moved).share(over: limit / (unit * moved))
        let strangers = learned.longBouts.share(over: limit / (LearnedMovements.boutUnit * max(moved - 15, 1)))
        return 0.95 * own + 0.05 * strangers
    }

    /// The speed in metres a second that this share of gaps like this one stays under.
    func speedQuantile(_ share: Double, moved: Double) -> Double { speeds(moved).quantile(share) * unit }

    /// Metres a second that nine in ten movements after a rest stay under.
    var fastBout: Double { learned.longBouts.quantile(0.9) * LearnedMovements.boutUnit }

    /// The expected seconds beyond `limit` of somebody who was at rest for `rest` seconds, and is not watched for
    /// `gap` more.
    ///
    /// The longer a rest, the longer it will last: the chance that it goes on for t more is √(c / (c + t)), with c half
    /// a minute over the rest so far.
    func expectedUnwatchedExcess(rest: Double, gap: Double, limit: Double) -> Double {
        let start = rest + 30
        var sum = 0.0
        for index in learned.longBouts.weights.indices where learned.longBouts.weights[index] > 1e-4 {
            let after = gap - limit / (LogHistogram.middles[index] * LearnedMovements.boutUnit)
            guard after > 0 else { continue }
            sum += learned.longBouts.weights[index] * MovementModel.lateness(after, rest: start)
        }
        return sum
    }

    /// The expected part of `gap` seconds that comes after a rest's end, for a rest of `rest` seconds.
    static func lateness(_ gap: Double, rest: Double) -> Double {
        gap - 2 * rest.squareRoot() * ((rest + gap).squareRoot() - rest.squareRoot())
    }

    private func speeds(_ moved: Double) -> LogHistogram {
        switch beginning {
        case .moving: learned.cruising
        case .pausing: learned.restarting
        case .resting: moved > LearnedMovements.shortBout ? learned.longBouts : learned.shortBouts
        }
    }

    private var unit: Double { beginning == .resting ? LearnedMovements.boutUnit : reference }

    // MARK: What happens

    mutating func sensed(motion: Bool, at now: MonotonicInstant) {
        guard motion != sensorIsBusy else { return }
        if motion {
            // A pause as long as a rest is one: what begins now is another movement.
            if beginning == .pausing, restSeconds(at: now) >= MovementModel.restTime { beginning = .resting }
            busySince = now
            noticedAt = noticedAt ?? now
        } else {
            movedBefore += now.seconds(since: max(busySince, lastFixAt))
            restSince = now
        }
        sensorIsBusy = motion
    }

    /// Takes a fix: the gap before it is over.
    ///
    /// - Parameter limit: Metres beyond which the last delivered location was too far off.
    /// - Returns: The seconds of the gap in which it probably was.
    mutating func take(_ fix: PowerFix, limit: Double, at now: MonotonicInstant) -> Double {
        guard let previous = lastFix else {
            begin(from: fix, distance: 0, at: now)
            return 0
        }
        let gap = age(at: now)
        let distance = previous.distance(to: fix)
        let moved = movedSeconds(at: now)
        let speed = fix.speed ?? distance / max(gap, 1)
        let excess = excess(of: distance, moved: moved, gap: gap, speed: speed, limit: limit, at: now)
        learn(distance: distance, moved: moved, gap: gap, speed: speed, fix)
        begin(from: fix, distance: distance, at: now)
        return excess
    }

    /// The part of a gap in which the distance was over the limit, had the way been even.
    private func excess(
        of distance: Double, moved: Double, gap: Double, speed: Double, limit: Double, at now: MonotonicInstant
    ) -> Double {
        guard distance > limit, gap > 0 else { return 0 }
        if hasSensor {
            if moved * MovementModel.fastest < distance { return unreported(in: gap, at: now) }
            return moved * (1 - limit / distance) + (sensorIsBusy ? 0 : min(gap, now.seconds(since: restSince)))
        }
        if beginning != .resting { return gap * (1 - limit / distance) }
        return speed > 0.5 ? min(gap / 2, (distance - limit) / speed * 1.3) : gap / 2
    }

    /// Seconds beyond the limit after a move of which the sensor told little or nothing: it was late, or it might have
    /// been any time.
    private func unreported(in gap: Double, at now: MonotonicInstant) -> Double {
        let most = min(gap / 2, MovementModel.unreportedLimit)
        guard let noticedAt else { return most }
        return min(most, now.seconds(since: noticedAt) + MovementModel.sensorLateness)
    }

    private mutating func learn(distance: Double, moved: Double, gap: Double, speed: Double, _ fix: PowerFix) {
        let span = isMoving || hasSensor ? moved : gap
        // An epoch after an epoch says nothing that its speed does not.
        if gap > 2, span > 2 { note(distance: distance, span: span, fix) }
        if span > 1 {
            let seen = gap > 2 ? distance / span : speed
            movementSpeed += (seen - movementSpeed) * min(1, span / MovementModel.movementTime)
        }
        guard hasSensor else { return }
        let noise = MovementModel.restDistance + 3 * fix.horizontalAccuracy
        learned.noteWatch(seconds: max(0, gap - moved), missedMove: moved < 1 && distance > noise)
    }

    private mutating func note(distance: Double, span: Double, _ fix: PowerFix) {
        switch beginning {
        case .moving: learned.noteCruise(max(distance, 1) / (reference * span))
        case .pausing: learned.noteRestart(max(distance, 1) / (reference * span))
        case .resting:
            guard hasSensor || distance > 30 else { return }
            learned.noteBout(speed: max(distance - fix.horizontalAccuracy, 0.5) / span, seconds: span)
        }
    }

    private mutating func begin(from fix: PowerFix, distance: Double, at now: MonotonicInstant) {
        let isSlow = (fix.speed ?? 0) < MovementModel.restSpeed
        if lastFix == nil || !isSlow || distance > MovementModel.restDistance { atRestSince = now }
        let rest = atRestSince.map { now.seconds(since: $0) } ?? 0
        // Of somebody first met at rest nothing is known but that; who has not stirred still rests.
        let stillRests = beginning == .resting && distance <= MovementModel.restDistance
        let isOver = isSlow && (rest >= MovementModel.restTime || stillRests)
        beginning = isOver ? .resting : (fix.speed ?? movementSpeed) < 0.4 * movementSpeed ? .pausing : .moving
        reference = max(
            MovementModel.slowestReference,
            beginning == .moving ? max(fix.speed ?? 0, 0.6 * movementSpeed) : movementSpeed)
        lastFix = fix
        lastFixAt = now
        movedBefore = 0
        noticedAt = sensorIsBusy ? now : nil
    }
}

extension MonotonicInstant {
    /// Seconds from `earlier`, never negative.
    func seconds(since earlier: MonotonicInstant) -> Double { max(0, Double(nanoseconds(since: earlier)) / 1e9) }

    func advanced(bySeconds seconds: Double) -> MonotonicInstant {
        advanced(byNanoseconds: Int64((min(seconds, 1e9) * 1e9).rounded()))
    }
}
