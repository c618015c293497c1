import ClientVocabulary
import Parts
import Testing

@testable import Access

private typealias Scene = AuthorizationScene

@Suite("Authorization: full accuracy for a while")
struct AuthorizationAccuracyTests {
    private func reduced() -> AuthorizationScene {
        var scene = Scene()
        scene.answer(.allow)
        scene.do(.setAccuracy(client: "tracker", .reduced))
        return scene
    }

    private func ended(_ id: String?, _ code: FailureCode?) -> AuthorizationEffect {
        .fullAccuracyAnswered(Scene.one, id: id, errorCode: code)
    }

    private func ask(_ key: String = "track", id: String? = "a") -> AuthorizationEvent {
        .requestedFullAccuracy(Scene.one, id: id, purposeKey: key)
    }

    @Test(arguments: ["trail", "blank", ""])
    func `RED-05: a purpose key without a text asks nothing`(key: String) {
        var scene = reduced()
        scene.do(ask(key))
        #expect(scene.effects == [.note(client: "tracker", .unknownPurposeKey(key)), ended("a", .promptDeclined)])
        scene.do(ask(key, id: nil))
        #expect(scene.effects == [ended(nil, .promptDeclined)])
    }

    @Test func `a manifest's reduced accuracy holds until an operator decides, and the question says so`() {
        var scene = Scene()
        var manifest = AuthorizationScene.manifests()[1]
        manifest.defaultAccuracyReduced = true
        scene.do(.manifests(ClientManifests([manifest])))
        scene.ask(.whenInUse)
        #expect(scene.book.prompts.map(\.isReduced) == [true])
        scene.answer(.allow)
        #expect(scene.status == .authorizedWhenInUse && scene.rights.accuracy == .reduced)
        scene.do(ask())
        #expect(scene.book.prompts.map(\.isReduced) == [false], "full accuracy for a while is asked for")
        scene.do(.setAccuracy(client: "tracker", .full))
        #expect(scene.rights.accuracy == .full)
    }

    @Test func `a client that invents purpose keys does not fill the log`() {
        var scene = reduced()
        for number in 1...8 {
            scene.do(ask("key \(number)"))
            #expect(scene.effects.count == 2)
        }
        scene.do(ask("key 9"))
        #expect(scene.effects == [ended("a", .promptDeclined)])
    }

    @Test func `RED-05: nothing is asked with full accuracy, without authorization, or with services off`() {
        var scene = reduced()
        scene.do(.setAccuracy(client: "tracker", .full))
        scene.do(ask())
        #expect(scene.effects == [ended("a", .promptDeclined)])
        scene = reduced()
        scene.do(.servicesEnabled(false))
        scene.do(ask())
        #expect(scene.effects == [ended("a", .promptDeclined)])
        scene = reduced()
        scene.answer(.deny)
        scene.do(ask())
        #expect(scene.effects == [ended("a", .promptDeclined)])
        scene.do(.requestedFullAccuracy(ClientID(rawValue: 77), id: "b", purposeKey: "track"))
        #expect(scene.effects == [.fullAccuracyAnswered(ClientID(rawValue: 77), id: "b", errorCode: .promptDeclined)])
    }

    @Test func `RED-05: nothing is asked in the background, even while in use`() {
        var scene = reduced()
        scene.do(.usesBackground(Scene.one, true))
        scene.becomeForeground(false, at: 1)
        scene.do(ask(), at: 2)
        #expect(scene.effects == [ended("a", .promptDeclined)])
    }

    @Test func `RED-05: nothing is asked where the policy's rule is final`() {
        var scene = reduced()
        let rule = OperatorPolicy.Rule(authorization: nil, accuracy: .reduced, isFinal: true)
        scene.do(.policy(OperatorPolicy(others: rule)))
        scene.do(.setAccuracy(client: "tracker", .full))
        #expect(scene.seen.isEmpty && scene.rights.accuracy == .reduced)
        scene.do(ask())
        #expect(scene.effects == [ended("a", .promptDeclined)])
    }

    @Test func `RED-06: a declined question is not an error and changes nothing`() {
        var scene = reduced()
        scene.do(ask())
        #expect(scene.effects == [Scene.raised(.fullAccuracy)])
        scene.answer(.deny)
        #expect(scene.effects == [ended("a", nil), Scene.withdrawn])
        #expect(scene.rights.accuracy == .reduced && scene.status == .authorizedWhenInUse)
    }

    @Test(arguments: [OperatorAnswer.allow, .once])
    func `RED-07: a grant gives full accuracy until the use and its grace period end`(answer: OperatorAnswer) {
        var scene = reduced()
        scene.do(ask())
        scene.answer(answer)
        #expect(scene.effects == [Scene.changed, ended("a", nil), Scene.withdrawn], "and nothing of it is kept")
        #expect(scene.rights.accuracy == .full)
        scene.do(.timePassed, at: 3600)
        #expect(scene.rights.accuracy == .full)
        scene.becomeForeground(false, at: 3600)
        #expect(scene.rights.accuracy == .full)
        scene.do(.timePassed, at: 3605)
        #expect(scene.effects == [Scene.changed, .useChanged(client: "tracker", isInUse: false)])
        #expect(scene.rights.accuracy == .reduced)
    }

    @Test func `RED-07: a grant after the use ended has no effect`() {
        var scene = reduced()
        scene.do(ask())
        scene.becomeForeground(false, at: 1)
        scene.do(.timePassed, at: 6)
        scene.answer(.allow, at: 7)
        #expect(scene.effects == [ended("a", nil), Scene.withdrawn])
    }

    @Test func `the same purpose key shares one question, and another key is not asked meanwhile`() {
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(
            whenInUse: Scene.useText, always: Scene.alwaysText,
            temporary: ["track": Scene.trackText, "tree": "To see the tree."])
        var scene = reduced()
        scene.do(.manifests(ClientManifests([manifest])))
        scene.do(ask(id: "a"))
        scene.do(ask(id: "b"))
        #expect(scene.effects.isEmpty)
        scene.do(ask("tree", id: "c"))
        #expect(scene.effects == [ended("c", .promptDeclined)])
        scene.answer(.deny)
        #expect(scene.effects == [ended("a", nil), ended("b", nil), Scene.withdrawn])
    }

    @Test func `requests beyond the limit are refused`() {
        var scene = reduced()
        for _ in 0..<256 { scene.do(ask()) }
        #expect(scene.effects.isEmpty)
        scene.do(ask(id: "late"))
        #expect(scene.effects == [ended("late", .promptDeclined)])
    }

    @Test func `an accuracy question waits for an authorization question, and both end with the connection`() {
        var scene = reduced()
        scene.ask(.always)
        scene.do(ask())
        #expect(scene.effects.isEmpty && scene.book.prompts.map(\.kind) == [.always])
        var answered = scene
        answered.answer(.always)
        #expect(answered.seen == [Scene.changed, Scene.withdrawn, Scene.raised(.fullAccuracy)])
        answered.leave(at: 1)
        #expect(answered.effects == [Scene.withdrawn], "nobody is there to be told")
        scene.answer(.deny)
        #expect(scene.seen == [Scene.changed, ended("a", .promptDeclined), Scene.withdrawn], "it was never seen")
    }

    @Test func `a question that ends unanswered ends its request, with error 18 if no agent saw it`() {
        for (agents, code) in [(1, nil), (0, .promptDeclined)] as [(Int, FailureCode?)] {
            var scene = reduced()
            scene.do(.agents(count: agents))
            scene.do(ask())
            var withdrawn = scene
            withdrawn.do(.withdrawn(Scene.one, session: nil))
            #expect(withdrawn.effects == [ended("a", code), Scene.withdrawn])
            scene.do(.withdrawn(Scene.one, session: 0))
            #expect(scene.effects.isEmpty, "it is the connection that asks")
            scene.do(.setAccuracy(client: "tracker", .full))
            #expect(scene.seen == [Scene.changed, ended("a", code), Scene.withdrawn])
        }
    }

    @Test func `a grant ends with the authorization, and with a reset`() {
        var scene = reduced()
        scene.do(ask())
        scene.answer(.allow)
        scene.answer(.deny)
        scene.answer(.allow)
        #expect(scene.rights.accuracy == .reduced)
        let rule = OperatorPolicy.Rule(authorization: .whenInUse, accuracy: .reduced, isFinal: false)
        scene.do(.policy(OperatorPolicy(others: rule)))
        scene.do(ask())
        scene.answer(.allow)
        #expect(scene.rights.accuracy == .full)
        scene.answer(.reset)
        #expect(scene.status == .authorizedWhenInUse && scene.rights.accuracy == .reduced)
    }

    @Test func `accuracy reduced by the operator takes effect at once`() {
        var scene = reduced()
        scene.do(ask())
        scene.answer(.allow)
        scene.do(.setAccuracy(client: "tracker", .reduced))
        #expect(scene.effects == [Scene.changed] && scene.rights.accuracy == .reduced)
    }
}
