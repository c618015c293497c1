import Foundation
import Testing

/// Spec 4, VIS: visits.
@Suite("Acceptance: visits")
struct AcceptanceVisitTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    private func watching(accuracy: String? = nil) async throws -> (Bench, Client) {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(accuracy: accuracy)])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        return (bench, tracker)
    }

    /// Seconds since 1970 of a date that a callback tells.
    private func seconds(_ event: JSON?, _ member: String) -> Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (event?.text(member)).flatMap { try? style.parse($0) }?.timeIntervalSince1970 ?? .nan
    }

    @Test func `VIS-01, VIS-02, VIS-04: a stay is reported as an arrival and then a departure, both in time`()
        async throws
    {
        let (bench, tracker) = try await watching()
        try await bench.beAway()
        try await bench.comeHome()
        let came = bench.time
        try await bench.stay(seconds: 900, every: 10)
        let arrivals = tracker.take()
        #expect(arrivals.map { $0.text("callback") } == ["didVisit"])
        let arrival = try #require(arrivals.first)
        #expect(arrival.text("departureDate") == "distantFuture")
        #expect(abs(seconds(arrival, "arrivalDate") - came) < 60)
        try await bench.stay(seconds: 300, every: 10)
        let left = bench.time
        try await bench.leaveHome()
        try await bench.stay(seconds: 400, every: 10)
        let told = bench.time
        let departures = tracker.take()
        let departure = try #require(departures.first)
        #expect(departures.map { $0.text("callback") }.prefix(1) == ["didVisit"])
        #expect(departure.text("arrivalDate") == arrival.text("arrivalDate"))
        #expect(abs(seconds(departure, "departureDate") - left) < 60)
        #expect(told - left < 600)
        let north = (departure.number("latitude") ?? .nan) - (arrival.number("latitude") ?? .nan)
        #expect(abs(north) * 111_181 <= arrival.number("horizontalAccuracy") ?? 0)
    }

    @Test func `VIS-03: for a stay already under way only the departure is reported, without an arrival time`()
        async throws
    {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.beAway()
        try await bench.comeHome()
        try await bench.stayForVisit()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        try await bench.stayForVisit()
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        try await bench.leaveHome()
        let events = tracker.take()
        #expect(events.map { $0.text("arrivalDate") } == ["distantPast"])
    }

    @Test func `VIS-05, VIS-06: visits reach all managers, also in the next process, until one manager stops them`()
        async throws
    {
        let (bench, tracker) = try await watching()
        try await bench.tell(tracker, "manager 2 new")
        _ = tracker.take()
        try await bench.beAway()
        try await bench.comeHome()
        try await bench.stayForVisit()
        #expect(tracker.take().compactMap { $0.number("manager") }.sorted() == [1, 2])
        try await bench.kill(tracker)
        let next = try await bench.client()
        try await bench.tell(next, "manager 1 new", "manager 2 new")
        _ = next.take()
        try await bench.leaveHome()
        #expect(next.takeNames() == ["didVisit", "didVisit"])
        try await bench.tell(next, "manager 2 visits stop")
        try await bench.comeHome()
        try await bench.stayForVisit()
        #expect(next.take().isEmpty)
    }

    @Test func `VIS-07, VIS-08: driving past and two-minute stops in traffic are not visits`() async throws {
        let (bench, tracker) = try await watching()
        try await bench.beAway()
        for stop in 0..<6 {
            try await bench.travel(north: Double(stop) * 800, speed: 10)
            try await bench.stay(seconds: 120)
        }
        try await bench.travel(north: 20_000, speed: 25)
        #expect(tracker.take().isEmpty)
    }

    @Test func `VIS-09: under reduced accuracy visits are reported with an accuracy of 1000 m or more`() async throws {
        let (bench, tracker) = try await watching(accuracy: "reduced")
        // Estimates come every quarter of an hour, and visits with them; the next cell begins 5 km farther on.
        try await bench.stay(seconds: 2000, every: 10)
        #expect(tracker.take().map { $0.text("callback") } == ["didVisit"])
        try await bench.travel(north: -6000, speed: 15)
        try await bench.stay(seconds: 2000, every: 10)
        let visits = tracker.take()
        #expect(visits.map { $0.text("departureDate") == "distantFuture" } == [false, true])
        #expect(visits.allSatisfy { $0.number("horizontalAccuracy") ?? 0 >= 1000 })
    }

    @Test(arguments: [100, 500])
    func `VIS-10: a stay across a restart of the daemon is one arrival and one departure`(after: Double) async throws {
        let (bench, tracker) = try await watching()
        try await bench.beAway()
        try await bench.comeHome()
        try await bench.stay(seconds: after, every: 10)
        try await bench.restart(after: SIGKILL)
        try await bench.stay(seconds: 1000, every: 10)
        try await bench.leaveHome()
        let visits = tracker.take()
        #expect(visits.map { $0.text("departureDate") == "distantFuture" } == [true, false])
        #expect(visits.first?.text("arrivalDate") == visits.last?.text("arrivalDate"))
    }
}
