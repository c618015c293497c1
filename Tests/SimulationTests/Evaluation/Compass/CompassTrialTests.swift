import Magnetism
import Simulation
import Testing

/// Boards by the dozen are for `scripts/benchmark compass`; so few are compared with the plain fit on the same ones.
@Suite("Compass calibration on simulated boards")
struct CompassTrialTests {
    private static let trials = 3
    private static let rows = CompassTrialRow.all

    private func rootMeanSquare(_ values: [Double]) -> Double {
        (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    private func isHonest(_ expected: [Double], _ errors: [Double], _ factor: Double) -> Bool {
        (1 / factor...factor).contains(rootMeanSquare(errors) / rootMeanSquare(expected))
    }

    @Test(arguments: rows.indices)
    func `the robust fit is as good as a plain one, and gravity and the world model improve it`(index: Int) {
        let row = Self.rows[index]
        let plain = CompassTrials(row, .plain, count: Self.trials, seed: 5)
        for knowledge in [CompassKnowledge.field, .model] {
            let outcome = CompassTrials(row, knowledge, count: Self.trials, seed: 5)
            #expect(outcome.refusals == [])
            #expect(outcome.spatialCount == (index < 4 ? Self.trials : 0))
            #expect(isHonest(outcome.expectedLevel, outcome.level, 2))
            guard row.isFull || knowledge == .model else { continue }
            // Of two hundred boards it is 0.8; three may be of another mind by a tenth.
            let share = knowledge == .model ? 0.9 : 1.05
            #expect(isHonest(outcome.expectedTilted, outcome.tilted, 3))
            #expect(rootMeanSquare(outcome.level) <= share * rootMeanSquare(plain.level))
            #expect(rootMeanSquare(outcome.tilted) <= share * rootMeanSquare(plain.tilted))
        }
    }

    @Test(arguments: [4, 5], [CompassKnowledge.gravity, .field])
    func `a board turned only in its plane never gets a spatial calibration`(index: Int, knowledge: CompassKnowledge) {
        #expect(CompassTrials(Self.rows[index], knowledge, count: 3, seed: 11).spatialCount == 0)
    }
}
