/// Finds the price of a violation at which one best path is within the allowance and another one is beyond it.
struct PriceSearch {
    /// The largest number of prices that are tried; usually far fewer are needed.
    private static let mostPrices = 100
    private static let tolerance = 1e-9
    /// If the gap, as a share of the bound, is wider than this, the path with the fewest fixes is also searched for.
    private static let wideGap = 0.01

    /// The largest value of the Lagrange dual, in millijoules: no path within the allowance costs less.
    private(set) var bound = 0.0
    /// The cheapest path found within the allowance.
    private(set) var best: FixPath
    private(set) var pricesTried = 0

    private let programme: OracleProgramme
    private let allowance: Int

    /// - Parameter allowance: The number of grid points that are allowed to be in violation.
    init(_ programme: OracleProgramme, allowance: Int) {
        self.programme = programme
        self.allowance = allowance
        // At this price one point in violation costs more than staying on all the time, which never violates.
        let dearest = 2 * Double(programme.count) * programme.costs.onStep + 1
        best = programme.solve(price: dearest).path
        var beyond = solve(price: 0)
        guard beyond.violations > allowance else {
            best = beyond
            return
        }
        while pricesTried < Self.mostPrices, let middle = pathBelow(best, beyond) {
            if middle.violations <= allowance { best = middle } else { beyond = middle }
        }
        best = best.spliced(with: beyond, allowance: allowance)
        guard best.energy > bound * (1 + Self.wideGap) else { return }
        best = FewestFixes.path(in: programme, allowance: allowance, cheaperThan: best) ?? best
    }

    /// The best path at the price at which the two given paths cost the same; nil if no path is better than both.
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
