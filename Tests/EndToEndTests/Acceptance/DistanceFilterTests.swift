import Testing

/// `distanceFilter`: from the last fix that was delivered, and what passes in spite of it.
@Suite("Acceptance: the distance filter")
struct AcceptanceDistanceFilterTests {
    /// A bench and a client whose manager has this filter and was told where it is.
    private func bench(
        filter: String, first: InjectedFix = InjectedFix()
    ) async throws -> (CoreLocationBench<SilentDevice>, Client) {
        let bench = try await CoreLocationBench.start()
        // The estimate has become as sure as it gets before anything is asked.
        try await bench.stay(seconds: 120, accuracy: first.accuracy)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set distanceFilter \(filter)", "manager 1 start")
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didUpdateLocations"])
        return (bench, tracker)
    }

    @Test func `FILT-01: with a 50 m filter a fix 49 m from the last is not reported, and one 51 m from it is`()
        async throws
    {
        let (bench, tracker) = try await bench(filter: "50")
        for place in [(47.0, 0.0), (0, 47), (-47, 0), (0, -47), (33, -33), (0, 0)] {
            try await bench.travel(north: place.0, east: place.1, speed: 2)
        }
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: 53, speed: 2)
        #expect(try tracker.takeLocations().count == 1)
        // It counts from there now.
        try await bench.travel(north: 5, speed: 2)
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: 50, speed: 2)
        try await bench.travel(north: 50, east: 54, speed: 2)
        #expect(try tracker.takeLocations().count == 1)
    }

    @Test func `FILT-02: a slow drift is reported each time it adds up to the filter distance`() async throws {
        let (bench, tracker) = try await bench(filter: "50")
        var reports: [Int] = []
        for step in 1...120 {
            try await bench.fix(
                InjectedFix(north: Double(step) * 1.01).with { ($0.speed, $0.courseAccuracy) = (1.01, 2) })
            if !tracker.take().isEmpty { reports.append(step) }
        }
        #expect(reports.count == 2)
        #expect(zip(reports, [50, 100]).allSatisfy { abs($0 - $1) <= 2 }, "\(reports)")
    }

    @Test func `FILT-03, FILT-04: a fix at the same place is reported if it is materially better`() async throws {
        let (bench, tracker) = try await bench(filter: "500", first: InjectedFix(accuracy: 100))
        try await bench.fix(InjectedFix(accuracy: 5))
        #expect(try tracker.takeLocations().map { ($0.number("horizontalAccuracy") ?? .nan) < 50 } == [true])
        try await bench.stay(seconds: 120)
        _ = tracker.take()
        for round in 0..<20 { try await bench.fix(InjectedFix(accuracy: round % 2 == 0 ? 4.9 : 5)) }
        // Nor does a worse one reset what the next is compared with.
        for accuracy in [100, 5.0, 4.9] { try await bench.fix(InjectedFix(accuracy: accuracy)) }
        #expect(tracker.take().isEmpty)
    }

    @Test func `FILT-05: without a filter every fix is delivered`() async throws {
        let (bench, tracker) = try await bench(filter: "none")
        for _ in 0..<10 { try await bench.fix() }
        #expect(try tracker.takeLocations().count == 10)
    }

    @Test func `FILT-06: a change of altitude alone is not reported`() async throws {
        let (bench, tracker) = try await bench(filter: "50")
        for altitude in [608.0, 208] { try await bench.fix(InjectedFix().with { $0.altitude = altitude }) }
        #expect(tracker.take().isEmpty)
    }

    @Test func `FILT-07: a changed filter applies from the next fix on`() async throws {
        let (bench, tracker) = try await bench(filter: "500")
        try await bench.travel(north: 40, speed: 2)
        #expect(tracker.take().isEmpty)
        try await bench.tell(tracker, "manager 1 set distanceFilter 50")
        // No first report again, and the last delivered fix is still the first.
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: 47, speed: 2)
        #expect(tracker.take().isEmpty)
        try await bench.travel(north: 53, speed: 2)
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 set distanceFilter none")
        try await bench.stay(seconds: 1)
        #expect(try tracker.takeLocations().count == 1)
        try await bench.tell(tracker, "manager 1 set distanceFilter 1000")
        try await bench.travel(north: 900, speed: 15)
        #expect(tracker.take().isEmpty)
    }
}
