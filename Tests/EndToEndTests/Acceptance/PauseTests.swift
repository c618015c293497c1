import BenchControl
import Receivers
import Testing

/// PAUSE-01 to PAUSE-08.
@Suite("Acceptance: automatic pauses")
struct AcceptancePauseTests {
    /// Seconds; what the protocol's page says for `other`.
    private static let pauseTime = 900.0

    /// Lets time pass with a fix every 5 s, going north at so many metres per second.
    private func go(
        _ bench: CoreLocationBench<SilentDevice>, seconds: Int, speed: Double = 0
    ) async throws {
        for second in stride(from: 0, to: seconds, by: 5) {
            try bench.harness.send(InjectedFix(north: speed * Double(second)).frames(at: bench.time))
            try await bench.pass(seconds: 5)
        }
        try await bench.settle()
    }

    /// A bench whose tracker was told to pause: its callbacks so far are taken.
    private func paused() async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await go(bench, seconds: 17 * 60)
        #expect(tracker.takeShort().last == "pause")
        return (bench, tracker)
    }

    @Test func `PAUSE-01: after 15 minutes at rest one pause is reported, and the receiver is off`() async throws {
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: BoardText())
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: Self.pauseTime * 0.9)
        #expect(!tracker.takeShort().contains("pause"))
        #expect(bench.levels(of: .powerEnable).last?.level == true)
        try await bench.run(seconds: Self.pauseTime * 0.2)
        let callbacks = tracker.takeShort()
        #expect(callbacks.filter { $0 == "pause" }.count == 1)
        #expect(callbacks.last == "pause")
        try await bench.run(seconds: 60)
        #expect(tracker.takeShort() == [])
        #expect(bench.levels(of: .powerEnable).last?.level == false)
    }

    @Test func `PAUSE-02: a client that disabled automatic pauses is never paused in 24 hours`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set pauses false", "manager 1 start")
        // Between the fixes it hears that there is none.
        for _ in 0..<144 {
            try bench.harness.send(InjectedFix().frames(at: bench.time))
            try await bench.run(seconds: 600)
        }
        let callbacks = tracker.takeShort()
        #expect(!callbacks.contains("pause"))
        #expect(callbacks.fixCount == 144)
    }

    @Test func `PAUSE-03: a probe that finds the board elsewhere reports the resumption before the location`()
        async throws
    {
        let (bench, tracker) = try await paused()
        // The pause's first probe comes after 30 minutes.
        try await go(bench, seconds: 1800)
        #expect(tracker.takeShort() == [])
        try await bench.travel(north: 300)
        let callbacks = tracker.takeShort()
        #expect(callbacks.first == "resume" && callbacks.count > 2)
        #expect(callbacks.dropFirst().allSatisfy { $0.hasPrefix("locations ") })
        try await bench.travel(north: 310)
        #expect(tracker.takeShort().allSatisfy { $0.hasPrefix("locations ") })
    }

    @Test func `PAUSE-03: without a motion sensor the receiver is off until the first probe, which finds a fix`()
        async throws
    {
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: BoardText())
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: Self.pauseTime + 120)
        #expect(tracker.takeShort().last == "pause")
        let (before, pausedAt) = (bench.levels(of: .powerEnable).count, bench.seconds)
        try await bench.run(seconds: 1600)
        #expect(bench.levels(of: .powerEnable).count == before, "off")
        try await bench.run(seconds: 400)
        let probe = bench.levels(of: .powerEnable).dropFirst(before)
        #expect(probe.map(\.level) == [true, false], "one probe, which ends with its fix")
        #expect(probe.first.map { $0.seconds - pausedAt < 1800 } == true)
        #expect(tracker.take().isEmpty, "the board has not moved")
    }

    @Test func `PAUSE-03: the motion sensor resumes updates within 30 seconds of the first movement`() async throws {
        var board = BoardText()
        board.sensesMotion = true
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: board)
        let tracker = try await bench.client()
        try bench.harness.setInput(.motionInterrupt, false)
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: Self.pauseTime + 120)
        #expect(tracker.takeShort().last == "pause")
        try bench.harness.setInput(.motionInterrupt, true)
        try await bench.run(seconds: 30)
        let callbacks = tracker.takeShort()
        #expect(callbacks.first == "resume" && callbacks.filter { $0 == "resume" }.count == 1)
        #expect(!callbacks.contains("pause"))
    }

    @Test func `PAUSE-03: a start while paused resumes at once`() async throws {
        let (bench, tracker) = try await paused()
        try await bench.tell(tracker, "manager 1 start")
        #expect(tracker.takeShort() == ["resume"])
        let time = Int(bench.time - VirtualBench.startTime)
        try await bench.fix(InjectedFix())
        #expect(tracker.takeShort() == ["locations \(time)"])
    }

    @Test func `PAUSE-04: updates are paused even without a fix`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        for _ in 0..<13 { try await bench.fix(.none, then: 60) }
        #expect(!tracker.takeShort().contains("pause"))
        for _ in 0..<4 { try await bench.fix(.none, then: 60) }
        #expect(tracker.takeShort() == ["pause"])
    }

    @Test func `PAUSE-05: a vehicle moving 100 metres a minute is never paused`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", "manager 1 set activityType automotiveNavigation", "manager 1 start")
        try await go(bench, seconds: 7200, speed: 101 / 60.0)
        let callbacks = tracker.takeShort()
        #expect(callbacks.filter { !$0.hasPrefix("locations") } == [])
        #expect(callbacks.fixCount == 1440)
    }

    @Test func `PAUSE-06: while one client is paused another keeps its reports`() async throws {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(), BenchClient(name: "logger")])
        let (tracker, logger) = (try await bench.client(), try await bench.client("logger"))
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.tell(logger, "manager 1 new", "manager 1 set pauses false", "manager 1 start")
        try await go(bench, seconds: 17 * 60)
        #expect(tracker.takeShort().last == "pause")
        #expect(logger.takeShort().fixCount == 17 * 12)
        let time = Int(bench.time - VirtualBench.startTime)
        try await bench.fix()
        #expect(tracker.takeShort() == [])
        #expect(logger.takeShort() == ["locations \(time)"])
    }

    @Test func `PAUSE-07: after a client ended while paused, its next process gets no resumption callback`()
        async throws
    {
        let (bench, tracker) = try await paused()
        try await bench.kill(tracker)
        let next = try await bench.client()
        try await bench.tell(next, "manager 1 new", "manager 1 start")
        let time = Int(bench.time - VirtualBench.startTime)
        try await bench.fix(InjectedFix(north: 300))
        let callbacks = next.takeShort()
        #expect(!callbacks.contains("resume"))
        #expect(callbacks.last == "locations \(time)")
    }

    @Test func `PAUSE-08: a pause is not reported as a failure`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await go(bench, seconds: 4800)
        let callbacks = tracker.takeShort()
        #expect(callbacks.filter { $0 == "pause" }.count == 1)
        #expect(!callbacks.contains { $0.hasPrefix("fail") })
    }
}
