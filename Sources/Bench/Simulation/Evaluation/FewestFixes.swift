/// Finds the fewest fixes after sleep that keep violations within an allowance.
///
/// Where the receiver never stays on, a path's energy is its count of fixes and nothing else, so this is the cheapest
/// such path and not only one that a price happens to single out. It matters where a day needs a handful of fixes: the
/// price then has a wide gap. Each layer holds for every grid point the least violations that so many fixes reach.
struct FewestFixes {
    /// Grid points over all layers: 80 MB, and some seconds.
    private static let mostChoices = 10_000_000

    private let programme: OracleProgramme
    /// For each count of fixes, the least violations from each grid point to the end.
    ///
    /// A `Float` holds every count of a trace exactly, and no way to the end at all.
    private var violations: [[Float]]
    private var next: [[Int32]] = [[]]

    /// The path with the fewest fixes that is cheaper than `known`; nil where there is none or the search would be long.
    static func path(in programme: OracleProgramme, allowance: Int, cheaperThan known: FixPath) -> FixPath? {
        let asleep = programme.costs.sleepStep * Double(programme.count)
        let most = Int(((known.energy - asleep) / programme.costs.fix).rounded(.up)) - 1
        guard most >= 1, most * programme.count <= mostChoices else { return nil }
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

    /// One fix more: from each point, the best place for the next one.
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
