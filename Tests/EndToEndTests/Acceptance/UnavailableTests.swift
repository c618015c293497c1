import Testing

/// What a board has not is said to be unavailable, and never an error that a client could not expect.
@Suite("Acceptance: what is unavailable")
struct AcceptanceUnavailableTests {
    @Test func `BEAC-07, HEAD-01: without a radio and a magnetometer, ranging and headings are unavailable`()
        async throws
    {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "show")
        let shown = tracker.take().last
        #expect(shown?.bool("headingAvailable") == false && shown?.bool("isRangingAvailable") == false)
        try await bench.tell(tracker, "manager 1 new", "manager 1 heading start")
        try await bench.fix()
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        let beacon = "7D7A4B1C-8E4C-4C57-9B0B-0A4F6F1F0E21"
        try await bench.tell(tracker, "manager 1 range \(beacon)")
        let events = tracker.take()
        #expect(events.map { $0.text("callback") } == ["didFailRanging"])
        #expect(events.first?.number("errorCode") == 16 && events.first?.text("uuid") == beacon)
    }

    @Test func `GEO-03: each geocoding request fails exactly once, also when denied or cancelled`()
        async throws
    {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(authorization: "denied")])
        let tracker = try await bench.client()
        try await bench.tell(tracker, "geocode cancel", "geocode begin")
        // Nothing is connected that could tell: its error is the one of a rate that was exceeded.
        let first = try await end(of: tracker)
        #expect(first.number("errorCode") == 2 && first.number("placemarks") == nil)
        try await bench.tell(tracker, "geocode begin", "geocode cancel")
        let second = try await end(of: tracker)
        #expect([10, 2].contains(second.number("errorCode")), "whether it was through before it was cancelled or not")
        #expect(second.number("placemarks") == nil)
        try await bench.run(seconds: 60)
        #expect(tracker.take().isEmpty)
    }

    @Test(arguments: ["denied", "restricted", "undecided", "services off", "no manifest"])
    func `GEO-01, GEO-34: a point has its names whatever the program may know, without the daemon`(
        standing: String
    ) async throws {
        var client = BenchClient.undecided()
        if ["denied", "restricted"].contains(standing) { client.authorization = standing }
        if standing == "services off" { client.authorization = "always" }
        let bench = try await CoreLocationBench.start(clients: standing == "no manifest" ? [] : [client])
        _ = try await bench.scratch.writePlaces()
        let user = try await bench.operator()
        try await user.beAgent()
        if standing == "services off" { try await user.setServices(false) }
        _ = try await user.take()
        let tracker = try await bench.client()
        // Not told by the bench, which would have the program connect.
        try await tracker.run("geocode begin")
        let event = try await end(of: tracker)
        #expect(event.number("placemarks") == 1 && event.number("errorCode") == nil)
        #expect(try await user.take().isEmpty, "nobody is asked")
        if standing != "no manifest" { #expect(try await user.client("tracker")?.number("connections") == 0) }
    }

    /// How a request ended; the tables are read in real time, by a thread of the program.
    private func end(of client: Client) async throws -> JSON {
        let event = try await eventually("the request's end") {
            client.readRest()
            return client.take().first
        }
        #expect(event.text("callback") == "geocoded")
        return event
    }
}
