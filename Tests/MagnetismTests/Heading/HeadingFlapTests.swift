import Magnetism
import Testing

/// Whether a heading comes and goes at a limit.
@Suite("Heading estimator at its limits")
struct HeadingFlapTests {
    /// How often there was a heading and then none, or the other way round, of a board held by an unsteady hand.
    private func changes(
        _ attitude: Attitude, seed: UInt64 = 14, prepare: (inout CompassBoard) -> Void = { _ in }
    ) -> Int {
        var board = CompassBoard(seed: seed)
        prepare(&board)
        var estimator = HeadingEstimator()
        var valid: [Bool] = []
        for step in 0..<600 {
            var held = attitude
            held.pitch += board.chance.uniform(-1...1)
            let heading = estimator.update(
                board.sample(held, at: Double(step) / 10), calibration: board.calibration, model: board.model)
            if step > 50 { valid.append(heading.problem == nil) }
        }
        return zip(valid, valid.dropFirst()).count { $0 != $1 }
    }

    @Test func `near the steepest allowed pitch the heading does not flap between valid and invalid`() {
        #expect(changes(Attitude(heading: 40, pitch: 75)) <= 2)
        #expect(changes(Attitude(heading: 40, pitch: 50)) == 0)
    }

    @Test func `near the largest tilt of a planar calibration the heading does not flap`() {
        func flat(_ board: inout CompassBoard) {
            board.calibration.reach = .planar
            board.calibration.matrix = Matrix3(columns: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 0))
            board.calibration.norm = 21
        }
        #expect(changes(Attitude(heading: 40, pitch: 10), prepare: flat) <= 2)
    }

    @Test func `near the largest allowed uncertainty the heading does not flap`() {
        #expect(changes(Attitude(heading: 40)) { $0.calibration.levelHeadingError = 59.8 } <= 2)
    }
}
