internal import ArgumentParser

/// `sextant-benchmark`: measures Sextant's cost and accuracy, beside those of comparable programs.
@main
struct SextantBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant-benchmark",
        abstract: "Measure what Sextant costs and how right it is, beside its peers.",
        subcommands: [
            DecodeBenchmark.self, MonitorBenchmark.self, VisitBenchmark.self, CompassBenchmark.self,
            PowerBenchmark.self, BeaconBenchmark.self, PlaceBenchmark.self,
        ])
}
