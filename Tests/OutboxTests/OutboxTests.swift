import Access
import ClientProtocol
import ClientVocabulary
import Outbox
import Parts
import PartsTestSupport
import SextantUnits
import Testing

private func context(_ grants: Grants = grants()) -> EventContext {
    EventContext(grants: grants, clock: ReceiverClock(time: nil, closedAt: nil), outageReason: nil)
}

@Suite("Outbox")
struct OutboxTests {
    private static let visit = PendingEvent.Kind.visit(
        VisitObject(arrival: nil, departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 20))

    @Test func `an event for a client that does not run is kept, and starts the client`() throws {
        var outbox = Outbox(source: .init())
        var turn = Turn(at: start)
        outbox.found(.post(Self.visit, for: "tracker"), context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 1)
        #expect(turn.news == [.eventDue(client: "tracker")])
        turn.begin(at: start)
        outbox.heard(.eventDecided("tracker", mayDeliver: true), context(), &turn)
        // Clients that start by themselves after boot are given the time to.
        #expect(turn.actions.isEmpty)
        let deadline = outbox.deadline
        let settled = try #require(deadline)
        turn.begin(at: settled)
        outbox.advance(grants(), &turn)
        #expect(turn.actions == [.wake("tracker", unit: "tracker.service", .visits)])
    }

    @Test func `an event that may not be delivered is withdrawn`() {
        var outbox = Outbox(source: .init())
        var turn = Turn(at: start)
        outbox.found(.post(Self.visit, for: "tracker"), context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 1)
        outbox.heard(.eventDecided("tracker", mayDeliver: false), context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 0)
    }

    @Test func `a connection gets events of a service only once it asked and is authorized`() {
        var outbox = Outbox(source: .init())
        var turn = Turn(at: start)
        let id = ClientID(rawValue: 5)
        #expect(outbox.connected(id, as: "tracker", at: start) == nil)
        outbox.found(.post(Self.visit, for: "tracker"), context(), &turn)
        #expect(turn.lines(to: 5).isEmpty && turn.news.isEmpty)
        outbox.found(.want(.visits, on: id), context(grants(tracker: .deny)), &turn)
        #expect(turn.lines(to: 5).isEmpty)
        outbox.settle(context(), &turn)
        #expect(turn.lines(to: 5).count == 1)
        outbox.serve(ClientRequest(.acknowledge(number: 1)), of: id, context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 0)
    }

    @Test func `an event that was not asked for is kept only if its client runs`() {
        var outbox = Outbox(source: .init())
        var turn = Turn(at: start)
        outbox.found(.post(Self.visit, for: "tracker", isWanted: false), context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 0 && turn.actions.isEmpty)
        _ = outbox.connected(ClientID(rawValue: 5), as: "tracker", at: start)
        outbox.found(.post(Self.visit, for: "tracker", isWanted: false), context(), &turn)
        #expect(outbox.view.count(of: "tracker") == 1)
    }
}
