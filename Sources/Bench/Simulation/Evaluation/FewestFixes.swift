/// Finds the schedule with the fewest position fixes whose violations stay within an allowance; the receiver sleeps
/// after each fix.
///
/// A violation is a grid point of the trace that is farther from the last fix than the requested accuracy. If the
/// receiver never stays on, a schedule's energy depends only on its number of fixes, so the fewest fixes are the
/// cheapest. The search by price (`PriceSearch`) can miss that schedule: if a day needs only a handful of fixes, the
/// schedules of two neighbouring prices differ widely. There is one layer for each number of fixes; it holds the
/// smallest number of violations that can be reached from each grid point.
struct FewestFixes {
    /// The largest total of grid points in all layers for which a search is made; it takes 80 MB of memory and some
    /// seconds.
    private static let maximumChoices = 10_000_000

    private let programme: OracleProgramme
    /// For each number of fixes, the smallest number of violations (grid points too far from the last fix) from each
    /// grid point to the trace's end.
    ///
    /// A `Float` is exact for every number of violations that a trace can have; infinity means that no schedule with
    /// this number of fixes reaches the end.
    private var violations: [[Float]]
    private var next: [[Int32]] = [[]]

    /// The schedule with the fewest fixes, if it needs less energy than the schedule `known`.
    ///
    /// Nil if no such schedule exists or the search would take too long.
    static func path(in programme: OracleProgramme, allowance: Int, cheaperThan known: FixPath) -> FixPath? {
        let asleep = programme.costs.sleepStep * Double(programme.count)
        let most = Int(((known.energy - asleep) / programme.costs.fix).rounded(.up)) - 1
        guard most >= 1, most * programme.count <= maximumChoices else { return nil }
        var search = FewestFixes(programme)
        for fixes in 1...most {
            search.addLayer()
            if search.violations[fixes][0] <= Float(allowance) { return search.path(fixes: fixes) }
        }
        return nil
    }

    private init(_ programme: OracleProgramme) {
        self.programme = programme
        violations = [[Float](repeating: .infinity, count: programme.count) + [0]]
    }

    /// Adds the layer of the schedules with one more fix: for a first fix at each grid point, finds the best point of
    /// the second one.
    private mutating func addLayer() {
        let fewer = violations[violations.count - 1].map(Double.init)
        var inside = RangeMinimum(count: fewer.count)
        var outside = RangeMinimum(count: fewer.count)
        for index in fewer.indices.reversed() {
            inside.set(fewer[index], at: index)
            outside.set(fewer[index] + Double(index), at: index)
        }
        var layer = [Float](repeating: 0, count: programme.count + 1)
        var choices = [Int32](repeating: 0, count: programme.count)
        for index in 0..<programme.count {
            let best = choice(at: index, inside: inside, outside: outside)
            (layer[index], choices[index]) = (Float(best.violations), Int32(best.next))
        }
        violations.append(layer)
        next.append(choices)
    }

    private func choice(
        at index: Int, inside: RangeMinimum, outside: RangeMinimum
    ) -> (violations: Double, next: Int) {
        var best = (violations: Double.infinity, next: index + 1)
        var (start, spent, isInside) = (index, 0.0, true)
        for end in programme.crossings.ends(of: index) {
            guard spent < best.violations else { break }
            let run = (isInside ? inside : outside).least(in: start + 1...Int(end))
            let violations = spent + run.value - (isInside ? 0 : Double(start))
            if violations < best.violations { best = (violations, run.index) }
            if !isInside { spent += Double(Int(end) - start) }
            (start, isInside) = (Int(end), !isInside)
        }
        return best
    }

    private func path(fixes: Int) -> FixPath {
        var legs: [FixPath.Leg] = []
        var (index, left) = (0, fixes)
        while index < programme.count {
            let end = Int(next[left][index])
            legs.append(
                FixPath.Leg(
                    from: index, until: end,
                    energy: programme.costs.fix + programme.costs.sleepStep * Double(end - index),
                    violations: Int(violations[left][index] - violations[left - 1][end]), staysOn: false))
            (index, left) = (end, left - 1)
        }
        return FixPath(legs: legs)
    }
}
