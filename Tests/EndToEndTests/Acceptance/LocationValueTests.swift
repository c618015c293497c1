import BenchControl
import Testing

/// What a location says, through the whole way from the receiver's bytes to the client.
///
/// The statements about values alone, LOC-04, LOC-05 and LOC-07, are also tested beside `CLLocation` itself.
@Suite("Acceptance: the values of a location")
struct AcceptanceLocationValueTests {
    private func startedBench(
        clients: [BenchClient] = [BenchClient()]
    ) async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start(clients: clients)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        return (bench, tracker)
    }

    /// An NMEA sentence with its checksum and its end.
    private func sentence(_ body: String) -> [UInt8] {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
    }

    @Test func `LOC-01: an unknown speed or course is -1, and due north is 0`() async throws {
        let (bench, tracker) = try await startedBench()
        // A receiver that stands still knows its speed; where it is headed it does not.
        try await bench.fix(InjectedFix())
        var location = try #require(try tracker.takeLocations().last)
        #expect(location.number("speed") == 0 && location.number("course") == -1)
        #expect((0...0.35).contains(location.number("speedAccuracy") ?? .nan))
        #expect(location.number("courseAccuracy") == -1)
        for second in 1...20 {
            let north = 5 * Double(second)
            try await bench.fix(
                InjectedFix(north: north).with { ($0.speed, $0.course, $0.courseAccuracy) = (5, 0, 1.5) })
        }
        location = try #require(try tracker.takeLocations().last)
        #expect(abs((location.number("speed") ?? .nan) - 5) < 0.1 && location.number("course") == 0)
        #expect((0.1...5).contains(location.number("courseAccuracy") ?? .nan))
    }

    @Test func `LOC-01: a receiver that reports neither speed nor course gives -1 for both`() async throws {
        let (bench, tracker) = try await startedBench()
        for second in ["00", "01", "02"] {
            let rmc = "GNRMC,0800\(second).00,A,4722.61400,N,00832.50200,E,,,150127,,,A"
            let gga = "GNGGA,0800\(second).00,4722.61400,N,00832.50200,E,1,09,0.9,408.0,M,47.5,M,,"
            try bench.harness.send(sentence(rmc) + sentence(gga))
            try await bench.run(seconds: 1)
        }
        let locations = try tracker.takeLocations()
        #expect(!locations.isEmpty)
        for location in locations {
            #expect(location.number("speed") == -1 && location.number("course") == -1)
            #expect(location.number("speedAccuracy") == -1 && location.number("courseAccuracy") == -1)
            // LOC-03, by the sentence's own separation.
            let (mean, ellipsoidal) = (location.number("altitude") ?? 0, location.number("ellipsoidalAltitude") ?? 0)
            #expect(mean == 408 && abs(mean - ellipsoidal + 47.5) < 0.1)
        }
    }

    @Test func `LOC-02: verticalAccuracy is not positive without a valid altitude`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.fix(InjectedFix().with { $0.type = 2 })
        #expect(try tracker.takeLocations().allSatisfy { try #require($0.number("verticalAccuracy")) <= 0 })
        try await bench.fix()
        let accuracy = try #require(try tracker.takeLocations().last?.number("verticalAccuracy"))
        #expect((1...8).contains(accuracy))
    }

    @Test func `LOC-03: the two altitudes differ by the geoid separation`() async throws {
        let (bench, tracker) = try await startedBench()
        for separation in [47.5, -32] {
            try await bench.fix(InjectedFix().with { $0.geoidSeparation = separation })
            let location = try #require(try tracker.takeLocations().last)
            let altitude = try #require(location.number("altitude"))
            #expect(altitude == 408)
            #expect(abs(altitude - (location.number("ellipsoidalAltitude") ?? 0) + separation) < 0.1)
        }
    }

    @Test func `LOC-06, LOC-07: an injected fix is marked as simulated for every client, and has no floor`()
        async throws
    {
        let (bench, tracker) = try await startedBench(
            clients: [BenchClient(), BenchClient(name: "other"), BenchClient(name: "coarse", accuracy: "reduced")])
        let (other, coarse) = (try await bench.client("other"), try await bench.client("coarse"))
        for client in [other, coarse] { try await bench.tell(client, "manager 1 new", "manager 1 request") }
        try await bench.tell(tracker, "live 1 begin")
        try await bench.fix()
        for client in [tracker, other, coarse] {
            let reports = client.take().filter { ["didUpdateLocations", "update"].contains($0.text("callback")) }
            let locations = reports.flatMap { $0.objects("locations") ?? $0.object("location").map { [$0] } ?? [] }
            #expect(!locations.isEmpty, "\(client.name)")
            #expect(locations.allSatisfy { $0.bool("isSimulatedBySoftware") == true && $0.bool("hasFloor") == false })
        }
    }

    @Test func `LOC-08: an invalid fix is neither reported nor used by the distance filter`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.stay(seconds: 120)
        #expect(try tracker.takeLocations().count == 120)
        try await bench.tell(tracker, "manager 1 stop", "manager 1 set distanceFilter 50", "manager 1 start")
        #expect(try tracker.takeLocations().count == 1, "what is known")
        for _ in 0..<5 { try await bench.fix(InjectedFix(north: 100).with { $0.isTrusted = false }) }
        for _ in 0..<5 { try await bench.fix(InjectedFix(north: 100).with { $0.type = 0 }) }
        #expect(tracker.take().isEmpty)
        // The filter counts from the last valid one.
        try await bench.travel(north: 47, speed: 2)
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: 53, speed: 2)
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 show")
        let shown = try #require(tracker.take().first?.object("location"))
        #expect(try #require(shown.number("horizontalAccuracy")) > 0)
    }

    @Test func `LOC-08: an invalid fix enters no region and begins no visit`() async throws {
        let (bench, tracker) = try await startedBench()
        try await bench.tell(
            tracker, "manager 1 stop", "manager 1 visits start", "manager 1 region start home 47.3769 8.5417 200")
        try await bench.beAway(seconds: 60)
        _ = tracker.take()
        for _ in 0..<60 { try await bench.fix(InjectedFix().with { $0.isTrusted = false }, then: 10) }
        for _ in 0..<60 { try await bench.fix(InjectedFix().with { $0.type = 0 }, then: 10) }
        #expect(tracker.take().filter { $0.text("callback") != "monitoringDidFailFor" }.isEmpty)
        try await bench.comeHome()
        #expect(tracker.takeNames().contains("didEnterRegion"), "valid ones do")
    }
}
