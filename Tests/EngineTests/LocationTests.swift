import ClientProtocol
import Engine
import GPSDProtocol
import NMEA0183
import Parts
import Power
import SextantJSON
import SextantUnits
import Testing

@Suite("Engine and locations")
struct EngineLocationTests {
    @Test func `a location watch gets the known location first, then each new one, and no epochs`() {
        var harness = connected()
        harness.now = MonotonicInstant(nanoseconds: 3_500_000_000)
        harness.watch(LocationSettings(accuracy: .metres(100)), id: "w")
        #expect(harness.events == ["watching", "location"])
        #expect(harness.sent(to: 1).hasSuffix("\"age\":0.500}\n"))
        harness.give(epoch: 4)
        #expect(harness.events == ["location"])
        #expect(harness.sent(to: 1).hasSuffix("\"age\":0.000}\n"))
        harness.watch(LocationSettings(accuracy: .metres(10)))
        #expect(harness.events == ["watching"], "asked again, there is no initial one")
        harness.ask(.unwatch)
        harness.give(epoch: 5)
        #expect(harness.events == [])
    }

    @Test func `two watchers get the same text, each when its own filter passes`() {
        var harness = connected()
        harness.give(.clientConnected(two, .local))
        harness.watch(LocationSettings(accuracy: .best))
        harness.ask(.watchLocations(LocationSettings(accuracy: .best, distanceFilter: 50), label: ""), of: two)
        for second in 4...7 {
            harness.ride(epoch: second)
            #expect(!harness.sent(to: 1).isEmpty && harness.sent(to: 2).isEmpty, "37 m at most")
        }
        harness.ride(epoch: 8)
        if harness.sent(to: 2).isEmpty { harness.ride(epoch: 9) }
        #expect(harness.sent(to: 1) == harness.sent(to: 2))
        #expect(!harness.sent(to: 2).isEmpty, "46.3 m, or 55.6 m")
    }

    @Test func `a watch of locations replaces a watch of epochs, and the reverse`() {
        var harness = connected()
        harness.ask(.watch(satellites: false))
        harness.watch(LocationSettings(accuracy: .best))
        harness.give(epoch: 4)
        #expect(harness.events == ["location"])
        harness.ask(.watch(satellites: false))
        harness.give(epoch: 5)
        #expect(harness.events == ["epoch"])
    }

    @Test func `a solution without a position sends no location`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .best))
        harness.give(bytes: Harness.epoch(4, valid: false), at: 4)
        #expect(harness.events == [])
    }

    @Test func `a request for a position gets the best one so far at its deadline`() {
        var harness = connected()
        harness.ask(.locate(timeoutSeconds: 5, accuracy: 2), id: "x")
        #expect(harness.engine.demand.accuracy == 2 && harness.engine.demand.keepsOn)
        #expect(harness.engine.demand.deadline?.nanoseconds == 8_000_000_000)
        harness.give(epoch: 4)
        #expect(harness.events == [], "a dilution of 0.56 makes 2.6 m")
        harness.give(.timePassed, at: 8)
        #expect(harness.events == ["location"])
        #expect(harness.sent(to: 1).contains("\"id\":\"x\"") && harness.sent(to: 1).hasSuffix("\"age\":4.000}\n"))
        #expect(harness.engine.demand == .none)
    }
}

@Suite("Engine and the demand")
struct EngineDemandTests {
    @Test func `the demand follows clients that connect, ask and leave`() {
        var harness = connected()
        #expect(harness.engine.demand == .none)
        harness.watch(LocationSettings(accuracy: .metres(100), activity: .fitness))
        #expect(
            harness.engine.demand
                == Demand(
                    accuracy: 100, keepsOn: false, deadline: nil, minimumInterval: nil, activity: .fitness, clients: [1]
                ))
        harness.give(.clientConnected(two, .gpsd))
        #expect(harness.engine.demand.clients == [1])
        var policy = GPSDPolicy()
        policy.json = true
        harness.give(gpsd: .success(.watch(policy)), from: two)
        #expect(harness.engine.demand.accuracy == 0 && harness.engine.demand.keepsOn)
        #expect(harness.engine.demand.clients == [1, 2])
        harness.give(.clientGone(two))
        #expect(harness.engine.demand.accuracy == 100)
        harness.ask(.watch(satellites: true))
        #expect(harness.engine.demand.accuracy == 0 && harness.engine.demand.keepsOn)
        harness.ask(.unwatch)
        #expect(harness.engine.demand == .none)
    }

    @Test func `a position that was sent is no longer demanded`() {
        var harness = connected()
        harness.ask(.locate(timeoutSeconds: 60))
        #expect(harness.engine.demand.keepsOn)
        harness.give(epoch: 4)
        #expect(harness.engine.demand == .none)
    }
}
