import ClientProtocol
import Emulation
import Fusion
import Monitors
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

@Suite("Engine and what it counts")
struct CountersTests {
    /// An object or array of the counters, as text.
    private func member(_ name: String, of status: String, upTo end: Character) -> String {
        guard let range = status.firstRange(of: "\"\(name)\":") else { return "" }
        return String(status[range.upperBound...].prefix { $0 != end })
    }

    private func starts(of harness: borrowing ManagedHarness) -> StartCounters {
        var (status, counters) = (DaemonStatus(), StatusCounters())
        harness.engine.power.describe(&status, &counters, FixClock(), at: harness.now)
        return counters.starts ?? StartCounters()
    }

    @Test func `starts are counted by kind and outcome, with the seconds to the fix`() {
        var harness = ManagedHarness(speed: 1.5)
        harness.connect()
        #expect(harness.status().contains(#""starts":[],"fixes":{"deadReckoningOnly":0,"twoD":0,"threeD":0,"#))
        harness.watch(50)
        harness.run(until: 3600)
        let counters = starts(of: harness)
        #expect(counters.count(.first, .fix) == 1 && counters.count(.first, .failed) == 0)
        #expect(counters.count(.hot, .fix) > 5)
        for kind in [.first, .hot] as [StartCounters.Kind] {
            #expect(counters.histogram(kind).reduce(0, +) == counters.count(kind, .fix))
        }
        let mean = counters.seconds(.hot) / Double(counters.count(.hot, .fix))
        #expect((0.5...30).contains(mean))
        let status = harness.status()
        #expect(
            status.contains(
                "{\"kind\":\"hot\",\"fix\":\(counters.count(.hot, .fix)),\"failed\":0,\"ended\":0,\"seconds\":"))
    }

    @Test func `searches that find nothing count as failed`() {
        var harness = ManagedHarness(mask: MaskIntervals(intervals: [0..<9e9]))
        harness.connect()
        harness.watch(100)
        harness.run(until: 3600)
        let counters = starts(of: harness)
        let fixes = StartCounters.Kind.allCases.reduce(0) { $0 + counters.count($1, .fix) }
        let failed = StartCounters.Kind.allCases.reduce(0) { $0 + counters.count($1, .failed) }
        #expect(fixes == 0 && failed > 3)
    }

    @Test func `the sky is counted by satellite system while it is seen, and not while the receiver rests`() {
        var harness = ManagedHarness()
        harness.connect()
        harness.ask(.watch(satellites: true))
        harness.run(until: 100)
        let sky = member("sky", of: harness.status(), upTo: "]")
        #expect(sky.contains(#"{"constellation":"gps","used":"#) && sky.contains(#""median":"#))
        #expect(!sky.contains("azimuth") && !sky.contains("number"))
        harness.ask(.unwatch)
        harness.run(until: 200)
        #expect(member("sky", of: harness.status(), upTo: "]") == "[")
    }

    @Test func `events of regions are counted, and for operators also those that wait for each client`() {
        var harness = connected()
        let page = ClientID(rawValue: 9)
        harness.give(.clientConnected(page, .local, PeerIdentity(userID: 0)))
        harness.ask(
            .monitoring(
                .region(
                    RegionRequest(
                        identifier: "yard", .circle(latitude: 47.376889, longitude: 8.541697, radius: 200), dwell: 20)))
        )
        for second in 4..<60 { harness.give(epoch: second) }
        harness.ask(.status, of: page)
        #expect(
            harness.sent(to: 9).contains(
                #""regions":1,"events":{"transitions":{"exit":0,"enter":0,"dwell":1,"determined":0},"visits":0,"#
                    + #""delivered":1,"pending":1,"waiting":[{"client":"everyone","count":1}]}"#))
    }

    @Test func `what the process tells of itself is in the status, and none of the counters for a stranger`() {
        var harness = connected()
        harness.ask(.status)
        #expect(harness.sent(to: 1).contains(#""counters":{"fixes":"#), "the process has not told yet")
        harness.give(
            .figures(
                ProcessFigures(
                    startedAt: UTCInstant(nanoseconds: 1_795_176_000_000_000_000), residentBytes: 8_388_608,
                    longestTurn: 12_345_678, clientsDropped: 2, storeErrors: 3)))
        harness.ask(.status)
        #expect(
            harness.sent(to: 1).contains(
                #""counters":{"startedAt":"2026-11-20T12:00:00.000Z","residentBytes":8388608,"longestTurn":0.012346,"#
                    + #""clientsDropped":2,"storeErrors":3,"fixes":"#))
        harness.give(.admission(.nobody))
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1001)))
        harness.ask(.status, of: two)
        #expect(harness.sent(to: 2).contains("\"status\"") && !harness.sent(to: 2).contains("counters"))
    }
}
