import ClientProtocol
import ClientVocabulary
import Engine
import Monitors
import Parts
import Power
import SextantUnits
import Testing

@testable import Access

private let tracker = ClientID(rawValue: 1)
private let stranger = ClientID(rawValue: 2)
private let root = ClientID(rawValue: 9)

/// A client with a manifest, a process without one, and an operator.
private func served(accuracy: AccuracyAuthorization = .full) -> Harness {
    var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
    manifest.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
    let all = OperatorPolicy.Rule(authorization: .always, accuracy: accuracy, isFinal: false)
    var harness = Harness()
    harness.give(.admission(Admission(manifests: ClientManifests([manifest]), policy: OperatorPolicy(others: all))))
    harness.give(.clientConnected(tracker, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
    harness.give(.clientConnected(stranger, .local, PeerIdentity(userID: 1001)))
    harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
    harness.warmUp()
    return harness
}

/// A ring of so many corners about a place, without any that cross.
private func ring(_ corners: Int) -> [RegionPolygon.Position] {
    (0..<corners).map { corner in
        let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * 2 * .pi / Double(corners))
        return RegionPolygon.Position(latitude: 47 + 0.1 * sine, longitude: 8 + 0.1 * cosine)
    }
}

@Suite("Engine and hostile clients")
struct HostileClientTests {
    @Test func `a long line of a process without a manifest is refused before it is read`() {
        var harness = served()
        let line = "{\"request\":\"monitorRegion\",\"id\":\"x\",\"padding\":\"\(String(repeating: "x", count: 2000))\"}"
        harness.give(.clientLine(stranger, .local, Array(line.utf8)))
        #expect(harness.events(of: 2) == ["error"])
        #expect(harness.sent(to: 2).contains("\"code\":\"noManifest\""))
        #expect(!harness.sent(to: 2).contains("\"id\":\"x\""), "it was not read")
        harness.give(.clientLine(tracker, .local, Array(line.utf8)))
        #expect(harness.sent(to: 1).contains("\"id\":\"x\""))
        harness.give(.clientLine(root, .local, Array(line.utf8)))
        #expect(harness.sent(to: 9).contains("\"id\":\"x\""))
    }

    @Test func `one client's polygons have a bounded number of positions, and circles do not count`() throws {
        var harness = served()
        let polygon = RegionShape.polygon(try RegionPolygon([ring(8000)]))
        var answers: [[String]] = []
        for name in ["a", "b", "c", "d", "e", "a"] {
            harness.give(ClientRequest(.monitoring(.region(RegionRequest(identifier: name, polygon)))), from: tracker)
            answers.append(harness.events(of: 1))
            if name == "e" { #expect(harness.sent(to: 1).contains("\"errorCode\":5")) }
        }
        let taken = [String](repeating: "monitoring", count: 4)
        #expect(answers.map(\.first) == taken + ["monitoringFailed", "monitoring"])
        let circle = RegionRequest(identifier: "f", .circle(latitude: 47, longitude: 8, radius: 100))
        harness.give(ClientRequest(.monitoring(.region(circle))), from: tracker)
        #expect(harness.events(of: 1).first == "monitoring")
        harness.give(ClientRequest(.monitoring(.endRegion(identifier: "b", monitor: nil))), from: tracker)
        harness.give(ClientRequest(.monitoring(.region(RegionRequest(identifier: "e", polygon)))), from: tracker)
        #expect(harness.events(of: 1).first == "monitoring")
    }

    @Test func `a client with reduced accuracy is not told when the board rests and moves`() {
        var harness = served(accuracy: .reduced)
        harness.give(.motion(false), at: 3)
        harness.give(
            ClientRequest(.watchLocations(LocationSettings(accuracy: .metres(50), activity: .fitness), label: "")),
            from: tracker)
        var heard = harness.events(of: 1)
        for second in 4...1000 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            heard += harness.events(of: 1)
            if second == 600 {
                harness.give(.motion(true), at: 600.5)
                heard += harness.events(of: 1)
                harness.give(.timePassed, at: 603.5)
                heard += harness.events(of: 1)
            }
        }
        #expect(heard == ["watching", "location", "location"])
    }

    @Test func `a pause ends when the accuracy is reduced`() {
        var harness = served()
        harness.give(.motion(false), at: 3)
        harness.give(
            ClientRequest(.watchLocations(LocationSettings(accuracy: .metres(50), activity: .fitness), label: "")),
            from: tracker)
        harness.give(bytes: Harness.epoch(4), at: 4)
        harness.give(.timePassed, at: 184)
        #expect(harness.events(of: 1) == ["paused"])
        let reduce = OperatorRequest.answer(client: "tracker", nil, reducesAccuracy: true, mayBeWoken: nil)
        harness.give(ClientRequest(.operator(reduce)), from: root)
        #expect(harness.events(of: 1) == ["authorization", "resumed", "location"], "the estimate, at once")
    }

    @Test func `full accuracy after a long time of reduced accuracy does not pause for lack of a fix`() {
        var harness = served()
        func reduce(_ isReduced: Bool) {
            let request = OperatorRequest.answer(client: "tracker", nil, reducesAccuracy: isReduced, mayBeWoken: nil)
            harness.give(ClientRequest(.operator(request)), from: root)
        }
        harness.give(
            ClientRequest(.watchLocations(LocationSettings(accuracy: .metres(50)), label: "")), from: tracker)
        reduce(true)
        for second in 4...1000 { harness.give(bytes: Harness.epoch(second), at: Double(second)) }
        reduce(false)
        harness.give(.timePassed, at: 1000.5)
        #expect(harness.events(of: 1) == [])
        harness.give(bytes: Harness.epoch(1001), at: 1001)
        #expect(harness.events(of: 1) == ["location"])
    }

    @Test func `a significant change gives a client with reduced accuracy its cell and nothing else`() {
        var harness = served(accuracy: .reduced)
        harness.give(ClientRequest(.monitoring(.service(.significantChange, true))), from: tracker)
        #expect(harness.events(of: 1) == ["monitoring", "location"] || harness.events(of: 1) == ["location"])
        let text = harness.sent(to: 1)
        #expect(text.contains("\"horizontalAccuracy\":5000"))
        for word in ["fixType", "quality", "speed", "altitude"] { #expect(!text.contains("\"\(word)\"")) }
    }
}

extension Harness {
    /// The events of the lines that the last input sent to a client, in order.
    fileprivate func events(of client: UInt32) -> [String] {
        sent(to: client).split(separator: "\n").map { line in
            String(line.dropFirst("{\"event\":\"".count).prefix { $0 != "\"" })
        }
    }
}
