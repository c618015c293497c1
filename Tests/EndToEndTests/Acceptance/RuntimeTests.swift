import BenchControl
import Emulation
import Foundation
import Glibc
import Receivers
import Testing

/// Spec 4, RUN: processes, clocks and what is kept.
@Suite("Acceptance: runtime")
struct AcceptanceRuntimeTests {
    private typealias Bench = CoreLocationBench<SilentDevice>
    private static let home = "manager 1 region start home 47.3769 8.5417 200"

    // MARK: Threads, and a daemon that hangs or ends

    @Test func `RUN-01: all callbacks of a manager arrive in order on the thread that made it`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 2 new thread", Self.home)
        try await bench.beAway()
        try await bench.comeHome()
        for number in 1...2 { try await bench.tell(tracker, "manager \(number) start") }
        try await bench.stay(seconds: 5)
        let order = ["didChangeAuthorization", "didStartMonitoring", "didDetermineState", "didEnterRegion"]
        for (number, thread) in [(1.0, "main"), (2.0, "own")] {
            let own = tracker.events.filter { $0.number("manager") == number }
            #expect(own.allSatisfy { $0.text("thread") == thread })
            let names = own.compactMap { $0.text("callback") }
            // The first is what was known at the start.
            #expect(names == order + Array(repeating: "didUpdateLocations", count: 6))
            let times = own.compactMap { $0.objects("locations")?.first?.text("timestamp") }
            #expect(times == times.sorted() && Set(times).count == 6)
        }
    }

    /// Every call returns although the daemon cannot answer; how fast is what `TimedClientCallTests` judges.
    @Test func `RUN-03: while the daemon hangs, known values are returned and no call waits for it`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start", Self.home)
        try await bench.fix()
        bench.program.signal(SIGSTOP)
        for command in Client.callsOfAllKinds { try await tracker.run(command) }
        let shown = try #require(tracker.events.last)
        #expect(shown.object("location") != nil && shown.objects("monitoredRegions")?.count == 1)
        bench.program.signal(SIGCONT)
        try await bench.settle()
    }

    @Test func `RUN-04: after a crash of the daemon services resume, and nothing is reported twice`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 2 new", "manager 1 start", Self.home)
        try await bench.beAway()
        try await bench.comeHome()
        #expect(tracker.takeNames().count { $0 == "didEnterRegion" } == 2)
        try await bench.restart(after: SIGKILL)
        #expect(tracker.take().isEmpty)
        try await bench.stay(seconds: 1)
        #expect(try tracker.takeLocations().count == 1)
        try await bench.leaveHome()
        let names = tracker.takeNames().filter { $0 != "didUpdateLocations" }
        #expect(names.count { $0 == "didDetermineState" } == 2 && names.count { $0 == "didExitRegion" } == 2)
        #expect(names.count == 4)
    }

    @Test func `RUN-04: a status that changed meanwhile is reported once`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        _ = try bench.scratch.write("{ clients: { tracker: { authorization: 'denied' } } }", to: "policy.json5")
        _ = tracker.take()
        try await bench.restart(after: SIGKILL)
        #expect(tracker.take().map { $0.text("status") } == ["denied"])
    }

    @Test func `RUN-04: updates running in the background resume there after a crash`() async throws {
        let bench = try await CoreLocationBench.startBoard(
            BenchClient(authorization: "whenInUse", members: "backgroundMode: true,"))
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", "manager 1 set background true", "manager 1 start", "state background")
        try await bench.restart(VirtualBench.receiver(.neoM8N), after: SIGKILL)
        _ = tracker.take()
        try await bench.run(seconds: 60)
        #expect(tracker.takeReportCount() > 0 && bench.isLit)
    }

    @Test func `RUN-05: releasing a manager ends its updates, but not the monitoring`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", "manager 2 new", Self.home, "manager 1 visits start",
            "manager 1 significant start", "manager 1 start")
        try await bench.beAway()
        try await bench.tell(tracker, "manager 1 drop")
        _ = tracker.take()
        try await bench.run(seconds: 300)
        #expect(tracker.take().isEmpty)
        try await bench.comeHome()
        try await bench.stayForVisit()
        let events = tracker.take()
        #expect(
            events.compactMap { $0.text("callback") } == [
                // The stay that was under way when visits were asked for is told of when it ends.
                "didVisit", "didUpdateLocations", "didDetermineState", "didEnterRegion", "didUpdateLocations",
                "didVisit",
            ])
        #expect(events.allSatisfy { $0.number("manager") == 2 })
    }

    // MARK: The clock

    @Test func `RUN-06: a wall clock that jumps from 1970 to today changes no timeout, rate or lease`() async throws {
        let client = BenchClient(members: "wakeUnit: 'tracker.service',")
        let bench = try await Bench.start(clients: [client])
        try bench.harness.setUTC(10)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 request")
        _ = tracker.take()
        try await bench.run(seconds: 30)
        try bench.harness.setUTC(Int64(bench.time))
        try await bench.run(seconds: 29)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 2)
        #expect(tracker.takeNames() == ["didFailWithError"], "at its deadline")

        try await bench.tell(tracker, "manager 1 significant start")
        try await bench.fix()
        try bench.harness.setUTC(10)
        try await bench.run(seconds: 100)
        try bench.harness.setUTC(Int64(bench.time))
        try await bench.fix(InjectedFix(north: 600), then: 190)
        #expect(tracker.takeNames() == ["didUpdateLocations"], "the first, and no other within 300 s")
        try await bench.run(seconds: 10)
        #expect(tracker.takeNames() == ["didUpdateLocations"])

        try await bench.tell(tracker, "manager 1 significant stop", "manager 1 visits start")
        try await bench.kill(tracker)
        try await bench.travel(north: 2000, speed: 15)
        try await bench.stayForVisit { try !bench.wakes().isEmpty }
        #expect(try bench.wakes() == ["tracker"])
        try bench.harness.setUTC(10)
        try await bench.run(seconds: 9)
        try bench.harness.setUTC(Int64(bench.time))
        #expect(try bench.wakes("wake-stop") == [])
        try await bench.run(seconds: 2)
        #expect(try bench.wakes("wake-stop") == ["tracker"])
    }

    @Test(arguments: [315_964_800.0 + 3600, VirtualBench.startTime - 1024 * 604_800])
    func `RUN-07: a date in 1980, or a thousand weeks off, is never used as a timestamp`(time: Double) async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start", "manager 1 significant start")
        _ = tracker.take()
        for second in 0..<5 { try await bench.fix(InjectedFix(time: time + Double(second))) }
        let now = callbackTime(bench.time).prefix(13)
        #expect(try tracker.takeLocations().allSatisfy { $0.text("timestamp")?.prefix(13) == now })
        let right = bench.time
        try await bench.fix()
        #expect(try tracker.takeLocations().last?.text("timestamp") == callbackTime(right))
    }

    // MARK: What is kept

    @Test func `RUN-08: stored data can be read only by the daemon's user`() async throws {
        let bench = try await Bench.start(clients: [BenchClient(members: "backgroundMode: true,")])
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", Self.home, "manager 1 set background true", "manager 1 start",
            "manager 1 defer max max", "state background")
        for second in 0..<3 { try await bench.fix(InjectedFix(north: Double(second))) }
        let state = bench.scratch.path("state")
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(state) == 0o700)
        let files = try FileManager.default.subpathsOfDirectory(atPath: state)
        #expect(files.count >= 2)
        for file in files { #expect(try mode("\(state)/\(file)") == 0o600, "\(file)") }
    }

    @Test func `RUN-09: a daemon killed at any moment loses no region and no event`() async throws {
        let bench = try await Bench.start(clients: [BenchClient(members: "wakeUnit: 'tracker.service',")])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        try await bench.beAway(seconds: 1)
        for number in 1...3 {
            try await bench.tell(tracker, "manager 1 region start place\(number) 47.3769 8.5417 200")
            try await bench.restart(after: SIGKILL)
        }
        try await bench.tell(tracker, "manager 1 show")
        let regions = tracker.events.last?.objects("monitoredRegions")?.compactMap { $0.text("identifier") }
        #expect(regions == ["place1", "place2", "place3"])
        // What is known of them is kept too.
        try await bench.stay(seconds: 20)
        try await bench.kill(tracker)
        try await bench.restart(after: SIGKILL)
        try await bench.run(seconds: 10)
        try await bench.comeHome { try !bench.wakes().isEmpty }
        try await bench.restart(after: SIGKILL)
        try await bench.run(seconds: 10)
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new")
        let crossing = ["didDetermineState", "didEnterRegion"]
        #expect(woken.takeNames() == ["didChangeAuthorization"] + crossing + crossing + crossing)
        try await bench.restart(after: SIGKILL)
        try await bench.comeHome()
        #expect(woken.take().isEmpty, "it was taken, and it is inside already")
    }

    @Test func `RUN-10: upgrading a client keeps its registrations until the operator removes them`() async throws {
        let bench = try await Bench.start(clients: [BenchClient(members: "wakeUnit: 'tracker.service',")])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", Self.home)
        try await bench.beAway()
        try await bench.kill(tracker)
        let path = bench.scratch.path("tracker")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: path)
        try await bench.restart()
        try await bench.run(seconds: 10)
        try await bench.comeHome { try !bench.wakes().isEmpty }
        #expect(try bench.wakes() == ["tracker"])
        try await bench.run(seconds: 20)
        let user = try await bench.operator()
        #expect(try await user.client("tracker")?.number("registrations") == 1)
        try await user.ask("\"request\":\"erase\",\"client\":\"tracker\",\"what\":\"registrations\"")
        try await bench.run(seconds: 7200)
        try await bench.leaveHome { try !bench.wakes().isEmpty }
        #expect(try bench.wakes() == [])
        #expect(try await user.client("tracker")?.number("registrations") == 0)
    }

    /// A client that was allowed by its user, monitors, and has three fixes held back.
    private func known() async throws -> (Bench, Operator) {
        let bench = try await Bench.start(clients: [.undecided("tracker", "backgroundMode: true,")])
        let user = try await bench.operator()
        try await user.answer("tracker", "always")
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", Self.home, "manager 1 visits start", "manager 1 set background true",
            "manager 1 start", "manager 1 defer max max", "state background")
        for second in 0..<3 { try await bench.fix(InjectedFix(north: Double(second))) }
        try await bench.kill(tracker)
        let kinds = try await stored(user)
        #expect(kinds == ["authorization": 1, "registrations": 2, "track": 3])
        return (bench, user)
    }

    /// What is kept about the client, by its kind.
    private func stored(_ user: Operator) async throws -> [String: Double] {
        let list = [try await user.ask("\"request\":\"privacy\"")] + (try await user.take())
        return list.reduce(into: [:]) { kinds, line in
            if let kind = line.text("kind"), line.text("client") == "tracker" { kinds[kind] = line.number("count") }
        }
    }

    @Test(arguments: [false, true])
    func `RUN-11: a day after a client's manifest was removed all data kept about it is gone`(isAway: Bool) async throws
    {
        let (bench, user) = try await known()
        let path = bench.scratch.path("clients.d/tracker.json5")
        let manifest = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        if isAway { try await bench.restart() }
        let other = isAway ? try await bench.operator() : user
        // The folder is read half a second after its last change, by the kernel's clock.
        try await eventually("the client is missed") {
            try await other.client("tracker")?.text("status") == "restricted" ? () : nil
        }
        #expect(try await stored(other) == ["authorization": 1, "registrations": 2])
        try await bench.run(seconds: 86_401)
        #expect(try await other.client("tracker") == nil)
        _ = try bench.scratch.write(manifest, to: "clients.d/tracker.json5")
        _ = unsafe chmod(path, 0o644)
        if !isAway {
            // The running daemon has forgotten everything too, and not only its store.
            let client = try await eventually("the client is known again") { try await other.client("tracker") }
            #expect(client.number("registrations") == 0)
            #expect(try await stored(other) == [:])
        }
        try await bench.restart()
        let again = try await bench.operator()
        #expect(try await stored(again) == [:])
        let client = try #require(try await again.client("tracker"))
        #expect(client.text("status") == "notDetermined" && client.number("registrations") == 0)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
    }
}
