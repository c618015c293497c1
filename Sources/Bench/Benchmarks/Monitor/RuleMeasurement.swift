internal import Monitors
internal import SextantUnits
internal import Simulation

/// Measures how often a rule for circular regions is wrong, and how late its reports are.
struct RuleMeasurement<Rule: RegionRule> {
    /// The number of false entries and exits per hour for a board that stands `offset` metres outside the circle's
    /// border (inside if negative).
    ///
    /// There is one fix per second. If the first decision about the board is wrong, it counts as well.
    static func falseTransitions(offset: Double, hours: Int, claim: Double, seed: UInt64) -> Double {
        var count = 0
        // Each simulated run lasts ten hours; more hours are divided into several runs, so that several first decisions
        // are counted.
        for run in 0..<max(1, hours / 10) {
            var noise = PositionNoise(
                seed: seed &+ UInt64(run) &* 7919, deviation: 10, claim: claim, jumpInterval: 2400)
            var rule = Rule()
            var state: Bool? = offset < 0
            for second in 0..<36_000 {
                let error = noise.next(after: 1)
                rule.follow(
                    LocalPoint(east: RuleCircle.radius + offset + error.east, north: error.north),
                    accuracy: error.accuracy, at: Double(second))
                guard let now = rule.isInside else { continue }
                if let state, now != state { count += 1 }
                state = now
            }
        }
        return Double(count) / Double(max(1, hours / 10) * 10)
    }

    /// The median over the runs of the seconds from the crossing of the border to the rule's report; infinity if half
    /// or more of the crossings are never reported.
    static func medianLatency(speed: Double, isEntry: Bool, runs: Int, claim: Double, seed: UInt64) -> Double {
        var latencies: [Double] = []
        for run in 0..<runs {
            var noise = PositionNoise(seed: seed &+ UInt64(run) &* 104_729, deviation: 6, claim: claim)
            latencies.append(latency(speed: speed, isEntry: isEntry, run: run, &noise))
        }
        latencies.sort()
        return latencies[runs / 2]
    }

    private static func latency(speed: Double, isEntry: Bool, run: Int, _ noise: inout PositionNoise) -> Double {
        var rule = Rule()
        // The board rests for two minutes and then moves straight through the circle's centre; the time of its border
        // crossing relative to the fixes varies from run to run.
        let start: Double = isEntry ? -RuleCircle.radius - 200 : 0
        let departure = 120 + Double(run % 97) / 97
        let border: Double = isEntry ? 200 : RuleCircle.radius
        let crossing = departure + border / speed
        var second = 0.0
        while second < crossing + 200 {
            let error = noise.next(after: 1)
            let position = start + max(0, second - departure) * speed
            if isEntry, position > 0 { break }
            rule.follow(
                LocalPoint(east: position + error.east, north: error.north), accuracy: error.accuracy, at: second)
            if second >= crossing - 60, rule.isInside == isEntry { return second - crossing }
            second += 1
        }
        return .infinity
    }
}
