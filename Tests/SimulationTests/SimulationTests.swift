import Boards
import Emulation
import Engine
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Simulation

@Suite("Simulation")
struct SimulationTests {
    /// 2026-01-01 12:00 UTC.
    private static let start = 1_767_268_800.0

    /// Still for some seconds, then northwards at 10 m/s for some.
    private static func trajectory(still: Int, moving: Int = 0) -> Trajectory {
        let points = (0...(still + moving)).map { second in
            Emulation.TrajectoryPoint(
                time: start + Double(second), latitude: 48 + Double(max(second - still, 0)) * 10 / 111_200,
                longitude: 11, altitude: 500)
        }
        return Trajectory(points: points)
    }

    private static func settings(
        _ policy: SimulationPolicy, _ trajectory: Trajectory, model: ReceiverModel = .neoM8N
    ) -> SimulationSettings {
        SimulationSettings(model: model, trajectory: trajectory, accuracy: 100, policy: policy, seed: 7)
    }

    private static func run(_ settings: SimulationSettings) throws -> (result: SimulationResult, score: RunScore) {
        let truth = try settings.truth()
        let result = try Simulation.run(settings, on: truth)
        return (result, try result.score(of: settings, against: truth))
    }

    private static func events(_ record: RunRecord) -> [UInt8] {
        var text = TextBuffer(capacity: 65_536)
        RunEvents.write(record, to: &text)
        return text.bytes
    }

    @Test(arguments: [SimulationPolicy.adaptive, .alwaysOn, .interval(seconds: 60)])
    func `the same seed gives the same bytes, and another seed different ones`(policy: SimulationPolicy) throws {
        var settings = Self.settings(policy, Self.trajectory(still: 100, moving: 200))
        settings.hasMotionSensor = true
        let first = Self.events(try Self.run(settings).result.record)
        #expect(Self.events(try Self.run(settings).result.record) == first)
        settings.seed = 8
        #expect(Self.events(try Self.run(settings).result.record) != first)
    }

    @Test(arguments: ReceiverModel.allCases)
    func `a receiver that is always on draws its tracking power from the first location on`(
        model: ReceiverModel
    ) throws {
        let (result, score) = try Self.run(Self.settings(.alwaysOn, Self.trajectory(still: 300), model: model))
        let watts = model.powerDraw.tracking / 1000
        #expect(abs(score.receiverJoules - watts * score.hours * 3600) < 1e-6)
        #expect(abs(score.alwaysOnJoules - score.receiverJoules) < 1e-6)
        #expect(abs(result.drawnJoules - score.receiverJoules) < 0.001 * watts * 1000)
        #expect(score.starts == 1)
        #expect(score.moving.violatedRest == 0 && score.moving.bouts == 0)
        #expect(Double(score.fixes) > score.hours * 3600 * 0.95)
    }

    @Test func `the score can be computed again from the written events`() throws {
        let settings = Self.settings(.interval(seconds: 45), Self.trajectory(still: 120, moving: 400))
        let (result, score) = try Self.run(settings)
        var read = try RunEvents.read(Self.events(result.record))
        read.hostUses = result.record.hostUses
        let again = try RunScore(of: read, against: settings.truth(), accuracy: 100, draws: settings.draws)
        #expect(abs(again.receiverJoules - score.receiverJoules) < 1e-6)
        #expect(again.fixes == score.fixes)
        #expect(again.starts == score.starts)
        #expect(again.moving.violatedMoving == score.moving.violatedMoving)
        #expect(again.moving.violatedRest == score.moving.violatedRest)
        #expect(try abs(#require(again.moving.errorMovingP50) - #require(score.moving.errorMovingP50)) < 0.01)
        #expect(again.coverage68 == score.coverage68)
        #expect(abs(again.hostJoules - score.hostJoules) < 1e-9)
    }

    @Test func `events are in order of time, and each state differs from the one before`() throws {
        let record = try Self.run(Self.settings(.interval(seconds: 60), Self.trajectory(still: 400))).result.record
        let read = try RunEvents.read(Self.events(record))
        #expect(zip(read.states, read.states.dropFirst()).allSatisfy { $0.time <= $1.time && $0.state != $1.state })
        #expect(zip(read.deliveries, read.deliveries.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(Set(read.states.map(\.state)) == [.sleep, .acquire, .track])
    }

    @Test func `a scheduling policy takes one fix per interval and rests in between`() throws {
        let (result, score) = try Self.run(Self.settings(.interval(seconds: 120), Self.trajectory(still: 1200)))
        #expect((10...11).contains(score.fixes))
        #expect((score.fixes...score.fixes + 1).contains(score.starts))
        #expect(score.receiverJoules < score.alwaysOnJoules / 5)
        let tracking = result.record.states.filter { $0.state == .acquire }
        let searches = zip(tracking, tracking.dropFirst()).map { $1.time - $0.time }
        #expect(searches.allSatisfy { abs($0 - 120) < 0.01 })
    }

    @Test func `without a backup supply every start is cold, and nothing is drawn in between`() throws {
        var settings = Self.settings(.interval(seconds: 120), Self.trajectory(still: 900))
        settings.hasBackup = false
        let (result, score) = try Self.run(settings)
        #expect(result.record.states.contains { $0.state == .off })
        #expect(!result.record.states.contains { $0.state == .sleep })
        settings.hasBackup = true
        #expect(try Self.run(settings).score.receiverJoules < score.receiverJoules / 2)
    }

    @Test func `indoors there is no location, and the search continues until there is a sky`() throws {
        var settings = Self.settings(.interval(seconds: 60), Self.trajectory(still: 600))
        let indoors = (Self.start + 200)..<(Self.start + 400)
        settings.mask = MaskIntervals(intervals: [indoors])
        let record = try Self.run(settings).result.record
        // A fix that was found before the door closed may be told a little later.
        let dark = (indoors.lowerBound + 4)..<indoors.upperBound
        #expect(!record.deliveries.contains { dark.contains($0.time) })
        #expect(record.deliveries.contains { $0.time > indoors.upperBound })
        #expect(!record.states.contains { $0.state == .track && dark.contains($0.time) })
    }

    @Test func `the engine gets every edge of the motion sensor once and in order`() throws {
        var settings = Self.settings(.adaptive, Self.trajectory(still: 100, moving: 200))
        settings.hasMotionSensor = true
        let result = try Self.run(settings).result
        let sensor = EmulatedMotionSensor(trajectory: settings.trajectory, seed: settings.seed &+ 0x5EED)
        var expected: [SimulationResult.MotionEdge] = []
        var edge = sensor.nextChange(after: .zero)
        while let instant = edge, Double(instant.nanoseconds) <= 300e9 {
            let time = ((Self.start + Double(instant.nanoseconds) * 1e-9) * 1000).rounded() / 1000
            expected.append(.init(time: time, isMoving: sensor.level(at: instant)))
            edge = sensor.nextChange(after: instant)
        }
        #expect(!expected.isEmpty)
        #expect(result.motions == expected)
        #expect(result.record.sensorUses.map(\.joules) == [EmulatedMotionSensor.draw / 1000 * 300])
    }

    @Test func `the daemon's own policy puts the receiver of a board at rest to sleep`() throws {
        let (result, score) = try Self.run(Self.settings(.adaptive, Self.trajectory(still: 1800)))
        #expect(score.fixes > 0)
        #expect(score.receiverJoules < score.alwaysOnJoules / 2)
        #expect(try #require(score.moving.violatedRest) < 0.05)
        #expect(result.hostWakes > 10)
    }

    @Test func `at rest at least 60 % of the fixes are within their stated radius`() throws {
        let (_, score) = try Self.run(Self.settings(.alwaysOn, Self.trajectory(still: 1800)))
        // That the errors of minutes average out is credited with care: a slower error would not.
        #expect(try #require(score.coverage68) >= 0.6)
    }

    @Test func `the oracle's run has the cost that the oracle claims`() throws {
        let settings = Self.settings(.oracle, Self.trajectory(still: 200, moving: 400))
        let truth = try settings.truth()
        let oracle = settings.oracle(on: truth)
        let result = try Simulation.run(settings, on: truth, oracle: oracle)
        let score = try result.score(of: settings, against: truth, oracle: oracle)
        // The search of the first fix lies before the run.
        let fix = (4 * settings.draws.acquire + settings.draws.track) / 1000
        #expect(try abs(score.receiverJoules - #require(score.oracleJoules)) < fix * 1.01)
        #expect(score.fixes == oracle.fixes.count)
        #expect(try #require(score.moving.violatedMoving) <= 0.05)
    }

    @Test func `host wake-ups have the energy of the given host model`() throws {
        var settings = Self.settings(.interval(seconds: 60), Self.trajectory(still: 300))
        settings.host = HostPower(idleMilliwatts: 500, wakeMillijoules: 2)
        let (result, _) = try Self.run(settings)
        let joules = result.record.hostUses.reduce(0) { $0 + $1.joules }
        #expect(abs(joules - (0.5 * 300 + 0.002 * Double(result.hostWakes))) < 1e-6)
    }

    @Test func `a recording holds every input in order, and does not affect the run`() throws {
        var settings = Self.settings(.adaptive, Self.trajectory(still: 100, moving: 100))
        settings.hasMotionSensor = true
        let unrecorded = try Self.run(settings).result
        settings.isRecorded = true
        let recorded = try Self.run(settings).result
        #expect(recorded.record == unrecorded.record)
        #expect(unrecorded.recording.isEmpty)
        var reader = try FlightReader(recorded.recording)
        var records: [StampedInput] = []
        while let record = try reader.next() { records.append(record) }
        #expect(!reader.isTruncated)
        #expect(records.first?.input == .started(settings.engineConfiguration(baud: 9600)))
        #expect(records.filter { $0.input == .motion(true) }.count == recorded.motions.filter(\.isMoving).count)
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    }

    @Test func `unknown figures are null in a report`() throws {
        var settings = Self.settings(.interval(seconds: 60), Self.trajectory(still: 60))
        settings.mask = MaskIntervals(intervals: [(Self.start - 1)..<(Self.start + 1e4)])
        let (result, score) = try Self.run(settings)
        var text = TextBuffer(capacity: 1024)
        SimulationReport(score, of: result).write(to: &text)
        let line = text.string
        #expect(line.contains("\"oracleJoules\":null,\"fixes\":0,"))
        #expect(line.contains("\"bouts\":0,\"violatedMoving\":null,\"violatedRest\":1.000000,\"boutP50\":null,"))
        #expect(line.contains("\"coverage68\":null,"))
        #expect(line.hasSuffix("}\n"))
    }

    private static func report(_ settings: SimulationSettings) throws -> (json: String, report: SimulationReport) {
        let (result, score) = try run(settings)
        let report = SimulationReport(score, of: result)
        var text = TextBuffer(capacity: 1024)
        report.write(to: &text)
        return (text.string, report)
    }

    @Test func `a report has figures for moving time, and no violation share of the whole time`() throws {
        let (json, report) = try Self.report(Self.settings(.alwaysOn, Self.trajectory(still: 300, moving: 400)))
        let keys = json.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        #expect(
            keys == [
                "hours", "receiverJoules", "receiverMilliwatts", "sensorJoules", "hostJoules", "deviceMilliwatts",
                "alwaysOnJoules", "oracleJoules", "fixes", "starts", "movingShare", "bouts", "violatedMoving",
                "violatedRest", "boutP50", "boutP90", "rightAgainP90", "longestMoving", "errorMovingP50",
                "errorMovingP95", "coverage68", "drawnJoules", "hostWakes", "spins",
            ])
        #expect(report.lines.contains { $0.hasPrefix("moving time") && $0.hasSuffix("of the truth, 1 bout") })
        #expect(report.lines.contains("too far off         0.0 % of the moving time, 0 s at the longest"))
        #expect(report.lines.contains("right again         after 0 s at 90 % of the bouts"))
        #expect(report.lines.contains("slow or at rest     too far off for 0.0 % of the time"))
        #expect(report.headline.hasSuffix(" mW, too far off for 0.0 % of the moving time"))
    }

    @Test func `a report on a board that does not move says so`() throws {
        let (json, report) = try Self.report(Self.settings(.alwaysOn, Self.trajectory(still: 300)))
        #expect(json.contains("\"movingShare\":0.000000,\"bouts\":0,\"violatedMoving\":null,"))
        #expect(report.lines.contains { $0.hasPrefix("moving time         none: ") })
        #expect(!(report.lines.joined() + json).contains("nan"))
        #expect(report.headline.hasSuffix(" mW, the board does not move"))
    }
}
