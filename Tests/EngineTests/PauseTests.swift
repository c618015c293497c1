import ClientProtocol
import Engine
import GPSDProtocol
import NMEA0183
import Parts
import Power
import SextantJSON
import SextantUnits
import Testing

@Suite("Engine and pauses")
struct EnginePauseTests {
    /// What a session is told that lacks a position of a receiver that was never reached.
    private static let lost =
        "{\"event\":\"failed\",\"errorCode\":0,\"reason\":\"receiverUnreachable\"}\n"

    @Test func `a quiet board pauses without demand, and movement restores reports and demand`() {
        var harness = connected()
        harness.give(.motion(false), at: 3)
        harness.watch(LocationSettings(accuracy: .metres(50), activity: .fitness))
        #expect(harness.engine.demand.accuracy == 50)
        harness.give(epoch: 4)
        // Three minutes of quiet at one place, from the first fix that the monitor saw.
        harness.give(.timePassed, at: 183)
        #expect(!harness.events.contains("paused"))
        harness.give(.timePassed, at: 184)
        #expect(harness.sent(to: 1) == "{\"event\":\"paused\",\"reason\":\"still\"}\n")
        #expect(harness.engine.demand == .none)
        harness.give(epoch: 185)
        #expect(harness.events == [], "silence")
        harness.give(.timePassed, at: 190)
        harness.give(.motion(true), at: 200)
        #expect(harness.wake == 203_000_000_000)
        harness.give(.timePassed, at: 203)
        #expect(harness.sent(to: 1) == "{\"event\":\"resumed\",\"reason\":\"motion\"}\n")
        #expect(harness.engine.demand.accuracy == 50)
        harness.give(epoch: 204)
        #expect(harness.events == ["location"])
    }

    @Test func `one client's pause leaves another client's reports`() {
        var harness = connected()
        harness.give(.clientConnected(two, .local))
        harness.give(.motion(false), at: 3)
        harness.watch(LocationSettings(accuracy: .metres(50), activity: .fitness))
        harness.ask(
            .watchLocations(LocationSettings(accuracy: .metres(80), pausesAutomatically: false), label: ""), of: two)
        harness.give(.timePassed, at: 184)
        #expect(harness.sent(to: 1) == "{\"event\":\"paused\",\"reason\":\"still\"}\n")
        #expect(harness.sent(to: 2) == Self.lost, "no fix for three minutes")
        #expect(harness.engine.demand.accuracy == 80 && harness.engine.demand.clients == [2])
        harness.give(epoch: 185)
        #expect(harness.sent(to: 1).isEmpty && !harness.sent(to: 2).isEmpty)
    }

    @Test func `15 minutes without a fix pause, and a probe's fix resumes before it is reported`() {
        var harness = Harness()
        harness.give(.clientConnected(one, .local))
        harness.watch(LocationSettings(accuracy: .metres(100)))
        #expect(harness.wake == 30_000_000_000)
        harness.give(.timePassed, at: 30)
        #expect(harness.sent(to: 1) == Self.lost, "told once, and then no more")
        #expect(harness.wake == 900_000_000_000)
        harness.give(.timePassed, at: 900)
        #expect(harness.sent(to: 1) == "{\"event\":\"paused\",\"reason\":\"noFix\"}\n")
        #expect(harness.engine.demand == .none)
        harness.give(.timePassed, at: 1200)
        #expect(harness.events == [])
        #expect(harness.engine.demand.accuracy == 100)
        #expect(harness.engine.demand.deadline?.nanoseconds == 1_320_000_000_000)
        harness.give(bytes: Harness.epoch(1), at: 1201)
        harness.give(.timePassed, at: 1201.1)
        #expect(harness.events == ["resumed", "location"])
    }

    @Test(arguments: [false, true])
    func `a session with new settings still knows that the accelerometer feels motion`(asksAgain: Bool) {
        var harness = connected()
        harness.give(.motion(true), at: 3)
        harness.watch(LocationSettings(accuracy: .best, activity: .automotiveNavigation))
        let fitness = LocationSettings(accuracy: .best, activity: .fitness)
        if asksAgain { harness.watch(fitness) } else { harness.ask(.change(fitness, WatchOptions())) }
        for second in 4...1000 {
            harness.give(bytes: Harness.epoch(second, motion: "0.0,0.0"), at: Double(second))
            #expect(!harness.events.contains("paused"))
        }
    }

    @Test func `a paused client that asks again resumes at once`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .metres(100)))
        harness.give(.timePassed, at: 903)
        #expect(harness.events == ["paused"])
        harness.watch(LocationSettings(accuracy: .metres(100)))
        #expect(harness.events == ["watching", "resumed"])
        #expect(harness.engine.demand.accuracy == 100)
    }
}
