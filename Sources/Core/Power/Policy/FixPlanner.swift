internal import Units

/// When the next search must begin, so that the allowed error is spent and not overspent.
///
/// It looks for the longest wait whose expected seconds beyond the accuracy, from the last fix to the next one, are
/// covered by the budget.
struct FixPlanner: Sendable {
    /// Five equally likely times from the start of a search to its fix, in seconds, rising.
    typealias StartTimes = InlineArray<5, Double>

    let movement: MovementModel
    let budget: ErrorBudget
    let starts: StartTimes
    /// Metres.
    let accuracy: Double
    let now: MonotonicInstant

    /// Seconds at most between two fixes.
    static let longestGap = 7200.0
    /// In debt, this part of what a gap earns may still be spent, or the receiver would never sleep again: more at a
    /// rest that is watched, which earns most of what it can lose.
    private static let partInDebt = 0.1
    private static let partAtRest = 0.5
    /// How much of the budget one gap may spend: all of it in motion, where every second is paid for; less at rest,
    /// where the loss is a chance of losing much.
    private static let stakeAtRest = 0.4
    private static let stakeUnwatched = 0.4
    /// Seconds in which an unwatched rest may end unseen, besides what the way to the limit takes at the speed of fast
    /// movements.
    private static let dareUnwatched = 60.0
    /// A stop after a movement that probably led beyond the accuracy is looked at once.
    private static let probablyBeyond = 0.3
    /// Seconds: the expected loss, from motion that was noticed, at which a look pays.
    private static let noticedLoss = 100.0
    /// The chance that the sensor misses a move at all.
    private static let missedShare = 0.01

    /// Metres from the last fix at which the held location is too far off: the fix has an error of its own.
    private var limit: Double {
        max(accuracy - 0.75 * (movement.lastFix?.horizontalAccuracy ?? 0), accuracy / 3)
    }

    /// Seconds from now until the search should begin; 0 for now.
    var wait: Double {
        guard movement.lastFix != nil, !looksAtOnce, fits(0) else { return 0 }
        let longest = max(0, min(FixPlanner.longestGap, longestUnwatched) - movement.age(at: now))
        if fits(longest) { return longest }
        var fitting = 0.0
        var unfit = longest
        // A day's longest wait, to a tenth of a second.
        while unfit - fitting > 0.1 {
            let middle = (fitting + unfit) / 2
            if fits(middle) { fitting = middle } else { unfit = middle }
        }
        return fitting
    }

    private var isWatchedRest: Bool { movement.hasSensor && !movement.isMoving }

    private var looksAtOnce: Bool {
        isWatchedRest
            && movement.probability(beyond: limit, moved: movement.movedSeconds(at: now)) > FixPlanner.probablyBeyond
    }

    /// Seconds between two fixes; unwatched, all of a gap may be lost: it is no longer than what can be paid.
    private var longestUnwatched: Double {
        guard !movement.hasSensor, !movement.isMoving else { return FixPlanner.longestGap }
        return FixPlanner.dareUnwatched + limit / movement.fastBout + 0.5 * max(0, budget.balance)
    }

    private func fits(_ wait: Double) -> Bool {
        let earned = budget.earned(in: movement.age(at: now) + wait + starts[2])
        if movement.isMoving {
            let moved = movement.movedSeconds(at: now) + wait + starts[2]
            // One gap in ten is faster than this: it may not cost more than a hundredth of all time besides.
            let speed = movement.speedQuantile(0.9, moved: moved)
            let slack = 10 + max(0, budget.balance) + earned + 0.01 * budget.elapsed
            if moved - limit / speed > slack { return false }
        } else if isWatchedRest {
            let beyond = movement.probability(beyond: limit, moved: movement.movedSeconds(at: now))
            if beyond * restSinceFix(wait + starts[2]) > FixPlanner.noticedLoss { return false }
        }
        let least = isWatchedRest ? FixPlanner.partAtRest : FixPlanner.partInDebt
        let allowed = max(stake * (budget.balance + earned), least * earned)
        return expectedLoss(after: wait) <= allowed
    }

    private var stake: Double {
        if movement.isMoving { return 1 }
        return movement.hasSensor ? FixPlanner.stakeAtRest : FixPlanner.stakeUnwatched
    }

    /// Seconds at rest since the last fix, so many seconds from now.
    private func restSinceFix(_ later: Double) -> Double {
        min(movement.restSeconds(at: now), movement.age(at: now)) + later
    }

    private func expectedLoss(after wait: Double) -> Double {
        var sum = 0.0
        for index in starts.indices { sum += loss(fixAfter: wait + starts[index]) }
        return sum / Double(starts.count)
    }

    private func loss(fixAfter later: Double) -> Double {
        let age = movement.age(at: now)
        let moved = movement.movedSeconds(at: now)
        if movement.isMoving { return movement.expectedExcess(moved: moved + later, limit: limit) }
        let rest = movement.restSeconds(at: now)
        guard movement.hasSensor else {
            return movement.expectedUnwatchedExcess(rest: rest, gap: age + later, limit: limit)
        }
        let total = restSinceFix(later)
        let before = max(0, rest - age) + 30
        return movement.probability(beyond: limit, moved: moved) * total
            + movement.learned.missedMoveRate * total * total / 2
            + FixPlanner.missedShare * MovementModel.lateness(total, rest: before)
    }
}
