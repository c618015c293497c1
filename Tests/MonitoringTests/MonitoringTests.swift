import Access
import ClientProtocol
import ClientVocabulary
import Fusion
import Monitors
import Parts
import PartsTestSupport
import Power
import SextantJSON
import SextantUnits
import Testing

@testable import Monitoring

/// What is known before any fix.
private var nowhere: Whereabouts { Whereabouts(clock: FixClock(), reduced: ReducedAccuracy(), last: nil, fused: nil) }

/// What is known once the board's location is.
private var somewhere: Whereabouts {
    Whereabouts(
        clock: FixClock(), reduced: ReducedAccuracy(), last: nil,
        fused: FusedLocation(
            instant: start, latitude: 47, longitude: 8, covariance: HorizontalCovariance(accuracy: 5)))
}

@Suite("Monitoring")
struct MonitoringTests {
    private static let id = ClientID(rawValue: 5)

    private func region(_ name: String, radius: Double = 200) -> MonitoringRequest {
        .region(RegionRequest(identifier: name, .circle(latitude: 47, longitude: 8, radius: radius)))
    }

    private func ask(
        _ request: MonitoringRequest, of monitoring: inout Monitoring, _ turn: inout Turn,
        under grants: Grants = grants(), as client: String = "tracker", at whereabouts: Whereabouts = nowhere
    ) {
        monitoring.serve(
            request, id: nil, of: client, on: Self.id, grants, whereabouts, &turn)
    }

    @Test func `a region is counted and monitored, and one past the manifest's limit is refused`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        for name in ["a", "b", "c"] { ask(region(name), of: &monitoring, &turn) }
        #expect(monitoring.view.count(of: "tracker") == 2)
        let told = turn.objects(to: 5)
        #expect(told.count == 3 && told[2].text("event") == "monitoringFailed")
        #expect(told[2].integer("errorCode") == 5 && told[2].text("reason") == "limit")
        let wants = turn.found.count { if case .want(.regions, Self.id, _) = $0 { true } else { false } }
        #expect(wants == 2 && turn.found.count == 2)
        #expect(turn.changes == .monitoringNeeds)
    }

    @Test func `REG-03: a name registered again at the limit has the new circle, and counts once`() throws {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        for (name, radius) in [("a", 200.0), ("b", 200), ("a", 350)] {
            turn.begin(at: start)
            ask(region(name, radius: radius), of: &monitoring, &turn)
            #expect(turn.objects(to: 5).first?.text("event") == "monitoring")
        }
        turn.begin(at: start)
        ask(.list, of: &monitoring, &turn)
        let listed = turn.objects(to: 5)
        try #require(listed.count == 3)
        #expect(listed[0].text("identifier") == "a")
        #expect(listed[0].number("radius") == 350 && listed[1].number("radius") == 200)
        #expect(listed[2].integer("count") == 2)
    }

    @Test func `a client that may not be woken cannot monitor regions`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        ask(region("a"), of: &monitoring, &turn, as: "guest")
        let told = turn.objects(to: 5).first
        #expect(told?.integer("errorCode") == 4 && told?.text("reason") == "wakeOff")
        #expect(monitoring.view.count(of: "guest") == 0)
    }

    @Test func `REG-04: a radius of nothing, or above the maximum, is refused as impossible`() {
        for radius in [0.0, -5, ClientRequest.maximumRadius + 1] {
            var monitoring = Monitoring()
            var turn = Turn(at: start)
            ask(region("a", radius: radius), of: &monitoring, &turn)
            let told = turn.objects(to: 5).first
            #expect(told?.integer("errorCode") == 5 && told?.text("reason") == "impossible", "\(radius) m")
            #expect(monitoring.view.count(of: "tracker") == 0)
        }
    }

    @Test func `a circle smaller than positions are exact is monitored, and the radius that is not is told`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        ask(region("a", radius: 8), of: &monitoring, &turn, at: somewhere)
        ask(region("b", radius: 20), of: &monitoring, &turn, at: somewhere)
        let told = turn.objects(to: 5)
        #expect(told.count == 3 && monitoring.view.count(of: "tracker") == 2)
        #expect(told[0].text("event") == "monitoring" && told[2].text("event") == "monitoring")
        #expect(told[1] == smallRadius(7))
    }

    private func smallRadius(_ errorCode: Double) -> JSONMembers {
        [
            "event": .string("monitoringFailed"), "identifier": .string("a"), "errorCode": .number(errorCode),
            "reason": .string("smallRadius"), "radius": .number(20),
        ]
    }

    @Test func `a small circle begins late where no position comes, with the radius that does not`() {
        for (whereabouts, outage) in [(nowhere, nil), (somewhere, start.advanced(bySeconds: -120))] {
            var monitoring = Monitoring()
            var turn = Turn(at: start)
            monitoring.outage(since: outage)
            ask(region("a", radius: 8), of: &monitoring, &turn, at: whereabouts)
            #expect(turn.objects(to: 5).last == smallRadius(6))
            #expect(monitoring.view.count(of: "tracker") == 1)
        }
    }

    @Test func `what is taken back is removed from the store, also where nothing is known of it`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        ask(.endRegion(identifier: "a", monitor: nil), of: &monitoring, &turn)
        ask(.service(.visits, false), of: &monitoring, &turn)
        ask(.service(.significantChange, false), of: &monitoring, &turn)
        let removed = turn.actions.compactMap { action -> String? in
            guard case .store(.remove(.registrations, "tracker", let name)) = action else { return nil }
            return name
        }
        #expect(removed == [RegionKey(identifier: "a", monitor: nil).name, "visits", "significantChange"])
        #expect(turn.found.isEmpty)
    }

    @Test func `a board at rest since before the first position has not departed, whatever its positions show`() throws
    {
        var clock = FixClock()
        _ = clock.instant(of: fix(0), readAt: at(0))
        var before = VisitMonitor()
        var events: [VisitEvent] = []
        for second in stride(from: 0.0, to: 600, by: 5) { before.found(location(at: second), into: &events) }
        #expect(events.map(\.kind) == [.arrival])
        for isAtRest in [true, false] {
            var monitoring = Monitoring()
            var turn = Turn(at: at(690))
            ask(.service(.visits, true), of: &monitoring, &turn)
            let value = before.encode(offset: clock.offset)
            #expect(
                monitoring.restore(DurableRow(table: .settings, client: "", name: "visitMonitor", value: value), &turn))
            if isAtRest { monitoring.sensed(motion: false, at: at(691)) }
            var departures = 0
            for second in stride(from: 700.0, to: 3500, by: 5) {
                turn.begin(at: at(second))
                monitoring.found(location(second < 730 ? 0 : 150, at: second), clock, grants(), &turn)
                for case .post(.visit(let visit), for: "tracker", isWanted: true) in turn.found {
                    departures += visit.departure == nil ? 0 : 1
                }
                turn.found = []
            }
            #expect(departures == (isAtRest ? 0 : 1))
        }
    }

    /// A position so many metres north of 47° N 8° E.
    private func location(_ metres: Double = 0, at seconds: Double) -> FusedLocation {
        FusedLocation(
            instant: at(seconds), latitude: 47 + metres / 111_195, longitude: 8,
            covariance: HorizontalCovariance(accuracy: 10))
    }

    @Test func `only authorized clients' services need locations`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        ask(.service(.visits, true), of: &monitoring, &turn)
        ask(.service(.significantChange, true), of: &monitoring, &turn)
        #expect(monitoring.view.needs(grants()).map(\.service) == [.significantChange, .visits])
        #expect(monitoring.view.needs(grants(tracker: .deny)).isEmpty)
    }

    @Test func `an ended service's events are withdrawn, and a forgotten client's registrations removed`() {
        var monitoring = Monitoring()
        var turn = Turn(at: start)
        ask(.service(.visits, true), of: &monitoring, &turn)
        turn.found = []
        ask(.service(.visits, false), of: &monitoring, &turn)
        let withdrawn = turn.found.contains {
            if case .withdraw(.visits, nil, "tracker") = $0 { true } else { false }
        }
        #expect(withdrawn)
        ask(region("a"), of: &monitoring, &turn)
        turn.begin(at: start)
        monitoring.forget("tracker", erase: true, &turn)
        #expect(monitoring.view.count(of: "tracker") == 0)
        #expect(
            turn.actions.contains(.store(.remove(.registrations, client: "tracker", name: "region/a"))))
    }
}
