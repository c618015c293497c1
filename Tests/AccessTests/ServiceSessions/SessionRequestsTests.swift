import ClientProtocol
import ClientVocabulary
import Parts
import PartsTestSupport
import Testing

@testable import Access

@Suite("Requests of sessions")
struct SessionRequestsTests {
    private let connection = ClientID(rawValue: 1)

    private func holding(_ held: SessionGoal...) -> ServiceSessions {
        var sessions = ServiceSessions()
        sessions.connect(connection, at: at(0))
        for (number, held) in held.enumerated() { _ = sessions.hold(UInt32(number), held, by: connection, at: at(0)) }
        return sessions
    }

    private var exact: SessionGoal { SessionGoal(authorization: .whenInUse, fullAccuracyPurposeKey: "map") }

    @Test func `LIVE-02 an implicit session requests authorization while in use, once`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse, isImplicit: true))
        let question = SessionQuestion(request: .whenInUse, number: 0, connection: connection)
        #expect(sessions.requests(under: .foreground(.notDetermined)) == [question])
        let asking = ClientConditions.foreground(.notDetermined).with { $0.requestInProgress = true }
        #expect(sessions.requests(under: asking) == [])
        let waits = SessionReport(isActive: false, diagnostics: .authorizationRequestInProgress)
        #expect(sessions.reports(under: asking) == [waits])
        #expect(sessions.requests(under: .foreground(.notDetermined)) == [])
    }

    @Test func `LIVE-06 an implicit session requests nothing if the manifest requires an explicit one`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse, isImplicit: true))
        let strict = ClientConditions.foreground(.notDetermined).with { $0.requiresServiceSession = true }
        #expect(sessions.questions(under: strict) == [])
        _ = sessions.hold(1, SessionGoal(authorization: .whenInUse), by: connection, at: at(1))
        #expect(sessions.questions(under: strict) == [.whenInUse])
    }

    @Test func `a session without an authorization requests nothing`() {
        var sessions = holding(SessionGoal())
        #expect(sessions.questions(under: .foreground(.notDetermined)) == [])
        #expect(sessions.questions(under: .foreground(.authorizedWhenInUse, .reduced)) == [])
    }

    @Test func `of several sessions the one that asks for most determines the request`() {
        var sessions = holding(exact, SessionGoal(authorization: .always))
        #expect(sessions.requests(under: .foreground(.notDetermined)).map(\.number) == [1])
    }

    @Test func `Always is requested while in use, and a refusal is stated in the diagnostics`() {
        var sessions = holding(SessionGoal(authorization: .always))
        #expect(sessions.questions(under: .foreground(.authorizedWhenInUse)) == [.always])
        #expect(sessions.questions(under: .foreground(.authorizedWhenInUse)) == [])
        let refused = SessionReport(isActive: true, diagnostics: .alwaysAuthorizationDenied)
        #expect(sessions.reports(under: .foreground(.authorizedWhenInUse)) == [refused])
        #expect(sessions.reports(under: .foreground(.authorizedAlways)) == [.init(isActive: true, diagnostics: [])])
    }

    @Test func `nothing is requested after a denial, or with location services off`() {
        var sessions = holding(exact)
        #expect(sessions.questions(under: .foreground(.denied)) == [])
        #expect(sessions.questions(under: .foreground(.restricted)) == [])
        let off = ClientConditions.foreground(.notDetermined).with { $0.isDeniedGlobally = true }
        #expect(sessions.questions(under: off) == [])
    }

    @Test func `an expired Allow Once is requested again with the next use`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse))
        #expect(sessions.questions(under: .foreground(.notDetermined)) == [.whenInUse])
        #expect(sessions.questions(under: .foreground(.authorizedWhenInUse)) == [])
        #expect(sessions.questions(under: .background(.notDetermined)) == [])
        #expect(sessions.questions(under: .foreground(.notDetermined)) == [.whenInUse])
    }

    @Test func `full accuracy is requested once in the foreground, and again when it has expired`() {
        var sessions = holding(exact)
        let reduced = ClientConditions.foreground(.authorizedWhenInUse, .reduced)
        let away = reduced.with { $0.isForeground = false }
        #expect(sessions.questions(under: away) == [])
        #expect(sessions.reports(under: away) == [.init(isActive: true, diagnostics: .accuracyLimited)])
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "map")])
        let refused = SessionReport(isActive: true, diagnostics: [.accuracyLimited, .fullAccuracyDenied])
        #expect(sessions.reports(under: reduced) == [refused])
        #expect(sessions.questions(under: .background(.authorizedWhenInUse).with { $0.accuracy = .reduced }) == [])
        #expect(sessions.questions(under: reduced) == [])
        #expect(sessions.questions(under: .foreground(.authorizedWhenInUse, .full)) == [])
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "map")])
    }

    @Test func `another session for full accuracy requests it again`() {
        var sessions = holding(exact)
        let reduced = ClientConditions.foreground(.authorizedAlways, .reduced)
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "map")])
        sessions.release(0, by: connection)
        #expect(sessions.questions(under: reduced) == [])
        _ = sessions.hold(1, exact, by: connection, at: at(1))
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "map")])
    }

    @Test func `only one question is open at a time`() {
        var sessions = holding(exact, SessionGoal(authorization: .whenInUse, fullAccuracyPurposeKey: "walk"))
        let reduced = ClientConditions.foreground(.authorizedWhenInUse, .reduced)
        #expect(sessions.questions(under: .foreground(.notDetermined, .reduced)) == [.whenInUse])
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "map")])
        #expect(sessions.questions(under: reduced.with { $0.requestInProgress = true }) == [])
        #expect(sessions.questions(under: reduced) == [.fullAccuracy(purposeKey: "walk")])
        #expect(sessions.questions(under: reduced) == [])
    }
}
