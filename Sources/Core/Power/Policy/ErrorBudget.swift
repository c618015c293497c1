internal import Units

/// The allowed error as an account: time earns it, seconds beyond the accuracy spend it.
///
/// Unit: seconds. It lets the policy oversleep where that saves most, instead of keeping a margin everywhere.
struct ErrorBudget: Sendable, Equatable {
    /// Seconds earned in a second.
    let share: Double
    /// Seconds accounted for in all.
    private(set) var elapsed = 0.0
    private var saved = 0.0
    /// The most that one gap has cost.
    private var worst = 0.0

    /// What was earned or lost more than a day ago is forgotten: a quiet week buys no lost afternoon.
    private static let horizon = 86_400.0
    /// Half of the worst gap is kept for the next of its kind, but no more than this share of all time.
    private static let reserve = (least: 20.0, ofWorst: 0.5, ofElapsed: 0.006)
    /// Seconds, and the share of all time, over which the price changes fourfold.
    private static let scale = (least: 60.0, ofElapsed: 0.02)
    /// What a second of error costs when the account is even: seconds of acquiring.
    private static let evenPrice = 0.2

    init(share: Double) {
        self.share = share
    }

    /// Seconds that may still be spent; negative after a bad guess.
    var balance: Double {
        let reserve = max(ErrorBudget.reserve.least, ErrorBudget.reserve.ofWorst * worst)
        return saved - min(reserve, ErrorBudget.reserve.ofElapsed * elapsed)
    }

    /// Seconds by which the balance may swing.
    var scale: Double { max(ErrorBudget.scale.least, ErrorBudget.scale.ofElapsed * elapsed) }

    /// What a second beyond the accuracy is worth, in seconds of acquiring: more in debt, less with savings.
    var price: Double {
        let swing = 1 + abs(balance) / scale
        return balance < 0 ? ErrorBudget.evenPrice * swing * swing : ErrorBudget.evenPrice / (swing * swing)
    }

    /// What a gap until now, of so many seconds, may have cost at most for all to be well.
    func earned(in gap: Double) -> Double { share * gap }

    /// Closes a gap of `gap` seconds, of which about `spent` were beyond the accuracy.
    mutating func account(gap: Double, spent: Double) {
        elapsed += gap
        worst = max(worst, spent)
        let most = share * ErrorBudget.horizon
        saved = max(-most, min(saved + share * gap - spent, most))
    }

    /// A finer accuracy is asked for: what was saved under a coarser one cannot be spent under it, debts remain.
    mutating func finerAsked() { saved = min(saved, 0) }
}
