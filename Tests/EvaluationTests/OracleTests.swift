import Emulation
import Testing

@testable import Evaluation

@Suite("Oracle") struct OracleTests {
    /// A path of steps by chance, some of them none, with jumps back to where it was.
    private static func path(_ count: Int, seed: UInt64) -> (east: [Double], north: [Double]) {
        var random = SplitMix64(seed: seed)
        var (east, north) = ([0.0], [0.0])
        while east.count < count {
            let choice = Double.random(in: 0...1, using: &random)
            let back = Int.random(in: 0..<east.count, using: &random)
            let reach = choice < 0.5 ? 0 : 30.0
            let from = choice > 0.9 ? back : east.count - 1
            east.append(east[from] + Double.random(in: -1...1, using: &random) * reach)
            north.append(north[from] + Double.random(in: -1...1, using: &random) * reach)
        }
        return (east, north)
    }

    private static let costs = OracleProgramme.Costs(fix: 700, sleepStep: 0.2, trackStep: 435)

    /// The programme as it is written in books: every gap of every point.
    private static func textbook(
        _ path: (east: [Double], north: [Double]), radius: Double, horizon: Int, price: Double
    ) -> Double {
        let count = path.east.count
        var value = [Double](repeating: 0, count: count + 1)
        for start in stride(from: count - 1, through: 0, by: -1) {
            var violations = 0.0
            var best = Double.infinity
            for gap in 1...min(horizon, count - start) {
                let (east, north) = (
                    path.east[start + gap - 1] - path.east[start], path.north[start + gap - 1] - path.north[start]
                )
                if (east * east + north * north).squareRoot() > radius { violations += 1 }
                let asleep = costs.fix + Double(gap) * costs.sleepStep
                let energy = min(asleep, Double(gap) * costs.trackStep)
                best = min(best, energy + price * violations + value[start + gap])
            }
            value[start] = best
        }
        return value[0]
    }

    private static func programme(
        _ path: (east: [Double], north: [Double]), radius: Double, horizon: Int
    ) -> OracleProgramme {
        OracleProgramme(
            count: path.east.count,
            crossings: CircleCrossings(east: path.east, north: path.north, radius: radius, horizon: horizon),
            costs: costs)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `finds what trying every gap finds`(seed: UInt64) {
        let path = Self.path(20 + Int(seed) * 4, seed: seed)
        for horizon in [3, 17, path.east.count] {
            let programme = Self.programme(path, radius: 40, horizon: horizon)
            for price in [0, 3, 40, 150, 400, 5000] as [Double] {
                let solution = programme.solve(price: price)
                let expected = Self.textbook(path, radius: 40, horizon: horizon, price: price)
                #expect(abs(solution.value - expected) < 1e-6)
                let legs = solution.path
                #expect(abs(legs.energy + price * Double(legs.violations) - expected) < 1e-6)
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `its paths are in violation as often as they say`(seed: UInt64) {
        let path = Self.path(150, seed: seed)
        let solution = Self.programme(path, radius: 25, horizon: 150).solve(price: 60)
        for leg in solution.path.legs {
            let outside = (leg.from..<leg.until).count { index in
                let (east, north) = (path.east[index] - path.east[leg.from], path.north[index] - path.north[leg.from])
                return (east * east + north * north).squareRoot() > 25
            }
            #expect(outside == leg.violations)
        }
        #expect(zip(solution.path.legs, solution.path.legs.dropFirst()).allSatisfy { $0.until == $1.from })
    }

    /// The least energy over every choice of fixes.
    private static func exhaustive(
        _ path: (east: [Double], north: [Double]), radius: Double, allowance: Int, costs: OracleProgramme.Costs
    ) -> Double {
        let count = path.east.count
        var best = Double.infinity
        for choice in 0..<(1 << (count - 1)) {
            var (energy, violations, from) = (0.0, 0, 0)
            for index in 1...count where index == count || choice >> (index - 1) & 1 == 1 {
                let gap = Double(index - from)
                energy += min(costs.fix + gap * costs.sleepStep, gap * costs.trackStep)
                violations += (from..<index).count {
                    let (east, north) = (path.east[$0] - path.east[from], path.north[$0] - path.north[from])
                    return (east * east + north * north).squareRoot() > radius
                }
                from = index
            }
            if violations <= allowance { best = min(best, energy) }
        }
        return best
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `the optimum of every choice lies between its bound and its path`(seed: UInt64) {
        let path = Self.path(12, seed: seed)
        let search = PriceSearch(Self.programme(path, radius: 15, horizon: 12), allowance: 2)
        let optimum = Self.exhaustive(path, radius: 15, allowance: 2, costs: Self.costs)
        #expect(search.bound <= optimum + 1e-6)
        #expect(search.best.energy >= optimum - 1e-6)
        #expect(search.best.violations <= 2)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `where staying on does not pay, its path is the optimum`(seed: UInt64) throws {
        let path = Self.path(12, seed: seed)
        let costs = OracleProgramme.Costs(fix: 400, sleepStep: 0.2, trackStep: 435)
        let programme = OracleProgramme(
            count: 12, crossings: CircleCrossings(east: path.east, north: path.north, radius: 15, horizon: 12),
            costs: costs)
        let search = PriceSearch(programme, allowance: 2)
        let optimum = Self.exhaustive(path, radius: 15, allowance: 2, costs: costs)
        #expect(abs(search.best.energy - optimum) < 0.011 * optimum)
        let dear = FixPath(legs: [FixPath.Leg(from: 0, until: 12, energy: 1e6, violations: 0, staysOn: false)])
        let fewest = try #require(FewestFixes.path(in: programme, allowance: 2, cheaperThan: dear))
        #expect(abs(fewest.energy - optimum) < 1e-6 && fewest.violations <= 2)
    }

    @Test func `the least of a range is the least of its values`() {
        var random = SplitMix64(seed: 4)
        let values = (0..<77).map { _ in Double(Int.random(in: 0...20, using: &random)) }
        var minimum = RangeMinimum(count: values.count)
        for index in values.indices.reversed() { minimum.set(values[index], at: index) }
        for start in values.indices {
            for end in start..<values.count {
                let least = minimum.least(in: start...end)
                #expect(least.value == values[start...end].min() && values[least.index] == least.value)
            }
        }
    }

    @Test func `who stands still needs one fix`() throws {
        let truth = try Samples.walk(seconds: 7200, speed: 0)
        let oracle = Oracle(of: truth, accuracy: 50, settings: Oracle.Settings(draws: Samples.draws))
        #expect(oracle.fixes == [Oracle.Fix(second: 0, staysOn: false)])
        #expect(oracle.residualGap < 1e-9)
        #expect(abs(oracle.joules - (0.711 + 7201 * 0.045e-3)) < 1e-9)
    }

    @Test func `its run costs and violates what it says`() throws {
        let truth = try TruthGrid(SyntheticTruth.hike(seed: 5))
        for accuracy in [10.0, 50, 200] {
            let oracle = Oracle(
                of: truth, accuracy: accuracy, settings: Oracle.Settings(draws: Samples.draws))
            let score = try RunScore(
                of: oracle.record(on: truth), against: truth, accuracy: accuracy, draws: Samples.draws,
                oracle: oracle)
            #expect(abs(score.receiverJoules / oracle.joules - 1) < 0.02)
            #expect(abs((score.oracleJoules ?? 0) / oracle.joules - 1) < 0.002)
            #expect(abs(score.timeViolated - oracle.timeViolated) < 0.000_1)
            #expect(oracle.timeViolated <= 0.05)
            #expect(oracle.joules >= oracle.boundJoules)
        }
    }

    /// Joules an hour of the achievable path, as the independent scorer found them.
    ///
    /// Gaps are two hours at most, a step is 20 s for the day and 5 s for the others. Its prices are 5 % apart and it splices nothing, so it is above.
    private static let known: [(trace: String, step: Int, accuracy: Double, joulesPerHour: Double)] = [
        ("daily-life-24h", 20, 50, 0.606), ("daily-life-24h", 20, 100, 0.606), ("daily-life-24h", 20, 250, 0.577),
        ("ride-90min", 5, 50, 243.7), ("ride-90min", 5, 100, 147.0), ("ride-90min", 5, 250, 59.2),
        ("hike-4h", 5, 50, 18.3), ("hike-4h", 5, 100, 8.58), ("hike-4h", 5, 250, 3.41),
        ("multisport-7h", 5, 50, 94.6), ("multisport-7h", 5, 100, 51.4), ("multisport-7h", 5, 250, 22.0),
    ]

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths), arguments: known.indices)
    func `agrees with the independent oracle`(index: Int) throws {
        let known = Self.known[index]
        let truth = try Samples.truth(known.trace)
        let oracle = Oracle(
            of: truth, accuracy: known.accuracy,
            settings: Oracle.Settings(draws: Samples.draws, gridStep: known.step, longestGap: 7200))
        let joulesPerHour = oracle.milliwatts * 3.6
        #expect(joulesPerHour < known.joulesPerHour * 1.005)
        #expect(joulesPerHour > known.joulesPerHour * 0.92)
        #expect(oracle.residualGap < 0.08)
    }

    @Test(.enabled(if: Samples.hasScorer, Samples.noScorer))
    func `its bound is the independent scorer's, or a little above it`() throws {
        let truth = try Samples.truth("ride-90min")
        let oracle = Oracle(
            of: truth, accuracy: 100, settings: Oracle.Settings(draws: Samples.draws, gridStep: 5, longestGap: 7200))
        let other = try Samples.energyScore(
            of: oracle.record(on: truth), on: "ride-90min", accuracy: 100, options: ["--oracle"])
        let bound = oracle.boundJoules / oracle.joules * oracle.milliwatts * 3.6
        let reported = other["oracleBound"] ?? 0
        #expect(bound >= reported * 0.999 && bound < reported * 1.05)
        #expect(abs((other["joulesPerHour"] ?? 0) / (oracle.milliwatts * 3.6) - 1) < 0.02)
    }
}
