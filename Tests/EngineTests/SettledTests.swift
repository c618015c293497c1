import ClientProtocol
import Emulation
import GNSS
import Monitors
import Parts
import Power
import SextantUnits
import Testing

@testable import Engine

/// After any input, time that does not pass changes nothing.
@Suite("An input is settled when it ends")
struct SettledTests {
    /// A board at 48 degrees north, which hears a beacon whose spot is said to be at this latitude.
    private func board(latitude: Double, motion: Bool = false) throws -> ManagedHarness {
        var radio = EmulatedRadio()
        _ = radio.place(EmulatedBeacon(advertisement: try BeaconHarness.advertisement(), level: -60))
        let spot = BeaconSpot(
            name: "stable", beacon: try BeaconHarness.constraint(major: 1, minor: 2), latitude: latitude, longitude: 11,
            radius: 15)
        var harness = ManagedHarness(
            hasMotionSensor: motion, spots: [spot], radio: radio, watchesMotion: motion)
        harness.connect()
        return harness
    }

    @Test(arguments: [2.0, 5, 8, 11, 14])
    func `a fix that contradicts a spot and answers the request that woke the receiver`(metres: Double) throws {
        var harness = try board(latitude: 48.0045)
        harness.watch(100)
        harness.run(until: 10)
        let other = ClientID(rawValue: 2)
        harness.connect(other)
        harness.ask(.locate(timeoutSeconds: 80, accuracy: metres), of: other)
        harness.run(until: 120)
        #expect(harness.unsettled == [])
    }

    @Test func `a single request that is answered, with a spot and without`() throws {
        var harness = try board(latitude: 48)
        harness.ask(.locateOnce(.metres(10)))
        harness.run(until: 90)
        #expect(harness.unsettled == [])
        var bare = ManagedHarness()
        bare.connect()
        bare.ask(.locateOnce(.metres(30)))
        bare.run(until: 90)
        #expect(bare.unsettled == [])
    }

    @Test func `watches while the board rests and moves`() throws {
        var harness = try board(latitude: 48, motion: true)
        harness.watch(100)
        harness.run(until: 60)
        harness.watch(5)
        harness.run(until: 200)
        harness.shake(true)
        harness.run(until: 300)
        harness.shake(false)
        harness.run(until: 1200)
        harness.give(.motionAnswered(problem: "no device answers"))
        harness.run(until: 1300)
        #expect(harness.unsettled == [])
    }

    /// The receiver is only listened to, and its order is learned: nothing but bytes comes.
    @Test func `the fix that answers the only request is stored and tracked, though only bytes come`() {
        var harness = connected()
        harness.ask(.locate(timeoutSeconds: 80))
        var (stored, tracked): (Int?, Int?)
        for second in 4...20 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            for case .store(.put(let row)) in harness.outputs.actions where row.name == "lastLocation" {
                stored = stored ?? second
            }
            for case .keepTrack in harness.outputs.actions { tracked = tracked ?? second }
        }
        #expect(stored == 4 && tracked == 4)
    }
}
