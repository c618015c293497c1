import Emulation
import Evaluation
import Receivers
import Testing

@testable import Simulation

/// How honest the radius is that each location states, over many starts and seeds.
@Suite("Stated radius")
struct CoverageTests {
    /// Two hours on foot northwards, at 1.5 m/s.
    private static let walk: Trajectory = {
        let (start, seconds) = (1_767_268_800.0, 7200.0)
        let end = Emulation.TrajectoryPoint(
            time: start + seconds, latitude: 48 + 1.5 * seconds / 111_195, longitude: 11, altitude: 500)
        return Trajectory(points: [.init(time: start, latitude: 48, longitude: 11, altitude: 500), end])
    }()

    /// A receiver that states its accuracy, and one whose accuracy follows from its geometry.
    @Test func `two thirds of the locations of many runs are within their stated radius`() throws {
        var (held, all) = (0.0, 0)
        for model in [ReceiverModel.neoM8N, .l76K] {
            for seed in 1...9 as ClosedRange<UInt64> {
                let settings = SimulationSettings(model: model, trajectory: Self.walk, accuracy: 100, seed: seed)
                let truth = try settings.truth()
                let score = try Simulation.run(settings, on: truth).score(of: settings, against: truth)
                held += try #require(score.coverage68) * Double(score.fixes)
                all += score.fixes
            }
        }
        #expect(all >= 2000)
        #expect((0.63...0.73).contains(held / Double(all)), "\(held / Double(all)) of \(all)")
    }
}
