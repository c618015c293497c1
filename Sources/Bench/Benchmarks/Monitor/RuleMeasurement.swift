internal import Monitors
internal import SextantUnits
internal import Simulation

/// Measures how often a rule is wrong, and how late it is.
struct RuleMeasurement<Rule: RegionRule> {
    /// The number of false transitions an hour for a board that stands `offset` metres outside the border (inside if
    /// negative).
    ///
    /// There is a fix every second. A wrong first determination counts as well.
    static func falseTransitions(offset: Double, hours: Int, claim: Double, seed: UInt64) -> Double {
        var count = 0
        // Each run lasts ten hours, so that several first determinations are included.
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

    /// The median seconds from the crossing until the rule reports it; infinity if half or more never are.
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
        // Two minutes at rest, then straight through the middle; the time of the crossing between two fixes varies from
        // run to run.
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
