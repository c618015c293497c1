import ClientProtocol
import Emulation
import Engine
import Monitors
import Receivers
import Testing

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
}
