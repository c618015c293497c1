import Testing

/// Spec 4, REG: what is registered, and who hears of it.
@Suite("Acceptance: registered regions")
struct AcceptanceRegionRegistrationTests {
    private static let home = "manager 1 region start home 47.3769 8.5417 200"

    private func started(
        _ client: BenchClient = BenchClient()
    ) async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start(clients: [client])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 2 new")
        _ = tracker.take()
        return (bench, tracker)
    }

    private func monitored(
        _ bench: CoreLocationBench<SilentDevice>, _ tracker: Client, by manager: Int
    ) async throws -> [String] {
        try await bench.tell(tracker, "manager \(manager) show")
        return tracker.take().last?.objects("monitoredRegions")?.compactMap { $0.text("identifier") } ?? []
    }

    @Test func `REG-01, REG-03: a region is monitored for every manager of the client, and only once`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, Self.home)
        let started = tracker.take().map { $0.object("region")?.text("identifier") }
        #expect(!started.isEmpty && started.allSatisfy { $0 == "home" })
        try await bench.tell(tracker, "manager 2 region start home 47.3769 8.5417 300")
        for manager in 1...2 { #expect(try await monitored(bench, tracker, by: manager) == ["home"]) }
    }

    @Test func `REG-02: one region beyond the manifest's limit fails with error 5, and the others remain`() async throws
    {
        let (bench, tracker) = try await started(BenchClient(members: "maximumRegions: 3,"))
        for number in 1...4 {
            try await bench.tell(tracker, "manager 1 region start place\(number) 47.3769 8.5417 200")
        }
        let failures = tracker.take().filter { $0.text("callback") == "monitoringDidFail" }
        #expect(failures.first?.number("errorCode") == 5)
        #expect(try await monitored(bench, tracker, by: 1) == ["place1", "place2", "place3"])
    }

    @Test func `REG-14, REG-16: a second manager is told of the crossing too, and may stop monitoring`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, Self.home)
        try await bench.beAway()
        _ = tracker.take()
        try await bench.comeHome()
        let enters = tracker.take().filter { $0.text("callback") == "didEnterRegion" }
        #expect(enters.compactMap { $0.number("manager") }.sorted() == [1, 2])
        try await bench.tell(tracker, "manager 2 region stop home")
        #expect(try await monitored(bench, tracker, by: 1) == [])
        try await bench.leaveHome()
        #expect(tracker.take().isEmpty)
    }

    @Test func `REG-22: reduced accuracy suspends region events, and full accuracy resumes them`() async throws {
        let (bench, tracker) = try await started()
        let user = try await bench.operator()
        try await bench.tell(tracker, Self.home)
        try await bench.beAway()
        try await user.answer("tracker", nil, "\"accuracy\":\"reduced\"")
        _ = tracker.take()
        try await bench.comeHome()
        try await bench.leaveHome()
        #expect(tracker.takeNames().allSatisfy { $0 == "didChangeAuthorization" })
        try await user.answer("tracker", nil, "\"accuracy\":\"full\"")
        try await bench.stay(seconds: 30)
        _ = tracker.take()
        try await bench.comeHome()
        #expect(tracker.takeNames().contains("didEnterRegion"))
    }

    @Test func `REG-04: a radius above the maximum fails with error 5 and is not monitored`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, "manager 1 show")
        let largest = try #require(tracker.take().last?.number("maximumRegionMonitoringDistance"))
        try await bench.tell(tracker, "manager 1 region start wide 47.3769 8.5417 \(largest * 1.001)")
        let failures = tracker.take().filter { $0.text("callback") == "monitoringDidFail" }
        #expect(!failures.isEmpty && failures.allSatisfy { $0.number("errorCode") == 5 })
        #expect(try await monitored(bench, tracker, by: 1) == [])
        try await bench.tell(tracker, "manager 1 region start wide 47.3769 8.5417 \(largest)")
        #expect(try await monitored(bench, tracker, by: 1) == ["wide"])
    }

    @Test func `REG-15: the reported region has the registered identifier, centre and radius`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, "manager 1 region start home 47.376912345678 8.541787654321 200.25")
        try await bench.beAway()
        try await bench.comeHome()
        let regions = tracker.take().compactMap { $0.object("region") }
        #expect(regions.count >= 4)
        for region in regions {
            #expect(region.text("identifier") == "home" && region.number("radius") == 200.25)
            #expect(region.number("latitude") == 47.376912345678 && region.number("longitude") == 8.541787654321)
        }
    }

    @Test func `REG-19: a region stopped, started and queried at once is monitored and its state reported once`()
        async throws
    {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, Self.home)
        try await bench.stay(seconds: 20)
        _ = tracker.take()
        for command in ["manager 1 region stop home", Self.home, "manager 1 region state home"] {
            try await tracker.run(command)
        }
        try await bench.settle()
        let events = tracker.take()
        #expect(events.filter { $0.text("callback") == "monitoringDidFail" }.isEmpty)
        let states = events.filter { $0.text("callback") == "didDetermineState" && $0.number("manager") == 1 }
        #expect(states.count == 1)
        #expect(try await monitored(bench, tracker, by: 2) == ["home"])
    }

    @Test func `REG-20: a region registered before authorization causes no event until the grant`() async throws {
        let (bench, tracker) = try await started(.undecided())
        let user = try await bench.operator()
        try await bench.tell(tracker, Self.home, "manager 1 always")
        try await bench.beAway()
        try await bench.comeHome()
        try await bench.leaveHome()
        #expect(tracker.takeNames().allSatisfy { $0 == "didStartMonitoring" || $0 == "didChangeAuthorization" })
        try await user.answer("tracker", "always")
        try await bench.stay(seconds: 30)
        _ = tracker.take()
        try await bench.comeHome()
        #expect(tracker.takeNames().contains("didEnterRegion"))
    }

    @Test func `REG-21: a client that may not be woken cannot monitor regions: error 4`() async throws {
        let (bench, tracker) = try await started()
        try await bench.operator().answer("tracker", nil, "\"wake\":false")
        _ = tracker.take()
        try await bench.tell(tracker, Self.home)
        let failures = tracker.take().filter { $0.text("callback") == "monitoringDidFail" }
        #expect(!failures.isEmpty && failures.allSatisfy { $0.number("errorCode") == 4 })
        #expect(try await monitored(bench, tracker, by: 1) == [])
    }

    @Test func `REG-23: regions of other clients are never listed`() async throws {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(), BenchClient(name: "other")])
        let (tracker, other) = (try await bench.client(), try await bench.client("other"))
        try await bench.tell(other, "manager 1 new", "manager 1 region start yard 47.3769 8.5417 200")
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        #expect(try await monitored(bench, tracker, by: 1) == [])
        try await bench.beAway()
        try await bench.comeHome()
        #expect(tracker.take().isEmpty)
        #expect(other.takeNames().contains("didEnterRegion"))
    }

    @Test func `REG-25: with a cushion of 300 m an exit is reported beyond it, and not before`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, Self.home + " cushion 300")
        try await bench.stay(seconds: 20)
        _ = tracker.take()
        try await bench.travel(north: -450, speed: 10)
        try await bench.stay(seconds: 600)
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: -700, speed: 10)
        try await bench.stay(seconds: 30)
        #expect(tracker.takeNames().contains("didExitRegion"))
    }
}
