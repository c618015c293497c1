import ClientProtocol
import Emulation
import Monitors
import Power
import Receivers
import Testing

@testable import Engine

/// A fix that is needed and does not come: when and how clients and `status` are told.
@Suite("Outage")
struct OutageTests {
    private static func outage(in status: String) -> Substring? {
        status.firstRange(of: "\"outage\":").map { status[$0.upperBound...].prefix { $0 != "}" } }
    }

    private static func failures(in lines: [String]) -> [String] {
        lines.filter { $0.contains("\"event\":\"failed\"") }
    }

    @Test func `under a roof the outage noSky is reported after a minute, and its end afterwards`() throws {
        let mask = try MaskIntervals.read(Array("start,end\n1790000300,1790001500\n".utf8))
        var harness = ManagedHarness(speed: 5, mask: mask)
        harness.connect()
        harness.watch(100)
        harness.run(until: 299)
        #expect(Self.outage(in: harness.status()) == nil, "searches of seconds are none")
        harness.run(until: 1400)
        let lasting = try #require(Self.outage(in: harness.status()))
        #expect(lasting.contains("\"reason\":\"noSky\"") && !lasting.contains("ended"), "\(lasting)")
        let failures = Self.failures(in: harness.lines)
        #expect(failures == ["{\"event\":\"failed\",\"errorCode\":0,\"reason\":\"noSky\"}\n"])
        harness.run(until: 4000)
        let over = try #require(Self.outage(in: harness.status()))
        #expect(over.contains("\"reason\":\"noSky\"") && over.contains("\"endedSecondsAgo\":"), "\(over)")
        #expect(Self.failures(in: harness.lines).count == 1)
    }

    @Test func `in an outage regions are told once that they begin late, and known ones that their events come late`() {
        let mask = try? MaskIntervals.read(Array("start,end\n1790000000,1790001500\n1790003000,1790004500\n".utf8))
        var harness = ManagedHarness(mask: mask ?? .none)
        harness.connect()
        for (name, radius) in [("yard", 200.0), ("town", 5000)] {
            let region = RegionRequest(identifier: name, .circle(latitude: 48, longitude: 11, radius: radius))
            harness.ask(.monitoring(.region(region)))
        }
        func delays(_ lines: [String]) -> [String] { lines.filter { $0.contains("monitoringFailed") } }
        harness.run(until: 59)
        #expect(delays(harness.lines).isEmpty)
        harness.run(until: 1400)
        let late = "{\"event\":\"monitoringFailed\",\"errorCode\":6,\"reason\":\"noSky\"}\n"
        #expect(delays(harness.lines) == [late], "one line for both regions")
        harness.run(until: 2900)
        #expect(delays(harness.lines) == [late], "no outage")
        harness.watch(10)
        harness.run(until: 4400)
        let delayed = "{\"event\":\"monitoringFailed\",\"errorCode\":7,\"reason\":\"noSky\"}\n"
        #expect(delays(harness.lines) == [late, delayed], "their states are known")
        harness.ask(
            .monitoring(.region(RegionRequest(identifier: "new", .circle(latitude: 48, longitude: 11.1, radius: 300)))))
        harness.run(until: 4401)
        #expect(delays(harness.lines) == [late, delayed, late], "at once, since fixes are missing already")
    }

    @Test func `an unplugged receiver is reported as an outage, and so is its return`() throws {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        harness.watch(25)
        harness.run(until: 100)
        harness.isPortOpen = false
        harness.give(.deviceFailed(.missing, detail: "/dev/gnss: the device went away"))
        harness.run(until: 159)
        #expect(Self.outage(in: harness.status()) == nil)
        harness.run(until: 165)
        let lasting = try #require(Self.outage(in: harness.status()))
        #expect(lasting.contains("\"reason\":\"receiverUnreachable\"") && !lasting.contains("ended"), "\(lasting)")
        let failures = Self.failures(in: harness.lines)
        #expect(failures.count == 1 && failures[0].contains("\"reason\":\"receiverUnreachable\""), "\(failures)")
        harness.give(.deviceAppeared)
        harness.run(until: 300)
        let over = try #require(Self.outage(in: harness.status()))
        #expect(over.contains("\"endedSecondsAgo\":"), "\(over)")
    }

    @Test func `without clients a missing receiver is no outage`() {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        harness.run(until: 100)
        harness.isPortOpen = false
        harness.give(.deviceFailed(.missing, detail: "/dev/gnss: the device went away"))
        harness.run(until: 1000)
        #expect(Self.outage(in: harness.status()) == nil)
    }

    private static func told(_ lines: [String]) -> [String] { lines.filter { $0.contains("\"event\":\"status\"") } }

    @Test func `who asks for it is told after 4 s why no positions come, and again when the reason changes`() throws {
        let mask = try MaskIntervals.read(Array("start,end\n1790000000,1790000300\n".utf8))
        var harness = ManagedHarness(speed: 10, mask: mask)
        harness.connect()
        harness.ask(.watchStatus(isEnabled: true))
        harness.watch(25)
        harness.run(until: 3.9)
        #expect(Self.told(harness.lines).isEmpty)
        harness.run(until: 5)
        #expect(Self.told(harness.lines).count == 1, "it is starting")
        harness.run(until: 70)
        let told = Self.told(harness.lines)
        #expect(told.count == 2 && Self.outage(in: told[1])?.contains("noSky") == true, "\(told)")
        harness.run(until: 900)
        let before = Self.told(harness.lines).count
        harness.isPortOpen = false
        harness.give(.deviceFailed(.missing, detail: "/dev/gnss: the device went away"))
        harness.run(until: 904.1)
        let absent = Self.told(harness.lines)
        #expect(absent.count == before + 1, "\(absent)")
        #expect(absent.last?.contains(#""state":"absent","detail":"/dev/gnss: the device went away""#) == true)
        harness.run(until: 1500)
        #expect(Self.told(harness.lines).count == before + 1, "the reason is the same")
        harness.ask(.watchStatus(isEnabled: false))
        harness.give(.deviceAppeared)
        harness.run(until: 2000)
        #expect(Self.told(harness.lines).count == before + 1)
    }

    @Test func `who asks while the receiver rests by plan is told so, and nobody is told while positions come`() {
        var harness = ManagedHarness(speed: 10)
        harness.run(until: 600)
        harness.connect()
        harness.ask(.watchStatus(isEnabled: true))
        harness.run(until: 605)
        let told = Self.told(harness.lines)
        #expect(told.count == 1 && told[0].contains(#""plan":{"why":"noDemand"#), "\(told)")
        harness.watch(1)
        harness.run(until: 800)
        let before = Self.told(harness.lines).count
        harness.run(until: 1000)
        #expect(Self.told(harness.lines).count == before)
    }

    @Test func `the energy of a client's regions is charged to that client, connected or not`() throws {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        let yard = RegionRequest(identifier: "yard", .circle(latitude: 48, longitude: 11, radius: 200))
        harness.ask(.monitoring(.region(yard)))
        harness.run(until: 60)
        harness.give(.clientGone(ManagedHarness.client))
        harness.run(until: 600)
        let report = harness.engine.power.view.energyReport(at: harness.now)
        let clients = try #require(report).sinceBoot.clients
        #expect(!clients.contains { $0.label == EnergySpent.othersLabel }, "\(clients)")
        let name = "everyone"
        #expect(clients.contains { $0.label == name && $0.nanojoules > 0 }, "\(clients)")
    }
}
