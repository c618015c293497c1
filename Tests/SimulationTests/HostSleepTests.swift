import Boards
import Emulation
import HostSleep
import HostSwitches
import Receivers
import SextantUnits
import Simulation
import Testing

@Suite("A day with host sleep")
struct HostSleepTests {
    /// The model of a Zero 2 W with a PiJuice that motion wakes, and a client that asks for 100 m.
    private static func settings(_ day: [TruthPoint], sleeps: Bool) -> SimulationSettings {
        let points = day.map { TrajectoryPoint(time: $0.time, latitude: $0.latitude, longitude: $0.longitude) }
        var settings = SimulationSettings(
            model: .neoM8N, trajectory: Trajectory(points: points), accuracy: 100, hasMotionSensor: true)
        guard sleeps else { return settings }
        var allowed = HostSleepSettings()
        allowed.isAllowed = true
        let model = HostSwitchModel.pijuice
        let costs = HostCosts(.zero2W, idleMilliwatts: settings.host.idleMilliwatts)
        settings.hostSleep = HostSleepModel(
            HostSleepConfiguration(allowed, traits: model.traits, hasMotionWake: true, breakEven: 50), costs: costs,
            offMilliwatts: model.offMilliwatts, cutSeconds: 10)
        return settings
    }

    @Test func `SLEEP-04: a day costs less than a fifth of a board that is always on, with 30 boots at most`() throws {
        let day = SyntheticTruth.dailyLife(seed: 3)
        let settings = Self.settings(day, sleeps: true)
        let truth = try settings.truth()
        let result = try Simulation.run(settings, on: truth)
        let score = try result.score(of: settings, against: truth)
        let boots = try #require(result.sleep?.boots)
        let alwaysOn = settings.host.idleMilliwatts + score.alwaysOnJoules / (score.hours * 3600) * 1000
        #expect(score.deviceMilliwatts < alwaysOn / 5)
        #expect((2...30).contains(boots), "\(boots)")
        // A board that is off tells no locations, and yet is right while it rests.
        #expect(try #require(score.moving.violatedRest) < 0.05)

        let awake = Self.settings(day, sleeps: false)
        let other = try Simulation.run(awake, on: truth)
        #expect(other.sleep == nil)
        #expect(try other.score(of: awake, against: truth).deviceMilliwatts > 5 * score.deviceMilliwatts)
    }
}
