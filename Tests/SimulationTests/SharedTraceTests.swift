import Emulation
import Foundation
import Receivers
import Testing

@testable import Simulation

/// A trace of the shared folder, beside the package or where `SEXTANT_SHARED` says.
private enum SharedTrace {
    static let trajectory: Trajectory? = {
        let shared = ProcessInfo.processInfo.environment["SEXTANT_SHARED"] ?? "../shared"
        return try? TrajectoryFile.read(path: shared + "/data/truth/ride-90min.csv")
    }()
}

@Suite("Simulation of a recorded ride")
struct SharedTraceTests {
    @Test(
        .enabled(
            if: SharedTrace.trajectory != nil, "no shared/data/truth beside the package, nor under SEXTANT_SHARED"))
    func `along a whole bicycle ride the locations are as good as the receiver's fixes`() throws {
        let trajectory = try #require(SharedTrace.trajectory)
        let settings = SimulationSettings(model: .maxM10S, trajectory: trajectory, accuracy: 100, policy: .alwaysOn)
        let truth = try settings.truth()
        let result = try Simulation.run(settings, on: truth)
        let score = try result.score(of: settings, against: truth)
        #expect(score.moving.violatedMoving == 0)
        #expect(try #require(score.moving.errorMovingP95) < 25)
        #expect(abs(score.receiverMilliwatts - 27) < 1e-6)
    }
}
