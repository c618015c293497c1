import ClientProtocol
import ClientVocabulary
import Engine
import NMEA0183
import Parts
import Power
import Receivers
import SextantUnits
import Testing

@testable import Access

private let three = ClientID(rawValue: 3)
private let operatorID = ClientID(rawValue: 9)

/// A daemon with manifests for `tracker`, `other` and an operator, and a receiver whose last epoch is of 3 s.
private struct Scene: ~Copyable {
    var harness = Harness()

    init() {
        harness.give(.admission(Scene.admission))
        connect(one, "tracker")
        harness.warmUp()
    }

    private static var admission: Admission {
        let manifests = ["tracker", "other", "operator"].map { name in
            var manifest = ClientManifest(name: name, selector: ClientSelector(executable: name))
            manifest.purposes = PurposeStrings(whenInUse: "To be tested.", always: "To be tested.")
            manifest.backgroundMode = true
            manifest.isOperator = name == "operator"
            return manifest
        }
        return Admission(
            manifests: ClientManifests(manifests),
            policy: OperatorPolicy(others: .init(authorization: .always, accuracy: nil, isFinal: false)))
    }

    mutating func connect(_ id: ClientID, _ client: String, user: UInt32 = 1000) {
        harness.give(.clientConnected(id, .local, PeerIdentity(userID: user, executable: client)))
    }

    mutating func ask(
        _ kind: ClientRequest.Kind, _ id: String? = nil, session: UInt8 = 0, of client: ClientID = one
    ) {
        harness.give(ClientRequest(kind, id: id, session: session), from: client)
    }

    mutating func watch(
        _ settings: LocationSettings = LocationSettings(accuracy: .best, pausesAutomatically: false),
        session: UInt8 = 0, of client: ClientID = one
    ) {
        ask(
            .watchLocations(settings, WatchOptions(inBackground: true), label: ""), session: session, of: client)
    }

    /// Without bounds, unless they are given.
    mutating func `defer`(
        _ id: String, _ deferral: Deferral = Deferral(distance: nil, timeout: nil), inBackground: Bool = false,
        session: UInt8 = 0, of client: ClientID = one
    ) {
        ask(.defer(deferral, onlyInBackground: inBackground), id, session: session, of: client)
    }

    mutating func give(epoch second: Int) { harness.give(bytes: Harness.epoch(second), at: Double(second)) }

    /// What the last input sent to a client: the events, with what tells them apart.
    func events(_ client: ClientID = one) -> [String] {
        harness.sent(to: client.rawValue).split(separator: "\n").map { line in
            func value(_ key: String) -> String? {
                guard let start = line.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
                return String(line[start...].prefix { $0 != "," && $0 != "}" }.filter { $0 != "\"" })
            }
            let members = ["id", "session", "errorCode", "code"].compactMap { value($0) }
            let seconds = value("event") == "location" ? value("time")?.suffix(6).first.map { [String($0)] } ?? [] : []
            return ([value("event") ?? ""] + members + seconds).joined(separator: " ")
        }
    }

    mutating func tell(_ answer: ClientRequest.Kind) {
        connect(operatorID, "operator")
        ask(answer, of: operatorID)
    }
}

extension Substring {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        indices.lazy.compactMap { start in
            self[start...].hasPrefix(text) ? start..<self.index(start, offsetBy: text.count) : nil
        }.first
    }
}

@Suite("Engine and the owners of deferrals")
struct EngineDeferralOwnerTests {
    @Test func `two sessions of a connection defer their own fixes`() {
        var scene = Scene()
        scene.watch(session: 0)
        scene.watch(session: 1)
        scene.defer("a", session: 0)
        scene.give(epoch: 4)
        #expect(scene.events() == ["location 1 4"])
        scene.defer("b", session: 1)
        scene.give(epoch: 5)
        #expect(scene.events() == [])
        scene.ask(.unwatch, session: 1)
        #expect(scene.events() == ["deferredFinished b 1", "location 1 5", "watching 1"])
        scene.give(epoch: 6)
        scene.ask(.unwatch)
        #expect(scene.events() == ["deferredFinished a", "location 4", "location 5", "location 6", "watching"])
    }

    @Test func `a client's second process that defers under the same label is refused once, with code 11`() {
        var scene = Scene()
        scene.watch()
        scene.defer("a")
        scene.connect(two, "tracker")
        scene.watch(of: two)
        scene.defer("b", of: two)
        #expect(scene.events(two) == ["error b labelInUse", "deferredFinished b 11"])
        scene.give(epoch: 4)
        #expect(scene.events(two) == ["location 4"])
        scene.ask(.flush, of: two)
        #expect(scene.harness.sent(to: 2).contains("\"locations\":0"), "the other's are not counted")
        scene.harness.give(.clientGone(one))
        scene.defer("c", of: two)
        #expect(scene.events(two) == [])
        scene.ask(.unwatch, of: two)
        #expect(scene.events(two) == ["deferredFinished c", "location 4", "watching"])
    }

    @Test func `another client with the same user, label and session does not get left fixes`() {
        var scene = Scene()
        scene.watch()
        scene.defer("a")
        scene.give(epoch: 4)
        scene.give(epoch: 5)
        scene.harness.give(.clientGone(one))
        scene.connect(two, "other")
        scene.watch(of: two)
        #expect(scene.events(two) == ["watching", "location 5"], "the last that is known")
        #expect(!scene.harness.deeds.contains { if case .acknowledge = $0 { true } else { false } })
        scene.defer("b", of: two)
        #expect(scene.events(two) == [])
        scene.connect(three, "tracker")
        scene.watch(of: three)
        #expect(scene.harness.deeds.contains { if case .acknowledge = $0 { true } else { false } })
    }
}

@Suite("Engine and the end of a deferral")
struct EngineDeferralEndTests {
    private static let deny = ClientRequest.Kind.operator(
        .answer(client: "tracker", .deny, reducesAccuracy: nil, mayBeWoken: nil))
    private static let reduce = ClientRequest.Kind.operator(
        .answer(client: "tracker", nil, reducesAccuracy: true, mayBeWoken: nil))
    private static let allow = ClientRequest.Kind.operator(
        .answer(client: "tracker", .always, reducesAccuracy: nil, mayBeWoken: nil))

    @Test func `a denial finishes a deferral once, and held fixes are dropped`() {
        var scene = Scene()
        scene.watch()
        scene.defer("a")
        scene.give(epoch: 4)
        scene.tell(Self.deny)
        #expect(scene.events() == ["authorization", "deferredFinished a 12", "failed 1"])
        #expect(scene.harness.deeds.contains { if case .acknowledge(.deferred, 1) = $0 { true } else { false } })
        scene.ask(.undefer)
        scene.ask(.unwatch)
        #expect(scene.events() == ["watching"])
    }

    @Test(arguments: [Self.deny, Self.reduce])
    func `fixes that a client left behind are deleted when it loses its authorization`(answer: ClientRequest.Kind) {
        var scene = Scene()
        scene.watch()
        scene.defer("a")
        scene.give(epoch: 4)
        scene.harness.give(.clientGone(one))
        scene.tell(answer)
        #expect(scene.harness.deeds.contains { if case .acknowledge(.deferred, 1) = $0 { true } else { false } })
        scene.give(epoch: 5)
        scene.tell(Self.allow)
        scene.connect(one, "tracker")
        scene.watch()
        #expect(!scene.events().contains("location 4"))
    }

    @Test func `reduced accuracy finishes a deferral once as not accurate enough`() {
        var scene = Scene()
        scene.watch()
        scene.defer("a")
        scene.give(epoch: 4)
        scene.tell(Self.reduce)
        #expect(scene.events() == ["authorization", "deferredFinished a 13", "location 0"])
        scene.defer("b")
        #expect(scene.events() == ["deferredFinished b 13"])
    }

    @Test func `a denied client's deferral is finished at once`() {
        var scene = Scene()
        scene.tell(Self.deny)
        scene.watch()
        scene.defer("a")
        #expect(scene.events() == ["deferredFinished a 12"])
        scene.tell(Self.allow)
        #expect(!scene.events().contains { $0.hasPrefix("deferredFinished") })
        scene.give(epoch: 5)
        #expect(scene.events() == ["location 5"])
    }

    @Test func `without a receiver a deferral fails, and capabilities tell clients beforehand`() {
        var scene = Scene()
        #expect(!scene.events().contains("capabilities"))
        scene.watch()
        scene.harness.give(.deviceFailed(.missing, detail: "no such device"), at: 4)
        #expect(scene.events() == ["capabilities"])
        #expect(!scene.harness.sent(to: 1).contains("deferral"))
        scene.harness.give(.deviceFailed(.missing, detail: "no such device"), at: 5)
        #expect(scene.events() == [], "nothing new")
        scene.defer("a")
        #expect(scene.events() == ["deferredFinished a 11"])
        scene.connect(two, "other")
        #expect(!scene.harness.sent(to: 2).contains("deferral"))
        scene.harness.give(.deviceOpened(.uart, time: nil), at: 6)
        #expect(scene.harness.sent(to: 1).contains("\"deferral\""))
        scene.defer("b")
        #expect(scene.events() == [])
    }

    @Test func `in the foreground fixes are sent at once, and the deferral still ends at its bound`() {
        var scene = Scene()
        scene.watch()
        scene.defer("a", Deferral(distance: nil, timeout: 4), inBackground: true)
        scene.give(epoch: 4)
        #expect(scene.events() == ["location 4"])
        scene.ask(.state(isForeground: false))
        scene.give(epoch: 5)
        #expect(scene.events() == [])
        scene.ask(.state(isForeground: true))
        #expect(scene.events() == ["location 5"], "older ones never come after newer ones")
        scene.give(epoch: 6)
        #expect(scene.events() == ["location 6"])
        scene.harness.give(.timePassed, at: 7)
        #expect(scene.events() == ["deferredFinished a"])
    }
}
