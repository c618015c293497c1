import Boards
import Emulation
import HostSleep
import HostSwitches
import Receivers
import SextantUnits
import Testing

@testable import Simulation

@Suite("A day with host sleep")
struct HostSleepTests {
    /// The model of a Zero 2 W with a PiJuice that motion wakes, and a client that asks for 100 m.
    private static func settings(_ trajectory: Trajectory) -> SimulationSettings {
        var settings = SimulationSettings(
            model: .neoM8N, trajectory: trajectory, accuracy: 100, hasMotionSensor: true)
        var allowed = HostSleepSettings()
        allowed.isAllowed = true
        let model = HostSwitchModel.pijuice
        let costs = HostCosts(.zero2W, idleMilliwatts: settings.host.idleMilliwatts)
        settings.hostSleep = HostSleepModel(
            HostSleepConfiguration(allowed, traits: model.traits, hasMotionWake: true, breakEven: 50), costs: costs,
            offMilliwatts: model.offMilliwatts, cutSeconds: 10)
        return settings
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-04: once its sensor has proved itself, a day costs a twelfth of a board that is always on`() throws {
        var settings = Self.settings(try TrajectoryFile.read(path: Samples.truthPath("daily-life-24h")))
        let truth = try settings.truth()
        let first = try Simulation.run(settings, on: truth)
        settings.learned = first.sleep?.learned
        let second = try Simulation.run(settings, on: truth)
        let score = try second.score(of: settings, against: truth)
        let alwaysOn = settings.host.idleMilliwatts + score.alwaysOnJoules / (score.hours * 3600) * 1000
        #expect(score.deviceMilliwatts < alwaysOn / 12)
        #expect(try #require(second.sleep?.boots) <= 30)
        // Of the whole day the last location is too far off for less than a hundredth.
        let moving = score.moving.movingShare * (try #require(score.moving.violatedMoving))
        let resting = (1 - score.moving.movingShare) * (try #require(score.moving.violatedRest))
        #expect(moving + resting < 0.01)
    }
}
