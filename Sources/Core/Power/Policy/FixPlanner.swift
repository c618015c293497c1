internal import Units

/// When the next search must begin for the promise to hold.
///
/// While the board moves or may be moving, the held location is at each instant within the accuracy asked for with a
/// probability of 95 %, by what was learned of its movements and of the receiver's starts. No error is saved up in one
/// hour for another. Beyond that the latest start is taken, because it costs least.
struct FixPlanner {
    let movement: MovementModel
    /// Seconds within which a part of searches end.
    let start: (Double) -> Double
    /// Seconds that a search takes in the mean.
    let meanStart: Double
    /// Metres.
    let accuracy: Double
    /// Seconds for which the receiver may be off at an unwatched rest.
    let probe: Double
    /// Whether the receiver has fixes now: it may then stay on instead.
    let isOn: Bool
    let now: MonotonicInstant

    /// The probability with which the held location may be farther off than was asked, at each instant.
    static let risk = 0.05
    /// Seconds at most between two fixes.
    static let longestGap = 7200.0
    /// Once it rests, a place that may be wrong with more than this probability is confirmed by a fix: the rest may last
    /// for hours.
    private static let restRisk = 0.02
    /// Seconds by which a motion sensor notices a movement late, and the fix that follows comes in.
    private static let sensorLateness = 4.0

    /// Metres from the last fix at which the held location is too far off: the fix has an error of its own.
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
        movement.latestStart(limit: limit, risk: FixPlanner.risk, start: start) - movement.movedSeconds(at: now)
    }

    private var watchedWait: Double {
        let beyond = movement.probability(beyond: limit, moved: movement.movedSeconds(at: now))
        guard beyond <= FixPlanner.restRisk else { return 0 }
        // A start after this pause might come too late.
        let lateness = FixPlanner.sensorLateness + meanStart
        let quiet = movement.quietSeconds(at: now)
        if isOn, movement.restartRisk(limit: limit, rest: quiet, start: lateness) > FixPlanner.risk { return 0 }
        // A sensor that has not told of a movement yet may be none: it is looked at twice as rarely each time.
        let untested = movement.learned.isSensorProven ? .infinity : max(probe, movement.restSeconds)
        return min(FixPlanner.longestGap, untested) - age
    }

    private var unwatchedWait: Double {
        let end = movement.unwatchedRest(limit: limit, risk: FixPlanner.risk, rest: movement.restSeconds)
        return min(end - start(0.5), probe) - age
    }
}
