import ClientVocabulary
import Testing

@testable import Access

private typealias Scene = AuthorizationScene

@Suite("Authorization: the operator's word")
struct AuthorizationOperatorTests {
    private func policy(_ authorization: OperatorPolicy.Authorization?, isFinal: Bool) -> AuthorizationEvent {
        let rule = OperatorPolicy.Rule(authorization: authorization, accuracy: nil, isFinal: isFinal)
        return .policy(OperatorPolicy(rules: ["tracker": rule]))
    }

    @Test func `AUTH-16: a denial by the operator is one change at once`() {
        var scene = Scene()
        scene.answer(.allow)
        scene.answer(.deny)
        #expect(scene.seen == [Scene.changed])
        #expect(scene.status == .denied)
    }

    @Test func `AUTH-17: services off makes every status denied, and services on restores it`() {
        var scene = Scene()
        scene.answer(.always)
        scene.do(.servicesEnabled(false))
        #expect(scene.effects == [.changed(client: "other"), Scene.changed])
        #expect(!scene.book.servicesEnabled)
        #expect(scene.status == .denied && scene.book.rights(of: "other").status == .denied)
        #expect(scene.book.rights(of: "nobody").status == .denied)
        scene.do(.servicesEnabled(false))
        #expect(scene.effects.isEmpty)
        scene.do(.servicesEnabled(true))
        #expect(scene.effects == [.changed(client: "other"), Scene.changed])
        #expect(scene.status == .authorizedAlways)
        #expect(scene.book.rights(of: "other").status == .notDetermined)
    }

    @Test func `AUTH-17: with services off a client that was denied is told that all clients are`() {
        var scene = Scene()
        scene.answer(.deny)
        scene.do(.servicesEnabled(false))
        #expect(scene.effects.contains(Scene.changed))
    }

    @Test func `AUTH-17: with services off nothing is asked, and a pending question is hidden`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(.servicesEnabled(false))
        #expect(scene.effects == [.changed(client: "other"), Scene.changed, Scene.withdrawn])
        #expect(scene.book.prompts.isEmpty && scene.rights.waiting == nil)
        scene.do(.requested(Scene.stranger, session: 0, .whenInUse))
        #expect(scene.effects.isEmpty)
        scene.do(.servicesEnabled(true))
        #expect(scene.effects == [.changed(client: "other"), Scene.changed, Scene.raised(.whenInUse)])
        #expect(scene.book.prompts == [Scene.prompt(.whenInUse)])
    }

    @Test func `a service that is started while services are off asks once whether to switch them on`() {
        var scene = Scene()
        scene.do(.servicesEnabled(false))
        scene.do(.started(Scene.one, session: 0))
        #expect(scene.effects == [Scene.raised(.services)])
        scene.do(.started(Scene.one, session: 1))
        #expect(scene.effects.isEmpty, "one question for all that it starts")
        scene.answer(.off)
        #expect(scene.effects == [Scene.withdrawn])
        scene.do(.started(Scene.one, session: 0), at: 3600)
        #expect(scene.effects.isEmpty, "it was answered")
        scene.do(.servicesEnabled(true), at: 3600)
        scene.do(.servicesEnabled(false), at: 3600)
        scene.do(.started(Scene.one, session: 0), at: 3600)
        #expect(scene.effects == [Scene.raised(.services)], "they were on meanwhile")
        scene.answer(.allow, at: 3600)
        #expect(!scene.effects.contains(.enableServices), "a decision about the client is no word on services")
        scene.answer(.on, at: 3600)
        #expect(scene.effects.contains(.enableServices))
        scene.do(.servicesEnabled(true), at: 3600)
        #expect(scene.status == .authorizedWhenInUse && scene.book.prompts.isEmpty)
    }

    @Test func `nobody is asked to switch services on for a denied client, one in the background, or without a text`() {
        var denied = Scene()
        denied.answer(.deny)
        var away = Scene()
        away.becomeForeground(false, at: 0)
        var silent = Scene(PurposeStrings())
        for scene in [denied, away, silent] {
            var scene = scene
            scene.do(.servicesEnabled(false))
            scene.do(.started(Scene.one, session: 0))
            #expect(scene.book.prompts.isEmpty)
        }
        #expect(denied.status == .denied)
        silent.do(.servicesEnabled(false))
        silent.do(.started(Scene.one, session: 0))
        #expect(silent.effects == [.note(client: "tracker", .missingWhenInUsePurpose)], "the operator's log says why")
    }

    @Test func `the question whether to switch services on ends with the client that asked`() {
        var scene = Scene()
        scene.do(.servicesEnabled(false))
        scene.do(.started(Scene.one, session: 0))
        scene.leave(at: 1)
        #expect(scene.effects.contains(Scene.withdrawn) && scene.book.prompts.isEmpty)
    }

    @Test(arguments: [true, false])
    func `AUTH-18: no question is asked for a restricted client, and no answer changes it`(isFinal: Bool) {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(policy(.restricted, isFinal: isFinal))
        #expect(scene.effects == [Scene.changed, Scene.withdrawn])
        #expect(scene.status == .restricted)
        scene.ask(.whenInUse)
        scene.ask(.always)
        #expect(scene.effects.isEmpty && scene.book.prompts.isEmpty)
        scene.answer(.always)
        #expect(scene.seen.isEmpty && scene.status == .restricted)
        scene.do(policy(nil, isFinal: false))
        #expect(scene.seen == [Scene.changed] && scene.status == .authorizedAlways)
    }

    @Test func `AUTH-20: without an agent the question waits and is logged, and a later agent gets it`() {
        var scene = Scene(agents: 0)
        scene.ask(.whenInUse)
        #expect(scene.effects == [Scene.raised(.whenInUse), .note(client: "tracker", .noAgent)])
        #expect(scene.status == .notDetermined)
        #expect(scene.book.descriptions[1].problem == .noAgent)
        scene.do(.withdrawn(Scene.one, session: nil))
        #expect(scene.book.descriptions[1].problem == nil)
        scene.ask(.whenInUse, at: 10)
        #expect(scene.effects == [Scene.raised(.whenInUse)], "the log has it already")
        scene.do(.manifests(Scene.manifests(PurposeStrings(whenInUse: Scene.useText))))
        #expect(scene.effects.isEmpty)
        scene.do(.agents(count: 1))
        #expect(scene.book.prompts == [Scene.prompt(.whenInUse)])
        #expect(scene.book.descriptions[1].problem == nil)
        scene.do(.agents(count: 0))
        #expect(scene.effects == [.note(client: "tracker", .noAgent)], "this one left it waiting")
        scene.answer(.allow)
        #expect(scene.status == .authorizedWhenInUse, "an operator answers without being an agent")
    }

    @Test func `AUTH-21: one client's answer does not affect another client`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(.requested(Scene.stranger, session: 0, .whenInUse))
        #expect(scene.book.prompts.map(\.client) == ["other", "tracker"])
        scene.answer(.allow)
        #expect(!scene.effects.contains(.changed(client: "other")))
        #expect(scene.book.rights(of: "other").status == .notDetermined)
        #expect(scene.book.prompts.map(\.client) == ["other"])
    }

    @Test func `a rule that is not final applies at once where no answer was given`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(policy(.whenInUse, isFinal: false))
        #expect(scene.effects == [Scene.changed, Scene.withdrawn])
        #expect(scene.status == .authorizedWhenInUse)
        scene.ask(.always)
        #expect(scene.effects == [Scene.raised(.always)])
        scene.answer(.deny)
        #expect(scene.status == .denied, "the operator's own answer counts for more")
        scene.answer(.reset)
        #expect(scene.effects == [.keep(client: "tracker", nil), Scene.changed])
        #expect(scene.status == .authorizedWhenInUse)
    }

    @Test(arguments: OperatorPolicy.Authorization.allCases)
    func `a final rule overrides a stored answer`(authorization: OperatorPolicy.Authorization) {
        var scene = Scene()
        scene.answer(authorization == .denied ? .always : .deny)
        scene.do(policy(authorization, isFinal: true))
        #expect(scene.effects == [Scene.changed] && scene.status == authorization.status)
        scene.answer(.once)
        scene.ask(.always)
        #expect(scene.effects.isEmpty && scene.status == authorization.status)
    }

    @Test func `the rule for others applies to clients without a rule`() {
        let others = OperatorPolicy.Rule(authorization: .denied, accuracy: .reduced, isFinal: false)
        let policy = OperatorPolicy(rules: ["tracker": .ask], others: others)
        var scene = Scene()
        scene.do(.policy(policy))
        #expect(scene.effects == [.changed(client: "other")])
        #expect(scene.book.rights(of: "other").accuracy == .reduced)
        #expect(scene.status == .notDetermined && scene.rights.accuracy == .full)
    }

    @Test func `an operator's decision is kept, and a reset forgets all decisions and asked questions`() {
        var scene = Scene()
        scene.ask(.always)
        scene.answer(.allow)
        scene.do(.setMayBeWoken(client: "tracker", false))
        #expect(scene.seen.isEmpty && !scene.rights.mayBeWoken)
        scene.do(.setAccuracy(client: "tracker", .reduced))
        #expect(scene.seen == [Scene.changed])
        scene.answer(.keep)
        #expect(scene.seen == [Scene.changed] && scene.status == .authorizedWhenInUse)
        scene.answer(.reset)
        #expect(scene.effects == [.keep(client: "tracker", nil), Scene.changed])
        #expect(scene.rights.mayBeWoken && scene.rights.accuracy == .full)
        scene.ask(.always)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
    }

    @Test func `allow once has no effect on a client that is not in use`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.becomeForeground(false, at: 1)
        scene.do(.timePassed, at: 6)
        #expect(scene.book.prompts.count == 1)
        scene.answer(.once, at: 7)
        #expect(scene.seen == [Scene.withdrawn] && scene.status == .notDetermined)
        scene.answer(.deny, at: 8)
        scene.answer(.once, at: 9)
        #expect(scene.effects.isEmpty && scene.status == .denied)
    }

    @Test func `a question for Always ends when the authorization is decided otherwise`() {
        var scene = Scene()
        scene.answer(.allow)
        scene.ask(.always)
        var final = scene
        final.do(policy(.whenInUse, isFinal: true))
        #expect(final.effects == [Scene.withdrawn])
        scene.answer(.once)
        #expect(scene.seen == [Scene.withdrawn] && scene.status == .authorizedWhenInUse)
    }

    @Test func `to allow grants When In Use, whatever was requested`() {
        var scene = Scene()
        scene.answer(.allow)
        scene.ask(.always)
        scene.answer(.allow)
        #expect(scene.seen == [Scene.withdrawn] && scene.status == .authorizedWhenInUse)
        scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.eventDue(client: "tracker"), at: 100)
        scene.answer(.allow, at: 101)
        #expect(scene.effects.contains(.provisionalSettled(client: "tracker", mayDeliver: false)))
    }

    @Test func `a connection keeps the first client it was assigned to`() {
        var scene = Scene()
        scene.do(.connected(Scene.one, client: "tracker"))
        scene.do(.connected(Scene.one, client: "other"))
        #expect(scene.book.descriptions.map(\.connections) == [1, 1])
    }

    @Test func `the operator's always is lasting, even if only When In Use was requested`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.always)
        #expect(scene.seen == [Scene.changed, Scene.withdrawn])
        #expect(!scene.book.descriptions[1].record.isProvisional)
    }

    @Test func `a question with another text is a new question`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(.manifests(Scene.manifests(PurposeStrings(whenInUse: "Because."))))
        guard case .promptRaised(let prompt) = scene.effects.last else { return #expect(Bool(false), "no question") }
        #expect(scene.effects.first == Scene.withdrawn && prompt.purpose == "Because.")
        scene.do(.manifests(Scene.manifests(PurposeStrings())))
        #expect(scene.effects == [Scene.withdrawn])
    }

    @Test func `the list has every client with its decision and pending question`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.do(.connected(Scene.two, client: "tracker"))
        let list = scene.book.descriptions
        #expect(list.map(\.client) == ["other", "tracker"])
        #expect(list[0].user == 1000 && list[0].unit == nil && list[0].connections == 1)
        #expect(list[1].unit == "tracker.service" && list[1].connections == 2)
        #expect(list[1].rights.waiting == .whenInUse && !list[1].record.isWhenInUseAnswered)
    }

    @Test func `every note says what to do`() {
        let notes: [AuthorizationNote] = [
            .noAgent, .missingWhenInUsePurpose, .missingAlwaysPurpose, .unknownPurposeKey("track"),
        ]
        for note in notes { #expect(note.message.contains("needs") || note.message.contains("sextant clients allow")) }
    }
}
