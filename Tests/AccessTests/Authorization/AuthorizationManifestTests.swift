import ClientVocabulary
import Parts
import Testing

@testable import Access

private typealias Scene = AuthorizationScene

@Suite("Client manifests")
struct ClientManifestTests {
    private func manifest(_ name: String, _ selector: ClientSelector) -> ClientManifest {
        ClientManifest(name: name, selector: selector)
    }

    @Test func `AUTH-22: the kernel's identity decides which manifest applies, and every given selector must match`() {
        let manifests = ClientManifests([
            manifest("both", ClientSelector(unit: "gate.service", user: 500)),
            manifest("group", ClientSelector(group: 44)),
        ])
        func name(_ identity: PeerIdentity) -> String? { manifests.client(for: identity)?.name }
        #expect(name(PeerIdentity(userID: 500, unit: "gate.service")) == "both")
        #expect(name(PeerIdentity(userID: 501, unit: "gate.service")) == nil)
        #expect(name(PeerIdentity(userID: 500, groups: [1, 44], unit: "gates.service")) == "group")
        #expect(name(PeerIdentity(userID: 500)) == nil)
    }

    @Test func `the most specific manifest applies: unit, executable, user, group, then the name`() {
        let all = [
            manifest("g", ClientSelector(group: 7)), manifest("ug", ClientSelector(user: 1, group: 7)),
            manifest("u", ClientSelector(user: 1)), manifest("x", ClientSelector(executable: "/x")),
            manifest("xu", ClientSelector(executable: "/x", user: 1)), manifest("a", ClientSelector(unit: "a.service")),
            manifest("b", ClientSelector(unit: "a.service")), manifest("nobody", ClientSelector()),
        ]
        let identity = PeerIdentity(userID: 1, groups: [7], unit: "a.service", executable: "/x")
        var left = all
        var order: [String] = []
        while let next = ClientManifests(left).client(for: identity) {
            #expect(ClientManifests(left.reversed()).client(for: identity) == next)
            order.append(next.name)
            left.removeAll { $0.name == next.name }
        }
        #expect(order == ["a", "b", "xu", "x", "ug", "u", "g"])
        #expect(left.map(\.name) == ["nobody"], "what selects nothing selects nobody")
    }

    @Test func `a user's manifest takes nothing from the command, and the group makes no program the command`() {
        let manifests = ClientManifests([
            manifest("sextant", ClientSelector(group: 900, command: "sextant")),
            manifest("follow", ClientSelector(user: 1000)),
            manifest("tracker", ClientSelector(unit: "tracker.service")),
        ])
        func name(_ command: String, user: UInt32 = 1000, groups: [UInt32] = [900], unit: String? = nil) -> String? {
            let identity = PeerIdentity(userID: user, groups: groups, unit: unit, command: command)
            return manifests.client(for: identity)?.name
        }
        #expect(name("sextant") == "sextant")
        #expect(name("follow") == "follow")
        #expect(name("sextant", groups: []) == "follow")
        #expect(name("follow", user: 1001) == nil)
        #expect(name("sextant", unit: "tracker.service") == "tracker")
        #expect(manifests.candidates(for: PeerIdentity(userID: 1000, groups: [900])).map(\.name).contains("sextant"))
    }

    @Test func `the clients of a connection of the gpsd port are those of the processes that may have made it`() {
        let admission = Admission(
            manifests: ClientManifests([
                manifest("gpsd", ClientSelector()), manifest("tracker", ClientSelector(unit: "tracker.service")),
                manifest("pi", ClientSelector(user: 1000)),
            ]), policy: OperatorPolicy())
        func names(_ identities: [PeerIdentity]) -> [String?] { admission.portClients(of: identities).map { $0?.name } }
        let shell = PeerIdentity(userID: 1000, unit: "session-1.scope")
        #expect(names([]) == ["gpsd"])
        #expect(names([shell, PeerIdentity(userID: 1000)]) == ["pi"])
        #expect(names([shell, PeerIdentity(userID: 1000, unit: "tracker.service")]) == ["pi", "tracker"])
        #expect(names([PeerIdentity(userID: 1001)]) == [nil])
    }

    @Test func `of two manifests with one name the first applies`() {
        let manifests = ClientManifests([
            manifest("b", ClientSelector(user: 1)), manifest("a", ClientSelector(user: 2)),
            manifest("b", ClientSelector(user: 3)),
        ])
        #expect(manifests.map(\.name) == ["a", "b"])
        #expect(manifests.client(for: PeerIdentity(userID: 3)) == nil)
    }

    @Test func `a client without a manifest gets a readable name`() {
        #expect(PeerIdentity(userID: 5, unit: "foo.service", executable: "/x").printableName == "unit foo.service")
        #expect(PeerIdentity(userID: 1000, executable: "/usr/bin/x").printableName == "user 1000, /usr/bin/x")
        #expect(PeerIdentity(userID: 1000).printableName == "user 1000")
    }

    @Test func `an operator reads everything that a manifest selects by`() {
        let selector = ClientSelector(unit: "a.service", executable: "/x", user: 5, group: 7)
        #expect(selector.description == "unit a.service, /x, user 5, group 7")
        #expect(ClientSelector(group: 7, command: "x").description == "command x, group 7")
        #expect(ClientSelector().description == "everyone")
    }

    @Test func `an empty purpose text counts as absent, and the keys are sorted`() {
        var purposes = PurposeStrings(whenInUse: "", always: "why", temporary: ["z": "1", "a": "2", "m": ""])
        #expect(purposes.whenInUse == nil && purposes.always == "why")
        #expect(purposes.temporaryKeys == ["a", "z"])
        #expect(purposes.temporary("m") == nil && purposes.temporary("z") == "1")
        purposes.always = ""
        #expect(purposes.always == nil)
    }

    @Test func `a missing requirement of a manifest is named`() {
        var manifest = manifest("a", ClientSelector(user: 1))
        #expect(manifest.unmetRequirements(with: []).isEmpty)
        manifest.requires = [.magnetometer, .receiver]
        #expect(manifest.unmetRequirements(with: []) == [.receiver, .magnetometer])
        #expect(manifest.unmetRequirements(with: [.receiver]) == [.magnetometer])
        #expect(manifest.maximumRegions == 1000 && ClientManifest.regionBounds.contains(manifest.maximumRegions))
    }

    @Test func `without a manifest no request has any effect`() {
        var scene = Scene()
        let nobody = ClientID(rawValue: 50)
        let events: [AuthorizationEvent] = [
            .connected(nobody, client: "nobody"), .requested(nobody, session: 0, .always),
            .answered(client: "nobody", .always), .setAccuracy(client: "nobody", .full),
            .state(nobody, isForeground: false), .gone(nobody),
        ]
        for event in events {
            scene.do(event)
            #expect(scene.effects.isEmpty)
        }
        #expect(scene.book.rights(of: "nobody").status == .notDetermined)
    }

    @Test func `removing a manifest removes everything known about its client`() {
        var scene = Scene()
        scene.ask(.always)
        scene.answer(.allow)
        scene.do(.setAccuracy(client: "tracker", .reduced))
        scene.do(.eventDue(client: "tracker"))
        scene.do(.requestedFullAccuracy(Scene.one, id: "a", purposeKey: "track"))
        scene.do(.manifests(ClientManifests([])))
        #expect(
            scene.effects == [
                .keep(client: "other", nil), .useChanged(client: "other", isInUse: false),
                .keep(client: "tracker", nil), Scene.changed, .useChanged(client: "tracker", isInUse: false),
                .provisionalSettled(client: "tracker", mayDeliver: false),
                .fullAccuracyAnswered(Scene.one, id: "a", errorCode: .promptDeclined), Scene.withdrawn,
            ])
        #expect(scene.book.descriptions.isEmpty && scene.book.prompts.isEmpty)
        scene.do(.manifests(Scene.manifests()))
        #expect(scene.status == .notDetermined && scene.effects.isEmpty)
    }

    @Test func `loading the same manifests again changes nothing`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.once)
        let before = scene.book
        scene.do(.manifests(Scene.manifests()))
        #expect(scene.effects.isEmpty && scene.book == before)
    }
}
