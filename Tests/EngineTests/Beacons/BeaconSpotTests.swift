import Beacons
import ClientProtocol
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

    /// A board with the spot, and its beacon a metre away.
    private func board(latitude: Double = 48, hasMotionSensor: Bool = false) throws -> ManagedHarness {
        var radio = EmulatedRadio()
        _ = radio.place(EmulatedBeacon(advertisement: try BeaconHarness.advertisement(), level: -60))
        var harness = ManagedHarness(
            hasMotionSensor: hasMotionSensor, spots: [try spot(latitude: latitude)], radio: radio)
        harness.connect()
        return harness
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

    /// A fix so many degrees north of the spot.
    private func fix(north degrees: Double) -> Fix {
        var fix = Fix()
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (48 + degrees, 11, 5)
        return fix
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
        harness.engine.spots.located(fix(north: 1.35), at: harness.now)
        harness.run(until: 12)
        #expect(harness.isSupplied == true)
        let doubted = harness.status()
        #expect(doubted.contains("a fix was elsewhere while its beacon was near"))
        harness.run(until: 120)
        #expect(harness.isSupplied == false)
        let trusted = harness.status()
        #expect(!trusted.contains("a fix was elsewhere"))
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
        let spots = [try spot(), try spot(latitude: -12.5, radius: 3)]
        #expect(BeaconSpot.decode(BeaconSpot.encode(spots).span) == spots)
        var damaged = BeaconSpot.encode(spots)
        damaged.removeLast()
        #expect(BeaconSpot.decode(damaged.span) == nil)
    }
}

extension ManagedHarness {
    /// Whether the receiver's supply is on.
    fileprivate var isSupplied: Bool { switches.last { $0.role == .powerEnable }?.level ?? false }
}
