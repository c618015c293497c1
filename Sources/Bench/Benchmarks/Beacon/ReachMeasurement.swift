internal import Simulation

/// Simulates how soon a rule reports that a beacon's region was entered, how often it reports a false exit, and how
/// long the radio listens.
struct ReachMeasurement {
    var hours: Int
    var listeningMilliwatts: Double

    private static let intervals = [0.1, 0.3, 1]
    private static let levels = [-75.0, -85, -90]
    /// The number of simulated arrivals of a beacon from which each median and percentile is computed; `limit` is the
    /// longest wait for the reported entry, in seconds.
    private static let entries = 1000
    private static let limit = 600.0

    private static let rules: [(name: String, rule: BeaconReach.Rule)] = [
        ("Sextant", .sextant(isRanging: false)),
        ("10 s, scan 50 %", .silence(scans: .half)),
        ("10 s, scan 100 %", .silence(scans: .all)),
    ]

    /// Prints the results as tables.
    func tell() {
        print("| beacon | rule | false exits/h | entry, s: median | 90 % | scan s/h | J/h |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for interval in ReachMeasurement.intervals {
            for level in ReachMeasurement.levels {
                for (name, rule) in ReachMeasurement.rules {
                    let beacon = "every \(interval) s, \(Int(level)) dBm"
                    print("| \(beacon) | \(name) | \(row(rule, level: level, interval: interval)) |")
                }
            }
        }
        for (name, rule) in ReachMeasurement.rules {
            print("| none in reach | \(name) | | | | \(costs(run(rule, level: nil, interval: 1, isInside: false))) |")
        }
        print()
        print("| beacon at -75 dBm, ranging on | entry, s: median | 90 % |")
        print("|---|---:|---:|")
        for interval in ReachMeasurement.intervals {
            print("| every \(interval) s | \(latency(.sextant(isRanging: true), level: -75, interval: interval)) |")
        }
    }

    private func row(_ rule: BeaconReach.Rule, level: Double, interval: Double) -> String {
        let outcome = run(rule, level: level, interval: interval, isInside: true)
        let exits = DecimalText.of(outcome.exitsPerHour, 2)
        return "\(exits) | \(latency(rule, level: level, interval: interval)) | \(costs(outcome))"
    }

    private func run(
        _ rule: BeaconReach.Rule, level: Double?, interval: Double, isInside: Bool
    ) -> BeaconReach.Outcome {
        var reach = BeaconReach(rule, level: level, interval: interval, isInside: isInside, seed: 1)
        return reach.run(seconds: Double(hours) * 3600)
    }

    private func costs(_ outcome: BeaconReach.Outcome) -> String {
        let scanned = outcome.scannedPerHour
        return DecimalText.of(scanned, 0) + " | " + DecimalText.of(scanned * listeningMilliwatts / 1000, 0)
    }

    /// The median and the 90th percentile of the seconds from the beacon's arrival to the reported entry, as two cells
    /// of a Markdown table; an entry that is never reported counts as infinitely late.
    private func latency(_ rule: BeaconReach.Rule, level: Double, interval: Double) -> String {
        var delays = (0..<ReachMeasurement.entries).map { seed in
            var reach = BeaconReach(rule, level: level, interval: interval, isInside: false, seed: UInt64(seed))
            return reach.secondsToEnter(limit: ReachMeasurement.limit) ?? .infinity
        }
        delays.sort()
        return [delays.count / 2, delays.count * 9 / 10]
            .map { delays[$0].isFinite ? DecimalText.of(delays[$0], 1) : "over \(Int(ReachMeasurement.limit))" }
            .joined(separator: " | ")
    }
}
