import ClientProtocol
import ClientVocabulary
import Parts
import PartsTestSupport
import Testing

@testable import Access

@Suite("Live gate")
struct LiveGateTests {
    private let connection = ClientID(rawValue: 1)
    private let implicit = SessionGoal(authorization: .whenInUse, isImplicit: true)

    /// A client that held these since it was in the foreground.
    private func holding(_ held: SessionGoal...) -> ServiceSessions {
        var sessions = ServiceSessions()
        sessions.connect(connection, at: at(0))
        for (number, held) in held.enumerated() { _ = sessions.hold(UInt32(number), held, by: connection, at: at(0)) }
        _ = sessions.settle(under: .foreground(.authorizedAlways))
        return sessions
    }

    private func gate(_ sessions: ServiceSessions, _ conditions: ClientConditions) -> LiveGate {
        LiveGate(of: sessions, under: conditions)
    }

    @Test func `in the foreground with authorization updates flow`() {
        for status in [AuthorizationStatus.authorizedAlways, .authorizedWhenInUse] {
            let gate = gate(holding(implicit), .foreground(status))
            #expect(gate.flows && gate.diagnostics == [])
        }
    }

    @Test func `LIVE-02 while the user is being asked an update says so`() {
        let asking = ClientConditions.foreground(.notDetermined).with { $0.requestInProgress = true }
        let gate = gate(holding(implicit), asking)
        #expect(gate.flows == false && gate.diagnostics == .authorizationRequestInProgress)
    }

    @Test func `LIVE-03 a denied client gets an update that says so, and locations after a grant`() {
        let sessions = holding(implicit)
        #expect(gate(sessions, .foreground(.denied)).diagnostics == .authorizationDenied)
        #expect(gate(sessions, .foreground(.denied)).flows == false)
        #expect(gate(sessions, .foreground(.authorizedWhenInUse)).flows)
    }

    @Test func `LIVE-03 without a purpose text nobody is asked, and an update says that the client is denied`() {
        let silent = ClientConditions.foreground(.notDetermined).with { $0.hasPurpose = false }
        #expect(gate(holding(implicit), silent).diagnostics == .authorizationDenied)
        #expect(gate(holding(implicit), .foreground(.notDetermined)).diagnostics == [])
    }

    @Test func `LIVE-02 the user is asked once the manifest has a purpose text`() {
        var sessions = holding(implicit)
        let silent = ClientConditions.foreground(.notDetermined).with { $0.hasPurpose = false }
        _ = sessions.questions(under: silent)
        #expect(sessions.questions(under: silent) == [])
        #expect(sessions.questions(under: .foreground(.notDetermined)) == [.whenInUse])
    }

    @Test func `LIVE-04 with location services off both denials are stated`() {
        let off = ClientConditions.foreground(.denied).with { $0.isDeniedGlobally = true }
        let gate = gate(holding(implicit), off)
        #expect(gate.flows == false && gate.diagnostics == [.authorizationDenied, .authorizationDeniedGlobally])
    }

    @Test func `a restricted client is told so`() {
        #expect(gate(holding(implicit), .foreground(.restricted)).diagnostics == .authorizationRestricted)
    }

    @Test func `LIVE-06 if the manifest requires an explicit session, no update flows without one`() {
        let strict = ClientConditions.foreground(.authorizedWhenInUse).with { $0.requiresServiceSession = true }
        let without = gate(holding(implicit), strict)
        #expect(without.flows == false && without.diagnostics == .serviceSessionRequired)
        let activityAlone = gate(holding(implicit, SessionGoal(kind: .backgroundActivity)), strict)
        #expect(activityAlone.flows == false)
        let with = gate(holding(implicit, SessionGoal()), strict)
        #expect(with.flows && with.diagnostics == [])
    }

    @Test func `LIVE-09 Always takes effect in the background only with a session for it`() {
        let without = gate(holding(implicit), .background(.authorizedAlways))
        #expect(without.flows == false && without.diagnostics == .insufficientlyInUse)
        let always = SessionGoal(authorization: .always)
        #expect(gate(holding(implicit, always), .background(.authorizedAlways)).flows)
        #expect(gate(holding(implicit, always), .background(.authorizedWhenInUse)).flows == false)
    }

    @Test func `MON-12 conditions are watched without their client only for a session for Always that it held`() {
        let away = ClientRights(
            status: .authorizedAlways, accuracy: .full, isForeground: false, isInUse: false, mayBeWoken: true,
            waiting: nil)
        for (goal, isWatched) in [
            (implicit, false), (SessionGoal(authorization: .whenInUse), false),
            (SessionGoal(authorization: .always), true),
        ] {
            var sessions = holding(goal)
            #expect(sessions.mayWatchConditions(for: away, requiresServiceSession: false) == isWatched)
            sessions.disconnect(connection)
            #expect(sessions.mayWatchConditions(for: away, requiresServiceSession: false) == isWatched)
            #expect(sessions.keepsAlways == isWatched)
        }
    }

    @Test func `conditions are watched in use, where the manifest requires a session only while one is held`() {
        let inUse = ClientRights(
            status: .authorizedWhenInUse, accuracy: .full, isForeground: true, isInUse: true, mayBeWoken: true,
            waiting: nil)
        #expect(holding(implicit).mayWatchConditions(for: inUse, requiresServiceSession: false))
        #expect(!holding(implicit).mayWatchConditions(for: inUse, requiresServiceSession: true))
        #expect(holding(implicit, SessionGoal()).mayWatchConditions(for: inUse, requiresServiceSession: true))
    }

    @Test func `a monitor's own session says that Always takes no effect in the background without another`() {
        var alone = holding(implicit)
        #expect(alone.reports(under: .background(.authorizedAlways)).map(\.diagnostics) == [.insufficientlyInUse])
        var both = holding(implicit, SessionGoal(authorization: .always))
        #expect(both.reports(under: .background(.authorizedAlways)) == [], "nothing has changed for either")
    }

    @Test func `LIVE-10 a session for Always begun in the background lets no update flow`() {
        var sessions = ServiceSessions()
        sessions.connect(connection, at: at(0))
        _ = sessions.hold(1, SessionGoal(authorization: .always), by: connection, at: at(0))
        _ = sessions.settle(under: .background(.authorizedAlways))
        let gate = gate(sessions, .background(.authorizedAlways))
        #expect(gate.flows == false && gate.diagnostics == .insufficientlyInUse)
    }

    @Test func `reduced accuracy is stated while updates flow`() {
        let gate = gate(holding(implicit), .foreground(.authorizedWhenInUse, .reduced))
        #expect(gate.flows && gate.diagnostics == .accuracyLimited)
    }
}
