/// The oracle's dynamic programme on a grid of time: the cheapest schedule of fixes if each violation has a price.
///
/// A violation is a grid point at which the last fix is farther from the truth than the requested accuracy. `J[i]` is
/// the least cost from grid point i to the end. Going backwards, `J[i] = min over k of cost(k) + price · violations(i,
/// k) + J[i + k]`, where k is the number of steps to the next fix. The textbook's programme takes O(n · longest gap)
/// for each price. Three exact properties reduce this to O(n log n), plus one step for each crossing of the circle that
/// the requested accuracy draws around a point:
/// - Staying on for k steps is never cheaper than staying on for one step k times, which also renews the fix, so for a
///   receiver that stays on only k = 1 is tried.
/// - In the run of points between two crossings of the circle around point i, violations stay constant or rise by one
///   with each step. The cost of sleep is also linear in k, so the best k of such a run is found as the least value in
///   a range of an array.
/// - The search for k ends at a run whose violations already cost more than the best choice so far, as J is never
///   negative.
struct OracleProgramme {
    /// Energies in millijoules: of a fix after sleep, of a grid step asleep, and of a grid step in which the receiver
    /// stays on.
    struct Costs {
        var fix: Double
        var sleepStep: Double
        var onStep: Double
    }

    struct Solution {
        /// The energy of the schedule of fixes plus the price of all its violations of the accuracy, in millijoules.
        var value: Double
        var path: FixPath
    }

    private struct Choice {
        var value = 0.0
        var next = 0
        var violations = 0
        var staysOn = false
    }

    let count: Int
    let crossings: CircleCrossings
    let costs: Costs

    /// The cheapest schedule of fixes if each grid point that violates the requested accuracy costs `price`
    /// millijoules.
    func solve(price: Double) -> Solution {
        var inside = RangeMinimum(count: count + 1)
        var outside = RangeMinimum(count: count + 1)
        var choices = [Choice](repeating: Choice(), count: count + 1)
        for index in stride(from: count, through: 0, by: -1) {
            if index < count {
                let ahead = choices[index + 1].value
                choices[index] = choice(at: index, ahead: ahead, price: price, inside: inside, outside: outside)
            }
            let value = choices[index].value
            inside.set(value + costs.sleepStep * Double(index), at: index)
            outside.set(value + (costs.sleepStep + price) * Double(index), at: index)
        }
        return Solution(value: choices[0].value, path: path(through: choices))
    }

    private func choice(
        at index: Int, ahead: Double, price: Double, inside: RangeMinimum, outside: RangeMinimum
    ) -> Choice {
        var best = Choice(value: costs.onStep + ahead, next: index + 1, violations: 0, staysOn: true)
        let asleep = costs.fix - costs.sleepStep * Double(index)
        var (start, violations, isInside) = (index, 0, true)
        for end in crossings.ends(of: index) {
            let end = Int(end)
            let spent = asleep + price * Double(violations)
            guard spent + costs.sleepStep * Double(start) < best.value else { break }
            let run = isInside ? inside.least(in: start + 1...end) : outside.least(in: start + 1...end)
            let value = spent + run.value - (isInside ? 0 : price * Double(start))
            if value < best.value {
                let added = isInside ? 0 : run.index - start
                best = Choice(value: value, next: run.index, violations: violations + added, staysOn: false)
            }
            if !isInside { violations += end - start }
            (start, isInside) = (end, !isInside)
        }
        return best
    }

    private func path(through choices: [Choice]) -> FixPath {
        var legs: [FixPath.Leg] = []
        var index = 0
        while index < count {
            let choice = choices[index]
            let sleeping = costs.fix + costs.sleepStep * Double(choice.next - index)
            legs.append(
                FixPath.Leg(
                    from: index, until: choice.next, energy: choice.staysOn ? costs.onStep : sleeping,
                    violations: choice.violations, staysOn: choice.staysOn))
            index = choice.next
        }
        return FixPath(legs: legs)
    }
}
