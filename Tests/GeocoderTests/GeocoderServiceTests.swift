import Foundation
import SextantPlaces
import SextantReactor
import SextantSQLite
import SextantUnits
import Testing

@testable import Geocoder

@Suite("The geocoder")
struct GeocoderServiceTests {
    private static func settings(interval: Double = 1, perClient: Int = 50, days: Int = 30) -> GeocoderSettings {
        var settings = GeocoderSettings(server: "https://names.example")
        (settings.interval, settings.perClient, settings.cacheDays) = (interval, perClient, days)
        return settings
    }

    private static func isPlace(_ reply: GeocoderReply?) -> Bool {
        if case .places(let marks)? = reply { marks.first?.thoroughfare == "Bahnhofstrasse" } else { false }
    }

    @Test func `GEO-02, GEO-35: 50 lookups in 60 s are answered and the 51st is told how long to wait`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        for number in 0..<50 {
            #expect(Self.isPlace(try bench.ask(client, metres: Double(number) * 100)))
            try bench.advance(0.1)
        }
        #expect(try bench.ask(client, metres: 9900) == .tooMany(retryAfter: 55))
        // From the cache all are answered, and another client is not affected.
        for number in 0..<50 { #expect(Self.isPlace(try bench.ask(client, metres: Double(number) * 100))) }
        #expect(Self.isPlace(try bench.ask(try bench.client("b"), metres: 9900)))
        #expect(bench.server.asked.count == 51)
        try bench.advance(55)
        #expect(Self.isPlace(try bench.ask(client, metres: 9900)))
    }

    @Test func `GEO-36: 10 clients with 20 lookups each do not make the server be asked sooner`() throws {
        let bench = try GeocoderBench(Self.settings())
        let clients = try (0..<10).map { try bench.client("client \($0)") }
        var sent = [Int](repeating: 0, count: clients.count)
        var answered = 0
        for (index, client) in clients.enumerated() {
            try client.send(.question(GeocoderBench.question(metres: Double(index) * 100_000)))
            sent[index] = 1
        }
        for _ in 0..<3000 where answered < 200 {
            try bench.advance(0.1)
            for (index, client) in clients.enumerated() where client.reply() != nil {
                answered += 1
                guard sent[index] < 20 else { continue }
                let metres = Double(index) * 100_000 + Double(sent[index]) * 100
                try client.send(.question(GeocoderBench.question(metres: metres)))
                sent[index] += 1
            }
        }
        let instants = bench.server.asked.map(\.at)
        #expect(answered == 200 && instants.count > 150)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $1.nanoseconds(since: $0) >= 1_000_000_000 })
    }

    @Test func `GEO-37: 25 m off are one request, 60 m, another language and a time past the days another`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01, days: 2))
        let client = try bench.client("a")
        func requests(_ metres: Double, _ language: String? = nil) throws -> Int {
            #expect(Self.isPlace(try bench.ask(client, metres: metres, language: language)))
            try bench.advance(0.1)
            return bench.server.asked.count
        }
        #expect(try requests(0) == 1 && requests(0) == 1 && requests(25) == 1)
        #expect(try requests(60) == 2 && requests(0, "fr") == 3 && requests(0) == 3)
        try bench.advance(2 * 86_400 - 10)
        #expect(try requests(0) == 3)
        try bench.advance(10)
        #expect(try requests(0) == 4)
    }

    @Test func `GEO-37: another client's answer is not used`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        _ = try bench.ask(try bench.client("a"), metres: 0)
        try bench.advance(1)
        _ = try bench.ask(try bench.client("b"), metres: 0)
        #expect(bench.server.asked.count == 2)
    }

    @Test func `GEO-38: where the server fails the local tables are to answer`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        for (index, outcome) in [
            ServerOutcome.answered(status: 301, retryAfter: nil, body: []),
            .answered(status: 500, retryAfter: nil, body: []),
            .answered(status: 200, retryAfter: nil, body: Array("<html>".utf8)),
            .answered(status: 200, retryAfter: nil, body: Array(#"{"error":"a fault"}"#.utf8)),
            .failed("Timeout was reached"),
        ].enumerated() {
            bench.server.outcome = outcome
            #expect(try bench.ask(client, metres: Double(index) * 100) == .unavailable)
            try bench.advance(0.1)
        }
        #expect(bench.server.asked.count == 5 && bench.log.count == 5)
        bench.server.outcome = .answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house)
        try bench.advance(10)
        #expect(Self.isPlace(try bench.ask(client, metres: 0)))
    }

    @Test func `GEO-38: a server that is not reached is left alone for 10 s, and each time twice as long to 5 min`()
        throws
    {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        bench.server.outcome = .failed("Could not connect to server")
        var pauses: [Int] = []
        for _ in 0..<7 {
            let count = bench.server.asked.count
            var seconds = 0
            while try bench.ask(client, metres: 0) == .unavailable, bench.server.asked.count == count {
                try bench.advance(1)
                seconds += 1
            }
            pauses.append(seconds)
        }
        #expect(pauses == [0, 10, 20, 40, 80, 160, 300])
        bench.server.outcome = .answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house)
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        let other = try bench.client("a")
        try bench.advance(299)
        #expect(try bench.ask(other, metres: 0) == .unavailable && bench.server.asked.count == 7)
        try bench.advance(1)
        #expect(Self.isPlace(try bench.ask(other, metres: 0)))
    }

    @Test func `GEO-36: the interval begins when the server has answered, so that a slow first answer keeps it too`()
        throws
    {
        let bench = try GeocoderBench(Self.settings())
        bench.server.outcome = nil
        let (first, second) = (try bench.client("a"), try bench.client("b"))
        #expect(try bench.ask(first, metres: 0) == nil && bench.ask(second, metres: 100) == nil)
        try bench.advance(0.9)
        bench.server.answer(.answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house))
        try bench.advance(0.99)
        #expect(bench.server.asked.count == 1)
        try bench.advance(0.01)
        #expect(bench.server.asked.count == 2)
    }

    @Test func `GEO-38: nobody waits longer than the timeout, the wait for its turn included`() throws {
        let bench = try GeocoderBench(Self.settings())
        bench.server.outcome = nil
        let (first, second) = (try bench.client("a"), try bench.client("b"))
        #expect(try bench.ask(first, metres: 0) == nil)
        try bench.advance(4)
        #expect(try bench.ask(second, metres: 100) == nil)
        try bench.advance(5)
        bench.server.answer(.answered(status: 500, retryAfter: nil, body: []))
        try bench.advance(1)
        #expect(first.reply() == .unavailable && second.reply() == nil)
        #expect(bench.server.patience == [10, 4])
        // The server is silent again; a third client's turn never comes.
        let third = try bench.client("c")
        #expect(try bench.ask(third, metres: 200) == nil)
        try bench.advance(9.9)
        #expect(third.reply() == nil)
        try bench.advance(0.1)
        #expect(third.reply() == .unavailable && bench.server.asked.count == 2)
    }

    @Test func `GEO-38: a server that had too little time for a late lookup is asked again`() throws {
        let bench = try GeocoderBench(Self.settings())
        bench.server.outcome = nil
        let clients = try ["a", "b", "c"].map { try bench.client($0) }
        for (number, client) in clients.prefix(2).enumerated() {
            _ = try bench.ask(client, metres: Double(number) * 100)
        }
        try bench.advance(8)
        bench.server.answer(.answered(status: 500, retryAfter: nil, body: []))
        try bench.advance(2)
        #expect(bench.server.patience == [10, 1])
        bench.server.answer(.failed("Timeout was reached"))
        #expect(try bench.ask(clients[2], metres: 300) == nil)
        try bench.advance(1)
        #expect(bench.server.asked.count == 3)
    }

    @Test func `a client has one lookup under way, and 16 wait at most`() throws {
        let bench = try GeocoderBench(Self.settings())
        bench.server.outcome = nil
        let first = try bench.client("a")
        #expect(try bench.ask(first, metres: 0) == nil && bench.ask(first, metres: 100) == .unavailable)
        let others = try (0..<17).map { try bench.client("other \($0)") }
        let replies = try others.enumerated().map { try bench.ask($1, metres: Double($0) * 100) }
        #expect(replies.prefix(16).allSatisfy { $0 == nil } && replies.last == .unavailable)
    }

    @Test func `with 0 days nothing is kept`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01, days: 0))
        let client = try bench.client("a")
        for count in 1...2 {
            #expect(Self.isPlace(try bench.ask(client, metres: 0)) && bench.server.asked.count == count)
            try bench.advance(1)
        }
    }

    @Test func `with 0 days what was kept before is erased`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        _ = try bench.ask(try bench.client("a"), metres: 0)
        try bench.service.reconfigure(Self.settings(days: 0), stamp: "2")
        #expect(try AnswerCache(folder: "\(bench.folder.path)/state").clients().isEmpty)
    }

    @Test func `another server or format is asked anew, and the same one is not`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        var settings = Self.settings(interval: 0.01)
        func requests() throws -> Int {
            try bench.service.reconfigure(settings, stamp: "2")
            try bench.advance(1)
            #expect(Self.isPlace(try bench.ask(client, metres: 0)))
            return bench.server.asked.count
        }
        #expect(try requests() == 1 && requests() == 1)
        settings.server = "https://other.example"
        #expect(try requests() == 2 && requests() == 2)
        settings.format = .photon
        #expect(try requests() == 3)
    }

    @Test func `a kept answer tells the distance from the point that is asked about`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        func distance(_ metres: Double) throws -> Double? {
            guard case .places(let marks)? = try bench.ask(client, metres: metres) else { return nil }
            return marks.first?.distance
        }
        #expect(try distance(0) == 0 && distance(20) == 20 && distance(0) == 0)
        #expect(bench.server.asked.count == 1)
    }

    @Test func `without a connection to the server lookups are left to the tables, and nothing turns`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        bench.connects = false
        #expect(throws: SystemError.self) { try bench.service.reconfigure(Self.settings(), stamp: "2") }
        #expect(try bench.ask(client, metres: 0) == .unavailable)
        #expect(bench.server.asked.isEmpty)
    }

    @Test func `a client has 16 connections at most, and keeps nobody out`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let many = try (0..<40).map { _ in try bench.client("a") }
        #expect(Self.isPlace(try bench.ask(many[15], metres: 0)))
        try bench.advance(1)
        #expect(Self.isPlace(try bench.ask(try bench.client("b"), metres: 0)))
        #expect(throws: (any Error).self) { try bench.ask(many[16], metres: 100) }
    }

    @Test func `where all connections are taken, one that was silent for 15 s makes room`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let silent = try (0..<64).map { try bench.client("user \($0 / 16)") }
        try bench.advance(14)
        #expect(Self.isPlace(try bench.ask(silent[0], metres: 0)))
        #expect(throws: (any Error).self) { try bench.ask(try bench.client("late"), metres: 0) }
        try bench.advance(1)
        #expect(Self.isPlace(try bench.ask(try bench.client("a"), metres: 0)))
        // The one that has asked stays.
        #expect(Self.isPlace(try bench.ask(silent[0], metres: 0)))
    }

    @Test func `programs of one user without manifests are counted together`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01, perClient: 2))
        let clients = try (0..<3).map { try bench.client("user 7, unit \($0).scope", of: 7) }
        for (number, client) in clients.enumerated() {
            #expect(Self.isPlace(try bench.ask(client, metres: 0)) == (number < 2))
            try bench.advance(1)
        }
        #expect(Self.isPlace(try bench.ask(try bench.client("user 8", of: 8), metres: 0)))
    }

    @Test func `a client that leaves is not asked for`() throws {
        let bench = try GeocoderBench(Self.settings())
        _ = try bench.ask(try bench.client("a"), metres: 0)
        try { _ = try bench.ask(try bench.client("b"), metres: 100) }()
        try bench.advance(5)
        #expect(bench.server.asked.count == 1)
    }

    @Test func `GEO-39: no request while the server wants none, also after a restart`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        bench.server.outcome = .answered(status: 429, retryAfter: 5, body: [])
        #expect(try bench.ask(client, metres: 0) == .unavailable)
        bench.server.outcome = .answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house)
        try bench.advance(2)
        #expect(try bench.ask(client, metres: 0) == .unavailable)
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        let other = try bench.client("a")
        try bench.advance(2.9)
        #expect(try bench.ask(other, metres: 0) == .unavailable && bench.server.asked.count == 1)
        try bench.advance(0.1)
        #expect(Self.isPlace(try bench.ask(other, metres: 0)))
    }

    @Test func `GEO-39: a server that refuses the board is asked again after another configuration alone`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        bench.server.outcome = .answered(status: 403, retryAfter: nil, body: [])
        #expect(try bench.ask(try bench.client("a"), metres: 0) == .unavailable)
        bench.server.outcome = .answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house)
        try bench.advance(86_400)
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        let client = try bench.client("a")
        #expect(try bench.ask(client, metres: 0) == .unavailable && bench.server.asked.count == 1)
        // The reload is remembered when the process ends before the next lookup.
        try bench.service.reconfigure(Self.settings(interval: 0.01), stamp: "1")
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        #expect(Self.isPlace(try bench.ask(try bench.client("a"), metres: 0)))
    }

    @Test func `GEO-39: a server that refuses the board is asked again once the file is another one`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        bench.file.settings = Self.settings(interval: 0.01)
        let client = try bench.client("a")
        bench.server.outcome = .answered(status: 403, retryAfter: nil, body: [])
        for _ in 0..<2 { #expect(try bench.ask(client, metres: 0) == .unavailable && bench.server.asked.count == 1) }
        bench.server.outcome = .answered(status: 200, retryAfter: nil, body: GeocoderBench.Server.house)
        try bench.advance(1)
        bench.file.stamp = "2"
        #expect(Self.isPlace(try bench.ask(client, metres: 0)) && bench.server.asked.count == 2)
    }

    @Test func `the interval holds across a restart`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 30))
        _ = try bench.ask(try bench.client("a"), metres: 0)
        try bench.restart(Self.settings(interval: 30), stamp: "1")
        bench.server.outcome = nil
        #expect(try bench.ask(try bench.client("a"), metres: 100) == nil)
        #expect(bench.server.asked.count == 1)
    }

    @Test func `GEO-41: without a server every lookup is left to the tables, and nobody is asked`() throws {
        let bench = try GeocoderBench(nil)
        #expect(try bench.ask(try bench.client("a"), metres: 0) == .unavailable)
        #expect(bench.server.asked.isEmpty)
    }

    @Test func `GEO-42: an operator erases any client's answers, a client its own`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let (client, other, root) = (try bench.client("a"), try bench.client("b"), try bench.client("root"))
        for number in 0..<2 {
            _ = try bench.ask(client, metres: Double(number) * 100)
            try bench.advance(1)
        }
        #expect(try bench.ask(other, .erase(client: "a")) == .refused)
        #expect(try bench.ask(root, .erase(client: "a")) == .erased(2))
        _ = try bench.ask(client, metres: 0)
        #expect(bench.server.asked.count == 3)
        #expect(try bench.ask(client, .erase(client: "a")) == .erased(1))
    }

    @Test func `GEO-42: answers that the card does not let go are not told as erased`() throws {
        let bench = try GeocoderBench(Self.settings())
        let client = try bench.client("a")
        _ = try bench.ask(client, metres: 0)
        let card = try CacheDatabase(path: "\(bench.folder.path)/state/answers.sqlite")
        try card.execute("CREATE TRIGGER refusal BEFORE DELETE ON answer BEGIN SELECT RAISE(ABORT, 'refused'); END")
        #expect(try bench.ask(client, .erase(client: "a")) == .unavailable)
        try card.execute("DROP TRIGGER refusal")
        #expect(try bench.ask(client, .erase(client: "a")) == .erased(1))
    }

    @Test func `GEO-42: an operator is told of all clients of whom something is kept, a client of itself`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let (client, other, root) = (try bench.client("a"), try bench.client("user 7"), try bench.client("root"))
        for (number, asker) in [client, other, other].enumerated() {
            _ = try bench.ask(asker, metres: Double(number) * 100)
            try bench.advance(1)
        }
        let all = [KeptLookups(client: "a", count: 1), KeptLookups(client: "user 7", count: 2)]
        #expect(try bench.ask(root, .kept) == .kept(all) && bench.ask(client, .kept) == .kept([all[0]]))
    }

    @Test func `GEO-42: a client whose manifest is removed leaves nothing behind`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let manifests = "\(bench.folder.path)/clients.d"
        try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
        for name in ["logbook", "tracker"] {
            try "{ unit: '\(name).service' }".write(
                toFile: "\(manifests)/\(name).json5", atomically: true, encoding: .utf8)
            _ = try bench.ask(try bench.client(name), metres: 0)
            try bench.advance(1)
        }
        _ = try bench.ask(try bench.client("user 7"), metres: 0)
        try FileManager.default.removeItem(atPath: "\(manifests)/logbook.json5")
        try bench.restart(Self.settings(), stamp: "1")
        let cache = try AnswerCache(folder: "\(bench.folder.path)/state")
        #expect(Set(try cache.clients()) == ["tracker", "user 7"])
    }

    @Test func `while a manifest is wrong nobody is asked for, since it may want local names`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let manifests = "\(bench.folder.path)/clients.d"
        try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
        let path = "\(manifests)/logbook.json5"
        try "{ user: 7, geocoding: 'local', speed: 1 }".write(toFile: path, atomically: true, encoding: .utf8)
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        let client = try bench.client("a")
        #expect(try bench.ask(client, metres: 0) == .unavailable && bench.server.asked.isEmpty)
        #expect(bench.log.count == 1 && bench.log[0].contains("logbook.json5: speed: unknown key"))
        try "{ user: 7, geocoding: 'local' }".write(toFile: path, atomically: true, encoding: .utf8)
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        #expect(Self.isPlace(try bench.ask(try bench.client("a"), metres: 0)))
    }

    @Test func `a client whose manifest wants local names is never asked for`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let manifests = "\(bench.folder.path)/clients.d"
        try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
        for (name, more) in [("logbook", ", geocoding: 'local'"), ("tracker", ", geocoding: 'server'")] {
            let text = "{ unit: '\(name).service'\(more) }"
            try text.write(toFile: "\(manifests)/\(name).json5", atomically: true, encoding: .utf8)
        }
        try bench.restart(Self.settings(interval: 0.01), stamp: "1")
        #expect(try bench.ask(try bench.client("logbook"), metres: 0) == .unavailable && bench.server.asked.isEmpty)
        #expect(Self.isPlace(try bench.ask(try bench.client("tracker"), metres: 0)))
    }

    @Test func `GEO-42, GEO-43: no coordinate and no text is logged, and none leaves finer than 11 m`() throws {
        let bench = try GeocoderBench(Self.settings(interval: 0.01))
        let client = try bench.client("a")
        bench.server.outcome = .failed("Timeout was reached")
        _ = try bench.ask(
            client, .question(ServerQuestion(.reverse(latitude: 47.3712345, longitude: 8.5412345))))
        try bench.advance(1)
        _ = try bench.ask(client, .question(ServerQuestion(.forward(text: "Geheim", near: nil))))
        try client.send(line: #"{"forward":"Geheim","near":[47,8]}"#)
        try bench.reactor.serveReady()
        #expect(client.reply() == .refused)
        #expect(bench.log == ["the server gives no answer: Timeout was reached"])
        #expect(bench.server.asked.first?.address.contains("lat=47.3712&lon=8.5412&") == false)
        #expect(bench.server.asked.first?.address.hasSuffix("lat=47.3712&lon=8.5412") == true)
    }

    @Test func `a level that is coarser than the owner's stays, and a finer one becomes the owner's`() throws {
        var settings = Self.settings(interval: 0.01)
        settings.level = .town
        let bench = try GeocoderBench(settings)
        _ = try bench.ask(try bench.client("a"), metres: 0)
        #expect(bench.server.asked.first?.address.contains("zoom=10") == true)
    }

    @Test func `a line that is no request, or too long, is refused and the connection goes on`() throws {
        let bench = try GeocoderBench(Self.settings())
        let client = try bench.client("a")
        for line in ["nothing", String(repeating: "x", count: 5000)] {
            try client.send(line: line)
            try bench.reactor.serveReady()
            #expect(client.reply() == .refused)
        }
        #expect(Self.isPlace(try bench.ask(client, metres: 0)))
    }

    @Test func `lines that are no requests do not keep the process`() throws {
        let bench = try GeocoderBench(Self.settings())
        let client = try bench.client("a")
        try bench.advance(30)
        try client.send(line: "nothing")
        try bench.reactor.serveReady()
        try bench.advance(30)
        #expect(bench.hasIdled)
    }

    @Test func `the process ends also where its configuration was read again during the last lookup`() throws {
        let bench = try GeocoderBench(Self.settings())
        bench.server.outcome = nil
        let client = try bench.client("a")
        #expect(try bench.ask(client, metres: 0) == nil)
        try bench.service.reconfigure(Self.settings(), stamp: "2")
        try bench.advance(60)
        #expect(bench.hasIdled)
    }

    @Test func `the process ends 60 s after the last request`() throws {
        let bench = try GeocoderBench(Self.settings())
        let client = try bench.client("a")
        try bench.advance(30)
        _ = try bench.ask(client, metres: 0)
        try bench.advance(59)
        #expect(!bench.hasIdled)
        try bench.advance(1)
        #expect(bench.hasIdled)
    }
}
