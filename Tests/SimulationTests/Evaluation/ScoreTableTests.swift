import Testing

@testable import Simulation

@Suite("ScoreTable") struct ScoreTableTests {
    @Test func `has a row for each trace and accuracy and a column for each policy`() throws {
        let truth = try Samples.walk(seconds: 3600, speed: 1)
        var table = ScoreTable(allowance: 0.05)
        for accuracy in [50.0, 100] {
            let oracle = Oracle(of: truth, accuracy: accuracy, settings: Oracle.Settings(draws: Samples.draws))
            let score = try RunScore(
                of: oracle.record(on: truth), against: truth, accuracy: accuracy, draws: Samples.draws, oracle: oracle)
            table.add(score, policy: "best", trace: "a | walk", accuracy: accuracy)
        }
        var lazy = RunRecord()
        lazy.deliveries = [.init(time: 1000, latitude: 0, longitude: 0, horizontalAccuracy: 5)]
        let score = try RunScore(of: lazy, against: truth, accuracy: 100, draws: Samples.draws)
        table.add(score, policy: "one fix", trace: "a | walk", accuracy: 100)
        let lines = table.markdown.split(separator: "\n")
        #expect(lines.count == 4)
        let heads = ["violated while moving", "right again (p90) / longest, s"]
        let columns =
            ["trace", "accuracy, m", "best, mW (times below always on)"] + heads
            + ["one fix, mW (times below always on)"] + heads + ["oracle, mW"]
        #expect(lines[0] == "| " + columns.joined(separator: " | ") + " |")
        #expect(lines[1] == "| ---" + String(repeating: " | ---:", count: 8) + " |")
        #expect(lines[2].hasPrefix("| a \\| walk | 50 | ") && lines[2].contains(" |  |  |  | "))
        #expect(!lines[2].contains("fails"))
        #expect(lines[3].contains(" | fails: 97.2 % | 3601 / 3500 | "))
    }

    @Test func `a trace without movement is marked as such`() throws {
        let truth = try Samples.walk(seconds: 3600, speed: 0)
        var table = ScoreTable(allowance: 0.05)
        let score = try RunScore(of: RunRecord(), against: truth, accuracy: 100, draws: Samples.draws)
        table.add(score, policy: "nothing", trace: "rest", accuracy: 100)
        #expect(table.markdown.hasSuffix("| rest | 100 | 0 (–×) | does not move | – |  |\n"))
    }
}
