import Evaluation
import Magnetism
import Testing

@Suite("Compass calibration on simulated boards")
struct CompassTrialTests {
    private static let trials = 12
    /// The median of so few trials is a tenth off now and then; `scripts/benchmark compass` has all 200.
    private static let margin = 1.15

    private func median(_ values: [Double]) -> Double { CompassTrials.quantile(values, 0.5) }

    @Test(arguments: CompassTrialRow.all.indices)
    func `every row of the reference is met`(index: Int) {
        let row = CompassTrialRow.all[index]
        let outcome = CompassTrials(row, .field, count: Self.trials, seed: 5)
        #expect(outcome.refusals == [])
        guard row.isFull else { return }
        #expect(median(outcome.level) <= Self.margin * 1.05 * row.level.median)
        #expect(median(outcome.tilted) <= Self.margin * 1.05 * row.tilted.median)
        #expect(outcome.spatialCount == Self.trials)
    }

    @Test(arguments: CompassTrialRow.all.indices)
    func `gravity and the world model take a fifth of the error away`(index: Int) {
        let row = CompassTrialRow.all[index]
        let outcome = CompassTrials(row, .model, count: Self.trials, seed: 5)
        #expect(outcome.refusals == [])
        #expect(median(outcome.level) <= Self.margin * 0.8 * row.level.median)
        #expect(median(outcome.tilted) <= Self.margin * 0.8 * row.tilted.median)
    }

    @Test(arguments: CompassKnowledge.allCases.filter { $0 != .plain })
    func `a board that was turned in its plane never claims every attitude`(knowledge: CompassKnowledge) {
        for row in CompassTrialRow.all[4...] {
            #expect(CompassTrials(row, knowledge, count: Self.trials, seed: 11).spatialCount == 0)
        }
    }

    @Test(arguments: CompassTrialRow.all[..<4].indices)
    func `the errors that a calibration expects of itself are those that it has`(index: Int) {
        for knowledge in [CompassKnowledge.field, .model] {
            let outcome = CompassTrials(CompassTrialRow.all[index], knowledge, count: 16, seed: 3)
            #expect((0.6...1.6).contains(outcome.levelHonesty))
            #expect((0.5...2.5).contains(outcome.tiltedHonesty))
        }
    }
}
