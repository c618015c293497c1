import BenchControl
import Emulation
import Foundation
import Glibc
import Receivers
import Testing

/// Spec 4, LIVE: live updates and the sessions that they need.
@Suite("Acceptance: live updates")
struct AcceptanceLiveUpdatesTests {
    private typealias Bench = CoreLocationBench<SilentDevice>
    private static let inUse = BenchClient(authorization: "whenInUse", members: "backgroundMode: true,")

    /// The diagnostics that are true.
    private func flags(_ event: JSON?) -> [String] {
        event?.keys.filter { !["live", "service", "activity"].contains($0) && event?.bool($0) == true } ?? []
    }

    private func flags(_ events: [JSON]) -> [[String]] { events.map { flags($0) } }

    @Test func `LIVE-01: the receiver is on while a client iterates`() async throws {
        let bench = try await CoreLocationBench.startBoard(BenchClient())
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        try await bench.run(seconds: 120)
        #expect(!bench.isPowered)
        try await bench.tell(tracker, "live 1 begin")
        try await bench.run(seconds: 60)
        #expect(bench.isPowered && !tracker.takeLiveLocations().isEmpty)
        let left = bench.seconds
        try await bench.tell(tracker, "live 1 end")
        try await bench.run(seconds: 60)
        let off = try #require(bench.levels(of: .powerEnable).last)
        #expect(!off.level && off.seconds <= left + 5)
        #expect(tracker.takeNames() == ["ended"])
    }

    @Test func `LIVE-02: iterating requests authorization by itself, and an update says so`() async throws {
        let bench = try await Bench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        let prompts = try await user.take()
        #expect(prompts.map { $0.text("kind") } == ["whenInUse"])
        #expect(prompts.map { $0.text("purpose") } == ["Shows where the boat is."])
        let updates = tracker.take()
        #expect(flags(updates) == [["authorizationRequestInProgress"]] && updates[0].object("location") == nil)
        try await user.answer("tracker", "allow")
        try await bench.settle()
        _ = tracker.take()
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
        try await bench.tell(tracker, "live 1 end")
        #expect(try await user.take().map { $0.text("event") } == ["promptWithdrawn"])
    }

    @Test func `LIVE-02: the authorization request is withdrawn when the loop ends`() async throws {
        let bench = try await Bench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin", "live 1 end")
        #expect(try await user.take().map { $0.text("event") } == ["prompt", "promptWithdrawn"])
    }

    @Test func `LIVE-03: a denied loop gets an update that says so, and locations after a grant`() async throws {
        let bench = try await Bench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.answer("tracker", "deny")
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        try await bench.fix()
        let updates = tracker.take()
        #expect(flags(updates) == [["authorizationDenied"]] && updates[0].object("location") == nil)
        try await user.answer("tracker", "allow")
        try await bench.settle()
        try await bench.fix()
        let last = try #require(tracker.take().last)
        #expect(last.object("location") != nil && flags(last) == [])
    }

    @Test func `LIVE-03: without a purpose text nobody is asked, and an update says denied`() async throws {
        let bench = try await Bench.start(clients: [BenchClient(authorization: nil, whenInUse: nil)])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        #expect(flags(tracker.take()) == [["authorizationDenied"]])
        #expect(try await user.take().isEmpty)
    }

    @Test func `LIVE-03: a loop without a manifest is told so, and the user is asked once there is one`() async throws {
        let bench = try await Bench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.beAgent()
        let path = bench.scratch.path("clients.d/tracker.json5")
        let manifest = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        // The folder is read half a second after its last change, by the kernel's clock.
        func isMissing() async throws -> Bool {
            try await user.client("tracker")?.text("problem")?.contains("manifest is missing") == true
        }
        try await eventually("the manifest is gone") { try await isMissing() ? () : nil }
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        #expect(flags(tracker.take()) == [["authorizationDenied"]])
        _ = try bench.scratch.write(manifest, to: "clients.d/tracker.json5")
        _ = unsafe chmod(path, 0o644)
        try await eventually("the manifest is back") { try await isMissing() ? nil : () }
        try await bench.settle()
        #expect(flags(tracker.take()) == [["authorizationRequestInProgress"]])
        try await user.answer("tracker", "allow")
        try await bench.settle()
        _ = tracker.take()
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
    }

    @Test
    func `LIVE-04: with location services off, authorizationDenied and authorizationDeniedGlobally are both true`()
        async throws
    {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        _ = tracker.take()
        let user = try await bench.operator()
        try await user.setServices(false)
        try await bench.settle()
        #expect(flags(tracker.take()) == [["authorizationDenied", "authorizationDeniedGlobally"]])
        try await bench.fix()
        #expect(tracker.take().isEmpty)
        try await user.setServices(true)
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
    }

    @Test func `LIVE-05: at rest one stationary update comes, then none until the board moves`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin fitness")
        for _ in 0..<35 { try await bench.fix(then: 10) }
        let updates = tracker.take()
        let last = try #require(updates.last)
        #expect(flags(last) == ["stationary"] && last.object("location") != nil)
        #expect(updates.dropLast().allSatisfy { flags($0) == [] && $0.object("location") != nil })
        for _ in 0..<10 { try await bench.fix(then: 10) }
        #expect(tracker.take().isEmpty)
        for step in 1...10 { try await bench.fix(InjectedFix(north: Double(step) * 30), then: 5) }
        let resumed = tracker.take()
        #expect(!resumed.isEmpty && resumed.allSatisfy { flags($0) == [] && $0.object("location") != nil })
    }

    @Test func `LIVE-06: if the manifest requires a service session, the request and the locations need one`()
        async throws
    {
        let bench = try await Bench.start(clients: [.undecided("tracker", "requiresServiceSession: true,")])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        try await bench.fix()
        #expect(flags(tracker.take()) == [["serviceSessionRequired"]])
        #expect(try await user.take().isEmpty)
        try await bench.tell(tracker, "service 1 hold whenInUse")
        #expect(try await user.take().map { $0.text("event") } == ["prompt"])
        try await user.answer("tracker", "allow")
        try await bench.settle()
        _ = tracker.take()
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
    }

    @Test func `LIVE-07: a lost fix is reported as an update`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin")
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
        for _ in 0..<60 { try await bench.fix(.none) }
        let updates = tracker.take()
        #expect(flags(updates) == [["locationUnavailable"]] && updates[0].object("location") == nil)
        try await bench.fix()
        #expect(flags(tracker.take()) == [[]])
    }

    @Test func `LIVE-08: two loops each get every update`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin", "live 2 begin")
        for second in 0..<5 { try await bench.fix(InjectedFix(north: Double(second))) }
        let updates = tracker.take()
        for loop in [1.0, 2.0] {
            let own = updates.filter { $0.number("live") == loop }
            let times = own.compactMap { $0.object("location")?.text("timestamp") }
            #expect(times.count == 5 && times == times.sorted())
        }
    }

    @Test func `LIVE-09: updates in the background need a session for Always begun in the foreground`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "live 1 begin", "state background")
        try await bench.run(seconds: 6)
        #expect(flags(tracker.take()) == [["insufficientlyInUse"]])
        try await bench.fix()
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "state foreground", "service 1 hold always", "state background")
        try await bench.run(seconds: 60)
        _ = tracker.take()
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
    }

    @Test func `LIVE-10: a session begun in the background takes effect only in the foreground`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "state background", "service 1 hold always", "live 1 begin")
        #expect(flags(tracker.take()) == [["insufficientlyInUse"], ["insufficientlyInUse"]])
        try await bench.fix()
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "state foreground")
        #expect(flags(tracker.take().filter { $0.number("service") == 1 }) == [[]])
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 60)
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1, "it stays active")
    }

    @Test func `LIVE-11: an invalidated session never becomes active again`() async throws {
        let bench = try await Bench.start(clients: [
            BenchClient(authorization: "whenInUse", members: "requiresServiceSession: true,")
        ])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "service 1 hold whenInUse", "live 1 begin")
        try await bench.fix()
        #expect(tracker.takeLiveLocations().count == 1)
        try await bench.tell(tracker, "service 1 invalidate")
        #expect(Set(tracker.takeNames()) == ["ended", "update"])
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 60)
        try await bench.tell(tracker, "state foreground")
        try await bench.fix()
        #expect(tracker.take().allSatisfy { $0.number("live") == 1 && $0.object("location") == nil })
    }

    /// A client with an active background activity session and a loop, in the background.
    private func active() async throws -> (CoreLocationBench<Emulation.EmulatedReceiver>, Client) {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "activity 1 hold", "live 1 begin")
        try await bench.run(seconds: 60)
        #expect(!bench.wasLit)
        try await bench.tell(tracker, "state background")
        _ = tracker.take()
        try await bench.run(seconds: 30)
        #expect(bench.isLit && tracker.takeLiveLocations().count >= 28)
        return (bench, tracker)
    }

    @Test func `LIVE-12: a background activity session taken up again within the wake lease continues`() async throws {
        let (bench, tracker) = try await active()
        try await bench.kill(tracker)
        try await bench.run(seconds: 30)
        #expect(!bench.isLit)
        let again = try await bench.client()
        try await bench.tell(again, "state background")
        try await bench.run(seconds: 9)
        try await bench.tell(again, "activity 1 hold", "live 1 begin")
        #expect(flags(again.take().filter { $0.number("activity") == 1 }) == [[]])
        #expect(bench.isLit)
        try await bench.run(seconds: 60)
        #expect(!again.takeLiveLocations().isEmpty)
    }

    @Test func `LIVE-12: a session taken up again after the wake lease, in the background, is inactive`() async throws {
        let (bench, tracker) = try await active()
        try await bench.kill(tracker)
        try await bench.run(seconds: 30)
        let again = try await bench.client()
        try await bench.tell(again, "state background")
        try await bench.run(seconds: 11)
        try await bench.tell(again, "activity 1 hold", "live 1 begin")
        #expect(flags(again.take()) == [["insufficientlyInUse"], ["insufficientlyInUse"]])
        try await bench.run(seconds: 60)
        #expect(again.take().isEmpty && !bench.isLit)
        try await bench.tell(again, "state foreground", "state background")
        #expect(bench.isLit, "in the foreground it began")
    }

    @Test(arguments: ["drop", "invalidate"])
    func `LIVE-13: releasing a background activity session ends it and switches the indicator off`(
        end: String
    ) async throws {
        let (bench, tracker) = try await active()
        try await bench.tell(tracker, "activity 1 \(end)")
        try await bench.run(seconds: 2)
        #expect(!bench.isLit)
        try await bench.run(seconds: 5)
        _ = tracker.take()
        try await bench.run(seconds: 60)
        #expect(tracker.take().isEmpty, "after the grace nothing comes")
    }
}
