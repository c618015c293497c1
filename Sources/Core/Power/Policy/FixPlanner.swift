internal import SextantUnits

/// Plans when the next search must begin so that the promised accuracy holds.
///
/// While the board moves or may be moving, the last reported position must at each instant be within the requested
/// accuracy with a probability of 95 %, as estimated from the learned movements of the board and starts of the
/// receiver. This is not a mean over time: a good hour does not make up for a bad one. The latest start that keeps this
/// promise is chosen, because it costs least.
struct FixPlanner {
    let movement: MovementModel
    /// Statistics of the seconds that a search takes.
    let search: StartStatistics
    /// The requested accuracy; metres.
    let accuracy: Double
    /// The longest time in seconds for which the receiver stays off while the board rests and no motion sensor watches
    /// it.
    let probe: Double
    /// Whether the receiver has fixes now, so that it can stay on instead of sleeping.
    let isOn: Bool
    let now: MonotonicInstant

    /// The allowed probability, at each instant, that the last reported position is less accurate than requested.
    static let risk = 0.05
    /// The longest time between two fixes; seconds.
    static let longestGap = 7200.0
    /// The largest accepted probability that a board at rest, as far as is known, has moved too far for the requested
    /// accuracy; above it, a fix must confirm the place, because the rest may last for hours.
    private static let restRisk = 0.02
    /// Seconds, besides those of the search, from a movement's start until the motion sensor and then a fix show it.
    private static let sensorLateness = 4.0

    /// The distance in metres that the board may move from the last fix: the requested accuracy less 3/4 of the fix's
    /// own accuracy, but at least a third of the requested one.
    var limit: Double { FixPlanner.limit(accuracy, after: movement.lastFix) }

    static func limit(_ accuracy: Double, after fix: PowerFix?) -> Double {
        max(accuracy - 0.75 * (fix?.horizontalAccuracy ?? 0), accuracy / 3)
    }

    /// Seconds from now until the next search must begin; 0 if it must begin at once, or if the receiver must stay on.
    var wait: Double {
        guard movement.lastFix != nil, !movement.hasDeparted else { return 0 }
        if movement.isMoving { return max(0, min(movingWait, longest)) }
        return max(0, movement.isWatched ? watchedWait : unwatchedWait)
    }

    private var age: Double { movement.age(at: now) }

    private var longest: Double {
        // A sensor that feels motion while the board rests cannot tell when the rest ends, so a fix must check it
        // sooner.
        (movement.beginning == .knocked ? probe : FixPlanner.longestGap) - age
    }

    private var movingWait: Double {
        let moved = movement.movedSeconds(at: now)
        return movement.latestStart(limit: limit, risk: FixPlanner.risk, search: search, after: moved) - moved
    }

    private var watchedWait: Double {
        let beyond = movement.probability(beyond: limit, moved: movement.movedSeconds(at: now))
        guard beyond <= FixPlanner.restRisk else { return 0 }
        // The board may set off again from this short stop, and a search that starts only then might come too late.
        let lateness = FixPlanner.sensorLateness + search.expected
        let quiet = movement.quietSeconds(at: now)
        if isOn, movement.restartRisk(limit: limit, rest: quiet, start: lateness) > FixPlanner.risk { return 0 }
        // A motion sensor that never reported a movement may not work, so fixes check it, at intervals that double each
        // time.
        let untested = movement.learned.isSensorProven ? .infinity : max(probe, movement.restSeconds)
        return min(FixPlanner.longestGap, untested) - age
    }

    private var unwatchedWait: Double {
        let end = movement.unwatchedRest(limit: limit, risk: FixPlanner.risk, rest: movement.restSeconds)
        return min(end - search.quantile(0.5), probe) - age
    }
}
