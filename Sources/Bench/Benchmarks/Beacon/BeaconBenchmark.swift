internal import ArgumentParser
internal import Simulation

/// Compares Sextant's beacon distances, and its rule for entering and leaving beacon regions, with those of
/// android-beacon-library.
///
/// The distances are scored on public recordings, the rule in a simulation.
struct BeaconBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons",
        abstract: "How far beacons are, on recordings, and how soon and how truly regions are entered and left.",
        discussion: """
            Prints tables in Markdown, each beside android-beacon-library. The folder holds \
            airtags-indoor-outdoor/Experiment_3.csv (GitHub samuelfrnk/RSSIProximityML, MIT) and \
            phones-range-angle/ (GitHub mitll/Range_Angle, CC BY 4.0); one that is absent is skipped with a line. \
            Entries and exits are simulated, and need no recording. The last table is what an advertisement costs the \
            Engine among many regions and senders.
            """)

    @Argument(help: "The folder of recordings.")
    var folder = "../shared/data/beacons"

    @Option(help: "How many hours each simulation of false exits lasts.")
    var hours = 100

    @Option(
        help: ArgumentHelp(
            "What the radio draws while it listens, for the energy. No figure of a Pi was found; 75 is a guess.",
            valueName: "mW"))
    var listening = 75.0

    /// The distances in metres at which beacons are calibrated; recordings at the other distances are scored.
    private static let calibration = [1.0, 2, 4]

    func validate() throws {
        guard (1...10_000).contains(hours) else { throw ValidationError("--hours must be from 1 to 10000") }
        guard listening > 0 else { throw ValidationError("--listening must be above 0") }
    }

    func run() throws {
        try distances()
        print()
        try distancesOutOfSample()
        print()
        ReachMeasurement(hours: hours, listeningMilliwatts: listening).tell()
        print()
        AdvertisementMeasurement.tell()
    }

    /// Scores each set of recordings with constants that were chosen on the other sets, so that the score is that of
    /// beacons which were never measured.
    private func distancesOutOfSample() throws {
        var sets: [(name: String, places: [RecordedBeacon])] = []
        for set in BeaconRecording.allCases {
            if let places = try set.places(in: folder) { sets.append((set.name, places)) }
        }
        guard sets.count > 1 else { return }
        print("| scored on | constants chosen on | \(BeaconScore.heads) |\n|---|---|---:|---:|---:|---:|---:|")
        for scored in sets {
            let others = sets.filter { $0.name != scored.name }
            guard let model = BeaconFit.model(on: others.flatMap { $0.places }) else { continue }
            print(
                "| \(scored.name) | \(others.map { $0.name }.joined(separator: " and ")) | "
                    + "\(BeaconScore.sextant(scored.places, by: model).row) |")
            print("| | android-beacon-library, its own | \(BeaconScore.runningAverage(scored.places).row) |")
        }
    }

    private func distances() throws {
        print("| set | estimator | \(BeaconScore.heads) |\n|---|---|---:|---:|---:|---:|---:|")
        for set in BeaconRecording.allCases {
            guard let places = try set.places(in: folder) else {
                print("\(set.name): skipped, because \(folder)/\(set.path) is not there")
                continue
            }
            let scores = [
                ("Sextant", BeaconScore.sextant(places)),
                ("android-beacon-library", BeaconScore.runningAverage(places)),
                ("the same, ARMA filter", BeaconScore.autoregressive(places)),
            ]
            for (name, score) in scores {
                print("| \(set.name), \(places.count) places | \(name) | \(score.row) |")
            }
            let left = places.calibrated(at: BeaconBenchmark.calibration)
            print(
                "| \(set.name), \(left.count) places | Sextant, calibrated at 1, 2 and 4 m "
                    + "| \(BeaconScore.sextant(left).row) |")
        }
    }
}

extension BeaconScore {
    /// The column headings of the Markdown table of scores.
    fileprivate static let heads = "median error | 90 % | class right | changes/min | within `accuracy`"

    /// One score as the cells of a row of a Markdown table.
    fileprivate var row: String {
        [
            DecimalText.of(medianError, 2),
            DecimalText.of(upperError, 2),
            DecimalText.of(rightClassShare * 100, 0) + " %",
            DecimalText.of(changesPerMinute, 1),
            heldShare.map { DecimalText.of($0 * 100, 0) + " %" } ?? "-",
        ].joined(separator: " | ")
    }
}

/// Formats the numbers in the benchmark's tables.
enum DecimalText {
    /// Formats a number that is not negative with the given number of decimals.
    static func of(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return "-" }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
