import SextantUnits
import Testing

@testable import Monitors

/// The rule of `../shared/spec/beacons.md` 5.1.
@Suite("Entering and leaving a beacon's reach")
struct BeaconPresenceTests {
    /// A region and a radio that listens all the time, in steps of a second.
    private struct Scene {
        var presence = BeaconPresence(listened: 0)
        var second = 0.0
        /// Nanoseconds for which the radio has listened.
        var listened: Int64 = 0

        init(_ state: BeaconPresence.State = .unknown) { presence = BeaconPresence(state, listened: 0) }

        /// Lets seconds pass, with an advertisement in each where asked.
        mutating func pass(_ count: Int, heard: Bool, listening: Bool = true) -> [BeaconPresence.Event] {
            (0..<count).compactMap { _ in
                second += 1
                listened += listening ? 1_000_000_000 : 0
                let event = heard ? presence.heard(at: seconds(second), listened: listened) : nil
                return event ?? presence.listened(listened, at: seconds(second))
            }
        }
    }

    @Test
    func `BEAC-16: a beacon in reach from the beginning is determined, and only leaving and coming back are told`() {
        var scene = Scene()
        #expect(scene.pass(3600, heard: true) == [.determined(isInside: true)])
        #expect(scene.pass(31, heard: false) == [.exited(seconds(3600))])
        #expect(scene.pass(100, heard: true) == [.entered(seconds(3632))])
    }

    @Test func `BEAC-02: an exit is told 30 s after the last advertisement`() {
        var scene = Scene(.inside)
        _ = scene.pass(10, heard: true)
        #expect(scene.pass(29, heard: false) == [])
        #expect(scene.pass(1, heard: false) == [.exited(seconds(10))])
    }

    @Test func `BEAC-03: a gap of 5 s is no exit`() {
        var scene = Scene(.inside)
        for _ in 0..<100 {
            #expect(scene.pass(5, heard: false) + scene.pass(1, heard: true) == [])
        }
    }

    @Test func `BEAC-17: one advertisement is no entry, and two within 10 s are one`() {
        var scene = Scene(.outside)
        #expect(scene.pass(1, heard: true) + scene.pass(60, heard: false) == [])
        #expect(
            scene.pass(1, heard: true) + scene.pass(10, heard: false) + scene.pass(1, heard: true) == [], "11 s apart")
        #expect(scene.pass(8, heard: false) + scene.pass(1, heard: true) == [.entered(seconds(73))], "9 s apart")
    }

    @Test func `BEAC-25: nothing is known before 30 s of listening`() {
        var scene = Scene()
        #expect(scene.pass(29, heard: false) == [] && scene.presence.state == .unknown)
        #expect(scene.pass(1, heard: false) == [.determined(isInside: false)])
    }

    @Test func `BEAC-21: a radio that is off makes no exit, and afterwards the state is determined anew`() {
        for isThere in [true, false] {
            var scene = Scene(.inside)
            _ = scene.pass(10, heard: true)
            #expect(scene.pass(600, heard: false, listening: false) == [])
            scene.presence.forget(listened: scene.listened)
            #expect(scene.presence.state == .unknown)
            #expect(scene.pass(60, heard: isThere) == [.determined(isInside: isThere)])
        }
    }

    @Test func `BEAC-22: a region that was inside before a restart leaves after 30 s of listening, or says nothing`() {
        var gone = Scene(.inside)
        #expect(gone.pass(60, heard: false) == [.exited(nil)])
        var there = Scene(.inside)
        #expect(there.pass(60, heard: true) == [])
    }

    @Test func `BEAC-23: at the edge of reach the region leaves at most twice an hour`() {
        var scene = Scene(.outside)
        var exits = 0
        for _ in 0..<72 {
            for event in scene.pass(5, heard: true) + scene.pass(45, heard: false) {
                if case .exited = event { exits += 1 }
            }
        }
        #expect((1...2).contains(exits))
        #expect(scene.presence.patience == 60_000_000_000)
        _ = scene.pass(1801, heard: true)
        #expect(scene.presence.patience == BeaconPresence.usualPatience, "after 30 min inside")
    }
}
