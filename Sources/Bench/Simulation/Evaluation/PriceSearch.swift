/// Finds the cheapest schedule of fixes whose violations stay within an allowance, by trying prices for a violation.
///
/// A violation is a grid point at which the last fix is farther from the truth than the requested accuracy. The search
/// ends at the price for which one cheapest schedule is within the allowance and another one is beyond it.
struct PriceSearch {
    /// The largest number of violation prices that the search tries; usually far fewer are needed.
    private static let maximumPrices = 100
    private static let tolerance = 1e-9
    /// If the best schedule's energy exceeds the lower bound by more than this fraction, the schedule with the fewest
    /// fixes is also searched for.
    private static let wideGap = 0.01

    /// The largest value of the Lagrange dual, in millijoules: no schedule of fixes within the allowance needs less
    /// energy.
    private(set) var bound = 0.0
    /// The schedule with the least energy among those found whose violations are within the allowance.
    private(set) var best: FixPath
    private(set) var pricesTried = 0

    private let programme: OracleProgramme
    private let allowance: Int

    /// - Parameter allowance: The largest number of grid points at which the last fix may be farther off than the
    ///   requested accuracy.
    init(_ programme: OracleProgramme, allowance: Int) {
        self.programme = programme
        self.allowance = allowance
        // At this price one violation costs more than a receiver that stays on for the whole trace, which never
        // violates the accuracy.
        let dearest = 2 * Double(programme.count) * programme.costs.onStep + 1
        best = programme.solve(price: dearest).path
        var beyond = solve(price: 0)
        guard beyond.violations > allowance else {
            best = beyond
            return
        }
        while pricesTried < Self.maximumPrices, let middle = pathBelow(best, beyond) {
            if middle.violations <= allowance { best = middle } else { beyond = middle }
        }
        best = best.spliced(with: beyond, allowance: allowance)
        guard best.energy > bound * (1 + Self.wideGap) else { return }
        best = FewestFixes.path(in: programme, allowance: allowance, cheaperThan: best) ?? best
    }

    /// The cheapest schedule at the violation price at which the two given schedules cost the same; nil if none is
    /// cheaper than these two.
    private mutating func pathBelow(_ within: FixPath, _ beyond: FixPath) -> FixPath? {
        let price = (within.energy - beyond.energy) / Double(beyond.violations - within.violations)
        let path = solve(price: price)
        let value = path.energy + price * Double(path.violations)
        let line = within.energy + price * Double(within.violations)
        return value < line * (1 - Self.tolerance) ? path : nil
    }

    private mutating func solve(price: Double) -> FixPath {
        pricesTried += 1
        let solution = programme.solve(price: price)
        bound = max(bound, solution.value - price * Double(allowance))
        return solution.path
    }
}
