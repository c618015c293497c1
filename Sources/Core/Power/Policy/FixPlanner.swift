internal import SextantUnits

/// Plans when the next search must begin so that the promised accuracy holds.
///
/// While the board moves or may be moving, the held location must at each instant be within the requested accuracy with
/// a probability of 95 %, as estimated from the learned movements of the board and starts of the receiver. A good hour
/// does not make up for a bad one. The latest start that keeps this promise is chosen, because it costs least.
struct FixPlanner {
    let movement: MovementModel
    /// The seconds that a search takes.
    let search: StartStatistics
    /// The requested accuracy; metres.
    let accuracy: Double
    /// The longest time in seconds for which the receiver stays off at a rest that no motion sensor watches.
    let probe: Double
    /// Whether the receiver has fixes now, so that it can stay on instead of sleeping.
    let isOn: Bool
    let now: MonotonicInstant

    /// The allowed probability, at each instant, that the held location is less accurate than requested.
    static let risk = 0.05
    /// The longest time between two fixes; seconds.
    static let longestGap = 7200.0
    /// A place of rest that is wrong with more than this probability is confirmed by a fix, because the rest may last
    /// for hours.
    private static let restRisk = 0.02
    /// Seconds until a motion sensor has noticed a movement and the fix that follows has come in.
    private static let sensorLateness = 4.0

    /// The distance in metres from the last fix beyond which the held location is too far off, less the fix's error.
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
        // A search that starts only when this pause ends might come too late.
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
