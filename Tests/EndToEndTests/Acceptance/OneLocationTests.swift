import BenchControl
import Receivers
import Testing

/// `requestLocation`: one fix or one error, by a deadline of the daemon's.
@Suite("Acceptance: one location")
struct AcceptanceOneLocationTests {
    /// Seconds by which a request ends where nothing is known of the receiver.
    private let longest = 60.0
    /// Seconds by which it ends where the receiver has just been tracking.
    private let tracking = 10.0

    /// A bench, and a client with a manager that was called back for its authorization.
    private func bench() async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        return (bench, tracker)
    }

    private func accuracies(_ client: Client) throws -> [Double?] {
        try client.takeLocations().map { $0.number("horizontalAccuracy") }
    }

    @Test func `REQ-01: the first fix that meets the desired accuracy is the only report`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 set desiredAccuracy 100", "manager 1 request")
        try await bench.fix(InjectedFix(accuracy: 150))
        #expect(tracker.take().isEmpty)
        try await bench.fix(InjectedFix(accuracy: 60))
        let told = try accuracies(tracker)
        #expect(told.count == 1 && told.allSatisfy { (30...100).contains($0 ?? .nan) })
        for accuracy in [50, 5.0, 2] { try await bench.fix(InjectedFix(accuracy: accuracy)) }
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-02: if no fix meets the accuracy, the best one is reported at the deadline`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 set desiredAccuracy 10", "manager 1 request")
        // Another manager is told every one of them.
        try await bench.tell(tracker, "manager 2 new", "manager 2 start")
        _ = tracker.take()
        for accuracy in [300, 80.0, 900] { try await bench.fix(InjectedFix(accuracy: accuracy)) }
        let all = try tracker.takeLocations()
        try await bench.tell(tracker, "manager 2 stop")
        try await bench.run(seconds: longest - 3.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        let locations = try tracker.takeLocations()
        let best = all.min { $0.number("horizontalAccuracy") ?? 0 < $1.number("horizontalAccuracy") ?? 0 }
        #expect(all.count == 3 && locations.count == 1)
        #expect(locations.first?.text("timestamp") == best?.text("timestamp"))
        #expect(locations.first?.number("horizontalAccuracy") == best?.number("horizontalAccuracy"))
        try await bench.fix(InjectedFix(accuracy: 5), then: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-02: the deadline is ten seconds while the receiver is tracking`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.fix(InjectedFix(accuracy: 90))
        try await bench.tell(tracker, "manager 1 set desiredAccuracy 10", "manager 1 request")
        for accuracy in [70, 50.0, 300] { try await bench.fix(InjectedFix(accuracy: accuracy)) }
        try await bench.run(seconds: tracking - 3.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        let told = try accuracies(tracker)
        #expect(told.count == 1 && told.allSatisfy { (20...60).contains($0 ?? .nan) })
    }

    @Test func `REQ-03: without a fix one error comes at the deadline, and nothing later`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 request")
        for _ in 0..<10 { try await bench.fix(.none) }
        try await bench.run(seconds: longest - 10.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        let events = tracker.take()
        #expect(events.map { $0.text("callback") } == ["didFailWithError"])
        #expect(events.first?.number("errorCode") == 0)
        try await bench.fix(then: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-04: stop cancels the request silently`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 request", "manager 1 stop")
        try await bench.fix()
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
        // The next request is as good as any.
        try await bench.tell(tracker, "manager 1 request")
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test func `REQ-05: start cancels the request, and updates follow`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 request", "manager 1 start")
        #expect(tracker.take().isEmpty)
        for north in 1...5 {
            try await bench.fix(InjectedFix(north: Double(north) * 100))
            #expect(try tracker.takeLocations().count == 1)
        }
        try await bench.tell(tracker, "manager 1 stop")
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-06: a request while updates run changes nothing`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 start")
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 request")
        #expect(tracker.take().isEmpty)
        for _ in 0..<3 {
            try await bench.fix()
            #expect(try tracker.takeLocations().count == 1)
        }
        // It has neither ended the updates nor left a request behind.
        try await bench.run(seconds: 13)
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "manager 1 stop")
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-07: two requests in a row give one result`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 request", "manager 1 request")
        for _ in 0..<3 { try await bench.fix() }
        #expect(try tracker.takeLocations().count == 1)
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "manager 1 request", "manager 1 request")
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().map { $0.number("errorCode") } == [0])
    }

    @Test(arguments: [3600, -3600, 300_000_000, -300_000_000])
    func `REQ-08: a step of the wall clock does not move the deadline`(step: Int64) async throws {
        let (bench, tracker) = try await bench()
        try await bench.tell(tracker, "manager 1 request")
        try await bench.run(seconds: 20)
        try bench.harness.setUTC(Int64(bench.time) + step)
        try await bench.run(seconds: longest - 20.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        #expect(tracker.take().map { $0.number("errorCode") } == [0])
        try await bench.run(seconds: 2 * longest)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-09: the receiver is off within five seconds after its only fix`() async throws {
        let bench = try await CoreLocationBench.start(VirtualBench.receiver(.neoM8N), board: BoardText())
        // What the daemon does to the receiver when it starts is over.
        try await bench.run(seconds: 600)
        #expect(bench.levels(of: .powerEnable).last?.level == false)
        let count = bench.levels(of: .powerEnable).count
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set desiredAccuracy 100", "manager 1 request")
        _ = tracker.take()
        while tracker.events.last?.text("callback") != "didUpdateLocations", bench.seconds < 700 {
            try await bench.run(seconds: 0.5)
        }
        #expect(try tracker.takeLocations().count == 1)
        let told = bench.seconds
        try await bench.run(seconds: 600)
        let levels = bench.levels(of: .powerEnable).dropFirst(count)
        #expect(levels.map(\.level) == [true, false])
        #expect(try #require(levels.last).seconds <= told + 5)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REQ-10: a cached fix answers the request only while it is fresh`()
        async throws
    {
        let (bench, tracker) = try await bench()
        // Fresh and accurate enough: at once, with its own time.
        try await bench.fix(then: 14)
        try await bench.tell(tracker, "manager 1 request")
        #expect(try tracker.takeLocations().map { $0.text("timestamp") } == ["2027-01-15T08:00:00.000Z"])
        // Older than 15 s: the receiver can still deliver, and does.
        try await bench.run(seconds: 2)
        try await bench.tell(tracker, "manager 1 request")
        try await bench.run(seconds: 20)
        #expect(tracker.take().isEmpty)
        try await bench.fix()
        #expect(try tracker.takeLocations().map { $0.text("timestamp") } == ["2027-01-15T08:00:36.000Z"])
        // Neither anything new, nor anything younger than a minute at the deadline.
        try await bench.run(seconds: 15)
        try await bench.tell(tracker, "manager 1 request")
        try await bench.run(seconds: longest - 0.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        #expect(tracker.take().map { $0.number("errorCode") } == [0])
    }

    @Test func `REQ-10: a cached fix less than a minute old is reported at the deadline`() async throws {
        let (bench, tracker) = try await bench()
        try await bench.fix(InjectedFix(accuracy: 50), then: 2)
        try await bench.tell(tracker, "manager 1 set desiredAccuracy 10", "manager 1 request")
        try await bench.run(seconds: tracking - 0.1)
        #expect(tracker.take().isEmpty)
        try await bench.run(seconds: 0.2)
        let locations = try tracker.takeLocations()
        #expect(locations.map { $0.text("timestamp") } == ["2027-01-15T08:00:00.000Z"])
        #expect(abs(try #require(locations.first?.number("horizontalAccuracy")) - 50) < 5)
    }
}
