internal import Glibc
internal import Simulation

/// Formats the scores of several days of one kind as a row of a Markdown table.
enum VisitTable {
    static let head = """
        | days | F1 | worst | P | R | fragments | arrival p50 / p90, s | departure p50 / p90, s | told after p90, s \
        | places confused | Li 100 m (fragments) | Li 200 m (fragments) | faults | ns a fix | allocations |
        |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
        """

    static func row(_ name: String, _ days: some Sequence<(fixes: [MeasuredFix], visits: [VisitSpan])>) -> String {
        var (ours, near, far) = (VisitScore(), VisitScore(), VisitScore())
        var (worst, worstSeed) = (2.0, 0)
        var faults = 0
        var delays: (arrivals: [Double], departures: [Double]) = ([], [])
        var cost = 0.0
        var allocations = 0
        var count = 0
        for day in days {
            count += 1
            let run = VisitRun(day.fixes, until: day.visits.last?.departure ?? 0)
            ours.add(found: run.found, truth: day.visits)
            near.add(found: StayPoints(distance: 100, shortest: 300).visits(of: day.fixes), truth: day.visits)
            far.add(found: StayPoints(distance: 200, shortest: 300).visits(of: day.fixes), truth: day.visits)
            var one = VisitScore()
            one.add(found: run.found, truth: day.visits)
            if one.f1 < worst { (worst, worstSeed) = (one.f1, count) }
            faults += run.faults.count
            delays.arrivals += run.arrivalDelays
            delays.departures += run.departureDelays
            allocations += run.allocations
            cost += run.nanosecondsPerFix
        }
        let cells = [
            name, three(ours.f1), "\(three(worst)) (\(worstSeed))", three(ours.precision), three(ours.recall),
            "\(ours.fragmentCount)", errors(ours.arrivalErrors), errors(ours.departureErrors),
            "\(seconds(0.9, delays.arrivals)), \(seconds(0.9, delays.departures))",
            "\(ours.confusedPairs)/\(ours.pairs)", "\(three(near.f1)) (\(near.fragmentCount))",
            "\(three(far.f1)) (\(far.fragmentCount))", "\(faults)",
            "\(Int(cost / Double(max(1, count))))", "\(allocations)",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func errors(_ errors: [Double]) -> String {
        "\(seconds(0.5, errors)) / \(seconds(0.9, errors))"
    }

    private static func seconds(_ share: Double, _ values: [Double]) -> String {
        "\(Int(VisitScore.quantile(share, of: values).rounded()))"
    }

    private static func three(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
