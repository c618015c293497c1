import BenchControl
import Foundation
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

    /// What is known of the program, in the order of the table's columns, and what the reasons of its denials say.
    private static let standings = [
        ("undecided", ""), ("denied", "sextant clients allow"), ("services off", "sextant services on"),
        ("reduced", ""),
        ("no manifest", "No manifest names"), ("no purpose text", "purpose.whenInUse"),
    ]

    private static let uuid = "7D7A4B1C-8E4C-4C57-9B0B-0A4F6F1F0E21"

    /// The commands that start a service, and what a program then hears in each of the standings.
    private static let services: [(commands: [String], heard: [String])] = [
        (["manager 1 start"], ["", "failed 1", "failed 1", "", "failed 1", "failed 1"]),
        (["manager 1 request"], ["", "failed 1", "failed 1", "", "failed 1", "failed 1"]),
        (["manager 1 significant start"], ["", "failed 1", "failed 1", "", "failed 1", "failed 1"]),
        (["manager 1 visits start"], ["", "failed 1", "failed 1", "", "failed 1", "failed 1"]),
        // Which way the board points says nothing of where it is.
        (["manager 1 heading start"], ["", "", "", "", "failed 1", ""]),
        (
            ["manager 1 region start yard 47.38 8.54 200"],
            ["monitoring", "unmonitored 4", "unmonitored 4", "monitoring", "unmonitored 4", "unmonitored 4"]
        ),
        (["manager 1 beacon start barn \(uuid)"], ["5", "5", "5", "5", "4", "5"].map { "unmonitored \($0)" }),
        (["manager 1 range \(uuid)"], ["", "unranged 1", "unranged 1", "", "unranged 1", "unranged 1"]),
        (["manager 1 defer 100 60"], Array(repeating: "undeferred 12", count: 6)),
        (["manager 1 fullAccuracy navigate"], Array(repeating: "inexact 18", count: 6)),
        (
            ["live 1 begin"],
            [
                "authorizationRequestInProgress", "authorizationDenied",
                "authorizationDenied authorizationDeniedGlobally", "accuracyLimited", "authorizationDenied",
                "authorizationDenied",
            ]
        ),
        (
            ["monitor 1 open gates", "monitor 1 add gate 47.38 8.54 200", "monitor 1 begin"],
            [
                "authorizationRequestInProgress", "authorizationDenied",
                "authorizationDenied authorizationDeniedGlobally", "accuracyLimited", "authorizationDenied",
                "authorizationDenied",
            ]
        ),
    ]

    /// What the reasons of the other errors say, by their code.
    private static let reasons = [
        5: "no radio", 12: "startUpdatingLocation", 18: "purpose.temporary",
    ]

    @Test(arguments: standings.indices)
    func `each service that is not served says so by its own callback, with the reason and its mend`(
        column: Int
    ) async throws {
        let (standing, words) = Self.standings[column]
        var client = BenchClient.undecided()
        if standing == "denied" { client.authorization = standing }
        if standing == "services off" { client.authorization = "always" }
        if standing == "reduced" { (client.authorization, client.accuracy) = ("always", standing) }
        if standing == "no purpose text" { (client.whenInUse, client.always) = (nil, nil) }
        // A client for each service, since a question is asked once.
        let clients = Self.services.indices.map { index in
            var each = client
            each.name = "tracker\(index)"
            return each
        }
        let bench = try await CoreLocationBench.start(clients: standing == "no manifest" ? [] : clients)
        if standing == "services off" { try await bench.operator().setServices(false) }
        for (client, (commands, heard)) in zip(clients, Self.services) {
            let tracker = try await bench.client(client.name)
            try await bench.tell(tracker, "manager 1 new")
            _ = tracker.take()
            for command in commands { try await bench.tell(tracker, command) }
            try await bench.run(seconds: 2)
            let told = tracker.take()
            #expect(told.map(Self.brief).joined(separator: ", ") == heard[column], "\(standing): \(commands)")
            for event in told {
                guard let code = event.number("errorCode") else { continue }
                let expected = Self.reasons[Int(code)] ?? words
                #expect(event.text("reason")?.contains(expected) == true, "\(standing): \(commands)")
            }
            try await bench.kill(tracker)
        }
    }

    /// A callback in a word, with its error's code or with what is true of it.
    private static func brief(_ event: JSON) -> String {
        let names = [
            "didFailWithError": "failed", "didStartMonitoring": "monitoring", "monitoringDidFail": "unmonitored",
            "didFailRanging": "unranged", "didFinishDeferredUpdates": "undeferred", "fullAccuracyCompletion": "inexact",
        ]
        let name = event.text("callback") ?? ""
        if let code = event.number("errorCode") { return "\(names[name] ?? name) \(Int(code))" }
        let numbers: Set = ["manager", "live", "monitor", "state"]
        let flags = event.members.keys.filter { event.bool($0) == true && !numbers.contains($0) }.sorted()
        return flags.isEmpty ? names[name] ?? name : flags.joined(separator: " ")
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
