import ClientVocabulary
import PartsTestSupport
import SextantUnits
import Testing

@testable import Access

private typealias Scene = AuthorizationScene

@Suite("Authorization: asking and answering")
struct AuthorizationRequestTests {
    @Test func `AUTH-02: a request asks one question with exactly the manifest's text`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
        scene.ask(.whenInUse)
        scene.ask(.whenInUse, session: 1)
        #expect(scene.effects.isEmpty)
        #expect(scene.book.prompts == [Scene.prompt(.whenInUse)])
        #expect(scene.status == .notDetermined)
        #expect(scene.rights.waiting == .whenInUse)
    }

    @Test func `a question that is withdrawn and asked again comes back after ten seconds, and not before`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        var raised = 0
        for round in 0..<1000 {
            scene.do(.withdrawn(Scene.one, session: 0), at: 1 + Double(round) / 1000)
            if round == 0 { #expect(scene.effects == [Scene.withdrawn]) }
            scene.ask(.whenInUse, at: 1 + Double(round) / 1000)
            raised += scene.effects.count { $0 == Scene.raised(.whenInUse) }
        }
        #expect(raised == 0 && scene.book.prompts.isEmpty)
        #expect(scene.rights.waiting == .whenInUse, "it waits")
        #expect(scene.book.deadline?.nanoseconds == 11_000_000_000)
        scene.do(.timePassed, at: 11)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
    }

    @Test func `full accuracy is asked about again ten seconds after it was denied`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.allow)
        scene.do(.setAccuracy(client: "tracker", .reduced))
        scene.do(.requestedFullAccuracy(Scene.one, id: "1", purposeKey: "track"))
        #expect(scene.effects == [Scene.raised(.fullAccuracy)])
        scene.answer(.deny, at: 1)
        scene.do(.requestedFullAccuracy(Scene.one, id: "2", purposeKey: "track"), at: 2)
        #expect(scene.effects.isEmpty)
        scene.do(.timePassed, at: 11)
        #expect(scene.effects == [Scene.raised(.fullAccuracy)])
    }

    @Test func `after an answer for good the next question is shown at once`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.allow)
        scene.ask(.always)
        #expect(scene.effects == [Scene.raised(.always)])
    }

    @Test(arguments: [nil, ""] as [String?])
    func `AUTH-03: without a text nothing is asked, and the operator is told why once`(text: String?) {
        var scene = Scene(PurposeStrings(whenInUse: text, always: Scene.alwaysText))
        scene.ask(.whenInUse)
        #expect(scene.effects == [.note(client: "tracker", .missingWhenInUsePurpose)])
        scene.ask(.whenInUse)
        #expect(scene.effects.isEmpty)
        scene.ask(.always)
        #expect(scene.effects.isEmpty)
        #expect(scene.status == .notDetermined && scene.book.prompts.isEmpty)
        #expect(scene.book.descriptions[1].problem == .missingWhenInUsePurpose)
        scene.do(.manifests(Scene.manifests()))
        #expect(scene.book.descriptions[1].problem == nil)
        scene.ask(.whenInUse)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
    }

    @Test func `AUTH-04: a request after a denial has no effect`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.deny)
        #expect(scene.seen == [Scene.changed, Scene.withdrawn])
        #expect(scene.status == .denied)
        scene.ask(.whenInUse)
        #expect(scene.effects.isEmpty)
        scene.ask(.always)
        #expect(scene.effects.isEmpty)
    }

    @Test func `AUTH-05: an allowed client's status changes once, and is stored before it is reported`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.allow)
        var record = AuthorizationRecord()
        record.status = .authorizedWhenInUse
        record.isWhenInUseAnswered = true
        #expect(scene.effects == [.keep(client: "tracker", record), Scene.changed, Scene.withdrawn])
        #expect(scene.status == .authorizedWhenInUse)
        scene.do(.timePassed, at: 1e6)
        #expect(scene.effects.isEmpty)
    }

    @Test func `AUTH-06: allow once ends after the use and its grace period, and can be requested again`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.once)
        #expect(scene.status == .authorizedWhenInUse)
        scene.becomeForeground(false, at: 10)
        #expect(scene.effects.isEmpty)
        #expect(scene.book.deadline == at(15))
        scene.do(.timePassed, at: 14.999)
        #expect(scene.effects.isEmpty && scene.status == .authorizedWhenInUse)
        scene.do(.timePassed, at: 15)
        #expect(scene.seen == [Scene.changed, .useChanged(client: "tracker", isInUse: false)])
        #expect(scene.status == .notDetermined && scene.book.deadline == nil)
        scene.becomeForeground(true, at: 20)
        scene.ask(.whenInUse, at: 20)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
    }

    @Test func `AUTH-06: use ends with the last connection, unless the client returns quickly`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.once)
        scene.do(.connected(Scene.two, client: "tracker"), at: 1)
        scene.leave(at: 2)
        #expect(scene.book.deadline == nil, "another connection is in the foreground")
        scene.do(.gone(Scene.two), at: 10)
        scene.do(.connected(Scene.one, client: "tracker"), at: 14)
        #expect(scene.effects.isEmpty && scene.book.deadline == nil)
        scene.do(.timePassed, at: 100)
        #expect(scene.status == .authorizedWhenInUse)
        scene.leave(at: 100)
        scene.do(.connected(Scene.one, client: "tracker"), at: 105)
        #expect(scene.seen.first == Scene.changed, "it came back too late")
        #expect(scene.status == .notDetermined)
    }

    @Test func `AUTH-07: a client allowed once is not asked about Always`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.once)
        scene.ask(.always)
        #expect(scene.effects.isEmpty && scene.book.prompts.isEmpty)
    }

    @Test func `AUTH-08: keeping When In Use reports no change, and Always is never asked again`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.allow)
        scene.ask(.always)
        #expect(scene.effects == [Scene.raised(.always)])
        scene.answer(.keep)
        #expect(scene.seen == [Scene.withdrawn])
        #expect(scene.status == .authorizedWhenInUse)
        scene.ask(.always)
        #expect(scene.effects.isEmpty && scene.book.prompts.isEmpty)
    }

    @Test func `AUTH-09: upgrading from When In Use to Always is one change`() {
        var scene = Scene()
        scene.ask(.whenInUse)
        scene.answer(.allow)
        scene.ask(.always)
        scene.answer(.always)
        #expect(scene.seen == [Scene.changed, Scene.withdrawn])
        #expect(scene.status == .authorizedAlways)
        #expect(!scene.book.descriptions[1].record.isProvisional)
    }

    @Test func `AUTH-10: Always requested first asks with the text for When In Use, and is provisional`() {
        var scene = Scene()
        scene.ask(.always)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
        scene.answer(.allow)
        #expect(scene.seen == [Scene.changed, Scene.withdrawn])
        #expect(scene.status == .authorizedAlways)
        #expect(scene.book.descriptions[1].record.isProvisional)
    }

    @Test func `AUTH-10: a pending request for Always takes precedence over one for When In Use, unless withdrawn`() {
        var scene = Scene()
        scene.ask(.whenInUse, session: 1)
        scene.ask(.always, session: 2)
        scene.ask(.whenInUse, session: 2)
        #expect(scene.effects.isEmpty)
        var patient = scene
        patient.answer(.allow)
        #expect(patient.status == .authorizedAlways)
        scene.do(.withdrawn(Scene.one, session: 2))
        #expect(scene.effects.isEmpty)
        scene.answer(.allow)
        #expect(scene.status == .authorizedWhenInUse)
    }

    @Test func `AUTH-11: an event that needs Always asks to confirm a provisional one`() {
        var scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.eventDue(client: "tracker"), at: 100)
        #expect(scene.effects == [Scene.raised(.always)])
        scene.do(.eventDue(client: "tracker"), at: 101)
        #expect(scene.effects.isEmpty)
        scene.answer(.keep, at: 102)
        #expect(
            scene.seen == [
                Scene.changed, .provisionalSettled(client: "tracker", mayDeliver: false), Scene.withdrawn,
            ])
        #expect(scene.status == .authorizedWhenInUse)
        scene.do(.connected(Scene.one, client: "tracker"), at: 103)
        scene.ask(.always, at: 103)
        #expect(scene.effects.isEmpty, "that was the one question for Always")
    }

    @Test func `AUTH-12: a confirmed Always delivers the event without a reported change`() {
        var scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.eventDue(client: "tracker"), at: 100)
        scene.answer(.always, at: 102)
        #expect(scene.seen == [.provisionalSettled(client: "tracker", mayDeliver: true), Scene.withdrawn])
        #expect(scene.status == .authorizedAlways)
        scene.do(.eventDue(client: "tracker"), at: 200)
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: true)])
    }

    @Test func `an event for a client without Always is not delivered, and nothing is asked`() {
        var scene = Scene()
        scene.do(.eventDue(client: "tracker"))
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: false)])
        scene.do(.eventDue(client: "nobody"))
        #expect(scene.effects == [.provisionalSettled(client: "nobody", mayDeliver: false)])
        scene.answer(.allow)
        scene.do(.eventDue(client: "tracker"))
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: false)])
    }

    @Test(arguments: [OperatorAnswer.deny, .reset, .once])
    func `an event that waits for the answer is settled by any other decision`(answer: OperatorAnswer) {
        var scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.eventDue(client: "tracker"), at: 100)
        scene.do(.connected(Scene.one, client: "tracker"), at: 101)
        scene.answer(answer, at: 102)
        #expect(
            scene.seen == [
                Scene.changed, .provisionalSettled(client: "tracker", mayDeliver: false), Scene.withdrawn,
            ])
    }

    @Test func `a provisional Always whose question has no text any more delivers nothing`() {
        var scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.eventDue(client: "tracker"), at: 100)
        scene.do(.manifests(Scene.manifests(PurposeStrings(whenInUse: Scene.useText))), at: 101)
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: false), Scene.withdrawn])
        scene.do(.eventDue(client: "tracker"), at: 102)
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: false)])
        #expect(scene.status == .authorizedAlways)
    }

    @Test func `an event due while services are off is dropped, and one that waits for an answer keeps waiting`() {
        var scene = Scene()
        scene.becomeProvisionalAndLeave()
        scene.do(.servicesEnabled(false), at: 100)
        scene.do(.eventDue(client: "tracker"), at: 101)
        #expect(scene.effects == [.provisionalSettled(client: "tracker", mayDeliver: false)])
        scene.do(.servicesEnabled(true), at: 102)
        scene.do(.eventDue(client: "tracker"), at: 103)
        scene.do(.servicesEnabled(false), at: 104)
        #expect(scene.effects == [.changed(client: "other"), Scene.changed, Scene.withdrawn])
        scene.do(.servicesEnabled(true), at: 105)
        #expect(scene.effects == [.changed(client: "other"), Scene.changed, Scene.raised(.always)])
    }

    @Test func `AUTH-13: without a text for Always nothing is asked`() {
        var scene = Scene(PurposeStrings(whenInUse: Scene.useText))
        scene.ask(.always)
        #expect(scene.effects == [.note(client: "tracker", .missingAlwaysPurpose)])
        scene.ask(.whenInUse)
        scene.answer(.allow)
        scene.ask(.always)
        #expect(scene.effects.isEmpty && scene.status == .authorizedWhenInUse)
    }

    @Test func `AUTH-14: a question is withdrawn with the last manager that asked it`() {
        var scene = Scene()
        scene.ask(.whenInUse, session: 1)
        scene.ask(.whenInUse, session: 2)
        scene.do(.withdrawn(Scene.one, session: 1))
        #expect(scene.effects.isEmpty)
        scene.do(.withdrawn(Scene.one, session: 2))
        #expect(scene.effects == [Scene.withdrawn])
        #expect(scene.status == .notDetermined)
        scene.ask(.whenInUse, at: 10)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
        scene.leave(at: 11)
        #expect(scene.effects == [Scene.withdrawn])
        scene.answer(.keep, at: 12)
        #expect(scene.effects.isEmpty)
    }

    @Test func `AUTH-14: a withdrawn question for Always may be asked again`() {
        var scene = Scene()
        scene.answer(.allow)
        scene.ask(.always, session: 3)
        scene.do(.withdrawn(Scene.one, session: nil))
        #expect(scene.effects == [Scene.withdrawn])
        scene.ask(.always, at: 10)
        #expect(scene.effects == [Scene.raised(.always)])
    }

    @Test func `AUTH-15: a client not in use asks nothing, and a background session counts as use`() {
        var scene = Scene()
        scene.becomeForeground(false, at: 0)
        scene.ask(.whenInUse, at: 6)
        #expect(scene.effects == [.useChanged(client: "tracker", isInUse: false)])
        scene.ask(.whenInUse, at: 6)
        scene.ask(.always, at: 6)
        #expect(scene.effects.isEmpty && scene.book.prompts.isEmpty)
        scene.do(.usesBackground(Scene.one, true), at: 7)
        scene.ask(.whenInUse, at: 7)
        #expect(scene.effects == [Scene.raised(.whenInUse)])
    }

    @Test func `AUTH-23: the statuses have Core Location's numbers`() {
        #expect(AuthorizationStatus.allCases.map(\.number) == [0, 1, 2, 3, 4])
        #expect(
            AuthorizationStatus.allCases.map(\.rawValue) == [
                "notDetermined", "restricted", "denied", "authorizedAlways", "authorizedWhenInUse",
            ])
        #expect(AccuracyAuthorization.allCases.map { "\($0.number) \($0.rawValue)" } == ["0 full", "1 reduced"])
    }

    @Test func `BG-05: use lasts for the grace period after the foreground, and no longer`() {
        var scene = Scene()
        #expect(scene.rights.isInUse)
        scene.becomeForeground(false, at: 10)
        #expect(scene.rights.isInUse)
        scene.do(.timePassed, at: 15)
        #expect(scene.effects == [.useChanged(client: "tracker", isInUse: false)])
        #expect(!scene.rights.isInUse)
    }

    @Test func `BG-04: a client started in the background was never in use, and has no grace period`() {
        var scene = Scene()
        scene.do(.beganInBackground(Scene.one), at: 1)
        #expect(scene.effects == [.useChanged(client: "tracker", isInUse: false)])
        #expect(!scene.rights.isInUse && scene.book.deadline == nil)
        scene.becomeForeground(true, at: 2)
        #expect(scene.rights.isInUse)
    }

    @Test func `BG-12: a background session counts as use until it ends, plus the grace period`() {
        var scene = Scene()
        scene.do(.usesBackground(Scene.one, true))
        scene.becomeForeground(false, at: 10)
        #expect(scene.book.deadline == nil)
        scene.do(.timePassed, at: 1000)
        #expect(scene.rights.isInUse)
        scene.do(.usesBackground(Scene.one, false), at: 1000)
        #expect(scene.book.deadline == at(1005))
        scene.do(.usesBackground(Scene.one, false), at: 1003)
        #expect(scene.book.deadline == at(1005), "the use ended once")
        scene.do(.timePassed, at: 1005)
        #expect(!scene.rights.isInUse)
    }
}
