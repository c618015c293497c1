internal import Units

/// When the next search must begin, so that energy and error together cost least.
///
/// A second beyond the accuracy has a price in energy, which the budget sets: high in debt, low with savings. Of all
/// waits the one is taken whose energy and expected error, over the time from the last fix to the next, are least. So
/// error is allowed where it saves most, as an optimum under a constraint has it (its Lagrange multiplier is the price).
struct FixPlanner: Sendable {
    /// Five equally likely times from the start of a search to its fix, in seconds, rising.
    typealias StartTimes = InlineArray<5, Double>

    struct Plan: Sendable, Equatable {
        /// Seconds from now until the search should begin; 0 for now.
        var wait: Double
        /// What the expected error costs: seconds of acquiring in every second until the next fix.
        var errorCost: Double
    }

    let movement: MovementModel
    let budget: ErrorBudget
    let starts: StartTimes
    /// Metres.
    let accuracy: Double
    let now: MonotonicInstant

    /// Seconds at most between two fixes.
    static let longestGap = 7200.0
    /// Seconds, and by which factor from one to the next: the waits that are compared.
    private static let shortestWait = 0.5
    private static let waitRatio = 1.15
    /// One gap may lead into debt by this part of the budget's scale.
    private static let credit = 0.3
    /// In debt, this part of what a gap earns may still be spent, or the receiver would never sleep again.
    private static let partInDebt = 0.5
    /// How much of the budget one gap may spend: all of it in motion, where every second is paid for; less at rest,
    /// where the loss is a chance of losing much.
    private static let stakeAtRest = 0.4
    /// Seconds in which an unwatched rest may end unseen, besides what the way to the limit takes at the speed of fast
    /// movements.
    private static let dareUnwatched = 60.0
    /// A stop after a movement that probably led beyond the accuracy is looked at once.
    private static let probablyBeyond = 0.3
    /// At a watched rest an error costs this part of its price: of the sensor more is feared than it mostly misses.
    private static let restPrice = 0.3
    /// The chance that the sensor misses a move at all.
    private static let missedShare = 0.01

    /// Metres from the last fix at which the held location is too far off: the fix has an error of its own.
    private var limit: Double {
        max(accuracy - 0.75 * (movement.lastFix?.horizontalAccuracy ?? 0), accuracy / 3)
    }

    /// The best wait of those that the budget can pay.
    var plan: Plan {
        var best = Plan(wait: 0, errorCost: 0)
        guard movement.lastFix != nil, !looksAtOnce else { return best }
        let age = movement.age(at: now)
        let start = meanStart
        let longest = max(0, min(FixPlanner.longestGap, longestUnwatched, longestNoticed) - age)
        var leastCost = Double.infinity
        var wait = 0.0
        while true {
            let loss = expectedLoss(after: wait)
            guard canPay(loss, after: wait) else { return best }
            let gap = age + wait + start
            let cost = (start + price * loss) / gap
            if cost < leastCost {
                leastCost = cost
                best = Plan(wait: wait, errorCost: price * loss / gap)
            }
            guard wait < longest else { return best }
            wait = min(longest, max(FixPlanner.shortestWait, wait * FixPlanner.waitRatio))
        }
    }

    /// What a second beyond the accuracy is worth, in seconds of acquiring.
    private var price: Double { isWatchedRest ? FixPlanner.restPrice * budget.price : budget.price }

    /// Seconds of a search, and of the fix that ends it.
    private var meanStart: Double {
        var sum = 0.0
        for index in starts.indices { sum += starts[index] }
        return sum / Double(starts.count) + 1
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

    /// Seconds between two fixes at a watched rest after a motion that may have led beyond the accuracy: it is looked
    /// at when waiting has cost as much as looking, which is never worse than twice the best.
    private var longestNoticed: Double {
        guard isWatchedRest else { return .infinity }
        let beyond = movement.probability(beyond: limit, moved: movement.movedSeconds(at: now))
        guard beyond > 0 else { return .infinity }
        let age = movement.age(at: now)
        return age - min(movement.restSeconds(at: now), age) + meanStart / (price * beyond)
    }

    private func canPay(_ loss: Double, after wait: Double) -> Bool {
        let earned = budget.earned(in: movement.age(at: now) + wait + starts[2])
        if movement.isMoving {
            let moved = movement.movedSeconds(at: now) + wait + starts[2]
            // One gap in ten is faster than this: it may not cost more than a hundredth of all time besides.
            let speed = movement.speedQuantile(0.9, moved: moved)
            let slack = 10 + max(0, budget.balance) + earned + 0.01 * budget.elapsed
            if moved - limit / speed > slack { return false }
        }
        let stake = movement.isMoving ? 1 : FixPlanner.stakeAtRest
        let funds = budget.balance + earned + FixPlanner.credit * budget.scale
        return loss <= max(FixPlanner.partInDebt * earned, stake * funds)
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
