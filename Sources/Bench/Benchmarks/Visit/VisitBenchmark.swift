internal import ArgumentParser
internal import Simulation

/// Scores the daemon's visit monitor on synthetic days, beside the stay-point method with which other programs find
/// visits.
struct VisitBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits",
        abstract: "Visits on synthetic days beside stay points, in Markdown.")

    @Argument(help: ArgumentHelp("Folders of fixes.csv and visits.json.", valueName: "folder"))
    var folders: [String] = []

    @Option(help: "How many synthetic days of each kind.")
    var seeds = 30

    @Option(help: "Only kinds whose name begins so.")
    var only: String?

    @Option(help: "Tell of one day's visits, true and found, instead.")
    var seed: UInt64?

    @Flag(help: "Tell of every visit that was missed or made up instead.")
    var misses = false

    func validate() throws {
        guard (1...10_000).contains(seeds) else { throw ValidationError("--seeds must be from 1 to 10000") }
    }

    func run() throws {
        let days = try folders.map { try DayFolder(path: $0) }
        let regimes = VisitRegime.all.filter { $0.name.hasPrefix(only ?? "") }
        if let seed {
            for day in days { tell(day.fixes, day.visits) }
            for regime in regimes where folders.isEmpty {
                let day = VisitDay(seed: seed, regime: regime)
                tell(day.fixes, day.visits)
            }
            return
        }
        if misses {
            for regime in regimes {
                for seed in 1...UInt64(seeds) { tellMisses(VisitDay(seed: seed, regime: regime), seed) }
            }
            return
        }
        print(VisitTable.head)
        for day in days { print(VisitTable.row(day.name, [(day.fixes, day.visits)])) }
        for regime in regimes {
            let made = (1...UInt64(seeds)).lazy.map { VisitDay(seed: $0, regime: regime) }
            print(VisitTable.row(regime.name, made.map { ($0.fixes, $0.visits) }))
        }
    }

    private func tell(_ fixes: [MeasuredFix], _ visits: [VisitSpan]) {
        guard let start = fixes.first?.time else { return }
        let run = VisitRun(fixes, until: visits.last?.departure ?? 0)
        for visit in visits { print("true ", line(visit, since: start)) }
        for visit in run.found { print("found", line(visit, since: start)) }
        for fault in run.faults { print(fault) }
    }

    private func tellMisses(_ day: VisitDay, _ seed: UInt64) {
        guard let start = day.fixes.first?.time else { return }
        let run = VisitRun(day.fixes, until: day.visits.last?.departure ?? 0)
        for visit in day.visits where !run.found.contains(where: { VisitScore.isRight($0, visit) }) {
            print("day \(seed) missed", line(visit, since: start))
        }
        for visit in run.found where !day.visits.contains(where: { VisitScore.isRight(visit, $0) }) {
            print("day \(seed) made up", line(visit, since: start))
        }
    }

    private func line(_ visit: VisitSpan, since start: Double) -> String {
        "\(Int(visit.arrival - start)) \(Int(visit.departure - start)) place \(visit.place)"
            + " \(visit.latitude) \(visit.longitude)"
    }
}
