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

    @Test func `REG-01, REG-03: it is monitored for every manager, and once`() async throws {
        let (bench, tracker) = try await started()
        try await bench.tell(tracker, Self.home)
        let started = tracker.take().map { $0.object("region")?.text("identifier") }
        #expect(!started.isEmpty && started.allSatisfy { $0 == "home" })
        try await bench.tell(tracker, "manager 2 region start home 47.3769 8.5417 300")
        for manager in 1...2 { #expect(try await monitored(bench, tracker, by: manager) == ["home"]) }
    }

    @Test func `REG-02: one more than the manifest allows fails with 5, and the others remain`() async throws {
        let (bench, tracker) = try await started(BenchClient(members: "maximumRegions: 3,"))
        for number in 1...4 {
            try await bench.tell(tracker, "manager 1 region start place\(number) 47.3769 8.5417 200")
        }
        let failures = tracker.take().filter { $0.text("callback") == "monitoringDidFail" }
        #expect(failures.first?.number("errorCode") == 5)
        #expect(try await monitored(bench, tracker, by: 1) == ["place1", "place2", "place3"])
    }

    @Test func `REG-14, REG-16: the other manager hears too, and may stop it`() async throws {
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

    @Test func `REG-22: under reduced accuracy there are no events; back to full they resume`() async throws {
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
}
