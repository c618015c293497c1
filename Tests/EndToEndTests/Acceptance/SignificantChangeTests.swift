import BenchControl
import Emulation
import Foundation
import Receivers
import Testing

/// Spec 4, SLC: significant changes.
@Suite("Acceptance: significant change")
struct AcceptanceSignificantChangeTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    /// A client that was told where it is now, north of the usual place or not.
    private func followed(_ settings: String...) async throws -> (Bench, Client) {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        for setting in settings { try await bench.tell(tracker, "manager 1 set \(setting)") }
        try await bench.tell(tracker, "manager 1 significant start")
        try await bench.fix()
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didUpdateLocations"])
        return (bench, tracker)
    }

    @Test func `SLC-01: at the start the latest known location is reported at once, with its own time`() async throws {
        let bench = try await Bench.start()
        let time = bench.time
        try await bench.fix(InjectedFix(north: 3, accuracy: 9))
        try await bench.run(seconds: 3600)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 significant start")
        #expect(tracker.take().first?.text("callback") == "didChangeAuthorization")
        let events = tracker.events.filter { $0.text("callback") == "didUpdateLocations" }
        let location = try #require(events.first?.objects("locations")?.first)
        #expect(events.count == 1 && location.text("timestamp") == callbackTime(time))
        #expect(abs(try #require(location.number("horizontalAccuracy")) - 9) < 0.9)
    }

    @Test func `SLC-02: 499 m cause no event within an hour, and 600 m cause one at once`() async throws {
        let (bench, tracker) = try await followed()
        for _ in 0..<60 { try await bench.fix(InjectedFix(north: 499), then: 60) }
        #expect(tracker.take().isEmpty)
        let time = bench.time
        try await bench.fix(InjectedFix(north: 600))
        #expect(try tracker.takeLocations().map { $0.text("timestamp") } == [callbackTime(time)])
    }

    @Test func `SLC-02: 600 m within 300 s of the last event are reported when the 300 s are over`() async throws {
        let (bench, tracker) = try await followed()
        try await bench.run(seconds: 59)
        try await bench.fix(InjectedFix(north: 600))
        try await bench.run(seconds: 238)
        #expect(tracker.take().isEmpty && bench.seconds == 299)
        try await bench.run(seconds: 2)
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test func `SLC-03: ten moves of 600 m within 5 minutes cause at most one more event`() async throws {
        let (bench, tracker) = try await followed()
        for step in 1...10 { try await bench.fix(InjectedFix(north: Double(step) * 600), then: 29) }
        #expect(bench.seconds < 300)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 60)
        let locations = try tracker.takeLocations()
        #expect(locations.count == 1)
        let latitude = locations.first?.number("latitude") ?? 0
        #expect(abs(latitude - InjectedFix(north: 6000).latitude) < 1e-5, "the newest")
    }

    @Test(arguments: ["desiredAccuracy 3000", "distanceFilter 10000"])
    func `SLC-04: desired accuracy and distance filter have no effect`(setting: String) async throws {
        let (bench, tracker) = try await followed(setting)
        try await bench.run(seconds: 300)
        try await bench.fix(InjectedFix(north: 600))
        #expect(try tracker.takeLocations().count == 1)
        try await bench.run(seconds: 300)
        try await bench.fix(InjectedFix(north: 650, accuracy: 1))
        #expect(tracker.take().isEmpty)
    }

    @Test func `SLC-05: starting twice gives one first event, and stopping in between gives two`() async throws {
        let (bench, tracker) = try await followed()
        try await bench.tell(tracker, "manager 1 significant start")
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "manager 1 significant stop", "manager 1 significant start")
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test(arguments: [nil, SIGTERM, SIGKILL])
    func `SLC-06: a client started for an event has a location before it asks for anything`(after signal: Int32?)
        async throws
    {
        let bench = try await Bench.start(clients: [BenchClient(members: "wakeUnit: 'tracker.service',")])
        let tracker = try await bench.client()
        try await bench.fix()
        try await bench.tell(tracker, "manager 1 new", "manager 1 significant start")
        try await bench.kill(tracker)
        try await bench.run(seconds: 300)
        try await bench.fix(InjectedFix(north: 600))
        if let signal {
            // A daemon that is killed has stored what came more than five minutes before.
            try await bench.run(seconds: 310)
            try await bench.restart(after: signal)
        }
        let woken = signal == nil ? try await bench.startWoken() : try await bench.client()
        try await bench.tell(woken, "manager 1 new", "manager 1 show")
        let location = try #require(woken.take().last?.object("location"))
        #expect(abs((location.number("latitude") ?? 0) - InjectedFix(north: 600).latitude) < 1e-6)
    }

    @Test func `SLC-07: with only this service the receiver is on for less than 5 % of a day`() async throws {
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: BoardText())
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 significant start")
        try await bench.run(seconds: 3600)
        #expect(tracker.takeReportCount() == 1)
        let before = bench.harness.device.energy
        try await bench.run(seconds: 23 * 3600)
        let drawn = bench.harness.device.energy - before
        let alwaysOn = ReceiverModel.neoM8N.powerDraw.tracking * 23 * 3600
        #expect(drawn / alwaysOn < 0.05, "\(drawn / alwaysOn)")
        #expect(tracker.take().isEmpty, "it did not move")
    }

    /// A day of 24 hours: at home, 25 km north at 14 m/s in half an hour, at work, and back.
    private static let movingDay: [Emulation.TrajectoryPoint] = {
        let plan: [(hours: Double, north: Double)] = [(0, 0), (7, 0), (7.5, 0.225), (17, 0.225), (17.5, 0), (24.5, 0)]
        return plan.map { hours, north in
            TrajectoryPoint(
                time: VirtualBench.startTime + hours * 3600, latitude: 47.3769 + north, longitude: 8.5417, altitude: 408
            )
        }
    }()

    @Test(arguments: [false, true])
    func `SLC-07: on a day with two drives too, and each drive is told of on the way`(hasSensor: Bool) async throws {
        var board = BoardText()
        board.sensesMotion = hasSensor
        let bench = try await CoreLocationBench.start(
            VirtualBench.receiver(.neoM8N, points: Self.movingDay), board: board)
        let tracker = try await bench.client()
        if hasSensor { try bench.harness.setInput(.motionInterrupt, false) }
        try await bench.tell(tracker, "manager 1 new", "manager 1 significant start")
        try await bench.run(seconds: 3600)
        _ = tracker.take()
        let before = bench.harness.device.energy
        var told: [Int] = []
        for (hour, isMoving) in [(7.0, true), (7.5, false), (17, true), (17.5, false), (24, false)] {
            try await bench.run(seconds: hour * 3600 - bench.seconds)
            told.append(try tracker.takeLocations().count)
            if hasSensor { try bench.harness.setInput(.motionInterrupt, isMoving) }
        }
        let share = (bench.harness.device.energy - before) / (ReceiverModel.neoM8N.powerDraw.tracking * 23 * 3600)
        #expect(share < 0.05, "\(share)")
        // A change is told every five minutes at most, so six in half an hour; the last may come after the arrival.
        #expect(told[0] == 0 && told[1] >= 4 && told[2] <= 2 && told[3] >= 4 && told[4] <= 2, "\(told)")
    }

    @Test func `SLC-08: it survives the client, the client's upgrade and the daemon, until it is stopped`() async throws
    {
        let bench = try await Bench.start(clients: [BenchClient(members: "wakeUnit: 'tracker.service',")])
        let tracker = try await bench.client()
        try await bench.fix()
        try await bench.tell(tracker, "manager 1 new", "manager 1 significant start")
        try await bench.kill(tracker)
        try FileManager.default.removeItem(atPath: bench.scratch.path("tracker"))
        try await bench.restart(after: 9)
        try await bench.run(seconds: 300)
        try await bench.fix(InjectedFix(north: 600))
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "manager 1 significant start")
        #expect(woken.takeNames() == ["didChangeAuthorization", "didUpdateLocations"])
        try await bench.tell(woken, "manager 1 significant stop")
        try await bench.kill(woken)
        try await bench.restart()
        try await bench.run(seconds: 300)
        try await bench.fix(InjectedFix(north: 1800))
        #expect(try !bench.hasAskedForStart())
    }

    @Test func `a pending change is not delivered to a client denied in the meantime`() async throws {
        let (bench, tracker) = try await followed()
        let user = try await bench.operator()
        try await bench.run(seconds: 60)
        try await bench.fix(InjectedFix(north: 600))
        try await user.answer("tracker", "deny")
        try await bench.run(seconds: 600)
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didFailWithError"])
        #expect(try await user.client("tracker")?.number("pendingEvents") == 0)
    }
}
