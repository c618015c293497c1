import Emulation
import Receivers
import Testing

@testable import Simulation

/// How honest the radius is that each location states, over many starts and seeds.
@Suite("Stated radius")
struct CoverageTests {
    /// Two hours by bicycle northwards, at 8 m/s: fast enough to tell where the receiver was from where it is when its
    /// bytes have come.
    private static let ride: Trajectory = {
        let (start, seconds) = (1_767_268_800.0, 7200.0)
        let end = Emulation.TrajectoryPoint(
            time: start + seconds, latitude: 48 + 8 * seconds / 111_195, longitude: 11, altitude: 500)
        return Trajectory(points: [.init(time: start, latitude: 48, longitude: 11, altitude: 500), end])
    }()

    /// A receiver that states its accuracy, and one whose accuracy follows from its geometry.
    @Test func `over many runs two thirds of the locations are within their stated radius`() throws {
        var (held, all) = (0.0, 0)
        for model in [ReceiverModel.neoM8N, .l76K] {
            let (heldBefore, allBefore) = (held, all)
            for seed in 1...9 as ClosedRange<UInt64> {
                let settings = SimulationSettings(model: model, trajectory: Self.ride, accuracy: 250, seed: seed)
                let truth = try settings.truth()
                let score = try Simulation.run(settings, on: truth).score(of: settings, against: truth)
                held += try #require(score.coverage68) * Double(score.fixes)
                all += score.fixes
            }
            let share = (held - heldBefore) / Double(all - allBefore)
            #expect((0.57...0.76).contains(share), "\(model): \(share)")
        }
        #expect(all >= 2000)
        #expect((0.6...0.76).contains(held / Double(all)), "\(held / Double(all)) of \(all)")
    }
}
