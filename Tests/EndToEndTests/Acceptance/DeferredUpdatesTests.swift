import BenchControl
import Emulation
import SextantUnits
import Testing

/// DEF-01 to DEF-14.
@Suite("Acceptance: deferred updates")
struct AcceptanceDeferredUpdatesTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    private static let tracker = BenchClient(members: "backgroundMode: true,")

    /// A tracker that updates at the best accuracy, without pauses, and had its first fix at second 0.
    ///
    /// - Parameter settings: Of the manager, such as `desiredAccuracy 10`.
    private func updating(
        _ settings: String..., isBackground: Bool = false
    ) async throws -> (Bench, Client) {
        let bench = try await CoreLocationBench.start(clients: [Self.tracker])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        for setting in ["pauses false", "background true"] + settings {
            try await bench.tell(tracker, "manager 1 set \(setting)")
        }
        try await bench.tell(tracker, "manager 1 start")
        try await bench.fix()
        if isBackground { try await bench.tell(tracker, "state background") }
        #expect(tracker.takeShort() == ["locations 0"])
        return (bench, tracker)
    }

    /// Lets time pass with a fix every 5 s at one place.
    private func rest(_ bench: Bench, seconds: Int) async throws {
        for _ in stride(from: 0, to: seconds, by: 5) {
            try bench.harness.send(InjectedFix().frames(at: bench.time))
            try await bench.pass(seconds: 5)
        }
        try await bench.settle()
    }

    // MARK: What cannot be had

    @Test func `DEF-01: deferring with a desired accuracy of 10 m fails with error 13`() async throws {
        let (bench, tracker) = try await updating("desiredAccuracy 10")
        try await bench.tell(tracker, "manager 1 defer 1000 60")
        #expect(tracker.takeShort() == ["finish 13"])
    }

    @Test func `DEF-02: deferring with a distance filter of 10 m fails with error 14`() async throws {
        let (bench, tracker) = try await updating("distanceFilter 10")
        try await bench.tell(tracker, "manager 1 defer 1000 60")
        #expect(tracker.takeShort() == ["finish 14"])
    }

    @Test func `DEF-03: deferring before updates run, or while they are paused, fails with error 12`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 defer 1000 60")
        #expect(tracker.takeShort() == ["finish 12"])
        try await bench.tell(tracker, "manager 1 start")
        try await bench.run(seconds: 1000)
        #expect(tracker.takeShort() == ["fail 0", "pause"], "no fix came")
        try await bench.tell(tracker, "manager 1 defer 1000 60")
        #expect(tracker.takeShort() == ["finish 12"])
    }

    @Test func `DEF-04: without a receiver deferral is unavailable and fails with error 11`() async throws {
        let bench = try await CoreLocationBench.start()
        try bench.harness.unplug()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start", "show")
        #expect(tracker.take().last?.bool("deferredLocationUpdatesAvailable") == false)
        try await bench.tell(tracker, "manager 1 defer 1000 60")
        #expect(tracker.takeShort() == ["finish 11"])
        // It is the board that is asked, not what it was when the client came.
        try bench.harness.plug()
        try await bench.run(seconds: 60)
        _ = tracker.take()
        try await bench.tell(tracker, "show", "manager 1 defer 1000 60")
        let shown = tracker.take()
        #expect(shown.count == 1 && shown.last?.bool("deferredLocationUpdatesAvailable") == true)
    }

    @Test(arguments: ["best", "bestForNavigation"])
    func `DEF-05: deferring with the best accuracy and no filter is accepted`(accuracy: String) async throws {
        let (bench, tracker) = try await updating("desiredAccuracy \(accuracy)", isBackground: true)
        try await bench.tell(tracker, "manager 1 defer 1000 60")
        try await rest(bench, seconds: 55)
        #expect(tracker.takeShort() == [])
    }

    // MARK: Its end

    @Test func `DEF-06: a second call finishes the first one once, with error 15`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max 60")
        try await bench.fix()
        try await bench.tell(tracker, "manager 1 defer max 120")
        #expect(tracker.takeShort() == ["finish 15", "locations 1"])
        try await rest(bench, seconds: 115)
        #expect(tracker.takeShort() == [])
        try await bench.run(seconds: 6)
        #expect(tracker.takeShort().first == "finish")
    }

    @Test(arguments: 1...3)
    func `DEF-07: each call finishes exactly once, in any order of events`(seed: UInt64) async throws {
        let bench = try await CoreLocationBench.start(clients: [Self.tracker])
        let user = try await bench.operator()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        var random = SplitMix64(seed: seed)
        var (calls, finishes) = (0, 0)
        for step in 0..<60 {
            switch random.next() % 10 {
            case 0...3:
                let bounds = "\(["max", "50"][step % 2]) \(["max", "90"][step / 2 % 2])"
                try await bench.tell(tracker, "manager 1 defer \(bounds)")
                calls += 1
            case 4: try await bench.tell(tracker, "manager 1 undefer")
            case 5: try await bench.tell(tracker, "manager 1 stop")
            case 6: try await bench.tell(tracker, "manager 1 start")
            case 7: try await user.answer("tracker", random.next() % 2 == 0 ? "deny" : "always")
            case 8: try await bench.tell(tracker, "state \(["background", "foreground"][step % 2])")
            default: try await bench.run(seconds: 600)
            }
            try await bench.fix(InjectedFix(north: 20 * Double(step % 5)), then: 10)
            finishes += tracker.takeShort().count { $0.hasPrefix("finish") }
            #expect(calls - finishes == 0 || calls - finishes == 1, "seed \(seed), step \(step)")
        }
        try await bench.tell(tracker, "manager 1 stop")
        finishes += tracker.takeShort().count { $0.hasPrefix("finish") }
        #expect(calls > 10 && finishes == calls, "seed \(seed)")
    }

    @Test func `DEF-07: a denial finishes the deferral once, and no location follows`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        let user = try await bench.operator()
        try await bench.tell(tracker, "manager 1 defer max max")
        try await bench.fix()
        try await user.answer("tracker", "deny")
        try await bench.fix()
        #expect(tracker.takeShort() == ["finish 12", "fail 1"])
        try await bench.tell(tracker, "manager 1 undefer", "manager 1 stop")
        #expect(tracker.takeShort() == [])
    }

    @Test func `DEF-07: a second process of the same client cannot defer, and finishes once with error 11`()
        async throws
    {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max max")
        let second = try await bench.client()
        try await bench.tell(second, "manager 1 new", "manager 1 start", "manager 1 defer max max")
        #expect(second.takeShort() == ["locations 0", "finish 11"])
        try await bench.fix()
        #expect(second.takeShort() == ["locations 1"])
        #expect(tracker.takeShort() == [])
    }

    @Test func `DEF-08: deferring for 1000 m in the background holds all fixes, then reports the end and every fix`()
        async throws
    {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer 1000 max")
        try await bench.travel(north: 995, speed: 20)
        #expect(tracker.takeShort() == [])
        let braked = Int(bench.seconds)
        try await bench.travel(north: 1010, speed: 2)
        let told = tracker.takeShort()
        let finish = try #require(told.firstIndex(of: "finish"))
        // All that was held comes in one array, up to the fix beyond 1000 m; each later one by itself.
        let last = try #require(told.dropFirst(finish + 1).first?.split(separator: " ").last.flatMap { Int($0) })
        #expect(finish == 0 && last > braked + 1)
        let later = (last + 1..<Int(bench.seconds)).map { "locations \($0)" }
        #expect(told == ["finish", "locations " + (1...last).map { "\($0)" }.joined(separator: " ")] + later)
    }

    @Test func `DEF-09: deferring for 300 s in the background holds all fixes, then reports the end and every fix`()
        async throws
    {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max 300")
        try await rest(bench, seconds: 295)
        try await bench.run(seconds: 4)
        #expect(tracker.takeShort() == [])
        try await bench.run(seconds: 1)
        let fixes = stride(from: 1, to: 296, by: 5).map { "\($0)" }
        #expect(tracker.takeShort() == ["finish", "locations " + fixes.joined(separator: " ")])
    }

    @Test func `DEF-10: in the foreground fixes are not held, and the end is still reported`() async throws {
        let (bench, tracker) = try await updating()
        try await bench.tell(tracker, "manager 1 defer 100 max")
        try await bench.fix(InjectedFix(north: 50))
        try await bench.fix(InjectedFix(north: 99))
        #expect(tracker.takeShort() == ["locations 1", "locations 2"])
        try await bench.fix(InjectedFix(north: 101))
        #expect(Set(tracker.takeShort()) == ["finish", "locations 3"])
        try await bench.fix(InjectedFix(north: 300))
        #expect(tracker.takeShort() == ["locations 4"])
    }

    @Test func `DEF-11: disallowing deferral delivers the held fixes and finishes once`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max max")
        try await bench.fix()
        try await bench.fix()
        try await bench.tell(tracker, "manager 1 undefer")
        #expect(tracker.takeShort() == ["finish", "locations 1 2"])
        try await bench.tell(tracker, "manager 1 undefer")
        #expect(tracker.takeShort() == [])
    }

    @Test func `DEF-12: stop finishes the deferral once, and no location follows`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max max")
        try await bench.fix()
        try await bench.tell(tracker, "manager 1 stop")
        try await bench.fix()
        #expect(tracker.takeShort() == ["finish"])
    }

    // MARK: Its room

    @Test func `DEF-13: a full queue is delivered early, and the deferral continues`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max max")
        // The protocol's page: 3276 reports are held, and then sent early.
        for _ in 1..<3276 {
            try bench.send(InjectedFix())
            try bench.harness.run(seconds: 1)
        }
        try await bench.settle()
        #expect(tracker.takeShort() == [])
        try await bench.fix(InjectedFix(time: VirtualBench.startTime + 3276))
        let callbacks = tracker.take()
        #expect(callbacks.allSatisfy { $0.text("callback") == "didUpdateLocations" })
        let locations = callbacks.flatMap { $0.objects("locations") ?? [] }
        let stamps = locations.compactMap { $0.text("timestamp") }
        #expect(stamps.count == 3276 && stamps == stamps.sorted() && Set(stamps).count == 3276)
        try await bench.fix(InjectedFix(time: VirtualBench.startTime + 3277))
        #expect(tracker.takeShort() == [])
        try await bench.tell(tracker, "manager 1 undefer")
        #expect(tracker.takeShort() == ["finish", "locations 3277"])
    }

    @Test func `DEF-14: a deferral without bounds does not end by itself`() async throws {
        let (bench, tracker) = try await updating(isBackground: true)
        try await bench.tell(tracker, "manager 1 defer max max")
        // Between the fixes it hears that there is none.
        for hour in 1...24 {
            try bench.harness.send(InjectedFix(north: 5000 * Double(hour)).frames(at: bench.time))
            try await bench.run(seconds: 3600)
        }
        #expect(tracker.takeShort().allSatisfy { $0 == "fail 0" })
        try await bench.tell(tracker, "manager 1 undefer")
        let callbacks = tracker.takeShort()
        #expect(callbacks.count == 2 && callbacks.first == "finish")
        #expect(callbacks.fixCount == 24)
    }
}
