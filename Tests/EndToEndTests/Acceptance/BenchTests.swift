import BenchControl
import Receivers
import Testing

/// The ways in which the acceptance tests drive the daemon and its clients, each once.
@Suite("Acceptance: the bench")
struct AcceptanceBenchTests {
    @Test func `an injected fix reaches a client, and time advances only when the bench says so`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        try await bench.fix(InjectedFix(north: 100, accuracy: 7))
        let locations = try tracker.takeLocations()
        #expect(locations.count == 1)
        #expect(abs(try #require(locations[0].number("horizontalAccuracy")) - 7) < 0.7)
        #expect(locations[0].text("timestamp") == "2027-01-15T08:00:00.000Z")
    }

    @Test func `an operator answers a client's authorization request`() async throws {
        let bench = try await CoreLocationBench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 whenInUse")
        #expect(tracker.take().map { $0.text("status") } == ["notDetermined"])
        let prompts = try await user.take()
        #expect(prompts.map { $0.text("purpose") } == ["Shows where the boat is."])
        try await user.answer("tracker", "allow")
        try await bench.settle()
        #expect(tracker.take().map { $0.text("status") } == ["authorizedWhenInUse"])
    }

    @Test func `a region crossing starts a client that is not running`() async throws {
        let client = BenchClient(members: "wakeUnit: 'tracker.service',")
        let bench = try await CoreLocationBench.start(clients: [client])
        let first = try await bench.client()
        try await bench.tell(first, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        try await bench.beAway()
        try await bench.kill(first)
        // A daemon that was just started gives clients ten seconds to connect again by themselves.
        try await bench.run(seconds: 10)
        #expect(try bench.wakes() == [])
        try await bench.comeHome { try !bench.wakes().isEmpty }
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        #expect(woken.takeNames().contains("didEnterRegion"))
    }

    @Test func `the daemon's changes of the board's lines are recorded with their time`() async throws {
        let board = BoardText()
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: board)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames().contains("didUpdateLocations"))
        try await bench.tell(tracker, "manager 1 stop")
        let stopped = bench.seconds
        try await bench.run(seconds: 60)
        let last = try #require(bench.levels(of: .powerEnable).last)
        #expect(!last.level && last.seconds > stopped && last.seconds <= stopped + 5)
    }

    @Test func `a client continues after its daemon restarts`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.restart(after: 9)
        _ = tracker.take()
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
    }
}
