import ClientVocabulary
import GPSDProtocol
import Parts
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// What the gpsd port tells of the receiver to clients that may not see locations.
@Suite("The gpsd port's device")
struct GPSDPrivacyTests {
    /// The answer to `?DEVICES;` after some epochs.
    private func devices(under admission: Admission) -> String {
        var harness = Harness()
        harness.give(.admission(admission))
        let client = ClientID(rawValue: 3)
        harness.give(.clientConnected(client, .gpsd))
        harness.warmUp()
        harness.give(gpsd: .success(.devices), from: client)
        return harness.sent(to: 3)
    }

    @Test func `the time between epochs is told to clients with full accuracy alone`() {
        #expect(devices(under: .everyone).contains("\"cycle\":1.00"))
        let hidden = devices(under: .nobody)
        #expect(hidden.contains("/dev/gnss") && !hidden.contains("cycle"))
    }

    /// The clients of a board: one for each of three users, and the port's own, which may have everything.
    private static var board: Admission {
        let rules: [(name: String, user: UInt32?, OperatorPolicy.Authorization?)] = [
            ("allowed", 1001, .always), ("denied", 1002, .denied), ("undecided", 1003, nil), ("gpsd", nil, .always),
        ]
        let manifests = rules.map { name, user, _ in
            var manifest = ClientManifest(name: name, selector: ClientSelector(user: user))
            manifest.purposes = PurposeStrings(whenInUse: "to be tested")
            return manifest
        }
        var policy: [String: OperatorPolicy.Rule] = [:]
        for (name, _, authorization) in rules {
            policy[name] = OperatorPolicy.Rule(authorization: authorization, accuracy: nil, isFinal: false)
        }
        return Admission(manifests: ClientManifests(manifests), policy: OperatorPolicy(rules: policy))
    }

    private static let port = ClientID(rawValue: 3)

    /// A harness with a client of the gpsd port that watches, and the receiver's order of messages learned.
    private func watching(_ identity: PeerIdentity?) -> Harness {
        var harness = Harness()
        harness.give(.admission(Self.board))
        harness.give(.storeRead)
        harness.give(.clientConnected(Self.port, .gpsd, identity))
        harness.give(.clientLine(Self.port, .gpsd, Array(#"?WATCH={"enable":true,"json":true,"nmea":true}"#.utf8)))
        harness.warmUp()
        return harness
    }

    /// Whether the next epoch, or the answer to a poll after it, tells the port's client where the board is.
    private func isTold(_ harness: inout Harness) -> Bool {
        let second = Int(harness.now.nanoseconds / 1_000_000_000) + 1
        harness.give(bytes: Harness.epoch(second), at: Double(second))
        var told = harness.sent(to: 3)
        harness.give(.clientLine(Self.port, .gpsd, Array("?POLL;".utf8)))
        told += harness.sent(to: 3)
        return told.contains("\"lat\"") || told.contains("$GN")
    }

    @Test(arguments: [(1001, true), (1002, false), (1003, false), (1004, false)] as [(UInt32, Bool)])
    func `a connection of the gpsd port is told what its user's manifest allows, and a stranger nothing`(
        user: UInt32, isTold: Bool
    ) {
        var harness = watching(PeerIdentity(userID: user))
        let told = self.isTold(&harness)
        #expect(told == isTold)
    }

    @Test func `a connection with reduced accuracy is told nothing of the precise fixes that others are told`() throws {
        var harness = Harness()
        let rules: [(name: String, user: UInt32, AccuracyAuthorization)] = [
            ("precise", 1001, .full), ("coarse", 1002, .reduced),
        ]
        let manifests = rules.map { name, user, _ in
            var manifest = ClientManifest(name: name, selector: ClientSelector(user: user))
            manifest.purposes = PurposeStrings(whenInUse: "to be tested")
            return manifest
        }
        var policy: [String: OperatorPolicy.Rule] = [:]
        for (name, _, accuracy) in rules {
            policy[name] = OperatorPolicy.Rule(authorization: .always, accuracy: accuracy, isFinal: false)
        }
        let admission = Admission(manifests: ClientManifests(manifests), policy: OperatorPolicy(rules: policy))
        harness.give(.admission(admission))
        harness.give(.storeRead)
        for (id, user) in [(ClientID(rawValue: 4), 1001), (Self.port, 1002)] as [(ClientID, UInt32)] {
            harness.give(.clientConnected(id, .gpsd, PeerIdentity(userID: user)))
            harness.give(.clientLine(id, .gpsd, Array(#"?WATCH={"enable":true,"json":true}"#.utf8)))
        }
        harness.warmUp()
        var told = ""
        for second in 4...1000 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            told += harness.sent(to: 3)
        }
        let report = try #require(told.split(separator: "\r\n").last { $0.contains("\"TPV\"") })
        #expect(report.contains("\"mode\":2") && report.contains("\"eph\":5000"))
        for key in ["epx", "epy", "epv", "sep", "eps", "epc", "epd", "speed", "climb"] {
            #expect(!report.contains("\"\(key)\":"))
        }
    }

    @Test func `a connection of the gpsd port that cannot be named is the client gpsd`() {
        var harness = watching(nil)
        let before = isTold(&harness)
        harness.give(.clientConnected(ClientID(rawValue: 9), .local, PeerIdentity(userID: 0)))
        let denial = #"{"request":"answer","client":"gpsd","answer":"deny"}"#
        harness.give(.clientLine(ClientID(rawValue: 9), .local, Array(denial.utf8)))
        let after = isTold(&harness)
        #expect(before && !after)
    }

    @Test func `a connection that may be of a denied client of the same user is told nothing`() {
        var harness = Harness()
        var manifests = Array(Self.board.manifests)
        manifests.append(ClientManifest(name: "hidden", selector: ClientSelector(unit: "hidden.service")))
        let rules = ["allowed", "gpsd"].map {
            ($0, OperatorPolicy.Rule(authorization: .always, accuracy: nil, isFinal: false))
        }
        let policy = OperatorPolicy(rules: Dictionary(uniqueKeysWithValues: rules))
        harness.give(.admission(Admission(manifests: ClientManifests(manifests), policy: policy)))
        let identities = [nil, "hidden.service"].map { PeerIdentity(userID: 1001, unit: $0) }
        harness.give(.clientConnected(Self.port, .gpsd, identities[0], others: [identities[1]]))
        harness.give(.clientLine(Self.port, .gpsd, Array(#"?WATCH={"enable":true}"#.utf8)))
        harness.warmUp()
        let before = isTold(&harness)
        #expect(!before)
        let desk = ClientID(rawValue: 9)
        harness.give(.clientConnected(desk, .local, PeerIdentity(userID: 0)))
        harness.give(.clientLine(desk, .local, Array(#"{"request":"clients"}"#.utf8)))
        #expect(harness.sent(to: 9).contains("it cannot be told from allowed of the same user"))
        #expect(harness.sent(to: 9).contains(#""alsoAs":["allowed","gpsd"]"#))
        harness.give(
            .clientLine(desk, .local, Array(#"{"request":"answer","client":"hidden","answer":"always"}"#.utf8)))
        let after = isTold(&harness)
        #expect(after)
    }

    @Test func `a program that watches at the gpsd port is asked about, and denied at once when the operator says so`()
    {
        var harness = watching(PeerIdentity(userID: 1003))
        let desk = ClientID(rawValue: 9)
        harness.give(.clientConnected(desk, .local, PeerIdentity(userID: 0)))
        harness.give(.clientLine(desk, .local, Array(#"{"request":"agent","enabled":true}"#.utf8)))
        #expect(harness.sent(to: 9).contains("to be tested"))
        for (answer, told) in [("allow", true), ("deny", false)] {
            let line = #"{"request":"answer","client":"undecided","answer":"\#(answer)"}"#
            harness.give(.clientLine(desk, .local, Array(line.utf8)))
            let isTold = self.isTold(&harness)
            #expect(isTold == told)
        }
    }
}
