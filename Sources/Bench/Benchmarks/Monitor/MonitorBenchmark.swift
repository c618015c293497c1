internal import ArgumentParser
internal import Glibc

/// `sextant-benchmark monitors`: measures how often the region monitor is wrong, how late it is, and its CPU time and
/// memory.
struct MonitorBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitors",
        abstract: "Region rules side by side, and what very many regions cost, in Markdown.",
        discussion: """
            False transitions are of a board that stands by the border of a circle of 100 m, at a fix a second with errors \
            of 10 m that wander over two minutes and a jump each 40 minutes; latencies are medians with errors of 6 m. The \
            rules get the fixes as they are. Times are the process's own CPU time.

            Exit status: 0; 1 where --check finds an allocation or a missed passing; 64 for usage.
            """)

    @Option(help: "Simulated hours at each distance from the border.")
    var hours = 200

    @Option(help: ArgumentHelp("What the receiver claims of its errors, as a part of the truth.", valueName: "part"))
    var claim = 1.0

    @Flag(help: "Time nothing; fail where a fix allocates or a passing is missed. For continuous integration.")
    var check = false

    func validate() throws {
        guard (10...100_000).contains(hours) else { throw ValidationError("--hours is 10 to 100000.") }
        guard claim > 0, claim <= 10 else { throw ValidationError("--claim is more than 0, and at most 10.") }
    }

    func run() throws {
        let isRight = printPassings()
        let measurements = indexMeasurements()
        let path = PathMeasurement(fixes: check ? 4000 : 100_000)
        print("whole way of a fix (estimator, 100 regions, visits): ", terminator: "")
        print(check ? "" : "\(hundredths(path.mean * 1e6)) µs, ", terminator: "")
        print("\(path.allocations) allocations in \(path.fixes) fixes\n")
        if check {
            for one in measurements {
                print("\(one.name), \(one.regions) regions: \(one.allocations) allocations in \(one.fixes) fixes")
            }
            let isFrugal = path.allocations == 0 && measurements.allSatisfy { $0.allocations == 0 }
            guard isRight, isFrugal else { throw ExitCode.failure }
            return
        }
        printIndex(measurements)
        printRules()
    }

    private func indexMeasurements() -> [IndexMeasurement] {
        let fixes = check ? 2_000 : 100_000
        let sizes = check ? [1000] : [100, 1000, 100_000]
        var measurements: [IndexMeasurement] = []
        for layout in [IndexMeasurement.Layout.beside, .country] {
            for size in sizes {
                measurements.append(IndexMeasurement(layout, regions: size, polygons: false, fixes: fixes))
            }
        }
        measurements.append(IndexMeasurement(.country, regions: sizes[sizes.count - 1], polygons: true, fixes: fixes))
        for layout in [IndexMeasurement.Layout.overlapping, .crowded] {
            measurements.append(IndexMeasurement(layout, regions: 1000, polygons: false, fixes: fixes / 10))
        }
        return measurements
    }
}

// MARK: Tables

extension MonitorBenchmark {
    private func printIndex(_ measurements: [IndexMeasurement]) {
        print("| regions | where | loading, ms | MB | a fix, µs: mean | slowest | all looked at | allocations |")
        print("|---:|---|---:|---:|---:|---:|---:|---:|")
        for one in measurements {
            let brute = BruteForce.secondsPerFix(regions: one.regions)
            print(
                "| \(one.regions) | \(one.name) | \(tenths(one.loading * 1e3)) | \(tenths(Double(one.bytes) / 1e6)) "
                    + "| \(hundredths(one.mean * 1e6)) | \(tenths(one.slowest * 1e6)) | \(tenths(brute * 1e6)) "
                    + "| \(one.allocations) |")
        }
        print()
    }

    private func printPassings() -> Bool {
        var isRight = true
        print("| through a circle at 30 m/s, a fix each 5 s | errors, m | passings | missed | wrong | times off, s |")
        print("|---|---:|---:|---:|---:|---:|")
        for (radius, chord) in [(25.0, 1.0), (25, 0.6), (50, 0.6), (50, 1)] {
            for deviation in [0.0, 3] {
                let outcome = PassingMeasurement.run(
                    radius: radius, chord: chord, deviation: deviation, count: check ? 60 : 600)
                print(
                    "| \(Int(2 * radius)) m across, \(Int(chord * 100)) % of it | \(Int(deviation)) | \(outcome.passings) "
                        + "| \(outcome.missed) | \(outcome.wrong) | \(hundredths(outcome.error)) |")
                isRight = isRight && outcome.wrong == 0 && (deviation > 0 || outcome.missed == 0)
            }
        }
        print()
        return isRight
    }

    private func printRules() {
        print("| rule | false transitions/h at -60 m | -30 | -10 | +10 | +30 | +60 | walk in, s | out | car in | out |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        row("estimated, then confirmed", EstimatedRule.self)
        row("confirmed by the fixes' deviation", ConfirmedRule.self)
        row("naive: distance and radius", NaiveRule.self)
        row("30 m beyond for 20 s", CushionRule.self)
    }

    private func row<Rule: RegionRule>(_ name: String, _ rule: Rule.Type) {
        let rates = [-60.0, -30, -10, 10, 30, 60].map { offset in
            RuleMeasurement<Rule>.falseTransitions(offset: offset, hours: hours, claim: claim, seed: 1)
        }
        let latencies = [(1.4, true), (1.4, false), (12, true), (12, false)].map { speed, isEntry in
            RuleMeasurement<Rule>.medianLatency(speed: speed, isEntry: isEntry, runs: 301, claim: claim, seed: 5)
        }
        let cells = rates.map { hundredths($0) } + latencies.map { tenths($0) }
        print("| \(name) | \(cells.joined(separator: " | ")) |")
    }

    private func tenths(_ value: Double) -> String { rounded(value, 10) }
    private func hundredths(_ value: Double) -> String { rounded(value, 100) }

    private func rounded(_ value: Double, _ parts: Double) -> String {
        guard value.isFinite else { return "never" }
        return "\((value * parts).rounded() / parts)"
    }
}
