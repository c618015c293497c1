internal import SextantUnits

/// What is known of the board's movement since the last fix, and what was learned from earlier movements.
///
/// Movements that began in different ways are kept apart, because their speeds have little in common
/// (`LearnedMovements.Beginning`).
struct MovementModel: Sendable, Equatable {
    typealias Beginning = LearnedMovements.Beginning

    let hasSensor: Bool
    private(set) var learned: LearnedMovements
    private(set) var trust = MotionTrust()

    private(set) var lastFix: PowerFix?
    private(set) var lastFixAt = MonotonicInstant.zero
    /// The board's state at the last fix: moving, in a short stop, at rest, or at rest while the sensor felt motion.
    private(set) var beginning = Beginning.resting
    /// The speed in metres per second that the movement is expected to have after the last fix; the speeds in the
    /// histograms `cruising` and `restarting` are divided by it.
    private(set) var reference = MovementModel.typicalSpeed
    /// The mean speed of the movement in progress; metres per second.
    private var movementSpeed = MovementModel.typicalSpeed
    /// The instant since which fixes have shown rest.
    private var atRestSince: MonotonicInstant?
    /// The displacement that is being measured; its start may lie before the last fix.
    private var sample: Sample?

    private var sensorIsBusy = false
    private var busySince = MonotonicInstant.zero
    private var quietSince = MonotonicInstant.zero
    /// Seconds of motion since the last fix, up to the motion sensor's last report of quiet.
    private var movedBefore = 0.0

    /// A measurement, not yet complete, of how far the board moves from one fix to a later one.
    private struct Sample: Sendable, Equatable {
        var fix: PowerFix
        var at: MonotonicInstant
        var beginning: Beginning
        var reference: Double
        /// Seconds for which the board has moved since the measurement began.
        var moved = 0.0
        /// Whether the motion sensor has reported movement during the measurement.
        var isNoticed = false
        /// The planned duration of the measurement, in seconds.
        var length: Double
    }

    /// The speed assumed before any speed is known, that of a walker; metres per second.
    private static let typicalSpeed = 1.5
    private static let slowestReference = 0.5
    /// Speed below which a fix counts as one at rest; metres per second.
    private static let restSpeed = 0.4
    /// A fix slower than this share of the movement's mean speed counts as a short stop within the movement.
    private static let pauseShare = 0.4
    /// The largest distance in metres between two fixes that may be noise alone, while the board rests.
    private static let restDistance = 20.0
    /// Seconds at rest after which a movement is over.
    private static let restTime = 240.0
    /// Seconds over which the movement's mean speed is taken.
    private static let movementTime = 200.0
    /// The mean time in seconds until a movement turns into one of another kind, as when a walker boards a bus.
    private static let changeTime = 1200.0
    /// The shortest and the longest duration, in seconds, of a displacement that is measured: shorter ones are mostly
    /// noise, and longer waits between fixes are rare.
    private static let sampleLength = 20.0...120.0
    /// The constant c of the assumed length of rests, in seconds: half of all rests that have lasted `rest` seconds end
    /// within another 3 (c + `rest`) seconds.
    private static let shortestRest = (watched: 5.0, unwatched: 30.0)

    init(hasSensor: Bool, learned: LearnedMovements) {
        self.hasSensor = hasSensor
        self.learned = learned
    }

    // MARK: What is known now

    /// Whether the motion sensor is relied on.
    var isWatched: Bool { hasSensor && !trust.isDeaf && !trust.isRestless }

    /// Seconds since the last fix.
    func age(at now: MonotonicInstant) -> Double { now.secondsAfter(lastFixAt) }

    /// Whether the board moves, according to its motion sensor, or to the last fix where no sensor is relied on.
    var isMoving: Bool { isWatched ? sensorIsBusy : beginning == .moving || beginning == .pausing }

    /// Whether the motion sensor has reported the end of a rest since the last fix.
    var hasDeparted: Bool { isWatched && sensorIsBusy && beginning == .resting && busySince >= lastFixAt }

    /// Seconds for which the board has moved since the last fix.
    func movedSeconds(at now: MonotonicInstant) -> Double {
        isWatched ? sensedSeconds(at: now) : isMoving ? age(at: now) : 0
    }

    private func sensedSeconds(at now: MonotonicInstant) -> Double {
        movedBefore + (sensorIsBusy ? now.secondsAfter(max(busySince, lastFixAt)) : 0)
    }

    /// Seconds for which the motion sensor has been quiet or, if longer, fixes have shown rest; 0 while the sensor
    /// reports motion.
    func quietSeconds(at now: MonotonicInstant) -> Double {
        guard !sensorIsBusy else { return 0 }
        let quiet = now.secondsAfter(quietSince)
        return beginning == .resting || beginning == .knocked ? max(quiet, restSeconds) : quiet
    }

    /// Seconds for which fixes have shown rest, up to the last one.
    var restSeconds: Double { atRestSince.map { lastFixAt.secondsAfter($0) } ?? 0 }

    // MARK: What is expected

    private var speeds: (distribution: LogHistogram, unit: Double) {
        switch beginning {
        case .moving: (learned.cruising, reference)
        case .pausing: (learned.restarting, reference)
        case .resting: (learned.departures, LearnedMovements.speedUnit)
        case .knocked: (learned.knocks, LearnedMovements.speedUnit)
        }
    }

    /// The probability that a movement has turned into one of another kind after `moved` seconds.
    private func changed(after moved: Double) -> Double {
        beginning == .moving || beginning == .pausing
            ? 1 - Logarithm.exponential(-max(0, moved) / MovementModel.changeTime) : 0
    }

    /// The probability that this many seconds of movement take the board beyond `limit` metres.
    func probability(beyond limit: Double, moved: Double) -> Double {
        guard moved > 0 else { return 0 }
        let (distribution, unit) = speeds
        let change = changed(after: moved)
        let speed = limit / moved
        return (1 - change) * distribution.share(over: speed / unit)
            + change * learned.speeds.share(over: speed / LearnedMovements.speedUnit)
    }

    /// The latest start of a search, in seconds of movement since the last fix, at which the probability that the board
    /// is beyond `limit` metres without a new fix never exceeds `risk`.
    ///
    /// - Parameters:
    ///   - search: Statistics of the seconds that a search takes.
    ///   - moved: The seconds moved so far. Once a start before this time is found, no earlier one is looked for, since
    ///     the search is due at once in any case.
    func latestStart(limit: Double, risk: Double, search: StartStatistics, after moved: Double) -> Double {
        let (distribution, unit) = speeds
        let mayChange = beginning == .moving || beginning == .pausing
        var latest = Double.infinity
        let longest = search.quantile(1 - risk)
        /// Moves `latest` earlier if a board of this `speed` would otherwise pass `limit` before a fix; `share` is the
        /// share of movements that are faster than `speed`.
        func heed(_ speed: Double, exceededBy share: Double) {
            let reached = limit / speed
            // 1 - exp(-x) is at most x; where even x keeps the probability below `risk`, no exponential is needed.
            guard share + (mayChange ? reached * (1 / MovementModel.changeTime) : 0) > risk else { return }
            let change = changed(after: reached)
            let beyond =
                (1 - change) * share + change * learned.speeds.share(over: speed / LearnedMovements.speedUnit)
            if beyond > risk { latest = min(latest, reached - search.quantile(1 - risk / beyond)) }
        }
        var faster = 0.0
        // The speeds are tried from the fastest down; a slower board reaches the distance `limit` later, so the loop
        // ends at the first speed that cannot make `latest` earlier.
        for index in distribution.weights.indices.reversed() {
            let weight = distribution.weights[index]
            let slowest = limit / (LogHistogram.edges[index] * unit)
            guard latest > moved, slowest - longest < min(latest, FixPlanner.longestGap) else { break }
            if weight > 1e-6 {
                heed(LogHistogram.middles[index] * unit, exceededBy: faster + weight / 2)
                heed(LogHistogram.edges[index] * unit, exceededBy: faster + weight)
            }
            faster += weight
        }
        return latest
    }

    /// The speed in metres per second that the given share of movements does not exceed, of those that began like the
    /// present one.
    func speedQuantile(_ share: Double) -> Double { speeds.distribution.quantile(share) * speeds.unit }

    /// The probability that the board has moved more than `limit` metres because its rest has just ended, while a
    /// sleeping receiver needs `start` seconds from the end of the rest to a fix.
    ///
    /// The longer a rest has lasted, the longer it is likely to last: it ends in the next second with a probability of
    /// 1 / (2 (c + `rest`)), where c is `shortestRest.watched`.
    func restartRisk(limit: Double, rest: Double, start: Double) -> Double {
        var late = 0.0
        for index in learned.departures.weights.indices where learned.departures.weights[index] > 1e-3 {
            let reached = limit / (LogHistogram.middles[index] * LearnedMovements.speedUnit)
            late += learned.departures.weights[index] * max(0, start - reached)
        }
        return late / (2 * (MovementModel.shortestRest.watched + rest))
    }

    /// The seconds after the last fix until the probability that the board has left its rest and moved more than
    /// `limit` metres reaches `risk`, if no motion sensor watches it.
    ///
    /// A rest goes on for t more seconds with a probability of √(c / (c + t)); c is `rest` + `shortestRest.unwatched`.
    func unwatchedRest(limit: Double, risk: Double, rest: Double) -> Double {
        let stays = (1 - risk) * (1 - risk)
        let fast = learned.departures.quantile(0.95) * LearnedMovements.speedUnit
        return (MovementModel.shortestRest.unwatched + rest) * (1 / stays - 1) + limit / fast
    }

    // MARK: What happens

    mutating func sensed(motion: Bool, at now: MonotonicInstant) {
        guard hasSensor, motion != sensorIsBusy else { return }
        if motion {
            // A stop of at least `restTime` counts as a rest, so a new movement begins now.
            if beginning != .moving, now.secondsAfter(quietSince) >= MovementModel.restTime { beginning = .resting }
            busySince = now
        } else {
            movedBefore += now.secondsAfter(max(busySince, lastFixAt))
            quietSince = now
            trust.fellQuiet()
        }
        sensorIsBusy = motion
    }

    mutating func found(_ fix: PowerFix, at now: MonotonicInstant) {
        guard let previous = lastFix else { return begin(from: fix, distance: 0, speed: fix.speed ?? 0, at: now) }
        let gap = age(at: now)
        let distance = previous.distance(to: fix)
        let sensed = sensedSeconds(at: now)
        let moved = isWatched ? sensed : gap
        measure(fix, moved: moved, isNoticed: sensed > 0, isAfterSleep: gap > 2, at: now)
        let speed = fix.speed ?? distance / max(gap, 1)
        if moved > 0.5 {
            let seen = gap > 2 ? distance / max(moved, 1) : speed
            // The speed of the movement before a rest says little about the movement after it.
            let isFirst = beginning == .resting && speed >= MovementModel.restSpeed
            movementSpeed += (seen - movementSpeed) * (isFirst ? 0.5 : min(1, moved / MovementModel.movementTime))
        }
        begin(from: fix, distance: distance, speed: speed, at: now)
    }

    /// Continues the measurement of a displacement, and learns from it once it is long enough or the receiver has
    /// slept.
    private mutating func measure(
        _ fix: PowerFix, moved: Double, isNoticed: Bool, isAfterSleep: Bool, at now: MonotonicInstant
    ) {
        guard var sample else { return }
        sample.moved += moved
        sample.isNoticed = sample.isNoticed || isNoticed
        self.sample = sample
        guard isAfterSleep || now.secondsAfter(sample.at) >= sample.length else { return }
        self.sample = nil
        let distance = sample.fix.distance(to: fix)
        if distance > MovementModel.restDistance + 3 * max(fix.horizontalAccuracy, sample.fix.horizontalAccuracy) {
            trust.moved(isNoticed: sample.isNoticed, hasEverNoticed: learned.isSensorProven)
            if hasSensor, sample.isNoticed { learned.isSensorProven = true }
        }
        guard sample.moved > 2 else { return }
        let isAtRest = sample.beginning == .resting || sample.beginning == .knocked
        // Without a motion sensor the end of a rest is not known, so a displacement counts only if it is more than 30
        // m.
        guard isWatched || !isAtRest || distance > 30 else { return }
        learned.note(
            sample.beginning, metres: max(distance - (isAtRest ? fix.horizontalAccuracy : 0), 0.5),
            seconds: sample.moved, reference: sample.reference)
    }

    private mutating func begin(from fix: PowerFix, distance: Double, speed: Double, at now: MonotonicInstant) {
        let isSlow = speed < MovementModel.restSpeed
        if lastFix == nil || !isSlow || distance > MovementModel.restDistance { atRestSince = now }
        let rest = atRestSince.map { now.secondsAfter($0) } ?? 0
        // A rest begins after `restTime` seconds without movement; a board at rest that has not moved still rests.
        let stillRests = (beginning == .resting || beginning == .knocked) && distance <= MovementModel.restDistance
        if isSlow, rest >= MovementModel.restTime || stillRests {
            beginning = isWatched && sensorIsBusy ? .knocked : .resting
        } else {
            beginning = speed < MovementModel.pauseShare * movementSpeed ? .pausing : .moving
        }
        reference = max(
            MovementModel.slowestReference, beginning == .moving ? 0.5 * (speed + movementSpeed) : movementSpeed)
        if sensorIsBusy, isSlow { trust.rested(busy: now.secondsAfter(busySince), rest: rest) }
        lastFix = fix
        lastFixAt = now
        movedBefore = 0
    }

    /// Begins to measure the displacement from the last fix; the measurement takes the `wait` seconds until the next
    /// planned fix, but at least 20 s and at most 120 s.
    mutating func planned(wait: Double) {
        guard sample == nil, let lastFix else { return }
        let length = min(max(wait, MovementModel.sampleLength.lowerBound), MovementModel.sampleLength.upperBound)
        sample = Sample(fix: lastFix, at: lastFixAt, beginning: beginning, reference: reference, length: length)
    }
}

extension MonotonicInstant {
    /// Seconds from `earlier` to this instant; 0 where `earlier` is later.
    func secondsAfter(_ earlier: MonotonicInstant) -> Double { max(0, Double(nanoseconds(since: earlier)) / 1e9) }
}
