import Foundation
import Testing

/// Spec 4, BG: clients that are started for an event.
@Suite("Acceptance: relaunch")
struct AcceptanceRelaunchTests {
    private static let waking = "wakeUnit: 'tracker.service', backgroundMode: true,"
    private static let always = BenchClient(members: waking)
    private static let home = "manager 1 region start home 47.3769 8.5417 200"

    enum Service: CaseIterable {
        case significantChange, region, visit

        /// Asks for it.
        var command: String {
            switch self {
            case .significantChange: "manager 1 significant start"
            case .region: home
            case .visit: "manager 1 visits start"
            }
        }

        /// What its delegate hears of an event.
        var callbacks: [String] {
            switch self {
            case .significantChange: ["didUpdateLocations"]
            case .region: ["didDetermineState", "didEnterRegion"]
            case .visit: ["didVisit"]
            }
        }
    }

    /// Has the receiver come home, and for a visit stay there, until the client is to be started.
    private func happen(_ service: Service, _ bench: CoreLocationBench<SilentDevice>) async throws {
        let isTold = { try !bench.wakes().isEmpty }
        try await bench.comeHome(until: isTold)
        if service == .visit { try await bench.stayForVisit(until: isTold) }
    }

    /// A client that asked for a service and has gone, more than 5 minutes ago.
    private func gone(
        _ service: Service, _ client: BenchClient = always
    ) async throws -> CoreLocationBench<SilentDevice> {
        let bench = try await CoreLocationBench.start(clients: [client])
        let tracker = try await bench.client()
        try await bench.fix(InjectedFix(north: -1500))
        try await bench.tell(tracker, "manager 1 new", service.command)
        try await bench.beAway()
        try await bench.kill(tracker)
        try await bench.run(seconds: 400)
        #expect(try bench.wakes() == [])
        return bench
    }

    @Test func `at the border of a manifest's region a unit starts, without Always and without the place`() async throws
    {
        let region =
            "{ name: 'home', shape: { latitude: 47.3769, longitude: 8.5417, radius: 200 }, "
            + "onEnter: 'gate.service', onExit: 'lock.service' }"
        let client = BenchClient(authorization: "whenInUse", always: nil, members: "regions: [\(region)],")
        let bench = try await CoreLocationBench.start(clients: [client])
        try await bench.beAway()
        try await bench.comeHome(until: { try !bench.wakes().isEmpty })
        #expect(try bench.wakes() == ["gate"])
        let file = bench.scratch.path("wake/gate")
        let reason = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            reason == "{\"client\":\"tracker\",\"launchReason\":\"location\",\"service\":\"regions\","
                + "\"region\":\"home\",\"event\":\"enter\"}\n")
        try await bench.program.logged("gate.service is started for enter of region home")
        try FileManager.default.removeItem(atPath: file)
        try await bench.restart()
        try await bench.stay(seconds: 30)
        #expect(try bench.wakes() == [], "a restart inside is no entry")
        try await bench.leaveHome(until: { try !bench.wakes().isEmpty })
        #expect(try bench.wakes() == ["lock"])
        try await bench.run(seconds: 15)
        #expect(try bench.wakes() == [], "a start that nobody has taken within 10 s is withdrawn")
        try await bench.program.logged("systemctl enable --now sextant-wake@lock.path")
    }

    @Test func `BG-06: no client is started for standard updates`() async throws {
        let bench = try await CoreLocationBench.start(clients: [Self.always])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background true", "manager 1 start")
        try await bench.fix()
        try await bench.kill(tracker)
        try await bench.run(seconds: 60)
        try await bench.travel(north: 9000, speed: 15)
        #expect(try !bench.hasAskedForStart())
    }

    @Test(arguments: Service.allCases)
    func `BG-07: an event starts the client exactly once, for location, in the background`(
        service: Service
    ) async throws {
        let bench = try await gone(service)
        try await happen(service, bench)
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "show")
        let shown = try #require(woken.events.last)
        #expect(shown.text("sextantLaunchReason") == "location")
        #expect(shown.text("sextantApplicationState") == "background")
        try await bench.run(seconds: 5)
        #expect(try bench.wakes() == [], "once is enough")
        try await bench.tell(woken, service.command)
        #expect(woken.takeNames().filter(service.callbacks.contains) == service.callbacks)
        try await bench.kill(woken)
        try await bench.run(seconds: 120)
        #expect(try !bench.hasAskedForStart(), "what was taken starts nobody")
    }

    @Test func `BG-08: a started client gets the waiting event only once it asks for the service again`() async throws {
        let bench = try await gone(.significantChange)
        try await happen(.significantChange, bench)
        let time = bench.time
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new")
        try await bench.run(seconds: 1)
        try await bench.stay(seconds: 2)
        #expect(woken.takeNames() == ["didChangeAuthorization"])
        try await bench.tell(woken, "manager 1 significant start")
        let locations = try woken.takeLocations()
        #expect(locations.map { $0.text("timestamp") } == [callbackTime(time)], "with the event's own time")
    }

    @Test func `BG-08: waiting region events and visits need a new manager but no new registration`() async throws {
        let bench = try await CoreLocationBench.start(clients: [Self.always])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", Self.home, "manager 1 visits start")
        try await bench.beAway()
        try await bench.kill(tracker)
        try await bench.run(seconds: 10)
        try await bench.comeHome()
        try await bench.stayForVisit()
        let woken = try await bench.client()
        try await bench.tell(woken, "manager 1 new")
        #expect(
            woken.takeNames() == ["didChangeAuthorization", "didDetermineState", "didEnterRegion", "didVisit"])
    }

    @Test(arguments: Service.allCases)
    func `BG-09: with When In Use the same event does not start the client`(service: Service) async throws {
        let client = BenchClient(authorization: "whenInUse", members: Self.waking)
        let bench = try await gone(service, client)
        try await happen(service, bench)
        try await bench.run(seconds: 120)
        #expect(try !bench.hasAskedForStart())
        #expect(try await bench.operator().client("tracker")?.number("pendingEvents") == 0)
    }

    @Test func `BG-10: a started unit that does not connect is stopped and started again later, and its event is kept`()
        async throws
    {
        let bench = try await gone(.region)
        try await happen(.region, bench)
        let started = bench.seconds
        try await bench.run(seconds: 9.9)
        #expect(try bench.wakes() == ["tracker"] && bench.wakes("wake-stop") == [])
        try await bench.run(seconds: 0.2)
        #expect(try bench.wakes() == [] && bench.wakes("wake-stop") == ["tracker"])
        #expect(bench.program.errors.contains("did not connect in time"))
        try await bench.run(seconds: 29.7)
        #expect(try bench.wakes() == [])
        try await bench.run(seconds: 0.4)
        #expect(try bench.wakes() == ["tracker"] && bench.wakes("wake-stop") == [], "\(bench.seconds - started)")
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new")
        #expect(woken.takeNames().contains("didEnterRegion"))
    }

    @Test func `BG-10: a client that outstays its lease and extension is asked to stop`() async throws {
        let bench = try await gone(.visit)
        try await happen(.visit, bench)
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "extendWake 20")
        #expect(woken.takeNames().contains("didVisit"))
        try await bench.run(seconds: 29)
        #expect(try bench.wakes("wake-stop") == [])
        try await bench.run(seconds: 2)
        #expect(try bench.wakes("wake-stop") == ["tracker"])
        #expect(bench.program.errors.contains("its lease is over"))
    }

    @Test func `BG-10: a started client that came to the foreground may stay`() async throws {
        let bench = try await gone(.visit)
        try await happen(.visit, bench)
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new", "state foreground")
        try await bench.run(seconds: 120)
        #expect(try bench.wakes("wake-stop") == [])
        #expect(try await bench.operator().client("tracker")?.bool("inUse") == true)
    }

    @Test func `an event that is withdrawn or no longer permitted starts no client`() async throws {
        let bench = try await gone(.visit)
        let user = try await bench.operator()
        try await happen(.visit, bench)
        try await user.answer("tracker", "deny")
        try await bench.run(seconds: 1)
        #expect(try bench.wakes() == [])
        try await bench.run(seconds: 100)
        #expect(try bench.wakes() == [])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        #expect(
            tracker.takeNames() == ["didChangeAuthorization", "didFailWithError"],
            "what waits is not told to who is denied")
        try await user.answer("tracker", "always")
        try await bench.settle()
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didVisit"])
    }

    @Test func `an event left behind by a client that ended starts it`() async throws {
        let bench = try await CoreLocationBench.start(clients: [Self.always])
        let first = try await bench.client()
        try await bench.tell(first, "manager 1 new", "manager 1 visits start")
        try await bench.beAway()
        try await bench.kill(first)
        try await bench.run(seconds: 10)
        let other = try await bench.client()
        try await bench.tell(other, "live 1 begin")
        try await happen(.visit, bench)
        #expect(try !bench.hasAskedForStart(), "it runs")
        try await bench.kill(other)
        #expect(try bench.wakes() == ["tracker"])
    }
}
