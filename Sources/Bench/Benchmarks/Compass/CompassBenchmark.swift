internal import ArgumentParser
internal import Simulation

/// `sextant-benchmark compass`: measures the heading errors that remain after compass calibrations, and compares them
/// with a table of reference errors.
struct CompassBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compass",
        abstract: "Heading errors that calibrations leave, beside those of a plain ellipsoid fit, in Markdown.",
        discussion: """
            Boards with 40 µT of hard and 6 % of soft iron in a field of 48 µT that dips by 64° are turned about; a row is \
            a way to turn them. `plain` is Li and Griffiths's fit alone on the same boards, `gravity` knows the \
            accelerometer, `model` the norm and dip too. Honesty is the mean of the true error's square over the expected \
            one's: 1 is right. Errors are root mean squares over all headings, in degrees: median / 95th percentile.

            Exit status: 0; 1 where --check finds a row worse than it must be, or a sample or field that allocates; 64 for \
            usage.
            """)

    @Option(help: "Boards of each row.")
    var trials = 200

    @Option(help: "What the random numbers begin with.")
    var seed: UInt64 = 2

    @Flag(help: "Fail where a row is worse than it must be, or a sample or the model's field allocates.")
    var check = false

    func validate() throws {
        guard (10...100_000).contains(trials) else { throw ValidationError("--trials is 10 to 100000.") }
    }

    func run() throws {
        print(
            "| samples | known | level | reference | ratio | 25° of roll | reference | ratio | expected level / at roll "
                + "| honesty | in space | refused |")
        print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        var isGood = true
        for row in CompassTrialRow.all {
            for knowledge in CompassKnowledge.allCases {
                let outcome = CompassTrials(row, knowledge, count: trials, seed: seed)
                printRow(row, knowledge, outcome)
                isGood = isGood && Self.isGood(row, knowledge, outcome)
            }
        }
        let cost = FitMeasurement()
        print(
            "\na fit of 120 samples: \(rounded(cost.fit * 1e3)) ms; a sample in the background: "
                + "\(rounded(cost.sample * 1e6)) µs with \(cost.fitCount) fits in an hour at 10 a second")
        let whole = SampleMeasurement()
        print(
            "a sample through the daemon's Engine to a client that wants each: \(rounded(whole.microseconds)) µs, "
                + "\(whole.allocations) allocations in \(SampleMeasurement.samples), \(whole.told) headings told")
        isGood = isGood && whole.allocations == 0 && whole.told == SampleMeasurement.samples
        let drivers = DriverMeasurement()
        print(
            "heap allocations of \(DriverMeasurement.measurements) measurements of each chip's driver: "
                + (drivers.complaints.isEmpty ? "none" : drivers.complaints.joined(separator: ", ")))
        isGood = isGood && drivers.complaints.isEmpty
        let field = FieldMeasurement()
        print(
            "the magnetic world model: \(field.allocations) allocations at \(field.places) places, \(rounded(field.mean)) µT "
                + "on average")
        isGood = isGood && field.allocations == 0 && field.mean > 22
        if check, !isGood { throw ExitCode.failure }
    }

    private static func isGood(_ row: CompassTrialRow, _ knowledge: CompassKnowledge, _ outcome: CompassTrials) -> Bool
    {
        let limit = knowledge == .model ? 0.8 : 1.05
        let isPlanar = row.motion == .tilted(5) || row.motion == .tilted(15)
        if knowledge == .plain { return true }
        guard outcome.refusals.isEmpty, !isPlanar || outcome.spatialCount == 0 else { return false }
        guard row.isFull || knowledge == .model else { return true }
        return Self.quantile(0.5, outcome.level) <= limit * row.level.median
            && Self.quantile(0.5, outcome.tilted) <= limit * row.tilted.median
    }

    private func printRow(_ row: CompassTrialRow, _ knowledge: CompassKnowledge, _ outcome: CompassTrials) {
        func pair(_ values: [Double]) -> String {
            "\(rounded(Self.quantile(0.5, values))) / \(rounded(Self.quantile(0.95, values)))"
        }
        let levelRatio = Self.quantile(0.5, outcome.level) / row.level.median
        let tiltedRatio = Self.quantile(0.5, outcome.tilted) / row.tilted.median
        let cells = [
            row.name, knowledge.rawValue, pair(outcome.level), "\(row.level.median) / \(row.level.high)",
            rounded(levelRatio), pair(outcome.tilted), "\(row.tilted.median) / \(row.tilted.high)",
            rounded(tiltedRatio),
            "\(rounded(Self.quantile(0.5, outcome.expectedLevel))) / "
                + rounded(Self.quantile(0.5, outcome.expectedTilted)),
            knowledge == .plain
                ? "" : "\(rounded(outcome.levelHonesty)) / \(rounded(outcome.tiltedHonesty))",
            "\(outcome.spatialCount)", "\(outcome.refusals.count)",
        ]
        print("| \(cells.joined(separator: " | ")) |")
    }

    private static func quantile(_ share: Double, _ values: [Double]) -> Double { values.quantile(share) ?? .nan }

    private func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
