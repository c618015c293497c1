import BenchControl
import Foundation
import Testing

/// Spec 4, MON: conditions under a name.
@Suite("Acceptance: monitors")
struct AcceptanceMonitorTests {
    private typealias Bench = CoreLocationBench<SilentDevice>
    private static let home = "monitor 1 add home 47.3769 8.5417 200"
    /// `CLMonitor.Event.State`.
    private static let (unknown, satisfied, unsatisfied, unmonitored) = (0.0, 1.0, 2.0, 3.0)

    /// A client with an open monitor whose events are taken.
    private func opened(_ client: BenchClient = BenchClient()) async throws -> (Bench, Client) {
        let bench = try await Bench.start(clients: [client])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "monitor 1 open places", "monitor 1 begin")
        _ = tracker.take()
        return (bench, tracker)
    }

    /// The states of the events that came out of the loop.
    private func states(_ client: Client) -> [Double?] { events(client).map { $0.number("state") } }

    private func events(_ client: Client) -> [JSON] { client.take().filter { $0.text("callback") == "event" } }

    private func record(_ bench: Bench, _ client: Client, _ identifier: String = "home") async throws -> JSON {
        try await bench.tell(client, "monitor 1 record \(identifier)")
        return try #require(client.take().last { $0.text("callback") == "record" })
    }

    private func identifiers(_ bench: Bench, _ client: Client) async throws -> [String] {
        try await bench.tell(client, "monitor 1 identifiers")
        let told = client.take().last { $0.text("callback") == "identifiers" }
        return (told?.members["identifiers"] as? [String] ?? []).sorted()
    }

    @Test func `MON-01, MON-11: a new monitor is empty, and reopening it restores its records without repeated events`()
        async throws
    {
        let (bench, tracker) = try await opened()
        #expect(try await identifiers(bench, tracker) == [])
        try await bench.tell(tracker, Self.home, "monitor 1 add far 47.0 8.0 200")
        try await bench.stay(seconds: 20)
        #expect(states(tracker).count == 2)
        let before = try await record(bench, tracker)
        try await bench.kill(tracker)
        try await bench.stay(seconds: 60)
        let next = try await bench.client()
        try await bench.tell(next, "manager 1 new", "monitor 1 open places", "monitor 1 begin")
        try await bench.stay(seconds: 60)
        #expect(states(next) == [])
        #expect(try await identifiers(bench, next) == ["far", "home"])
        let after = try await record(bench, next)
        #expect(after.number("state") == before.number("state") && after.text("date") == before.text("date"))
        #expect(after.number("radius") == 200 && after.number("latitude") == 47.3769)
    }

    @Test func `MON-02: a monitor name can be open once, and again after it was closed`() async throws {
        let (bench, tracker) = try await opened()
        await #expect(throws: Late.self) { try await bench.tell(tracker, "monitor 2 open places") }
        try await bench.tell(tracker, "monitor 3 open others", "monitor 1 close", "monitor 2 open places")
    }

    @Test
    func `MON-03, MON-07: determining an unknown state is one event, and the record changes when the loop takes it`()
        async throws
    {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, Self.home)
        #expect(try await record(bench, tracker).number("state") == Self.unknown)
        try await bench.stay(seconds: 60)
        #expect(states(tracker) == [Self.satisfied])
        #expect(try await record(bench, tracker).number("state") == Self.satisfied)
        try await bench.tell(tracker, "monitor 1 end")
        try await bench.leaveHome()
        #expect(try await record(bench, tracker).number("state") == Self.satisfied, "nobody took the event")
        try await bench.tell(tracker, "monitor 1 begin")
        #expect(states(tracker) == [Self.unsatisfied])
        #expect(try await record(bench, tracker).number("state") == Self.unsatisfied)
    }

    @Test(arguments: ["satisfied", "unsatisfied"])
    func `MON-04: a correctly assumed state causes no event, and a wrongly assumed one causes one`(assumed: String)
        async throws
    {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, Self.home + " \(assumed)")
        try await bench.stay(seconds: 60)
        #expect(states(tracker) == (assumed == "satisfied" ? [] : [Self.satisfied]))
        try await bench.leaveHome()
        #expect(states(tracker) == [Self.unsatisfied])
    }

    @Test func `MON-05, MON-06: adding the same identifier replaces the condition, and a removed one causes no event`()
        async throws
    {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, Self.home)
        try await bench.stay(seconds: 20)
        _ = tracker.take()
        try await bench.tell(tracker, "monitor 1 add home 47.0 8.0 300")
        try await bench.stay(seconds: 20)
        #expect(states(tracker) == [Self.unsatisfied])
        #expect(try await record(bench, tracker).number("radius") == 300)
        #expect(try await identifiers(bench, tracker) == ["home"])
        try await bench.leaveHome()
        try await bench.comeHome()
        #expect(states(tracker) == [], "the border that was replaced is not watched any more")
        try await bench.tell(tracker, Self.home, "monitor 1 remove home")
        #expect(try await record(bench, tracker).bool("exists") == false)
        _ = tracker.take()
        try await bench.leaveHome()
        try await bench.comeHome()
        #expect(states(tracker) == [])
        // The daemon has forgotten it too.
        try await bench.kill(tracker)
        let next = try await bench.client()
        try await bench.tell(next, "manager 1 new", "monitor 1 open places", "monitor 1 begin")
        #expect(try await identifiers(bench, next) == [])
    }

    @Test func `MON-08: an event carries the time of the crossing, not of its delivery`() async throws {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, Self.home)
        try await bench.stay(seconds: 20)
        try await bench.tell(tracker, "monitor 1 end")
        _ = tracker.take()
        var crossed: Double?
        for fix in Way.fixes(from: bench.ground, to: Ground(north: -1500), speed: 15) {
            try await bench.fix(fix)
            if crossed == nil, fix.ground.north < -200 { crossed = bench.time }
        }
        try await bench.stay(seconds: 600, every: 10)
        try await bench.tell(tracker, "monitor 1 begin")
        let event = try #require(events(tracker).first)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = try style.parse(try #require(event.text("date"))).timeIntervalSince1970
        #expect(abs(date - (crossed ?? 0)) <= 2)
    }

    @Test func `MON-09: a condition beyond the limit is unmonitored with a reason, until another is removed`()
        async throws
    {
        let (bench, tracker) = try await opened(BenchClient(members: "maximumRegions: 2,"))
        try await bench.tell(tracker, "manager 1 region start yard 47.3769 8.5417 200", Self.home)
        try await bench.stay(seconds: 20)
        #expect(states(tracker) == [Self.satisfied])
        try await bench.tell(tracker, "monitor 1 add third 47.3769 8.5417 300")
        let refused = events(tracker)
        #expect(refused.map { $0.number("state") } == [Self.unmonitored])
        #expect(refused.first?.bool("conditionLimitExceeded") == true)
        #expect(try await record(bench, tracker).number("state") == Self.satisfied)
        try await bench.tell(tracker, "monitor 1 remove home")
        try await bench.stay(seconds: 20)
        #expect(states(tracker) == [Self.satisfied])
    }

    @Test func `MON-10: no event is repeated, even after a restart of the daemon`() async throws {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, Self.home)
        var told: [String] = []
        func note() {
            told += events(tracker).map { "\($0.text("identifier") ?? "") \($0.number("state") ?? -1)" }
        }
        try await bench.stay(seconds: 20)
        note()
        for signal in [SIGTERM, SIGKILL] {
            try await bench.leaveHome()
            note()
            try await bench.restart(after: signal)
            try await bench.stay(seconds: 30)
            note()
            try await bench.comeHome()
            note()
        }
        #expect(told == ["home 1.0", "home 2.0", "home 1.0", "home 2.0", "home 1.0"])
    }

    @Test func `MON-12: a change starts the client, and the waiting event is its first`() async throws {
        let waking = BenchClient(members: "wakeUnit: 'tracker.service', backgroundMode: true,")
        let (bench, tracker) = try await opened(waking)
        try await bench.tell(tracker, "service 1 hold always", Self.home)
        try await bench.beAway()
        _ = tracker.take()
        try await bench.kill(tracker)
        try await bench.run(seconds: 400)
        #expect(try !bench.hasAskedForStart())
        try await bench.comeHome { try !bench.wakes().isEmpty }
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(
            woken, "manager 1 new", "service 1 hold always", "monitor 1 open places", "monitor 1 begin")
        #expect(states(woken) == [Self.satisfied])
    }

    @Test func `MON-12: without a session for Always a change starts nobody, and is told in the foreground`()
        async throws
    {
        let waking = BenchClient(members: "wakeUnit: 'tracker.service', backgroundMode: true,")
        let (bench, tracker) = try await opened(waking)
        try await bench.tell(tracker, Self.home)
        try await bench.beAway()
        _ = tracker.take()
        try await bench.kill(tracker)
        try await bench.run(seconds: 400)
        try await bench.comeHome()
        #expect(try !bench.hasAskedForStart())
        let next = try await bench.client()
        try await bench.tell(next, "manager 1 new", "monitor 1 open places", "monitor 1 begin")
        try await bench.stay(seconds: 60)
        #expect(states(next) == [Self.satisfied])
    }

    @Test func `without a session that its manifest requires, a client is told of no change`() async throws {
        let (bench, tracker) = try await opened(BenchClient(members: "requiresServiceSession: true,"))
        try await bench.tell(tracker, Self.home)
        try await bench.stay(seconds: 60)
        let told = events(tracker)
        #expect(told.map { $0.number("state") } == [Self.unmonitored])
        #expect(told.last?.bool("serviceSessionRequired") == true)
        try await bench.tell(tracker, "service 1 hold none")
        try await bench.stay(seconds: 60)
        #expect(states(tracker).last == Self.satisfied)
    }

    @Test func `MON-13: a denied authorization and reduced accuracy are stated in an event`() async throws {
        let (bench, tracker) = try await opened()
        let user = try await bench.operator()
        try await bench.tell(tracker, Self.home)
        try await bench.stay(seconds: 20)
        _ = tracker.take()
        try await user.answer("tracker", nil, "\"accuracy\":\"reduced\"")
        try await bench.settle()
        #expect(events(tracker).last?.bool("accuracyLimited") == true)
        try await user.answer("tracker", nil, "\"accuracy\":\"full\"")
        try await bench.stay(seconds: 20)
        _ = tracker.take()
        try await user.answer("tracker", "deny")
        try await bench.settle()
        #expect(events(tracker).last?.bool("authorizationDenied") == true)
    }

    @Test func `MON-14: a beacon condition is unsupported and has no refinement`() async throws {
        let (bench, tracker) = try await opened()
        try await bench.tell(tracker, "monitor 1 addBeacon post 7D7A4B1C-8E4C-4C57-9B0B-0A4F6F1F0E21")
        let event = try #require(events(tracker).first)
        #expect(event.number("state") == Self.unmonitored && event.bool("conditionUnsupported") == true)
        #expect(event.bool("hasRefinement") == false)
    }
}
