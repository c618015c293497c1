import BenchControl
import Testing

/// Who may see where the board is, and who is asked (core-location.md, section 4, AUTH-01 to AUTH-19).
@Suite("Acceptance: authorization")
struct AcceptanceAuthorizationTests {
    typealias Bench = CoreLocationBench<SilentDevice>

    /// A bench with a client that nothing was decided about, its first manager, and an agent.
    private func undecided(
        _ client: BenchClient = .undecided()
    ) async throws -> (bench: Bench, tracker: Client, user: Operator) {
        let bench = try await CoreLocationBench.start(clients: [client])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client(client.name)
        try await bench.tell(tracker, "manager 1 new")
        _ = tracker.take()
        return (bench, tracker, user)
    }

    /// The statuses that the callbacks since the last look show; other callbacks are named.
    private func statuses(_ client: Client) -> [String] {
        client.take().map { event in
            let name = event.text("callback") ?? ""
            return name == "didChangeAuthorization" ? event.text("status") ?? "" : name
        }
    }

    private func status(of client: Client, _ bench: Bench) async throws -> String? {
        try await bench.tell(client, "manager 1 show")
        return client.take().last?.text("authorizationStatus")
    }

    private func prompts(_ user: Operator) async throws -> [String] {
        try await user.take().map { "\($0.text("event") ?? "") \($0.text("kind") ?? "")" }
    }

    @Test func `AUTH-01: a new manager is told its authorization once, before anything else`() async throws {
        let bench = try await CoreLocationBench.start()
        try await bench.fix()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        #expect(statuses(tracker) == ["authorizedAlways"])
        try await bench.tell(tracker, "manager 2 new", "manager 2 start")
        try await bench.run(seconds: 20)
        let events = tracker.take()
        #expect(events.map { $0.number("manager") } == [2, 2])
        #expect(events.map { $0.text("callback") } == ["didChangeAuthorization", "didUpdateLocations"])
    }

    @Test func `AUTH-02: a request shows the agent the manifest's purpose text, and returns without waiting`()
        async throws
    {
        let (bench, tracker, user) = try await undecided()
        // It comes back although nobody answers.
        try await bench.tell(tracker, "manager 1 whenInUse")
        let seen = try await user.take()
        #expect(seen.map { $0.text("event") } == ["prompt"])
        #expect(seen.first?.text("client") == "tracker" && seen.first?.text("kind") == "whenInUse")
        #expect(seen.first?.text("purpose") == "Shows where the boat is.")
        #expect(try await status(of: tracker, bench) == "notDetermined")
    }

    @Test func `AUTH-03: without a purpose text no question is asked and no callback comes`() async throws {
        var client = BenchClient.undecided()
        client.whenInUse = nil
        let (bench, tracker, user) = try await undecided(client)
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await bench.run(seconds: 60)
        #expect(try await prompts(user) == [])
        #expect(tracker.take().isEmpty)
        #expect(try await status(of: tracker, bench) == "notDetermined")
        #expect(try await user.client("tracker")?.text("problem")?.contains("whenInUse") == true)
    }

    @Test func `AUTH-04: a request after a denial does nothing`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await user.answer("tracker", "deny")
        try await bench.settle()
        #expect(statuses(tracker) == ["denied"])
        _ = try await user.take()
        try await bench.tell(tracker, "manager 1 whenInUse", "manager 1 always")
        try await bench.run(seconds: 60)
        #expect(try await prompts(user) == [])
        #expect(tracker.take().isEmpty)
    }

    @Test func `AUTH-05: the user's answer is reported once to every manager`() async throws {
        let (bench, tracker, user) = try await undecided()
        let second = try await bench.client()
        try await bench.tell(tracker, "manager 2 new", "manager 3 new thread")
        try await bench.tell(second, "manager 1 new")
        _ = (tracker.take(), second.take())
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await user.answer("tracker", "allow")
        try await bench.settle()
        let events = tracker.take()
        #expect(events.map { $0.text("callback") } == Array(repeating: "didChangeAuthorization", count: 3))
        #expect(events.map { $0.text("status") } == Array(repeating: "authorizedWhenInUse", count: 3))
        #expect(events.compactMap { $0.number("manager") }.sorted() == [1, 2, 3])
        #expect(statuses(second) == ["authorizedWhenInUse"], "another process of the client")
    }

    @Test func `AUTH-06: Allow Once ends when the client is no longer in use, and can be requested again`() async throws
    {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await user.answer("tracker", "once")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedWhenInUse"])
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 4)
        #expect(statuses(tracker) == [], "in the grace after its use")
        try await bench.run(seconds: 60)
        #expect(statuses(tracker) == ["notDetermined"])
        _ = try await user.take()
        try await bench.tell(tracker, "state foreground", "manager 1 whenInUse")
        #expect(try await prompts(user) == ["prompt whenInUse"])
        #expect(statuses(tracker) == [])
    }

    @Test func `AUTH-07: while Allow Once is in effect a request for Always asks nothing`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await user.answer("tracker", "once")
        try await bench.settle()
        _ = (tracker.take(), try await user.take())
        try await bench.tell(tracker, "manager 1 always")
        #expect(try await prompts(user) == [])
        #expect(statuses(tracker) == [])
    }

    @Test func `AUTH-08: an upgrade to Always is asked for once, and keeping When In Use changes nothing`() async throws
    {
        let (bench, tracker, user) = try await undecided()
        try await user.answer("tracker", "allow")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedWhenInUse"])
        try await bench.tell(tracker, "manager 1 always")
        #expect(try await prompts(user) == ["prompt always"])
        try await user.answer("tracker", "keep")
        try await bench.settle()
        #expect(statuses(tracker) == [])
        #expect(try await prompts(user) == ["promptWithdrawn "])
        try await bench.tell(tracker, "manager 1 always")
        #expect(try await prompts(user) == [])
        // After a restart of the daemon too.
        try await bench.restart()
        _ = tracker.take()
        try await bench.tell(tracker, "manager 1 always")
        #expect(statuses(tracker) == [])
        let client = try await bench.operator().client("tracker")
        #expect(client?.text("status") == "authorizedWhenInUse" && client?.text("waiting") == nil)
    }

    @Test func `AUTH-09: granting an upgrade to Always causes one callback`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await user.answer("tracker", "allow")
        try await bench.tell(tracker, "manager 1 always")
        #expect(statuses(tracker) == ["authorizedWhenInUse"])
        #expect(try await user.take().first?.text("purpose") == "Tells when the boat leaves the harbour.")
        try await user.answer("tracker", "always")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedAlways"])
    }

    @Test func `AUTH-10: Always requested first asks for When In Use, and reads as authorizedAlways once allowed`()
        async throws
    {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 always")
        let seen = try await user.take()
        #expect(seen.map { $0.text("kind") } == ["whenInUse"])
        #expect(seen.first?.text("purpose") == "Shows where the boat is.")
        try await user.answer("tracker", "allow")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedAlways"])
    }

    /// A client with provisional Always that monitors a region and ended, and its crossing; the question is put.
    private func provisional() async throws -> (bench: Bench, user: Operator) {
        let (bench, tracker, user) = try await undecided(.undecided("tracker", "wakeUnit: 'tracker.service',"))
        try await bench.tell(tracker, "manager 1 always")
        try await user.answer("tracker", "allow")
        try await bench.tell(tracker, "manager 1 region start home 47.3769 8.5417 200")
        try await bench.beAway()
        try await bench.kill(tracker)
        // A daemon that was just started gives clients ten seconds to connect again by themselves.
        try await bench.run(seconds: 10)
        _ = try await user.take()
        try await bench.comeHome()
        let seen = try await user.take()
        #expect(seen.map { $0.text("kind") } == ["always"])
        #expect(seen.first?.text("purpose") == "Tells when the boat leaves the harbour.")
        #expect(try !bench.hasAskedForStart(), "nothing is delivered before the answer")
        return (bench, user)
    }

    @Test func `AUTH-11: provisional Always that the user does not confirm delivers no event`() async throws {
        let (bench, user) = try await provisional()
        try await user.answer("tracker", "keep")
        try await bench.run(seconds: 60)
        #expect(try !bench.hasAskedForStart())
        #expect(try await user.client("tracker")?.text("status") == "authorizedWhenInUse")
        let again = try await bench.client()
        try await bench.tell(again, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        let events = again.take()
        #expect(events.map { $0.text("callback") } == ["didChangeAuthorization", "didStartMonitoring"])
        #expect(events.first?.text("status") == "authorizedWhenInUse")
    }

    @Test func `AUTH-12: provisional Always that the user confirms delivers the event without a status change`()
        async throws
    {
        let (bench, user) = try await provisional()
        try await user.answer("tracker", "always")
        try await bench.settle()
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        let names = woken.takeNames()
        #expect(names.filter { $0 == "didChangeAuthorization" }.count == 1, "the one that every manager gets")
        #expect(names.filter { $0 == "didEnterRegion" }.count == 1)
    }

    @Test func `AUTH-13: without a purpose text for Always a request for it does nothing`() async throws {
        var client = BenchClient.undecided()
        client.always = nil
        let (bench, tracker, user) = try await undecided(client)
        try await bench.tell(tracker, "manager 1 always")
        #expect(try await prompts(user) == [])
        try await user.answer("tracker", "allow")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedWhenInUse"])
        try await bench.tell(tracker, "manager 1 always")
        try await bench.run(seconds: 60)
        #expect(try await prompts(user) == [])
        #expect(statuses(tracker) == [])
    }

    @Test func `AUTH-14: a pending question is withdrawn with the manager that asked it`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 2 new", "manager 2 whenInUse")
        _ = tracker.take()
        #expect(try await prompts(user) == ["prompt whenInUse"])
        try await bench.tell(tracker, "manager 2 drop")
        #expect(try await prompts(user) == ["promptWithdrawn "])
        #expect(tracker.take().isEmpty)
        #expect(try await status(of: tracker, bench) == "notDetermined")
    }

    @Test func `AUTH-15: a client in the background cannot request authorization`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 6)
        try await bench.tell(tracker, "manager 1 whenInUse")
        try await bench.run(seconds: 60)
        #expect(try await prompts(user) == [])
        #expect(statuses(tracker) == [])
        try await bench.tell(tracker, "state foreground")
        #expect(try await prompts(user) == [], "the ignored request is not asked by itself")
        try await bench.tell(tracker, "manager 1 whenInUse")
        #expect(try await prompts(user).count == 1)
    }

    @Test func `AUTH-16: a client that the operator denies is told so, and gets nothing more`() async throws {
        let bench = try await CoreLocationBench.start()
        let user = try await bench.operator()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.fix()
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didUpdateLocations"])
        try await user.answer("tracker", "deny")
        try await bench.settle()
        let events = tracker.take()
        #expect(events.map { $0.text("callback") } == ["didChangeAuthorization", "didFailWithError"])
        #expect(events.allSatisfy { $0.text("status") == "denied" })
        #expect(events.last?.number("errorCode") == 1)
        for north in [100.0, 2000] { try await bench.fix(InjectedFix(north: north)) }
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames() == [])
    }

    @Test
    func `AUTH-17: switching location services off denies every client, and switching them on restores each status`()
        async throws
    {
        let bench = try await CoreLocationBench.start(clients: [
            BenchClient(), BenchClient(name: "other", authorization: "whenInUse"),
        ])
        let user = try await bench.operator()
        let (tracker, other) = (try await bench.client(), try await bench.client("other"))
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.tell(other, "manager 1 new")
        _ = (tracker.take(), other.take())
        try await user.setServices(false)
        try await bench.settle()
        #expect(statuses(tracker) == ["denied", "didFailWithError"])
        #expect(statuses(other) == ["denied"])
        try await bench.tell(tracker, "show")
        #expect(tracker.take().last?.bool("locationServicesEnabled") == false)
        try await bench.fix()
        #expect(tracker.takeNames() == [])
        try await user.setServices(true)
        try await bench.settle()
        #expect(statuses(tracker).first == "authorizedAlways")
        #expect(statuses(other) == ["authorizedWhenInUse"])
        try await bench.fix(InjectedFix(north: 50))
        #expect(try tracker.takeLocations().count == 1, "the service that runs goes on by itself")
    }

    @Test func `AUTH-18: a restricted client cannot request authorization`() async throws {
        let (bench, tracker, user) = try await undecided(BenchClient(authorization: "restricted"))
        #expect(try await status(of: tracker, bench) == "restricted")
        try await bench.tell(tracker, "manager 1 whenInUse", "manager 1 always")
        try await bench.run(seconds: 60)
        #expect(try await prompts(user) == [])
        #expect(statuses(tracker) == [])
    }

    @Test func `AUTH-19: a delegate with both authorization methods gets calls only to the newer one`() async throws {
        let bench = try await CoreLocationBench.start()
        let user = try await bench.operator()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new both", "manager 2 new legacy")
        let isFirst = { (event: JSON) in event.number("manager") == 1 }
        #expect(tracker.take().filter(isFirst).map { $0.text("callback") } == ["didChangeAuthorization"])
        try await user.answer("tracker", "deny")
        try await bench.settle()
        let events = tracker.take()
        #expect(events.filter(isFirst).map { $0.text("callback") } == ["didChangeAuthorization"])
        #expect(events.filter { !isFirst($0) }.map { $0.text("argument") } == ["denied"])
    }

    @Test func `AUTH-20: without an agent the question waits, and the operator is told`() async throws {
        let bench = try await CoreLocationBench.start(clients: [.undecided()])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 whenInUse")
        try await bench.run(seconds: 60)
        #expect(statuses(tracker) == ["notDetermined"])
        #expect(tracker.errors.contains("waits for the answer"))
        try await bench.program.logged("its question waits and no agent is connected; show it with sextant agent")
        let user = try await bench.operator()
        #expect(try await user.client("tracker")?.text("waiting") == "whenInUse")
        try await user.beAgent()
        #expect(try await prompts(user) == ["prompt whenInUse"])
    }

    @Test func `AUTH-21: one client's authorization does not apply to another client`() async throws {
        let bench = try await CoreLocationBench.start(clients: [.undecided(), .undecided("other")])
        let user = try await bench.operator()
        let (tracker, other) = (try await bench.client(), try await bench.client("other"))
        for client in [tracker, other] {
            try await bench.tell(client, "manager 1 new", "manager 1 whenInUse", "manager 1 start")
            #expect(statuses(client) == ["notDetermined"])
        }
        try await user.answer("tracker", "allow")
        try await bench.fix()
        #expect(statuses(tracker) == ["authorizedWhenInUse", "didUpdateLocations"])
        #expect(other.takeNames() == [])
        #expect(try await status(of: other, bench) == "notDetermined")
        #expect(try await user.client("other")?.text("waiting") == "whenInUse")
    }

    // MARK: A service that is started before anything was asked

    @Test(arguments: ["start", "request", "significant start", "visits start"])
    func `a service that an undecided program starts asks the user once`(service: String) async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 \(service)")
        #expect(try await prompts(user) == ["prompt whenInUse"])
        try await bench.tell(tracker, "manager 1 \(service)", "manager 1 whenInUse")
        #expect(try await prompts(user) == [])
        try await user.answer("tracker", "allow")
        try await bench.settle()
        #expect(statuses(tracker) == ["authorizedWhenInUse"])
    }

    @Test func `Apple's first listing, a start without a request, is told locations once the user allows it`()
        async throws
    {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 start")
        try await user.answer("tracker", "allow")
        try await bench.settle()
        try await bench.fix()
        #expect(statuses(tracker) == ["authorizedWhenInUse", "didUpdateLocations"])
    }

    @Test func `with asksAtStart false a start asks nobody, and the operator is told why nothing comes`() async throws {
        let (bench, tracker, user) = try await undecided(.undecided("tracker", "asksAtStart: false,"))
        try await bench.tell(tracker, "manager 1 start")
        #expect(try await prompts(user) == [])
        #expect(try await user.client("tracker")?.text("problem")?.contains("asksAtStart") == true)
        try await bench.tell(tracker, "manager 1 request", "manager 1 stop", "manager 1 request")
        let failures = tracker.take()
        #expect(failures.map { $0.number("errorCode") } == [1])
        try await bench.tell(tracker, "manager 1 whenInUse")
        #expect(try await prompts(user) == ["prompt whenInUse"])
    }

    @Test func `in the background a start asks nobody`() async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "state background", "manager 1 start")
        #expect(try await prompts(user) == [])
    }

    @Test func `without a purpose text a start is told so at once, and standard error names the mend`() async throws {
        var client = BenchClient.undecided()
        client.whenInUse = nil
        let (bench, tracker, user) = try await undecided(client)
        try await bench.tell(tracker, "manager 1 start")
        #expect(tracker.take().map { $0.number("errorCode") } == [1])
        #expect(tracker.errors.contains("no purpose.whenInUse"))
        #expect(try await user.client("tracker")?.text("problem")?.contains("whenInUse") == true)
        try await bench.tell(tracker, "manager 2 new", "manager 2 request")
        #expect(tracker.take().compactMap { $0.number("errorCode") } == [1])
    }

    @Test(arguments: [(nil, 1), ("deny", 1), ("allow", nil)] as [(String?, Double?)])
    func `a request for one location waits for the user's answer`(answer: String?, errorCode: Double?) async throws {
        let (bench, tracker, user) = try await undecided()
        try await bench.tell(tracker, "manager 1 request")
        for _ in 0..<4 { try await bench.fix(then: 60) }
        #expect(tracker.take().isEmpty)
        if let answer { try await user.answer("tracker", answer) } else { try await bench.run(seconds: 100) }
        try await bench.settle()
        try await bench.fix()
        let events = tracker.take().filter { $0.text("callback") != "didChangeAuthorization" }
        #expect(events.map { $0.number("errorCode") } == [errorCode])
        if answer == "allow" { #expect(events.first?.text("callback") == "didUpdateLocations") }
    }

    @Test(arguments: ["start", "request", "significant start", "visits start"])
    func `without a manifest each service's delegate is told that the program is denied`(service: String) async throws {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(name: "other")])
        let tracker = try await bench.client("stranger")
        try await bench.tell(tracker, "manager 1 new", "manager 1 \(service)")
        #expect(tracker.take().compactMap { $0.number("errorCode") } == [1])
    }
}
