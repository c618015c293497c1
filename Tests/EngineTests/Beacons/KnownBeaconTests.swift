import Beacons
import ClientProtocol
import Emulation
import Parts
import SextantUnits
import Testing

@testable import Engine

/// Names and calibrations of beacons, as an operator gives them and clients are told them.
@Suite("Named and calibrated beacons")
struct KnownBeaconTests {
    private static let beacon = #""uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":2"#

    private func ranging(_ harness: inout BeaconHarness) throws {
        harness.connect()
        harness.ask(.state(isForeground: true))
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
    }

    private func nearest(_ harness: borrowing BeaconHarness) throws -> String {
        let line = try #require(harness.lines("beacons").last)
        let start = try #require(line.firstRange(of: "\"beacons\":[")).upperBound
        return String(line[start...].dropLast(3))
    }

    @Test func `a name and a power at 1 m are kept, are told with each hearing, and outlast a restart`() throws {
        var harness = try BeaconHarness()
        harness.ask(
            line: #"{"request":"keepBeacon",\#(Self.beacon),"name":"door","calibratedPower":-77}"#,
            of: BeaconHarness.root)
        #expect(harness.lines("beaconKept", to: BeaconHarness.root).count == 1)

        var restarted = try BeaconHarness(rows: Array(harness.rows.values.filter { $0.name.hasPrefix("beacon ") }))
        _ = try restarted.place(level: -79)
        try ranging(&restarted)
        restarted.run(seconds: 30)
        let told = try nearest(restarted)
        #expect(told.contains(#""name":"door""#) && told.contains(#""calibratedPower":-77"#))
        #expect(told.contains(#""measuredPower":-59"#), "what it states is told too")
        let distance = try #require(BeaconHarness.member("distance", told).flatMap(Double.init))
        #expect((0.8...2.5).contains(distance), "-79 dBm is near where 1 m is -77, and far where it is -59")
    }

    @Test func `the board's gain moves the distances of all others, and is kept`() throws {
        var harness = try BeaconHarness()
        harness.ask(line: #"{"request":"setBeaconGain","gain":-18}"#, of: BeaconHarness.root)
        let row = try #require(harness.rows.values.first { $0.name == "beaconGain" })
        var restarted = try BeaconHarness(rows: [row])
        _ = try restarted.place(level: -79)
        try ranging(&restarted)
        restarted.run(seconds: 30)
        #expect(try nearest(restarted).contains(#""calibratedPower":-77"#))
        restarted.ask(line: #"{"request":"knownBeacons"}"#, of: BeaconHarness.root)
        #expect(restarted.lines("knownBeacons", to: BeaconHarness.root).last?.contains(#""gain":-18.0"#) == true)
    }

    @Test func `the list tells when each was last heard, and its battery`() throws {
        var harness = try BeaconHarness(formats: [.iBeacon, .eddystoneUID])
        let identity = #""uuid":"12345678-9012-3467-8901-000000000001","major":0,"minor":0"#
        harness.ask(line: #"{"request":"keepBeacon",\#(identity),"name":"hall"}"#, of: BeaconHarness.root)
        harness.connect()
        harness.ask(.state(isForeground: true))
        harness.ask(line: #"{"request":"rangeBeacons",\#(identity)}"#)
        harness.run(seconds: 1)
        let service: [UInt8] = [0x16, 0xAA, 0xFE]
        let uid: [UInt8] = [
            0x00, 0xE3, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x67, 0x89, 0x01, 0, 0, 0, 0, 0, 1, 0, 0,
        ]
        harness.radio.report([0x17] + service + uid, strength: -60)
        harness.radio.report(
            [0x11] + service + [0x20, 0, 0x0B, 0xB8, 0x15, 0x80, 0, 0, 1, 0, 0, 0, 2, 0], strength: -60)
        harness.run(seconds: 1.5)
        #expect(try nearest(harness).contains(#""batteryVolts":3.000,"temperature":21.5"#))
        harness.ask(line: #"{"request":"knownBeacons"}"#, of: BeaconHarness.root)
        let told = try #require(harness.lines("knownBeacon", to: BeaconHarness.root).last)
        #expect(told.contains(#""name":"hall""#) && told.contains(#""batteryVolts":3.000"#))
        #expect(told.contains(#""measuredPower":-70"#), "29 below 0 m, less 41 for a metre")
    }

    @Test func `a beacon that is forgotten has its stated power again, and its row is gone`() throws {
        var harness = try BeaconHarness()
        harness.ask(line: #"{"request":"keepBeacon",\#(Self.beacon),"name":"door"}"#, of: BeaconHarness.root)
        harness.ask(line: #"{"request":"forgetBeacon",\#(Self.beacon)}"#, of: BeaconHarness.root)
        #expect(harness.lines("beaconForgotten", to: BeaconHarness.root).count == 1)
        #expect(!harness.rows.values.contains { $0.name.hasPrefix("beacon ") })
        harness.ask(line: #"{"request":"forgetBeacon",\#(Self.beacon)}"#, of: BeaconHarness.root)
        #expect(harness.lines("error", to: BeaconHarness.root).last?.contains("unknownBeacon") == true)
    }

    @Test func `others than operators neither see the list nor change it`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        harness.ask(line: #"{"request":"knownBeacons"}"#)
        harness.ask(line: #"{"request":"keepBeacon",\#(Self.beacon),"name":"door"}"#)
        #expect(harness.lines("error").count == 2)
        #expect(!harness.rows.values.contains { $0.name.hasPrefix("beacon ") })
    }

    @Test func `a region within 2 m of a beacon is entered near it and left far from it, also after a restart`() throws
    {
        var harness = try BeaconHarness()
        let door = try harness.place(level: -85)
        harness.connect()
        harness.ask(line: #"{"request":"monitorRegion","identifier":"door",\#(Self.beacon),"within":2}"#)
        harness.run(seconds: 60)
        #expect(harness.transitions == ["determined outside"])
        harness.radio.setLevel(-58, ofBeacon: door)
        harness.run(seconds: 120)
        #expect(harness.transitions == ["determined outside", "enter inside"])

        var radio = harness.radio
        radio.setLevel(-85, ofBeacon: door)
        var restarted = try BeaconHarness(rows: harness.sortedRows, radio: radio, isAuthorized: false)
        restarted.connect()
        restarted.ask(.monitoring(.list))
        restarted.run(seconds: 120)
        #expect(restarted.transitions.last == "exit outside")
        restarted.ask(line: #"{"request":"registrations"}"#)
        #expect(restarted.lines("registration").last?.contains(#""within":2.00"#) == true)
    }
}
