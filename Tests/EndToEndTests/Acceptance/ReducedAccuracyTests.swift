import BenchControl
import Foundation
import Glibc
import Testing

/// What a client of reduced accuracy may know (core-location.md, section 4, RED-01 to RED-08).
@Suite("Acceptance: reduced accuracy")
struct AcceptanceReducedAccuracyTests {
    typealias Bench = CoreLocationBench<SilentDevice>

    private static let rescue = "Sends the exact position to the coast guard."

    /// A client of reduced accuracy that may ask for more, for one purpose.
    private static let client = BenchClient(
        authorization: "whenInUse", accuracy: "reduced",
        members: "purpose: { whenInUse: 'Shows where the boat is.', temporary: { rescue: '\(rescue)' } },")

    private func reduced() async throws -> (bench: Bench, tracker: Client, user: Operator) {
        let bench = try await CoreLocationBench.start(clients: [Self.client])
        let user = try await bench.operator()
        try await user.beAgent()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 set pauses false")
        #expect(tracker.take().map { $0.text("accuracyAuthorization") } == ["reduced"])
        return (bench, tracker, user)
    }

    /// Metres between a coarse location and the place that fixes are at unless moved.
    private func error(of location: JSON, from fix: InjectedFix = InjectedFix()) -> Double {
        let north = ((location.number("latitude") ?? .nan) - fix.latitude) * 111_181
        let east = ((location.number("longitude") ?? .nan) - fix.longitude) * 75_513
        return (north * north + east * east).squareRoot()
    }

    @Test func `RED-01, RED-02, RED-03: one position for the whole cell a few times an hour, at any desired accuracy`()
        async throws
    {
        let (bench, tracker, _) = try await reduced()
        try await bench.tell(tracker, "manager 1 set desiredAccuracy best", "manager 1 start")
        for minute in 0..<60 {
            // Within the cell, some 50 m a minute to the south.
            for _ in 0..<6 { try await bench.fix(InjectedFix(north: Double(minute) * -50), then: 10) }
            if minute == 20 { try await bench.tell(tracker, "manager 1 set desiredAccuracy bestForNavigation") }
            if minute == 40 { try await bench.tell(tracker, "manager 1 set desiredAccuracy 10") }
        }
        let locations = try tracker.takeLocations()
        #expect((4...5).contains(locations.count))
        for location in locations {
            #expect(location.number("horizontalAccuracy") ?? 0 >= 1000)
            #expect(error(of: location) < 20_000)
            #expect(location.number("latitude") == locations[0].number("latitude"))
            #expect(location.number("longitude") == locations[0].number("longitude"))
            #expect(location.number("speed") == -1 && location.number("verticalAccuracy") ?? 0 <= 0)
        }
        #expect(Set(locations.compactMap { $0.text("timestamp") }).count == locations.count)
    }

    @Test func `RED-04: no message to the client contains a more precise position`() async throws {
        let bench = try await CoreLocationBench.start(
            policy: "others: { authorization: 'always', accuracy: 'reduced' },")
        let manifest = try bench.scratch.write(
            "{ user: \(geteuid()), purpose: { whenInUse: 'w', always: 'a' } }", to: "clients.d/raw.json5")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: manifest)
        try await bench.restart()
        try await bench.fix()
        let wire = try Wire(socket: bench.socket)
        let asked = [
            #""watch","satellites":true"#, #""watch","session":1,"accuracy":"best""#, #""locateOnce","session":2"#,
            #""locate","timeout":5,"accuracy":5"#, #""monitorSignificantChange","enabled":true"#,
            #""monitorVisits","enabled":true"#,
            #""monitorRegion","identifier":"home","latitude":47.379,"longitude":8.544,"radius":500"#,
            #""regionState","identifier":"far","latitude":47.377,"longitude":8.542,"radius":500"#, #""status""#,
            #""registrations""#, #""defer","session":1"#, #""locate","timeout":5,"accuracy":-1"#,
        ]
        for request in asked { try wire.send("{\"request\":\(request)}\n") }
        _ = try await lines(wire, until: 1)
        try await bench.leaveHome()
        try await bench.comeHome()
        try await bench.stay(seconds: 2000, every: 10)
        try await bench.run(seconds: 20)
        try wire.send("{\"request\":\"registrations\"}\n{\"request\":\"unwatch\",\"session\":1}\n")
        let again = try Wire(socket: bench.socket)
        let told = try await lines(wire, until: 2) + lines(again, until: 1)
        let names = told.compactMap { JSON(line: $0)?.text("event") }
        #expect(names.contains("visit") && names.contains("hello"))
        #expect(!names.contains("epoch") && !names.contains("regionEvent"))
        for line in told { expectCoarse(line) }
    }

    /// Every line that came before the answer to a ping of this number.
    private func lines(_ wire: Wire, until number: Int) async throws -> [String] {
        try wire.send("{\"request\":\"ping\",\"id\":\"p\(number)\"}\n")
        var lines: [String] = []
        while true {
            let line = try await wire.line()
            guard JSON(line: line)?.text("id") != "p\(number)" else { return lines }
            expectCoarse(line)
            lines.append(line)
        }
    }

    /// That a line has no position but the middle of a cell, and says nothing of how a region stands.
    private func expectCoarse(_ line: String) {
        guard let object = JSON(line: line) else { return }
        for place in [object, object.object("location") ?? JSON([:])] {
            // The region is the client's own.
            guard place.number("latitude") != nil, object.text("event") != "registration" else { continue }
            #expect(place.number("horizontalAccuracy") ?? 0 >= 1000, "\(line)")
            #expect(error(of: place) > 100, "\(line)")
        }
        for finer in ["47.3769", "47.377", "8.5417", "speed", "course", "altitude", "\"satellites\"", "ecef"] {
            #expect(!line.contains(finer), "\(line)")
        }
        if ["regionState", "registration"].contains(object.text("event")) {
            #expect(object.text("state") ?? "unknown" == "unknown", "\(line)")
        }
    }

    @Test func `RED-04: the location and the visits of a manager have the cell's position`() async throws {
        let bench = try await CoreLocationBench.start(clients: [BenchClient(accuracy: "reduced")])
        let tracker = try await bench.client()
        try await bench.tell(
            tracker, "manager 1 new", "manager 1 start", "manager 1 visits start",
            "manager 1 region start home 47.3769 8.5417 200", "manager 1 region state home")
        try await bench.beAway()
        let told = tracker.take()
        #expect(told.filter { $0.text("callback") == "didDetermineState" }.allSatisfy { $0.number("state") == 0 })
        try await bench.comeHome()
        try await bench.stay(seconds: 2000, every: 10)
        let visits = tracker.take().filter { $0.text("callback") != "didUpdateLocations" }
        #expect(visits.map { $0.text("callback") } == ["didVisit"])
        try await bench.tell(tracker, "manager 1 show")
        let shown = try #require(tracker.take().last?.object("location"))
        for place in [try #require(visits.first), shown] {
            #expect(place.number("horizontalAccuracy") == 5000)
            #expect((100..<5000).contains(error(of: place)))
        }
        #expect(visits.first?.number("latitude") == shown.number("latitude"))
    }

    @Test func `RED-05: full accuracy that cannot be granted is refused without asking the user`() async throws {
        let (bench, tracker, user) = try await reduced()
        try await bench.tell(tracker, "manager 1 fullAccuracy picnic")
        #expect(refusals(tracker) == [18], "a key that the manifest has not")
        try await bench.tell(tracker, "state background")
        _ = tracker.take()
        try await bench.tell(tracker, "manager 1 fullAccuracy rescue")
        #expect(refusals(tracker) == [18], "in the background")
        try await bench.tell(tracker, "state foreground")
        try await user.answer("tracker", nil, "\"accuracy\":\"full\"")
        try await bench.settle()
        #expect(tracker.takeNames() == ["didChangeAuthorization"])
        try await bench.tell(tracker, "manager 1 fullAccuracy rescue")
        #expect(refusals(tracker) == [18], "full already")
        #expect(try await user.take().isEmpty)
    }

    /// The codes that requests for full accuracy ended with; nothing else may have come.
    private func refusals(_ client: Client) -> [Double?] {
        let events = client.take()
        #expect(events.allSatisfy { $0.text("callback") == "fullAccuracyCompletion" })
        return events.map { $0.number("errorCode") }
    }

    @Test func `RED-06: a declined full-accuracy request ends without an error and changes nothing`() async throws {
        let (bench, tracker, user) = try await reduced()
        try await bench.tell(tracker, "manager 1 fullAccuracy rescue")
        #expect(tracker.take().isEmpty)
        let seen = try await user.take()
        #expect(seen.map { $0.text("kind") } == ["fullAccuracy"] && seen.first?.text("purpose") == Self.rescue)
        try await user.answer("tracker", "deny")
        try await bench.settle()
        #expect(refusals(tracker) == [nil])
        try await bench.tell(tracker, "manager 1 show")
        #expect(tracker.take().last?.text("accuracyAuthorization") == "reduced")
    }

    @Test func `RED-07: temporary full accuracy begins with the grant and ends when the client is no longer in use`()
        async throws
    {
        let (bench, tracker, user) = try await reduced()
        try await bench.tell(tracker, "manager 1 start", "manager 1 fullAccuracy rescue")
        try await user.answer("tracker", "allow")
        try await bench.settle()
        let events = tracker.take()
        #expect(events.map { $0.text("callback") } == ["didChangeAuthorization", "fullAccuracyCompletion"])
        #expect(events.first?.text("accuracyAuthorization") == "full")
        #expect(events.last?.number("errorCode") == nil)
        try await bench.fix()
        let locations = try tracker.takeLocations()
        #expect(locations.count == 1 && locations.allSatisfy { $0.number("horizontalAccuracy") ?? .nan < 6 })
        try await bench.tell(tracker, "state background")
        try await bench.run(seconds: 4)
        #expect(tracker.takeNames() == [], "in the grace after its use")
        try await bench.run(seconds: 60)
        let after = tracker.take()
        #expect(after.map { $0.text("callback") } == ["didChangeAuthorization"])
        #expect(after.first?.text("accuracyAuthorization") == "reduced")
        try await bench.tell(tracker, "state foreground")
        try await bench.run(seconds: 900)
        _ = tracker.take()
        try await bench.fix()
        #expect(try tracker.takeLocations().map { $0.number("horizontalAccuracy") } == [5000])
    }

    @Test func `RED-08: one requested location is coarse, from the cached or the first fix`() async throws {
        let (bench, tracker, _) = try await reduced()
        try await bench.tell(tracker, "manager 1 request")
        #expect(tracker.take().isEmpty)
        try await bench.fix()
        #expect(try tracker.takeLocations().map { $0.number("horizontalAccuracy") } == [5000])
        try await bench.tell(tracker, "manager 1 request")
        #expect(try tracker.takeLocations().map { $0.number("horizontalAccuracy") } == [5000])
        try await bench.run(seconds: 120)
        #expect(tracker.take().isEmpty)
    }
}
