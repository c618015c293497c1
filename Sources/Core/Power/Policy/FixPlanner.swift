internal import SextantUnits

/// Plans when the next search must begin so that the promised accuracy holds.
///
/// While the board moves or may be moving, the held location is at each instant within the accuracy asked for with a
/// probability of 95 %, by what was learned of the board's movements and of the receiver's starts. A good hour does not
/// make up for a bad one. Of the starts that keep this promise the latest is taken, because it costs least.
struct FixPlanner {
    let movement: MovementModel
    /// The seconds that a search takes.
    let search: StartStatistics
    /// The accuracy asked for; metres.
    let accuracy: Double
    /// Seconds for which the receiver may be off at a rest that no motion sensor watches.
    let probe: Double
    /// Whether the receiver has fixes now, so that it may stay on instead.
    let isOn: Bool
    let now: MonotonicInstant

    /// The probability that is allowed, at each instant, of the held location being farther off than was asked.
    static let risk = 0.05
    /// The longest time between two fixes; seconds.
    static let longestGap = 7200.0
    /// The probability above which a place of rest that may be wrong is confirmed by a fix, because the rest may last
    /// for hours.
    private static let restRisk = 0.02
    /// Seconds until a motion sensor has noticed a movement and the fix that follows has come in.
    private static let sensorLateness = 4.0

    /// Metres from the last fix at which the held location is too far off, with the fix's own error allowed for.
    var limit: Double { FixPlanner.limit(accuracy, after: movement.lastFix) }

    static func limit(_ accuracy: Double, after fix: PowerFix?) -> Double {
        max(accuracy - 0.75 * (fix?.horizontalAccuracy ?? 0), accuracy / 3)
    }

    /// Seconds from now until the search must begin; 0 for now, and for a receiver that must stay on.
    var wait: Double {
        guard movement.lastFix != nil, !movement.hasDeparted else { return 0 }
        if movement.isMoving { return max(0, min(movingWait, longest)) }
        return max(0, movement.isWatched ? watchedWait : unwatchedWait)
    }

    private var age: Double { movement.age(at: now) }

    private var longest: Double {
        // A sensor that feels motion while the board rests cannot tell when the rest ends.
        (movement.beginning == .knocked ? probe : FixPlanner.longestGap) - age
    }

    private var movingWait: Double {
        let moved = movement.movedSeconds(at: now)
        return movement.latestStart(limit: limit, risk: FixPlanner.risk, search: search, after: moved) - moved
    }

    private var watchedWait: Double {
        let beyond = movement.probability(beyond: limit, moved: movement.movedSeconds(at: now))
        guard beyond <= FixPlanner.restRisk else { return 0 }
        // A start after the end of this pause might come too late.
        let lateness = FixPlanner.sensorLateness + search.expected
        let quiet = movement.quietSeconds(at: now)
        if isOn, movement.restartRisk(limit: limit, rest: quiet, start: lateness) > FixPlanner.risk { return 0 }
        // A sensor that never reported a movement may not work: fixes check it, at intervals that double each time.
        let untested = movement.learned.isSensorProven ? .infinity : max(probe, movement.restSeconds)
        return min(FixPlanner.longestGap, untested) - age
    }

    private var unwatchedWait: Double {
        let end = movement.unwatchedRest(limit: limit, risk: FixPlanner.risk, rest: movement.restSeconds)
        return min(end - search.quantile(0.5), probe) - age
    }
}
