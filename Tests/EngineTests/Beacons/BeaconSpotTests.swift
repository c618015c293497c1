import Beacons
import ClientProtocol
import Delivery
import Emulation
import GNSS
import Monitors
import Parts
import Power
import Receivers
import SextantUnits
import Testing

@testable import Engine

/// Spots that the owner marked with beacons, where no receiver is needed.
@Suite("Spots marked by beacons")
struct BeaconSpotTests {
    private func spot(latitude: Double = 48, radius: Double = 15) throws -> BeaconSpot {
        BeaconSpot(
            name: "stable", beacon: try BeaconHarness.constraint(major: 1, minor: 2), latitude: latitude, longitude: 11,
            radius: radius)
    }

    /// A board with the spot, which a fix has just confirmed, and its beacon a metre away.
    ///
    /// - Parameters:
    ///   - scatter: Of the level of single advertisements, in dB.
    ///   - isConfirmed: Whether the last fix was at the spot; there was none otherwise.
    private func board(
        latitude: Double = 48, radius: Double = 15, level: Double? = -60, scatter: Double = 0,
        hasMotionSensor: Bool = false, hasSky: Bool = true, isConfirmed: Bool = true
    ) throws -> ManagedHarness {
        var radio = EmulatedRadio()
        var beacon = EmulatedBeacon(advertisement: try BeaconHarness.advertisement(), level: level)
        beacon.fading.quick = scatter
        _ = radio.place(beacon)
        var harness = ManagedHarness(
            hasMotionSensor: hasMotionSensor, mask: hasSky ? .none : MaskIntervals(intervals: [0..<9e9]),
            spots: [try spot(latitude: latitude, radius: radius)], radio: radio)
        harness.connect()
        if isConfirmed { harness.engine.spots.located(fix(north: latitude - 48), at: harness.now) }
        return harness
    }

    /// A fix so many degrees north of 48 degrees.
    private func fix(north degrees: Double) -> Fix {
        var fix = Fix()
        fix.type = .threeD
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (48 + degrees, 11, 5)
        return fix
    }

    private func locations(_ harness: borrowing ManagedHarness) -> [String] {
        harness.lines.filter { $0.contains("\"event\":\"location\"") }
    }

    @Test func `BEAC-49: at a spot the receiver is off within 5 s, and locations go on with the spot's accuracy`()
        throws
    {
        var harness = try board()
        harness.watch(100)
        harness.run(until: 5)
        #expect(harness.isSupplied == false)
        _ = harness.takeLocations()
        harness.run(until: 605)
        let lines = harness.lines.filter { $0.contains("\"event\":\"location\"") }
        #expect((9...11).contains(lines.count), "once a minute, to say that the board is still there")
        #expect(lines.allSatisfy { $0.contains("\"latitude\":48,") || $0.contains("\"latitude\":48.0") })
        #expect(harness.isSupplied == false)
    }

    @Test func `BEAC-49: a finer demand wakes the receiver within a second`() throws {
        var harness = try board()
        harness.watch(100)
        harness.run(until: 60)
        harness.watch(5)
        harness.run(until: 61)
        #expect(harness.isSupplied == true)
    }

    @Test func `BEAC-49: with the beacon gone the receiver is on within 15 s`() throws {
        var harness = try board()
        harness.watch(100)
        harness.run(until: 60)
        harness.radio?.setLevel(nil, ofBeacon: 0)
        harness.run(until: 75)
        #expect(harness.isSupplied == true)
    }

    @Test
    func `BEAC-50: a beacon that travels along wakes the receiver within 90 s, and is believed again when confirmed`()
        throws
    {
        var harness = try board(hasMotionSensor: true)
        harness.watch(100)
        harness.run(until: 60)
        harness.give(.motion(true))
        harness.run(until: 150)
        let turnedOn = harness.switches.first { $0.role == .powerEnable && $0.level && $0.seconds > 60 }
        #expect(try #require(turnedOn).seconds <= 150)
        harness.give(.motion(false))
        // The emulated receiver is where the spot is, and so confirms it.
        harness.run(until: 300)
        #expect(harness.isSupplied == false)
    }

    @Test func `BEAC-51: a fix elsewhere drops the spot, which status says, and no event comes of its coordinate`()
        throws
    {
        var harness = try board(latitude: 48.0045)
        harness.watch(100)
        harness.run(until: 10)
        #expect(harness.isSupplied == false, "the spot is believed at first")
        let other = ClientID(rawValue: 2)
        harness.connect(other)
        let finer = LocationSettings(accuracy: .metres(5), pausesAutomatically: false)
        harness.ask(.watchLocations(finer, label: ""), of: other)
        harness.run(until: 90)
        let status = harness.status()
        #expect(status.contains("the spot \\\"stable\\\": a fix was elsewhere while its beacon was near"))
        harness.give(.clientGone(other))
        harness.lines.removeAll()
        harness.run(until: 400)
        #expect(harness.lines.allSatisfy { !$0.contains("48.0045") })
    }

    @Test func `a spot that the board cannot have come to since its last fix is not believed before a fix is there`()
        throws
    {
        var harness = try board()
        // Somebody sends the beacon's identity 150 km from the spot.
        harness.engine.spots.located(fix(north: 1.35), at: harness.now)
        harness.watch(100)
        harness.run(until: 20)
        #expect(harness.isSupplied == true)
        // The emulated receiver is where the spot is, and so confirms it.
        harness.run(until: 120)
        #expect(harness.isSupplied == false)
    }

    @Test func `a spot that one fix contradicted is believed again when another confirms it`() throws {
        var harness = try board()
        harness.watch(100)
        harness.run(until: 10)
        #expect(harness.isSupplied == false)
        harness.engine.spots.located(fix(north: 0.0045), at: harness.now)
        harness.run(until: 12)
        #expect(harness.isSupplied == true)
        let doubted = harness.status()
        #expect(doubted.contains("a fix was elsewhere while its beacon was near"))
        harness.run(until: 120)
        #expect(harness.isSupplied == false)
        let trusted = harness.status()
        #expect(!trusted.contains("a fix was elsewhere"))
    }

    // MARK: A beacon's identity that somebody else sends, or that is carried along

    @Test func `an identity played 150 km away, half an hour after the last fix and without sky, is never believed`()
        throws
    {
        var harness = try board(level: nil, hasSky: false)
        harness.engine.spots.located(fix(north: 1.35), at: harness.now)
        harness.run(until: 1860)
        harness.radio?.setLevel(-60, ofBeacon: 0)
        harness.watch(100)
        harness.run(until: 3000)
        #expect(locations(harness) == [])
        let status = harness.status()
        #expect(status.contains("the board cannot have come to the spot since its last fix"))
    }

    @Test func `an identity played far from the last location of the run before is never believed`() throws {
        var harness = try board(hasSky: false, isConfirmed: false)
        var far = fix(north: 1.35)
        (far.time, far.isTimeValidated) = (UTCInstant(nanoseconds: 1_789_000_000_000_000_000), true)
        let kept = try #require(KeptLocation(far, reduced: nil))
        harness.give(
            .storeFound(DurableRow(table: .settings, client: "", name: "lastLocation", value: kept.encode())))
        harness.watch(100)
        harness.run(until: 1200)
        #expect(locations(harness) == [])
    }

    @Test func `a board that has rested since its last fix, 500 m away, is not at the spot`() throws {
        var harness = try board(level: nil, hasMotionSensor: true, hasSky: false, isConfirmed: false)
        harness.give(.motion(false))
        harness.engine.spots.located(fix(north: 0.0045), at: harness.now)
        harness.run(until: 60)
        harness.radio?.setLevel(-60, ofBeacon: 0)
        harness.watch(100)
        harness.run(until: 600)
        #expect(locations(harness) == [])
        // Once it has moved it may be there; a fix is asked for in vain.
        harness.give(.motion(true))
        harness.radio?.setLevel(nil, ofBeacon: 0)
        harness.run(until: 620)
        harness.give(.motion(false))
        harness.radio?.setLevel(-60, ofBeacon: 0)
        harness.run(until: 1000)
        #expect(locations(harness) != [])
    }

    @Test func `a spot near the last fix is believed after a fix was asked for in vain for five minutes`() throws {
        var harness = try board(level: nil, hasSky: false, isConfirmed: false)
        harness.engine.spots.located(fix(north: 0.0045), at: harness.now)
        // While nobody asks, the receiver is off and nothing can be confirmed.
        harness.run(until: 300)
        harness.radio?.setLevel(-60, ofBeacon: 0)
        harness.run(until: 600)
        harness.watch(100)
        harness.run(until: 890)
        #expect(locations(harness) == [])
        harness.run(until: 960)
        #expect(locations(harness) != [])
    }

    @Test func `a board that never had a fix is at no spot, however long its beacon is near, and status says why`()
        throws
    {
        var harness = try board(hasSky: false, isConfirmed: false)
        harness.watch(100)
        harness.run(until: 3600)
        #expect(locations(harness) == [])
        #expect(harness.switches.contains { $0.level && $0.seconds > 1800 }, "the spot spares no receiver")
        let status = harness.status()
        #expect(status.contains("no fix has confirmed the spot"))
    }

    @Test func `without a motion sensor the receiver confirms the spot every hour`() throws {
        var harness = try board()
        harness.watch(100)
        harness.run(until: 3500)
        #expect(harness.isSupplied == false)
        let count = harness.switches.count
        harness.run(until: 3800)
        #expect(harness.switches.count == count + 2, "on and off")
        #expect(harness.isSupplied == false)
    }

    @Test func `an identity that was played far away does not spoil the spot for a board that comes home`() throws {
        var harness = try board(hasSky: false)
        harness.watch(100)
        harness.run(until: 10)
        #expect(harness.isSupplied == false)
        harness.engine.spots.located(fix(north: 1.35), at: harness.now)
        harness.run(until: 12)
        #expect(harness.isSupplied == true)
        harness.radio?.setLevel(nil, ofBeacon: 0)
        harness.run(until: 5000)
        harness.engine.spots.located(fix(north: 0.0001), at: harness.now)
        harness.radio?.setLevel(-60, ofBeacon: 0)
        harness.run(until: 5010)
        #expect(harness.isSupplied == false)
    }

    @Test func `BEAC-50: a beacon that is carried along is found out although its level scatters by 4 dB`() throws {
        var harness = try board(scatter: 4, hasMotionSensor: true)
        harness.watch(100)
        harness.run(until: 60)
        harness.give(.motion(true))
        harness.run(until: 150)
        #expect(harness.switches.contains { $0.role == .powerEnable && $0.level && $0.seconds > 60 })
    }

    @Test func `who walks about the spot, or comes home on foot, does not carry its beacon along`() throws {
        var harness = try board(level: nil, scatter: 4, hasMotionSensor: true)
        harness.give(.motion(true))
        harness.run(until: 120)
        harness.engine.spots.located(fix(north: 0), at: harness.now)
        harness.watch(100)
        var second = 120.0
        for level in [-50, -63, -50, -63, -50, -63, -50, -63, -50] as [Double] {
            harness.radio?.setLevel(level, ofBeacon: 0)
            second += 20
            harness.run(until: second)
        }
        #expect(!harness.switches.contains { $0.role == .powerEnable && $0.level && $0.seconds > 130 })
        #expect(harness.isSupplied == false)
    }

    /// The accuracy of the location that the spot would give now, in metres.
    private func accuracy(_ harness: borrowing ManagedHarness) -> Double? {
        let engine = harness.engine
        _ = engine.spots.need(engine.delivery.view.needs, areNew: true)
        return engine.spots.takeFix(engine.positioning.whereabouts.clock, at: harness.now)?.horizontalAccuracy
    }

    @Test func `the accuracy of a stay follows the beacon`() throws {
        var harness = try board(radius: 1, level: -58)
        harness.watch(100)
        harness.run(until: 70)
        let near = accuracy(harness)
        #expect(try #require(near) < 2)
        harness.radio?.setLevel(-64, ofBeacon: 0)
        harness.run(until: 300)
        // What is measured of -64 dBm is about 2.4 m, and a radius of 68 % a third more.
        let far = accuracy(harness)
        #expect(try #require(far) > 2.9)
    }

    @Test func `the radio is off while no request can be content with a spot`() throws {
        var harness = try board()
        harness.watch(5)
        harness.run(until: 30)
        #expect(harness.radio?.monitors.isEmpty == true)
        harness.ask(.unwatch)
        harness.run(until: 60)
        #expect(harness.radio?.monitors.isEmpty == true)
    }

    @Test func `spots are kept by a recording`() throws {
        for spot in [try spot(), try spot(latitude: -12.5, radius: 3)] {
            let record = spot.encode()
            #expect(BeaconSpot.decode(record.span) == spot)
            for count in record.indices { #expect(BeaconSpot.decode(record.span.extracting(first: count)) == nil) }
        }
    }
}

extension ManagedHarness {
    /// Whether the receiver's supply is on.
    fileprivate var isSupplied: Bool { switches.last { $0.role == .powerEnable }?.level ?? false }
}
