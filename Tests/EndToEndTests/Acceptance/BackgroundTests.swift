import BenchControl
import Emulation
import Foundation
import Receivers
import SextantUnits
import Testing

/// Spec 4, BG: what goes on in the background.
@Suite("Acceptance: background")
struct AcceptanceBackgroundTests {
    private static let inUse = BenchClient(authorization: "whenInUse", members: "backgroundMode: true,")
    private static let always = BenchClient(members: "backgroundMode: true,")

    @Test func `BG-01: enabling background updates without the manifest's background mode ends the program`()
        async throws
    {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background false")
        await #expect(throws: Late.self) { try await tracker.run("manager 1 set background true") }
        #expect(!tracker.isRunning)
        #expect(tracker.errors.contains("the client's manifest does not say backgroundMode: true"))
    }

    @Test
    func `BG-02: updates started in the foreground continue in the background with When In Use, with the indicator`()
        async throws
    {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background true", "manager 1 start")
        try await bench.run(seconds: 60)
        #expect(!bench.wasLit, "in the foreground the program itself is seen")
        let left = bench.seconds
        try await bench.tell(tracker, "state background")
        #expect(bench.isLit && bench.levels(of: .indicator).last?.seconds == left)
        _ = tracker.take()
        try await bench.run(seconds: 60)
        #expect((59...61).contains(tracker.takeReportCount()))
        #expect(bench.isLit)
        try await bench.tell(tracker, "state foreground")
        try await bench.run(seconds: 2)
        #expect(!bench.isLit)
    }

    @Test func `BG-03: with Always they continue without the indicator, unless the client asks for it`() async throws {
        let bench = try await CoreLocationBench.startBoard(Self.always)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background true", "manager 1 start")
        try await bench.run(seconds: 60)
        try await bench.tell(tracker, "state background")
        _ = tracker.take()
        try await bench.run(seconds: 30)
        #expect((29...31).contains(tracker.takeReportCount()))
        #expect(!bench.wasLit)
        try await bench.tell(tracker, "manager 1 set indicator true")
        #expect(bench.isLit)
        try await bench.tell(tracker, "manager 1 set indicator false")
        try await bench.run(seconds: 2)
        #expect(!bench.isLit)
    }

    @Test func `BG-04: with When In Use no updates can be started in the background`() async throws {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "state background", "manager 1 new", "manager 1 set background true")
        try await bench.tell(tracker, "manager 1 start")
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        #expect(!bench.wasLit && !bench.isPowered)
    }

    @Test func `BG-05: without background updates enabled they stop after the grace period, without the indicator`()
        async throws
    {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: 60)
        try await bench.tell(tracker, "state background")
        _ = tracker.take()
        try await bench.run(seconds: 5)
        #expect((4...6).contains(tracker.takeReportCount()), "the grace is 5 s")
        try await bench.run(seconds: 60)
        #expect(tracker.take().isEmpty)
        #expect(!bench.wasLit && !bench.isPowered)
        try await bench.tell(tracker, "state foreground")
        try await bench.run(seconds: 60)
        #expect(tracker.takeReportCount() > 0, "in use again it goes on by itself")
    }

    @Test func `BG-12: the indicator goes off within a second of the last report, and at most 2 s after the end`()
        async throws
    {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background true", "manager 1 start")
        try await bench.run(seconds: 60)
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 10)
        let ended = bench.seconds
        try await bench.tell(tracker, "manager 1 stop")
        #expect(bench.isLit, "the last location was told less than a second ago")
        try await bench.run(seconds: 2)
        let off = try #require(bench.levels(of: .indicator).last)
        #expect(!off.level && off.seconds > ended && off.seconds <= ended + 1)
    }

    @Test func `BG-11: a suspended client gets the newest fix when it continues, and other clients do not wait for it`()
        async throws
    {
        let clients = [BenchClient(), BenchClient(name: "logger")]
        let bench = try await CoreLocationBench.start(clients: clients)
        let (tracker, logger) = (try await bench.client(), try await bench.client("logger"))
        for client in [tracker, logger] { try await bench.tell(client, "manager 1 new", "manager 1 start") }
        try await bench.fix()
        _ = (tracker.take(), logger.take())
        tracker.suspend()
        for second in 1...120 {
            try await bench.fix(InjectedFix(north: Double(second)))
            #expect(try logger.takeLocations().count == 1, "each within its own second")
        }
        tracker.resume()
        try await bench.settle()
        let times = try tracker.takeLocations().compactMap { $0.text("timestamp") }
        #expect(times.count == 120 && times == times.sorted() && Set(times).count == times.count)
        #expect(times.last == logger.events.last?.objects("locations")?.last?.text("timestamp"))
    }
}
