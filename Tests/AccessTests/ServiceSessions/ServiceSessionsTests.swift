import ClientProtocol
import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Access

@Suite("Service sessions")
struct ServiceSessionsTests {
    private let first = ClientID(rawValue: 1)
    private let second = ClientID(rawValue: 2)
    private let active = SessionReport(isActive: true, diagnostics: [])
    private let activity = SessionGoal(kind: .backgroundActivity)
    private let always = SessionGoal(authorization: .always)

    /// A client that is connected and holds one session, at 0 s.
    private func holding(_ held: SessionGoal, kept: [SessionGoal] = []) -> ServiceSessions {
        var sessions = ServiceSessions(kept: kept)
        sessions.connect(first, at: at(0))
        _ = sessions.hold(1, held, by: first, at: at(0))
        return sessions
    }

    private func inactive(_ diagnostics: SessionDiagnostics) -> SessionReport {
        SessionReport(isActive: false, diagnostics: diagnostics)
    }

    @Test func `a session's diagnostics are reported at once and at every change`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse))
        let report = SessionEffect.report(active, number: 1, to: first)
        #expect(sessions.settle(under: .foreground(.authorizedWhenInUse)).first == report)
        #expect(sessions.settle(under: .foreground(.authorizedWhenInUse)) == [])
        #expect(sessions.reports(under: .foreground(.denied)) == [inactive(.authorizationDenied)])
        #expect(sessions.reports(under: .foreground(.restricted)) == [inactive(.authorizationRestricted)])
        #expect(sessions.reports(under: .foreground(.authorizedAlways)) == [active])
    }

    @Test func `with location services off a session is denied, with that reason`() {
        var sessions = holding(SessionGoal())
        let off = ClientConditions.foreground(.denied).with { $0.isDeniedGlobally = true }
        #expect(sessions.reports(under: off) == [inactive([.authorizationDenied, .authorizationDeniedGlobally])])
    }

    @Test func `LIVE-10 a session begun in the background waits for the foreground`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse))
        #expect(sessions.reports(under: .background(.authorizedAlways)) == [inactive(.insufficientlyInUse)])
        #expect(sessions.reports(under: .foreground(.authorizedAlways)) == [active])
        #expect(sessions.reports(under: .background(.authorizedAlways)) == [])
    }

    @Test func `an undecided session in the background waits for the foreground`() {
        var sessions = holding(SessionGoal(authorization: .whenInUse))
        #expect(sessions.questions(under: .background(.notDetermined)) == [])
        #expect(sessions.reports(under: .background(.notDetermined)) == [inactive(.insufficientlyInUse)])
        #expect(sessions.questions(under: .foreground(.notDetermined)) == [.whenInUse])
    }

    @Test func `of a thousand sessions that all differ the first 64 may be resumed, and equal ones count once`() {
        func goal(_ number: Int) -> SessionGoal {
            SessionGoal(authorization: .always, fullAccuracyPurposeKey: "key \(number)")
        }
        var sessions = ServiceSessions()
        for connection in UInt32(1)...16 {
            sessions.connect(ClientID(rawValue: connection), at: at(0))
            for number in 0..<64 {
                let key = connection == 1 ? 0 : Int(connection) * 64 + number
                let isHeld = sessions.hold(UInt32(number), goal(key), by: ClientID(rawValue: connection), at: at(0))
                #expect(isHeld)
            }
        }
        let settled = sessions.settle(under: .foreground(.authorizedAlways))
        #expect(settled.last == .keep([goal(0)] + (128..<191).map(goal)))
    }

    @Test func `LIVE-11 a released session never becomes active again`() {
        var sessions = holding(activity)
        #expect(sessions.reports(under: .foreground(.authorizedWhenInUse)) == [active])
        sessions.release(1, by: first)
        #expect(sessions.settle(under: .foreground(.authorizedWhenInUse)) == [.keep([])])
        #expect(sessions.isBackgroundActive(under: .foreground(.authorizedWhenInUse)) == false)
        _ = sessions.hold(1, activity, by: first, at: at(1))
        #expect(sessions.reports(under: .background(.authorizedWhenInUse)) == [inactive(.insufficientlyInUse)])
    }

    @Test func `LIVE-12 a background activity session continues in the background, and counts as use`() {
        var sessions = holding(activity)
        #expect(sessions.reports(under: .foreground(.authorizedWhenInUse)) == [active])
        #expect(sessions.isBackgroundActive(under: .background(.authorizedWhenInUse)))
    }

    @Test func `LIVE-12 a session taken up again within 10 s of the next connection continues, even in the background`()
    {
        var sessions = holding(activity)
        #expect(sessions.settle(under: .foreground(.authorizedWhenInUse)).last == .keep([activity]))
        sessions.disconnect(first)
        #expect(sessions.settle(under: .background(.authorizedWhenInUse)) == [])
        #expect(sessions.isOver == false)
        sessions.connect(second, at: at(5000))
        #expect(sessions.deadline == at(5010))
        #expect(sessions.hold(3, activity, by: second, at: at(5009.9)) == true)
        #expect(sessions.reports(under: .background(.authorizedWhenInUse)) == [active])
        sessions.advance(to: at(5010))
        #expect(sessions.settle(under: .background(.authorizedWhenInUse)) == [])
        #expect(sessions.isBackgroundActive(under: .background(.authorizedWhenInUse)))
    }

    @Test func `LIVE-12 a session taken up later in the background is inactive until the foreground`() {
        var sessions = ServiceSessions(kept: [activity])
        sessions.connect(first, at: at(0))
        _ = sessions.hold(1, activity, by: first, at: at(10))
        let settled = sessions.settle(under: .background(.authorizedAlways))
        #expect(settled == [.report(inactive(.insufficientlyInUse), number: 1, to: first), .keep([])])
        let grace = ClientConditions.background(.authorizedAlways).with { $0.isInUse = true }
        #expect(sessions.reports(under: grace) == [])
        #expect(sessions.reports(under: .foreground(.authorizedAlways)) == [active])
    }

    @Test func `a session of another kind, or with less authorization, is not continued`() {
        let implicit = SessionGoal(authorization: .always, isImplicit: true)
        for kept in [activity, SessionGoal(authorization: .whenInUse), implicit] {
            var sessions = holding(always, kept: [kept])
            #expect(sessions.reports(under: .background(.authorizedAlways)) == [inactive(.insufficientlyInUse)])
        }
        var sessions = holding(SessionGoal(authorization: .whenInUse), kept: [always])
        #expect(sessions.reports(under: .background(.authorizedAlways)) == [active])
    }

    @Test func `a process that ends within its lease leaves its unclaimed sessions to the next`() {
        var sessions = ServiceSessions(kept: [activity])
        sessions.connect(first, at: at(0))
        sessions.disconnect(first)
        sessions.connect(second, at: at(100))
        _ = sessions.hold(1, activity, by: second, at: at(101))
        #expect(sessions.isBackgroundActive(under: .background(.authorizedAlways)))
    }

    @Test func `a session that is not taken up again has ended`() {
        var sessions = ServiceSessions(kept: [activity])
        sessions.connect(first, at: at(0))
        sessions.advance(to: at(10))
        #expect(sessions.deadline == nil)
        sessions.disconnect(first)
        #expect(sessions.settle(under: .background(.authorizedAlways)) == [.keep([])])
        #expect(sessions.isOver)
    }

    @Test func `without a background mode a background activity session is never active`() {
        var sessions = holding(activity)
        let conditions = ClientConditions.foreground(.authorizedAlways).with { $0.backgroundMode = false }
        #expect(sessions.reports(under: conditions) == [inactive(.insufficientlyInUse)])
        #expect(sessions.isBackgroundActive(under: conditions) == false)
    }

    @Test func `LIVE-06 a manifest that requires explicit sessions requires one beside background activity`() {
        var sessions = holding(activity)
        let strict = ClientConditions.foreground(.authorizedAlways).with { $0.requiresServiceSession = true }
        #expect(sessions.reports(under: strict) == [inactive(.serviceSessionRequired)])
        _ = sessions.hold(2, SessionGoal(), by: first, at: at(1))
        #expect(sessions.reports(under: strict) == [active, active])
    }

    @Test func `a connection holds 64 sessions at most`() {
        var sessions = ServiceSessions()
        sessions.connect(first, at: at(0))
        for number in UInt32(0)..<64 { #expect(sessions.hold(number, activity, by: first, at: at(0)) == true) }
        #expect(sessions.hold(64, activity, by: first, at: at(0)) == false)
        #expect(sessions.hold(63, activity, by: first, at: at(0)) == true)
        #expect(sessions.hold(64, activity, by: second, at: at(0)) == true)
    }

    @Test func `stored sessions read back, and damage is detected`() {
        let held = [
            always, activity,
            SessionGoal(authorization: .whenInUse, fullAccuracyPurposeKey: "Straße", isImplicit: true),
        ]
        let record = HeldSessions(held).encode()
        #expect(HeldSessions.decode(record.span)?.sessions == held)
        for length in 0..<record.count { #expect(HeldSessions.decode(Array(record[..<length]).span) == nil) }
        var refused = 0
        for index in record.indices {
            for value in UInt8.min...UInt8.max {
                var damaged = record
                damaged[index] = value
                guard let read = HeldSessions.decode(damaged.span) else {
                    refused += 1
                    continue
                }
                #expect(read.sessions.count == 3)
            }
        }
        #expect(refused > record.count)
    }

    @Test func `every diagnostic has its name`() {
        #expect(SessionDiagnostics.names.map(\.flag.rawValue) == (0..<9).map { 1 << $0 })
    }
}
