import Receivers
import Testing

/// `startUpdatingLocation`, from its first report to its last.
@Suite("Acceptance: continuous updates")
struct AcceptanceContinuousUpdateTests {
    /// A bench and a client with a manager that is set up, and was called back for its authorization.
    private func startedBench(
        _ settings: String..., clients: [BenchClient] = [BenchClient()]
    ) async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start(clients: clients)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        for setting in settings { try await bench.tell(tracker, "manager 1 set \(setting)") }
        try await bench.tell(tracker, "manager 1 start")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        return (bench, tracker)
    }

    private func timestamps(_ client: Client) throws -> [String?] {
        try client.takeLocations().map { $0.text("timestamp") }
    }

    @Test func `STD-01: the first array has the cached fix with its own timestamp, however old`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        // NAV-PVT's time has a nanosecond part, so that milliseconds show.
        try await bench.fix(InjectedFix(time: VirtualBench.startTime + 0.123), then: 86_400)
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        try await bench.tell(tracker, "manager 1 start")
        let events = tracker.take()
        #expect(events.count == 1)
        let locations = try #require(events.first?.objects("locations"))
        #expect(locations.map { $0.text("timestamp") } == ["2027-01-15T08:00:00.123Z"])
    }

    @Test func `STD-02: starting again does not repeat the first report`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 start", "manager 1 start")
        try await bench.run(seconds: 5)
        #expect(tracker.take().isEmpty)
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test func `STD-03: stopping and starting gives a first report again`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.fix()
        let first = try timestamps(tracker)
        try await bench.tell(tracker, "manager 1 stop", "manager 1 start")
        #expect(try timestamps(tracker) == first && first.count == 1)
        try await bench.tell(tracker, "manager 1 stop")
        try await bench.run(seconds: 3600)
        try await bench.tell(tracker, "manager 1 start")
        #expect(try timestamps(tracker) == first)
    }

    @Test func `STD-04: after stop nothing more is reported`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 stop")
        for north in 1...5 { try await bench.fix(InjectedFix(north: Double(north) * 1000)) }
        // Nor that the position is lost.
        try await bench.run(seconds: 120)
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "manager 1 show")
        let shown = try #require(tracker.take().first?.object("location"))
        #expect(abs(try #require(shown.number("latitude")) - InjectedFix().latitude) < 1e-7)
    }

    @Test func `STD-05, STD-06: arrays are in order of time, and inside the callback location is the last element`()
        async throws
    {
        let client = BenchClient(members: "backgroundMode: true,")
        let (bench, tracker) = try await startedBench("background true", clients: [client])
        for north in 0..<3 { try await bench.fix(InjectedFix(north: Double(north))) }
        try await bench.tell(tracker, "manager 1 defer max 60", "state background")
        for north in 3..<13 { try await bench.fix(InjectedFix(north: Double(north))) }
        // A solution that is older than the one before it, among those that are held back.
        try await bench.fix(InjectedFix(north: 110, time: bench.time - 2.5))
        try await bench.run(seconds: 60)
        let reports = tracker.take().filter { $0.text("callback") == "didUpdateLocations" }
        let arrays = reports.map { $0.objects("locations") ?? [] }
        #expect(arrays.map(\.count).prefix(3) == [1, 1, 1] && arrays.dropFirst(3).contains { $0.count > 1 })
        #expect(arrays.reduce(0) { $0 + $1.count } == 14)
        for (report, array) in zip(reports, arrays) {
            let times = array.compactMap { $0.text("timestamp") }
            #expect(!times.isEmpty && times == times.sorted())
            #expect(report.object("location")?.text("timestamp") == times.last)
            #expect(report.object("location")?.number("latitude") == array.last?.number("latitude"))
        }
    }

    @Test func `STD-07: fixes better than the desired accuracy are reported with their full accuracy`() async throws {
        let (bench, tracker) = try await startedBench("desiredAccuracy 1000")
        try await bench.fix(InjectedFix(accuracy: 5))
        try await bench.fix(InjectedFix(north: 3, accuracy: 5))
        let locations = try tracker.takeLocations()
        #expect(locations.count == 2 && locations.allSatisfy { $0.number("horizontalAccuracy") ?? .nan < 6 })
        #expect(abs(try #require(locations.first?.number("latitude")) - InjectedFix().latitude) < 1e-7)
    }

    @Test func `STD-08: a fix worse than the desired accuracy is reported`() async throws {
        let (bench, tracker) = try await startedBench("desiredAccuracy best")
        try await bench.fix(InjectedFix(accuracy: 500))
        let locations = try tracker.takeLocations()
        #expect(locations.count == 1)
        #expect(abs(try #require(locations.first?.number("horizontalAccuracy")) - 500) < 50)
    }

    @Test func `STD-09: a better fix with an earlier timestamp is also reported`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.run(seconds: 10)
        try await bench.fix(InjectedFix(north: 200, accuracy: 300))
        try await bench.fix(InjectedFix(accuracy: 5, time: VirtualBench.startTime + 8))
        let locations = try tracker.takeLocations()
        #expect(locations.map { $0.text("timestamp") } == ["2027-01-15T08:00:10.000Z", "2027-01-15T08:00:08.000Z"])
        #expect(abs(try #require(locations.first?.number("horizontalAccuracy")) - 300) < 30)
        #expect(locations.last?.number("horizontalAccuracy") ?? .nan < 250)
    }

    @Test func `STD-10, STD-11: a lost fix is reported once, and updates resume without another start`() async throws {
        let (bench, tracker) = try await startedBench("pauses false")
        for _ in 0..<90 { try await bench.fix(.none) }
        var events = tracker.take()
        #expect(events.map { $0.text("callback") } == ["didFailWithError"])
        #expect(events.first?.number("errorCode") == 0)
        try await bench.run(seconds: 3600)
        #expect(tracker.take().isEmpty)
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
        // The next loss is another.
        try await bench.run(seconds: 600)
        events = tracker.take()
        #expect(events.map { $0.number("errorCode") } == [0])
        try await bench.fix()
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test func `STD-12: a delegate with only the older method gets each fix and the one before it`() async throws {
        let (bench, modern) = try await startedBench()
        try await bench.tell(modern, "manager 2 new legacy", "manager 2 start")
        _ = modern.take()
        for north in 0..<3 { try await bench.fix(InjectedFix(north: Double(north) * 10)) }
        let events = modern.take()
        #expect(
            events.filter { $0.number("manager") == 1 }.map { $0.text("callback") } == [
                "didUpdateLocations", "didUpdateLocations", "didUpdateLocations",
            ])
        let older = events.filter { $0.number("manager") == 2 }
        #expect(older.map { $0.text("callback") } == ["didUpdateTo", "didUpdateTo", "didUpdateTo"])
        let to = older.map { $0.object("to")?.text("timestamp") }
        // Apple's Swift interface has no optional here: where there is none before, it is the fix itself.
        #expect(older.map { $0.object("from")?.text("timestamp") } == [to[0], to[0], to[1]])
        #expect(Set(to).count == 3)
    }

    @Test func `STD-13: each manager of a client has its own filter`() async throws {
        let bench = try await CoreLocationBench.start()
        try await bench.stay(seconds: 120)
        let tracker = try await bench.client()
        for (manager, filter) in [(1, 50), (2, 15)] {
            let name = "manager \(manager)"
            try await bench.tell(tracker, "\(name) new", "\(name) set distanceFilter \(filter)", "\(name) start")
        }
        try await bench.travel(north: 104, speed: 2)
        let reports = tracker.take()
        /// The metres to the north at which a manager told of each location.
        func metres(_ manager: Double) -> [Int] {
            let told = reports.filter { $0.number("manager") == manager }.compactMap { $0.objects("locations")?.last }
            let latitudes: [Double] = told.map { $0.number("latitude") ?? 0 }
            return latitudes.map { Int((($0 - InjectedFix().latitude) * 111_181).rounded()) }
        }
        let latitudes = [metres(1), metres(2)]
        for (filter, places) in [(50, latitudes[0]), (15, latitudes[1])] {
            // At 2 m/s, and with what the estimate makes of a start.
            #expect(zip(places, places.dropFirst()).allSatisfy { (filter...filter + 3).contains($1 - $0) }, "\(places)")
        }
        #expect(latitudes.map(\.count) == [3, 7])
    }

    @Test func `STD-14: a new manager has the documented default settings`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 show")
        let shown = try #require(tracker.take().last)
        #expect(shown.number("distanceFilter") == -1 && shown.number("desiredAccuracy") == -1)
        #expect(shown.bool("pausesLocationUpdatesAutomatically") == true)
        #expect(shown.bool("allowsBackgroundLocationUpdates") == false)
        #expect(shown.bool("showsBackgroundLocationIndicator") == false)
        // CLActivityType.other.
        #expect(shown.number("activityType") == 1)
        #expect(shown.object("location") == nil && shown.objects("monitoredRegions")?.isEmpty == true)
    }

    @Test func `STD-15: updates resume by themselves when the operator denies and then allows the client`() async throws
    {
        let bench = try await CoreLocationBench.start(clients: [.undecided()])
        let user = try await bench.operator()
        try await user.answer("tracker", "allow")
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.fix()
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didUpdateLocations"])
        for isSwitch in [true, false] {
            if isSwitch { try await user.setServices(false) } else { try await user.answer("tracker", "deny") }
            try await bench.settle()
            try await bench.fix(InjectedFix(north: 100))
            let lost = tracker.take()
            #expect(Set(lost.map { $0.text("callback") }) == ["didChangeAuthorization", "didFailWithError"])
            #expect(lost.count == 2 && lost.compactMap { $0.number("errorCode") } == [1])
            if isSwitch { try await user.setServices(true) } else { try await user.answer("tracker", "allow") }
            try await bench.settle()
            #expect(tracker.takeNames().first == "didChangeAuthorization")
            try await bench.fix(InjectedFix(north: 200))
            #expect(try tracker.takeLocations().count == 1)
        }
    }

    @Test func `STD-16: the receiver is off within five seconds after the last client stops`() async throws {
        let bench = try await CoreLocationBench.start(
            VirtualBench.receiver(.neoM8N), clients: [BenchClient(), BenchClient(name: "other")], board: BoardText())
        let (tracker, other) = (try await bench.client(), try await bench.client("other"))
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await bench.tell(other, "manager 1 new", "manager 1 start")
        try await bench.run(seconds: 90)
        #expect(tracker.takeNames().contains("didUpdateLocations"))
        #expect(bench.levels(of: .powerEnable).last?.level == true)
        try await bench.tell(tracker, "manager 1 stop")
        try await bench.run(seconds: 30)
        #expect(bench.levels(of: .powerEnable).last?.level == true)
        try await bench.tell(other, "manager 1 stop")
        try await bench.run(seconds: 5)
        #expect(bench.levels(of: .powerEnable).last?.level == false)
        let count = bench.levels(of: .powerEnable).count
        try await bench.run(seconds: 3600)
        #expect(bench.levels(of: .powerEnable).count == count)
    }
}
