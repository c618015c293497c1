internal import Units

/// The allowed error as an account: time earns it, seconds beyond the accuracy spend it.
///
/// Unit: seconds. It lets the policy oversleep where that saves most, instead of keeping a margin everywhere.
struct ErrorBudget: Sendable, Equatable {
    /// Seconds earned in a second.
    let share: Double
    /// Seconds that may still be spent; negative after a bad guess.
    private(set) var balance = 0.0
    /// Seconds accounted for in all.
    private(set) var elapsed = 0.0

    /// What was earned or lost more than a day ago is forgotten: a quiet week buys no lost afternoon.
    private static let horizon = 86_400.0

    init(share: Double) {
        self.share = share
    }

    /// What a gap until now, of so many seconds, may have cost at most for all to be well.
    func earned(in gap: Double) -> Double { share * gap }

    /// Closes a gap of `gap` seconds, of which about `spent` were beyond the accuracy.
    mutating func account(gap: Double, spent: Double) {
        elapsed += gap
        let most = share * ErrorBudget.horizon
        balance = max(-most, min(balance + share * gap - spent, most))
    }

    /// A finer accuracy is asked for: what was saved under a coarser one cannot be spent under it, debts remain.
    mutating func finerAsked() { balance = min(balance, 0) }
}
