import ClientProtocol
import Sessions
import SextantUnits
import Testing

@testable import Engine

@Suite("Outbox")
struct OutboxTests {
    private static let visit = PendingEvent.Kind.visit(
        PendingEvent.VisitReport(arrival: nil, departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 20))

    @Test func `an event for a client that does not run is kept, and starts the client`() throws {
        var outbox = Outbox(source: .init())
        var outputs = Outputs()
        outbox.post(Self.visit, for: "tracker", isWanted: true, context(), into: &outputs)
        #expect(outbox.count(of: "tracker") == 1)
        #expect(outbox.takeDue() == ["tracker"] && outbox.takeDue().isEmpty)
        outputs.removeAll()
        outbox.decided("tracker", mayDeliver: true, grants(), at: start, into: &outputs)
        // Clients that start by themselves after boot are given the time to.
        #expect(outputs.actions.isEmpty)
        let deadline = outbox.deadline
        let settled = try #require(deadline)
        outbox.advance(to: settled, grants(), into: &outputs)
        #expect(outputs.actions == [.wake("tracker", unit: "tracker.service", .visits)])
    }

    @Test func `an event that may not be delivered is withdrawn`() {
        var outbox = Outbox(source: .init())
        var outputs = Outputs()
        outbox.post(Self.visit, for: "tracker", isWanted: true, context(), into: &outputs)
        #expect(outbox.count(of: "tracker") == 1)
        outbox.decided("tracker", mayDeliver: false, grants(), at: start, into: &outputs)
        #expect(outbox.count(of: "tracker") == 0)
    }

    @Test func `a connection gets events of a service only once it asked and is authorized`() {
        var outbox = Outbox(source: .init())
        var outputs = Outputs()
        let id = ClientID(rawValue: 5)
        #expect(outbox.connected(id, as: "tracker", at: start) == nil)
        outbox.post(Self.visit, for: "tracker", isWanted: true, context(), into: &outputs)
        #expect(outputs.lines(to: 5).isEmpty && outbox.takeDue().isEmpty)
        outbox.want(.visits, on: id, context(grants(tracker: .deny)), into: &outputs)
        #expect(outputs.lines(to: 5).isEmpty)
        outbox.follow(context(), into: &outputs)
        #expect(outputs.lines(to: 5).count == 1)
        outbox.acknowledge(1, by: id, context(), into: &outputs)
        #expect(outbox.count(of: "tracker") == 0)
    }

    @Test func `an event that was not asked for is kept only if its client runs`() {
        var outbox = Outbox(source: .init())
        var outputs = Outputs()
        outbox.post(Self.visit, for: "tracker", isWanted: false, context(), into: &outputs)
        #expect(outbox.count(of: "tracker") == 0 && outputs.actions.isEmpty)
        _ = outbox.connected(ClientID(rawValue: 5), as: "tracker", at: start)
        outbox.post(Self.visit, for: "tracker", isWanted: false, context(), into: &outputs)
        #expect(outbox.count(of: "tracker") == 1)
    }
}
