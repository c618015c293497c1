import ClientProtocol
import ClientVocabulary
import Monitors
import Parts
import SextantJSON
import Testing

@testable import Access
@testable import Engine

/// What of an input waits until its changes are on the card.
@Suite("Engine and the store")
struct EngineChangesTests {
    private static let one = ClientID(rawValue: 1)
    private static let two = ClientID(rawValue: 2)
    private static let yard = RegionRequest(
        identifier: "yard", .circle(latitude: 47.376889, longitude: 8.541697, radius: 200), dwell: 20)

    private static func manifest(_ name: String) -> ClientManifest {
        var manifest = ClientManifest(name: name, selector: ClientSelector(unit: "\(name).service"))
        manifest.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
        return manifest
    }

    /// Two clients with manifests, whom the policy always allows.
    private func served(afterLoss decisionsAreLost: Bool = false, isFinal: Bool = false) -> Harness {
        var harness = Harness()
        let rule = OperatorPolicy.Rule(authorization: .always, accuracy: .full, isFinal: isFinal)
        harness.give(
            .admission(
                Admission(
                    manifests: ClientManifests([Self.manifest("one"), Self.manifest("two")]),
                    policy: OperatorPolicy(others: rule))))
        if decisionsAreLost { harness.give(.decisionsLost) }
        for (id, name) in [(Self.one, "one"), (Self.two, "two")] {
            harness.give(.clientConnected(id, .local, PeerIdentity(userID: 1000, unit: "\(name).service")))
        }
        return harness
    }

    private func text(_ range: Range<Int>, of harness: borrowing Harness) -> String {
        harness.outputs.text.string(range)
    }

    /// The clients whose lines the last input holds back.
    private func holding(_ harness: borrowing Harness) -> [ClientID] {
        harness.outputs.actions.compactMap { if case .hold(let client, _, _) = $0 { client } else { nil } }
    }

    @Test func `a change's confirmation is held back, with an error for the same request in case of refusal`() throws {
        var harness = served()
        harness.give(ClientRequest(.monitoring(.region(Self.yard)), id: "m"), from: Self.one)
        guard case .hold(Self.one, let confirmations, let refusal?)? = harness.outputs.actions.last else {
            Issue.record("nothing is held back: \(harness.outputs.actions)")
            return
        }
        #expect(confirmations.map { text($0, of: harness).contains("\"event\":\"monitoring\",\"id\":\"m\"") } == [true])
        #expect(text(refusal, of: harness).hasPrefix("{\"event\":\"error\",\"id\":\"m\",\"code\":\"notStored\""))
        #expect(text(refusal, of: harness).hasSuffix("}\n"))
        harness.give(ClientRequest(.ping), from: Self.one)
        #expect(holding(harness) == [])
    }

    @Test func `a change to another client also holds back that client's lines`() {
        var harness = served()
        let root = ClientID(rawValue: 9)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        harness.give(
            ClientRequest(.operator(.answer(client: "two", .deny, reducesAccuracy: nil, mayBeWoken: nil))), from: root)
        #expect(holding(harness) == [Self.two, root])
    }

    @Test func `a client's other connection is not held back if it gets no line`() {
        var harness = served()
        let other = ClientID(rawValue: 3)
        harness.give(.clientConnected(other, .local, PeerIdentity(userID: 1000, unit: "one.service")))
        harness.give(ClientRequest(.monitoring(.service(.visits, true))), from: Self.one)
        #expect(holding(harness) == [Self.one])
    }

    @Test func `an event from a fix holds back only its own client's lines`() {
        var harness = served()
        harness.give(ClientRequest(.monitoring(.region(Self.yard))), from: Self.one)
        harness.give(ClientRequest(.watch(satellites: false)), from: Self.two)
        var (events, watched) = (0, 0)
        for second in 0..<60 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            if harness.sent(to: 2).contains("latitude") { watched += 1 }
            if harness.sent(to: 1).contains("regionEvent") {
                events += 1
                #expect(holding(harness) == [Self.one])
            }
            #expect(!holding(harness).contains(Self.two))
        }
        #expect(events == 1 && watched > 50)
    }

    @Test func `an event that waits already is held back from a connection that comes to want it`() {
        var harness = served()
        harness.give(ClientRequest(.monitoring(.region(Self.yard))), from: Self.one)
        for second in 0..<60 { harness.give(bytes: Harness.epoch(second), at: Double(second)) }
        let other = ClientID(rawValue: 3)
        harness.give(.clientConnected(other, .local, PeerIdentity(userID: 1000, unit: "one.service")))
        harness.give(ClientRequest(.monitoring(.list)), from: other)
        #expect(harness.sent(to: 3).contains("regionEvent") && holding(harness) == [other])
    }

    @Test func `an answer that changes nothing is held back as the first one was`() {
        var harness = served()
        let root = ClientID(rawValue: 9)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        let denial = ClientRequest(.operator(.answer(client: "two", .deny, reducesAccuracy: nil, mayBeWoken: nil)))
        harness.give(denial, from: root)
        harness.give(denial, from: root)
        guard case .hold(root, let confirmations, _?)? = harness.outputs.actions.last else {
            Issue.record("nothing is held back: \(harness.outputs.actions)")
            return
        }
        #expect(confirmations.map { text($0, of: harness).contains("answered") } == [true])
    }

    @Test func `with too many waiting changes a request is refused, but a ping is answered`() {
        var harness = served()
        harness.give(.clientLineUnkept(Self.one, Array(#"{"request":"monitorVisits","id":"v","enabled":true}"#.utf8)))
        #expect(harness.sent(to: 1).hasPrefix("{\"event\":\"error\",\"id\":\"v\",\"code\":\"storeBusy\""))
        #expect(holding(harness) == [])
        harness.give(.clientLineUnkept(Self.one, Array(#"{"request":"ping"}"#.utf8)))
        #expect(harness.sent(to: 1) == "{\"event\":\"pong\"}\n")
    }

    // MARK: Lost decisions

    @Test func `after a loss of decisions the policy allows no client, and services are off until decided`() {
        var harness = served(afterLoss: true)
        #expect(harness.engine.access.state.access(of: "one").servicesEnabled == false)
        harness.give(.storeFound(DurableRow(table: .settings, client: "", name: "servicesEnabled", value: [1])))
        let status = { (harness: borrowing Harness) in "\(harness.engine.access.state.access(of: "one").status)" }
        #expect(status(harness) == "notDetermined")
        var record: [UInt8] = []
        var allowed = AuthorizationRecord()
        allowed.status = .authorizedAlways
        allowed.encode { record.append($0) }
        harness.give(.storeFound(DurableRow(table: .authorization, client: "one", name: "record", value: record)))
        #expect(status(harness) == "authorizedAlways")
        #expect("\(harness.engine.access.state.access(of: "one").accuracy)" == "reduced")
        #expect("\(harness.engine.access.state.access(of: "two").status)" == "notDetermined")
    }

    @Test func `a final rule of the policy still holds after a loss of decisions`() {
        var harness = served(afterLoss: true, isFinal: true)
        harness.give(.storeFound(DurableRow(table: .settings, client: "", name: "servicesEnabled", value: [1])))
        #expect("\(harness.engine.access.state.access(of: "one").status)" == "authorizedAlways")
        #expect("\(harness.engine.access.state.access(of: "one").accuracy)" == "full")
    }

    @Test func `after a loss of decisions a withdrawn decision is stored as not determined`() {
        var harness = served(afterLoss: true)
        harness.give(.storeFound(DurableRow(table: .settings, client: "", name: "servicesEnabled", value: [1])))
        let root = ClientID(rawValue: 9)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        for (answer, status) in [(OperatorAnswer.deny, UInt8(2)), (.reset, 0)] {
            harness.give(
                ClientRequest(.operator(.answer(client: "two", answer, reducesAccuracy: nil, mayBeWoken: nil))),
                from: root)
            let rows = harness.deeds.compactMap { deed -> DurableRow? in
                if case .store(.put(let row)) = deed { row } else { nil }
            }
            #expect(rows.map(\.table) == [.authorization] && rows.first?.value[1] == status)
        }
    }

    /// Records that another version may have written, each with a checksum that is right.
    static let strange: [[UInt8]] = [
        [2, 2, 2, 16], [1, 2, 2, 48], [1, 7, 2, 16], [1, 2, 3, 16], [1, 3, 2, 18], [1, 2, 2], [1, 2, 2, 16, 0], [],
    ]

    @Test(arguments: strange)
    func `a decision of an unknown form is a denial, is said, and stays stored`(record: [UInt8]) {
        for name in ["record", "another"] {
            var harness = served(isFinal: false)
            let value = name == "record" ? record : [1, 3, 2, 16]
            harness.give(.storeFound(DurableRow(table: .authorization, client: "one", name: name, value: value)))
            #expect(!harness.deeds.contains { if case .store = $0 { true } else { false } }, "\(harness.deeds)")
            harness.give(.storeRead)
            #expect("\(harness.engine.access.state.access(of: "one").status)" == "denied")
            #expect("\(harness.engine.access.state.access(of: "one").accuracy)" == "reduced")
            #expect("\(harness.engine.access.state.access(of: "two").status)" == "authorizedAlways")
            let root = ClientID(rawValue: 9)
            harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
            harness.give(ClientRequest(.operator(.clients)), from: root)
            #expect(harness.sent(to: 9).contains("cannot be read"))
            // Only an operator's word ends it.
            harness.give(
                ClientRequest(.operator(.answer(client: "one", .deny, reducesAccuracy: nil, mayBeWoken: nil))),
                from: root)
            let stored = harness.deeds.contains {
                if case .store(.put(let row)) = $0 {
                    row.name == "record" && row.value.starts(with: [1, 2])
                } else {
                    false
                }
            }
            #expect(stored, "\(harness.deeds)")
            harness.give(ClientRequest(.operator(.clients)), from: root)
            #expect(!harness.sent(to: 9).contains("cannot be read"))
        }
    }

    @Test(arguments: [[], [2], [1, 1], [255], [0, 1]] as [[UInt8]])
    func `a master switch of an unknown form is off, is said, and stays stored`(value: [UInt8]) {
        var harness = served()
        harness.give(.storeFound(DurableRow(table: .settings, client: "", name: "servicesEnabled", value: value)))
        #expect(!harness.deeds.contains { if case .store = $0 { true } else { false } }, "\(harness.deeds)")
        #expect(harness.engine.access.state.access(of: "one").servicesEnabled == false)
        // Another client's row of this name switches nothing.
        harness.give(.storeFound(DurableRow(table: .settings, client: "one", name: "servicesEnabled", value: [1])))
        #expect(harness.engine.access.state.access(of: "one").servicesEnabled == false)
        let root = ClientID(rawValue: 9)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        harness.give(ClientRequest(.status), from: root)
        #expect(harness.sent(to: 9).contains("sextant services on"))
        harness.give(ClientRequest(.operator(.services(isEnabled: true))), from: root)
        #expect(harness.engine.access.state.access(of: "one").servicesEnabled)
        harness.give(ClientRequest(.status), from: root)
        #expect(!harness.sent(to: 9).contains("sextant services on"))
    }

    @Test func `the status says why something cannot be stored, until it can`() {
        var harness = served()
        for (trouble, isTold) in [("the card is full", true), (nil, false)] as [(String?, Bool)] {
            harness.give(.storeTrouble(trouble))
            harness.give(ClientRequest(.status), from: Self.one)
            #expect(harness.sent(to: 1).contains("\"store\":{\"detail\":\"the card is full\"}") == isTold)
        }
    }
}
