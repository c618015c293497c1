import BenchControl
import Emulation
import Foundation
import Glibc
import Receivers
import SextantUnits
import Simulation
import Store
import Testing

/// Hours and days of a receiver that is switched, with the daemon's own service and real clients, in seconds.
@Suite("Power in virtual time", .serialized)
struct VirtualPowerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private typealias Point = Emulation.TrajectoryPoint

    /// Northwards at so many metres a second, for a day.
    private func way(metresPerSecond speed: Double) -> [Point] {
        let north = 46.5 + speed * 86_400 / 111_195
        return [
            Point(time: VirtualBench.startTime, latitude: 46.5, longitude: 7.25),
            Point(time: VirtualBench.startTime + 86_400, latitude: north, longitude: 7.25),
        ]
    }

    // MARK: A day

    /// Locations as a client reads them.
    private func deliveries(_ watcher: Program) throws -> [RunRecord.Delivery] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try watcher.outputLines.compactMap(JSON.init(line:)).filter { $0.text("event") == "location" }.map {
            RunRecord.Delivery(
                time: try style.parse(try #require($0.text("time"))).timeIntervalSince1970,
                latitude: try #require($0.number("latitude")), longitude: try #require($0.number("longitude")),
                horizontalAccuracy: try #require($0.number("horizontalAccuracy")))
        }
    }

    /// Lets time pass up to an instant, with the edges of the accelerometer's interrupt.
    private func run(
        _ daemon: VirtualDaemon<Emulation.EmulatedReceiver>, until end: MonotonicInstant, _ sensor: EmulatedMotionSensor
    ) throws {
        while let edge = sensor.nextChange(after: daemon.harness.now), edge < end {
            try daemon.harness.run(until: edge)
            try daemon.harness.setInput(.motionInterrupt, sensor.level(at: edge))
        }
        try daemon.harness.run(until: end)
    }

    private func sum(_ members: JSON?) -> Double {
        members?.keys.compactMap { members?.number($0) }.reduce(0, +) ?? .nan
    }

    @Test func `a day of walks, drives and rests at 100 m draws a twenty-fifth of always on, and is accounted for`()
        async throws
    {
        let life = SyntheticTruth.dailyLife(seed: 1)
        let points = life.map { Point(time: $0.time, latitude: $0.latitude, longitude: $0.longitude) }
        var options = EmulatedMotionSensor.Options()
        options.start = VirtualBench.start
        let sensor = EmulatedMotionSensor(trajectory: Trajectory(points: points), seed: 1, options: options)
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.neoM8N, points: points),
            board: try BoardText(sensesMotion: true).write(in: scratch))
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "100"])
        try run(daemon, until: VirtualBench.start.advanced(byNanoseconds: 86_400_000_000_000), sensor)
        try await watcher.caughtUp()

        let joules = daemon.harness.device.energy / 1000
        let alwaysOn = ReceiverModel.neoM8N.powerDraw.tracking / 1000 * 86_400
        #expect(joules < alwaysOn / 25, "\(joules) J of \(alwaysOn) J")
        var record = RunRecord()
        record.deliveries = try deliveries(watcher)
        let score = try RunScore(
            of: record, against: TruthGrid(life), accuracy: 100,
            draws: ReceiverDraws(ReceiverModel.neoM8N.powerDraw, resting: .hardware))
        #expect(try #require(score.moving.violatedMoving) < 0.05 && score.fixes > 50, "\(score)")
        let levels = daemon.levels(of: .powerEnable).dropFirst().map(\.level)
        #expect(levels.count > 40 && zip(levels, levels.dropFirst()).allSatisfy { $0 != $1 }, "on and off in turn")

        let spent = try #require(try await daemon.answer("energy").object("sinceBoot"))
        let receiver = try #require(spent.number("receiverJoules"))
        #expect(abs(sum(spent.object("byState")) - receiver) < 1e-6)
        let parts = ["receiverJoules", "sensorJoules", "hostWakeJoules"].compactMap(spent.number)
        let whole = parts.reduce(0, +)
        #expect(parts.count == 3 && abs(sum(spent.object("byCause")) - whole) < 1e-6)
        let clients = try #require(spent.objects("byClient")).compactMap { $0.number("joules") }.reduce(0, +)
        #expect(abs(clients - whole) < 1e-6)
        #expect(spent.number("hostIdleJoules") == 51_840)
        #expect(abs(receiver - joules) < 0.03 * joules, "accounted \(receiver) J, drawn \(joules) J")
        let power = try await daemon.power()
        #expect(power.text("receiver") == "u-blox NEO-M8N-0, SPG 3.01" && power.text("backup") == "good")
        #expect(try #require(power.objects("troubles")).allSatisfy { $0.bool("over") == true }, "\(power)")
    }

    // MARK: Nobody, and the next

    @Test func `the receiver rests exactly until the start that status announces`() async throws {
        let receiver = VirtualBench.receiver(.neoM8N, points: way(metresPerSecond: 1.5))
        let daemon = try await VirtualDaemon.start(in: scratch, receiver, board: try BoardText().write(in: scratch))
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "250"])
        try daemon.run(hours: 0.1)
        while try await daemon.power().text("state") != "hardwareSleep" { try daemon.harness.run(seconds: 5) }
        let wait = try #require(try await daemon.power().number("nextStart"))
        let (told, count) = (daemon.harness.now, daemon.levels(of: .powerEnable).count)
        try daemon.harness.run(seconds: wait - 0.01)
        #expect(daemon.levels(of: .powerEnable).count == count && wait > 1)
        try daemon.harness.run(seconds: 0.02)
        let level = try #require(daemon.levels(of: .powerEnable).last)
        let due = Double(told.nanoseconds(since: VirtualBench.start)) / 1e9 + wait
        #expect(level.level && abs(level.seconds - due) < 0.01)
        #expect(watcher.isRunning)
    }

    @Test(arguments: ["100", "best"])
    func `the receiver is off 5 s after its last client died, and nothing wakes the host for a day`(
        accuracy: String
    ) async throws {
        let receiver = VirtualBench.receiver(.neoM8N, points: way(metresPerSecond: 10))
        let daemon = try await VirtualDaemon.start(in: scratch, receiver, board: try BoardText().write(in: scratch))
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", accuracy])
        try daemon.run(hours: 0.1)
        let before = daemon.harness.idle
        watcher.signal(SIGKILL)
        try daemon.harness.serve(wakeUps: 1, since: before)
        try daemon.harness.run(seconds: 5)
        #expect(daemon.levels(of: .powerEnable).last?.level == false)
        #expect(daemon.harness.device.powerState == .sleep(.hardware))
        let (rest, energy) = (daemon.harness.idle, daemon.harness.device.energy)
        try daemon.run(hours: 24)
        #expect(daemon.harness.idle.wakeUps == rest.wakeUps && rest.wake == nil)
        let drawn = (daemon.harness.device.energy - energy) / 86_400
        #expect(abs(drawn - ReceiverModel.neoM8N.powerDraw.hardwareSleep) < 1e-6)
    }

    // MARK: What was learned

    /// Where a daemon's first plan comes out for a runner, and its log.
    private func firstPlan(
        _ folder: String, hours: Double = 0.05
    ) async throws -> (plan: [Double], daemon: VirtualDaemon<Emulation.EmulatedReceiver>) {
        let receiver = VirtualBench.receiver(.neoM8N, points: way(metresPerSecond: 3))
        let daemon = try await VirtualDaemon.start(
            in: scratch, receiver, board: try BoardText().write(in: scratch), "stateDirectory: '\(folder)',")
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "1000"])
        try daemon.run(hours: hours)
        _ = try await watcher.lines(1)
        return (daemon.levels(of: .powerEnable).map(\.seconds), daemon)
    }

    /// Turns a bit of what the store has of the receiver.
    private func damageLearnedState() throws {
        var database = try Database(folder: scratch.path)
        var row = try #require(
            try database.rows().first { $0.table == .learned && $0.name.hasPrefix("receiver/neo-m8n/") })
        row.value[row.value.count - 20] ^= 0x10
        try database.apply([.put(row)])
    }

    @Test func `learned values survive a kill, and a damaged file causes one warning`() async throws {
        let (fresh, first) = try await firstPlan(scratch.path, hours: 4)
        first.program.signal(SIGKILL)
        #expect(try await first.program.status() == -SIGKILL)

        let (second, believing) = try await firstPlan(scratch.path, hours: 0.5)
        #expect(try await believing.power().objects("troubles")?.isEmpty == true)
        #expect(!believing.program.errors.contains("learned"))
        // The receiver and the way are the same, so that what differs is what was learned.
        #expect(second.prefix(8) != fresh.prefix(8))
        believing.program.signal(SIGKILL)
        try await believing.program.status()

        try damageLearnedState()
        let (_, beginning) = try await firstPlan(scratch.path)
        let troubles = try #require(try await beginning.power().objects("troubles"))
        #expect(troubles.map { $0.text("kind") } == ["learnedStateLost"])
        let warnings = beginning.program.errorLines.filter { $0.contains("learned") }
        #expect(warnings.count == 1)
        #expect(try await beginning.receiver().text("state") != "absent")
    }
}
