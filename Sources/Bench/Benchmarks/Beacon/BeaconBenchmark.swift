internal import ArgumentParser

/// Scores the distances of beacons on public recordings, beside android-beacon-library's formulas on the same readings.
struct BeaconBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons",
        abstract: "How far beacons are, on recordings at known distances, in Markdown.",
        discussion: """
            The folder holds airtags-indoor-outdoor/Experiment_3.csv (GitHub samuelfrnk/RSSIProximityML, MIT) and \
            phones-range-angle/ (GitHub mitll/Range_Angle, CC BY 4.0); one that is absent is skipped with a line.
            """)

    @Argument(help: "The folder of recordings.")
    var folder = "../shared/data/beacons"

    func run() throws {
        print("| set | estimator | median error | 90 % | class right | changes/min | within `accuracy` |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for set in [BeaconRecording.tags, .phones] {
            guard let places = try set.places(in: folder) else {
                print("\(set.name): skipped, because \(folder)/\(set.path) is not there")
                continue
            }
            let head = "\(set.name), \(places.count) places"
            for (name, score) in BeaconScore.all(places) { print("| \(head) | \(name) | \(score.row) |") }
        }
    }
}

/// How right one estimator is on one set of recordings.
///
/// There is one estimate for each second with a reading; estimates of all places count alike, and every place begins
/// anew, since each was recorded on its own.
struct BeaconScore {
    private var errors: [Double] = []
    private var rightClasses = 0
    private var changes = 0
    private var seconds = 0.0
    private var held = 0
    private var hasAccuracy = false

    static func all(_ places: [BeaconPlace]) -> [(String, BeaconScore)] {
        [
            ("Sextant", BeaconScore(places) { SextantEstimator($0) }),
            ("android-beacon-library", BeaconScore(places) { RunningAverageEstimator($0) }),
            ("the same, ARMA filter", BeaconScore(places) { AutoregressiveEstimator($0) }),
        ]
    }

    private init<Estimator: BeaconEstimator>(_ places: [BeaconPlace], _ make: (Double) -> Estimator) {
        for place in places {
            var estimator = make(place.power)
            add(place, &estimator)
        }
    }

    private mutating func add(_ place: BeaconPlace, _ estimator: inout some BeaconEstimator) {
        var last: Int?
        for (index, reading) in place.readings.enumerated() {
            estimator.heard(reading.strength, at: reading.seconds)
            let next = place.readings.indices.contains(index + 1) ? place.readings[index + 1] : nil
            if let next, next.seconds.rounded(.down) == reading.seconds.rounded(.down) { continue }
            let estimate = estimator.estimate
            errors.append(abs(estimate.distance - place.distance) / place.distance)
            rightClasses += estimate.class == BeaconScore.class(of: place.distance) ? 1 : 0
            changes += last.map { $0 != estimate.class } ?? false ? 1 : 0
            last = estimate.class
            if let accuracy = estimate.accuracy {
                hasAccuracy = true
                held += place.distance <= accuracy ? 1 : 0
            }
        }
        if let first = place.readings.first, let end = place.readings.last { seconds += end.seconds - first.seconds }
    }

    /// 0 below 0.5 m, 1 below 3 m, 2 from there.
    static func `class`(of distance: Double) -> Int { distance < 0.5 ? 0 : distance < 3 ? 1 : 2 }

    /// The cells of the table.
    var row: String {
        let sorted = errors.sorted()
        let count = Double(errors.count)
        return [
            BeaconScore.text(BeaconScore.quantile(sorted, 0.5), 2),
            BeaconScore.text(BeaconScore.quantile(sorted, 0.9), 2),
            BeaconScore.text(Double(rightClasses) / count * 100, 0) + " %",
            BeaconScore.text(Double(changes) / seconds * 60, 1),
            hasAccuracy ? BeaconScore.text(Double(held) / count * 100, 0) + " %" : "",
        ].joined(separator: " | ")
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted.isEmpty ? .nan : sorted[Int((Double(sorted.count - 1) * share).rounded())]
    }

    private static func text(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return "-" }
        guard decimals > 0 else { return "\(Int(value.rounded()))" }
        let scale = decimals == 1 ? 10 : 100
        let scaled = Int((value * Double(scale)).rounded())
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
