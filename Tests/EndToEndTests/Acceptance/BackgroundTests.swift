import BenchControl
import Emulation
import Foundation
import Receivers
import Testing
import Units

/// Spec 4, BG: what goes on in the background.
@Suite("Acceptance: background")
struct AcceptanceBackgroundTests {
    private static let inUse = BenchClient(authorization: "whenInUse", members: "backgroundMode: true,")
    private static let always = BenchClient(members: "backgroundMode: true,")

    @Test func `BG-01: background updates without the manifest's background mode end the program`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set background false")
        await #expect(throws: Late.self) { try await tracker.run("manager 1 set background true") }
        #expect(!tracker.isRunning)
        #expect(tracker.errors.contains("the client's manifest does not say backgroundMode: true"))
    }

    @Test func `BG-02: updates that began in the foreground go on while in use, and are seen`() async throws {
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

    @Test func `BG-03: with Always they go on unseen, unless the client wants to be seen`() async throws {
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

    @Test func `BG-04: while in use only, nothing begins in the background`() async throws {
        let bench = try await CoreLocationBench.startBoard(Self.inUse)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "state background", "manager 1 new", "manager 1 set background true")
        try await bench.tell(tracker, "manager 1 start")
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        #expect(!bench.wasLit && !bench.isPowered)
    }

    @Test func `BG-05: without the property updates stop after the grace, and are never seen`() async throws {
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

    @Test func `BG-12: it is seen a second longer than it is told, and 2 s after the end no more`() async throws {
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

    @Test func `BG-11: who is frozen finds the newest when it goes on, and nobody else waits for it`() async throws {
        let clients = [BenchClient(), BenchClient(name: "logger")]
        let bench = try await CoreLocationBench.start(clients: clients)
        let (tracker, logger) = (try await bench.client(), try await bench.client("logger"))
        for client in [tracker, logger] { try await bench.tell(client, "manager 1 new", "manager 1 start") }
        try await bench.fix()
        _ = (tracker.take(), logger.take())
        tracker.suspend()
        let begun = ContinuousClock.now
        for second in 1...120 {
            try await bench.fix(InjectedFix(north: Double(second)))
            #expect(try logger.takeLocations().count == 1, "each within its own second")
        }
        #expect(ContinuousClock.now - begun < .seconds(6), "50 ms each at most")
        tracker.resume()
        try await bench.settle()
        let times = try tracker.takeLocations().compactMap { $0.text("timestamp") }
        #expect((64...120).contains(times.count) && times == times.sorted() && Set(times).count == times.count)
        #expect(times.last == logger.events.last?.objects("locations")?.last?.text("timestamp"))
    }
}
