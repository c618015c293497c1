import ClientProtocol
import ClientVocabulary
import Emulation
import Monitors
import Parts
import Testing

@testable import Engine

/// Regions that are the reach of beacons, from the radio to the client's line.
@Suite("Regions of beacons")
struct BeaconRegionTests {
    /// A client whose region the board is outside of, for it has listened long enough.
    private func outside(_ change: (inout RegionRequest) -> Void = { _ in }) throws -> BeaconHarness {
        var harness = try BeaconHarness()
        harness.connect()
        try harness.monitor("stable", change)
        harness.run(seconds: 31)
        harness.acknowledge()
        harness.forget()
        return harness
    }

    @Test func `BEAC-01: a region is entered by any of its beacons once, and left when the last is gone`() throws {
        var harness = try outside()
        let first = try harness.place(major: 1)
        harness.run(seconds: 5)
        let second = try harness.place(major: 2, address: 2)
        harness.run(seconds: 5)
        harness.radio.setLevel(nil, ofBeacon: first)
        harness.run(seconds: 60)
        #expect(harness.transitions == ["enter inside"])
        harness.radio.setLevel(nil, ofBeacon: second)
        harness.run(seconds: 60)
        #expect(harness.transitions == ["enter inside", "exit outside"])
    }

    @Test func `BEAC-02: an exit is told 30 s after the last advertisement`() throws {
        var harness = try outside()
        let beacon = try harness.place()
        harness.run(seconds: 20)
        harness.radio.setLevel(nil, ofBeacon: beacon)
        harness.forget()
        harness.run(seconds: 60)
        let told = try #require(harness.seconds(of: "regionEvent").first)
        // A window is open a tenth of the time, so that the last advertisements before may be missed.
        #expect((-3...1).contains(told - 51 - 30), "\(told)")
    }

    @Test func `BEAC-08: the regions of beacons count towards the most that a client may have`() throws {
        var harness = try BeaconHarness(maximumRegions: 2)
        harness.connect()
        for name in ["a", "b", "c"] { try harness.monitor(name) }
        #expect(harness.lines("monitoring").count == 2)
        let refusal = try #require(harness.lines("monitoringFailed").first)
        #expect(
            BeaconHarness.member("errorCode", refusal) == "5.0" && BeaconHarness.member("reason", refusal) == "limit")
    }

    @Test func `a region of beacons takes the place of an area of the same name, and the reverse`() throws {
        var harness = try BeaconHarness(maximumRegions: 1)
        harness.connect()
        try harness.monitor("yard")
        let area = RegionRequest(identifier: "yard", .circle(latitude: 47, longitude: 8, radius: 100))
        harness.ask(.monitoring(.region(area)))
        harness.ask(.monitoring(.list))
        #expect(harness.lines("registration").count == 1)
        #expect(harness.lines("registration")[0].contains("\"radius\""))
        harness.run(seconds: 6)
        #expect(harness.radio.monitors.isEmpty, "nobody needs the radio any more")
    }

    @Test func `BEAC-16: a beacon in reach at the registration is determined, and only later crossings are entries`()
        throws
    {
        var harness = try BeaconHarness()
        let beacon = try harness.place()
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 3600)
        #expect(harness.transitions == ["determined inside"])
        harness.radio.setLevel(nil, ofBeacon: beacon)
        harness.run(seconds: 32)
        harness.radio.setLevel(-60, ofBeacon: beacon)
        harness.run(seconds: 10)
        #expect(harness.transitions == ["determined inside", "exit outside", "enter inside"])
    }

    @Test func `BEAC-21: a radio that is off makes the state unknown, and no entry or exit`() throws {
        for isThere in [true, false] {
            var harness = try BeaconHarness()
            let beacon = try harness.place()
            harness.connect()
            try harness.monitor()
            harness.run(seconds: 10)
            harness.forget()
            harness.radio.setPowered(false)
            harness.run(seconds: 600)
            #expect(harness.transitions == ["determined unknown"])
            #expect(harness.radio.commands.filter { $0 == 5 }.count <= 1, "who switched it off is not overruled")
            if !isThere { harness.radio.setLevel(nil, ofBeacon: beacon) }
            harness.radio.setPowered(true)
            harness.run(seconds: 60)
            let expected = isThere ? "determined inside" : "determined outside"
            #expect(harness.transitions == ["determined unknown", expected])
        }
    }

    @Test func `BEAC-22: after a restart a beacon that is there is not told again, and one that is gone is left once`()
        throws
    {
        for isThere in [true, false] {
            var before = try BeaconHarness()
            let beacon = try before.place()
            before.connect()
            try before.monitor()
            before.run(seconds: 20)
            before.acknowledge()
            var radio = before.radio
            if !isThere { radio.setLevel(nil, ofBeacon: beacon) }
            // The daemon was killed, and its unit clears up.
            radio.removeMonitors()
            var after = try BeaconHarness(rows: before.sortedRows, radio: radio, isAuthorized: false)
            after.connect()
            after.ask(.monitoring(.list))
            after.run(seconds: 300)
            #expect(after.transitions == (isThere ? [] : ["exit outside"]))
            #expect(after.radio.monitors.count == 1, "BEAC-44: exactly one monitor")
        }
    }

    @Test func `BEAC-23: at the edge of reach the time to an exit is doubled, which the registration shows`() throws {
        var harness = try BeaconHarness()
        let beacon = try harness.place(level: nil)
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 31)
        for _ in 0..<72 {
            harness.radio.setLevel(-60, ofBeacon: beacon)
            harness.run(seconds: 5)
            harness.radio.setLevel(nil, ofBeacon: beacon)
            harness.run(seconds: 45)
        }
        #expect(harness.transitions.count { $0 == "exit outside" } <= 2)
        harness.ask(.monitoring(.list))
        #expect(try #require(harness.lines("registration").last).contains("\"exitAfter\":60,"))
        var after = try BeaconHarness(rows: harness.sortedRows, radio: harness.radio, isAuthorized: false)
        after.connect()
        after.ask(.monitoring(.list))
        let restored = try #require(after.lines("registration").last)
        #expect(restored.contains("\"exitAfter\":60,"), "a restart does not forget it")
    }

    @Test func `BEAC-24: a region tells entries or exits only, as it was asked to`() throws {
        for entry in [true, false] {
            var harness = try outside { region in
                region.notifyOnEntry = entry
                region.notifyOnExit = !entry
            }
            let beacon = try harness.place()
            harness.run(seconds: 10)
            harness.radio.setLevel(nil, ofBeacon: beacon)
            harness.ask(.monitoring(.list))
            harness.run(seconds: 60)
            // A connected client hears of both, and leaves out what its region does not want; an absent one is not told.
            #expect(harness.transitions == ["enter inside", "exit outside"])
            harness.give(.clientGone(BeaconHarness.tracker))
            let events = harness.eventCount
            harness.radio.setLevel(-60, ofBeacon: beacon)
            harness.run(seconds: 10)
            #expect(harness.eventCount == events + (entry ? 1 : 0))
        }
    }

    @Test func `BEAC-24: another process of the client ends a region by its identifier`() throws {
        var harness = try outside()
        let other = ClientID(rawValue: 2)
        harness.connect(other)
        harness.ask(line: #"{"request":"unmonitorRegion","identifier":"stable"}"#, of: other)
        _ = try harness.place()
        harness.run(seconds: 10)
        #expect(harness.transitions.isEmpty)
        #expect(harness.sortedRows.allSatisfy { !"\($0)".contains("stable") })
    }

    @Test func `BEAC-25: the state is unknown before 30 s of listening, and then inside or outside`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        try harness.monitor()
        func state(_ harness: inout BeaconHarness) -> String? {
            harness.forget()
            harness.ask(.regionState(identifier: "stable", nil))
            return harness.lines("regionState").first.flatMap { BeaconHarness.member("state", $0) }
        }
        harness.run(seconds: 29)
        #expect(state(&harness) == "unknown")
        harness.run(seconds: 2)
        #expect(state(&harness) == "outside")
        _ = try harness.place()
        harness.run(seconds: 10)
        #expect(state(&harness) == "inside")
    }

    @Test func `BEAC-26: a display that lights up inside tells clients that asked for it, and wakes an absent one`()
        throws
    {
        for asks in [true, false] {
            var harness = try BeaconHarness()
            _ = try harness.place()
            harness.connect()
            try harness.monitor { $0.notifyEntryStateOnDisplay = asks }
            harness.run(seconds: 10)
            harness.ask(.acknowledge(number: 1))
            harness.forget()
            harness.ask(.operator(.display), of: BeaconHarness.root)
            #expect(harness.transitions == (asks ? ["determined inside"] : []))
            harness.ask(.acknowledge(number: 2))
            harness.give(.clientGone(BeaconHarness.tracker))
            harness.ask(.operator(.display), of: BeaconHarness.root)
            #expect(harness.wakes == (asks ? ["tracker.service"] : []))
        }
    }

    @Test func `MON-14, BEAC-27: a monitor's condition is satisfied with the beacon that was heard first`() throws {
        var harness = try BeaconHarness()
        let beacon = try harness.place(major: 7, minor: 8)
        harness.connect()
        harness.ask(.holdSession(number: 1, SessionGoal(authorization: .always)))
        try harness.monitor("stable", monitor: "places")
        harness.run(seconds: 10)
        let satisfied = try #require(harness.lines("regionEvent").first)
        #expect(BeaconHarness.member("transition", satisfied) == "enter")
        #expect(BeaconHarness.member("major", satisfied) == "7.0" && BeaconHarness.member("minor", satisfied) == "8.0")
        harness.radio.setLevel(nil, ofBeacon: beacon)
        harness.run(seconds: 60)
        let left = try #require(harness.lines("regionEvent").last)
        #expect(BeaconHarness.member("state", left) == "outside" && BeaconHarness.member("uuid", left) == nil)
    }

    @Test func `BEAC-28: an absent client is started for an entry, which waits for it over a power cut`() throws {
        var harness = try outside()
        harness.give(.clientGone(BeaconHarness.tracker))
        _ = try harness.place()
        harness.run(seconds: 30)
        #expect(harness.wakes == ["tracker.service"])
        var after = try BeaconHarness(rows: harness.sortedRows, radio: harness.radio, isAuthorized: false)
        after.connect()
        after.ask(.monitoring(.list))
        #expect(after.transitions == ["enter inside"])
    }

    @Test func `whatever runs in the started unit begins in the background until its time is over`() throws {
        var harness = try outside()
        harness.give(.clientGone(BeaconHarness.tracker))
        _ = try harness.place()
        for _ in 0..<30 where harness.wakes.isEmpty { harness.run(seconds: 1) }
        let ids = (2...4).map { ClientID(rawValue: $0) }
        for id in ids.prefix(2) { harness.connect(id) }
        // The lease is 10 s; the event, which nobody takes, would have the unit stopped and started again.
        harness.run(seconds: 11)
        harness.connect(ids[2])
        let reasons = ids.map { harness.lines("hello", to: $0).first?.contains("\"launchReason\":\"location\"") }
        #expect(harness.wakes == ["tracker.service"] && reasons == [true, true, false])
    }

    @Test func `a waiting event starts the unit that the manifest names now, and none once it names none`() throws {
        var harness = try outside()
        harness.give(.clientGone(BeaconHarness.tracker))
        _ = try harness.place()
        for _ in 0..<30 where harness.wakes.isEmpty { harness.run(seconds: 1) }
        harness.give(.wakeFailed(client: "tracker"))
        harness.give(.admission(BeaconHarness.admission(wakeUnit: "mended.service")))
        harness.run(seconds: 31)
        #expect(harness.wakes == ["tracker.service", "mended.service"])
        harness.give(.wakeFailed(client: "tracker"))
        harness.give(.admission(BeaconHarness.admission(wakeUnit: nil)))
        harness.run(seconds: 120)
        #expect(harness.wakes.count == 2)
    }

    @Test func `BEAC-28: a client that is authorized in use alone is not started`() throws {
        var harness = try BeaconHarness(isAuthorized: false)
        harness.ask(
            .operator(.answer(client: "tracker", .allow, reducesAccuracy: nil, mayBeWoken: nil)),
            of: BeaconHarness.root)
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 31)
        harness.give(.clientGone(BeaconHarness.tracker))
        _ = try harness.place()
        harness.run(seconds: 60)
        #expect(harness.wakes.isEmpty)
    }

    @Test
    func `BEAC-29: with reduced accuracy there is neither an event nor a batch, and both come back by themselves`()
        throws
    {
        var harness = try outside()
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        func reduce(_ isReduced: Bool, _ harness: inout BeaconHarness) {
            harness.ask(
                .operator(.answer(client: "tracker", nil, reducesAccuracy: isReduced, mayBeWoken: nil)),
                of: BeaconHarness.root)
        }
        reduce(true, &harness)
        harness.forget()
        let beacon = try harness.place()
        harness.run(seconds: 60)
        #expect(harness.transitions.isEmpty && harness.lines("beacons").isEmpty)
        #expect(harness.radio.monitors.isEmpty, "nobody may be told, so the radio is off")
        reduce(false, &harness)
        harness.run(seconds: 10)
        #expect(harness.transitions == ["enter inside"])
        #expect(harness.lines("beacons").count >= 9)
        harness.radio.setLevel(nil, ofBeacon: beacon)
        harness.run(seconds: 60)
        #expect(harness.transitions == ["enter inside", "exit outside"])
    }

    @Test func `a stay is told after its dwell, once`() throws {
        var harness = try outside { $0.dwell = 60 }
        _ = try harness.place()
        harness.run(seconds: 200)
        #expect(harness.transitions == ["enter inside", "dwell inside"])
    }

    @Test func `a client that is denied has no region watched, and the radio stays off`() throws {
        var harness = try outside()
        harness.ask(
            .operator(.answer(client: "tracker", .deny, reducesAccuracy: nil, mayBeWoken: nil)),
            of: BeaconHarness.root)
        harness.run(seconds: 6)
        #expect(harness.radio.monitors.isEmpty)
        _ = try harness.place()
        harness.run(seconds: 30)
        #expect(harness.transitions.isEmpty)
    }
}
