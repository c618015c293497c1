import ClientProtocol
import Engine
import GPSDProtocol
import NMEA0183
import Parts
import Power
import SextantJSON
import SextantUnits
import Testing

@testable import Access

@Suite("Engine and deferral")
struct EngineDeferralTests {
    private static let deferring = LocationSettings(
        accuracy: .best, pausesAutomatically: false, deferral: Deferral(distance: 100, timeout: 60))
    private static let key = DeferredKey(userID: 1000, client: "everyone", label: "track", session: 0)

    private func deferring() -> Harness {
        var harness = connected()
        harness.watch(EngineDeferralTests.deferring, label: "track", id: "d")
        return harness
    }

    /// The records that the last input wants to be durable.
    private func persisted(_ harness: borrowing Harness) -> [[UInt8]] {
        var records: [[UInt8]] = []
        for case .persist(.deferred(EngineDeferralTests.key), _, let range) in harness.outputs.actions {
            harness.outputs.text.withBytes(range) { bytes in records.append(bytes.indices.map { bytes[$0] }) }
        }
        return records
    }

    @Test func `deferred fixes are stored at once, and sent in one write after the end when the distance is met`() {
        var harness = deferring()
        #expect(harness.events == ["watching", "location"])
        for second in 4...13 {
            harness.ride(epoch: second)
            #expect(harness.events == [])
            #expect(persisted(harness).count == 1)
            #expect(persisted(harness).first?.count == DeferredFix.byteCount)
        }
        harness.ride(epoch: 14)
        #expect(harness.events == ["deferredFinished"] + Array(repeating: "location", count: 11), "101.9 m")
        #expect(
            harness.sent(to: 1).hasPrefix("{\"event\":\"deferredFinished\",\"id\":\"d\",\"reason\":\"distance\"}\n"))
        #expect(harness.sends == 1)
        #expect(harness.deeds.last == .acknowledge(.deferred(EngineDeferralTests.key), through: 11))
        #expect(harness.sent(to: 1).contains("\"age\":10.000}"))
        harness.ride(epoch: 15)
        #expect(harness.events == ["location"], "the deferral is over")
        #expect(persisted(harness).isEmpty)
    }

    @Test func `the timeout ends the deferral exactly on time`() {
        var harness = deferring()
        harness.give(epoch: 4)
        harness.give(.timePassed, at: 61)
        #expect(harness.events == ["failed"], "no fix for 15 s and more, which ends nothing")
        harness.give(.timePassed, at: 62)
        #expect(harness.events == [])
        harness.give(.timePassed, at: 63)
        #expect(harness.events == ["deferredFinished", "location"])
        #expect(harness.sent(to: 1).contains("\"reason\":\"timeout\""))
    }

    @Test func `a second deferral cancels the first, which ends once`() {
        var harness = deferring()
        harness.give(epoch: 4)
        harness.watch(EngineDeferralTests.deferring, label: "track", id: "e")
        #expect(harness.events == ["watching", "deferredFinished", "location"])
        #expect(harness.sent(to: 1).contains("\"id\":\"d\",\"reason\":\"canceled\",\"errorCode\":15"))
        harness.give(epoch: 5)
        #expect(harness.events == [])
        harness.give(.timePassed, at: 66)
        #expect(harness.sent(to: 1).contains("\"id\":\"e\",\"reason\":\"timeout\""))
        harness.give(.timePassed, at: 300)
        #expect(!harness.events.contains("deferredFinished"))
    }

    @Test func `a flush sends the held fixes, and the deferral goes on`() {
        var harness = deferring()
        harness.give(epoch: 4)
        harness.give(epoch: 5)
        harness.ask(.flush, id: "f")
        #expect(harness.events == ["flushed", "location", "location"])
        #expect(harness.sent(to: 1).hasPrefix("{\"event\":\"flushed\",\"id\":\"f\",\"locations\":2}\n"))
        #expect(harness.deeds == [.acknowledge(.deferred(EngineDeferralTests.key), through: 2)])
        harness.give(epoch: 6)
        #expect(harness.events == [])
        harness.ask(.unwatch)
        #expect(harness.events == ["deferredFinished", "location", "watching"])
        #expect(harness.sent(to: 1).contains("\"reason\":\"asked\""))
    }

    @Test(arguments: [
        (settings: LocationSettings(accuracy: .metres(10)), reason: "accuracyTooLow\",\"errorCode\":13"),
        (
            settings: LocationSettings(accuracy: .best, distanceFilter: 10),
            reason: "distanceFiltered\",\"errorCode\":14"
        ),
    ])
    func `an impossible deferral ends at once, and locations are sent`(settings: LocationSettings, reason: String) {
        var harness = connected()
        var settings = settings
        settings.deferral = Deferral(distance: nil, timeout: 60)
        harness.watch(settings)
        #expect(harness.events == ["watching", "location", "deferredFinished"])
        #expect(harness.sent(to: 1).contains(reason))
        for second in 4...7 {
            harness.ride(epoch: second)
            if !harness.events.isEmpty { break }
        }
        #expect(harness.events == ["location"])
    }

    @Test func `a pause ends the deferral as notUpdating and sends all held fixes`() {
        var harness = connected()
        harness.give(.motion(false), at: 3)
        harness.watch(
            LocationSettings(accuracy: .best, activity: .fitness, deferral: Deferral(distance: nil, timeout: nil)))
        harness.give(epoch: 4)
        harness.give(.timePassed, at: 184)
        #expect(harness.events == ["deferredFinished", "location", "paused"])
        #expect(harness.sent(to: 1).contains("\"reason\":\"notUpdating\",\"errorCode\":12"))
    }

    @Test func `a deferral's store at 80 % is sent in one write, and the deferral goes on`() {
        var harness = connected()
        harness.watch(
            LocationSettings(
                accuracy: .best, pausesAutomatically: false, deferral: Deferral(distance: nil, timeout: nil)))
        var held = 0
        while held < 3275 {
            let bytes = (0..<25).flatMap { Harness.epoch(secondsAfterNoon: 10 + held + $0) }
            harness.give(bytes: bytes, at: 34 + Double(held))
            held += 25
            #expect(harness.sends == 0)
            #expect(persistedLocally(harness) == 25)
        }
        harness.give(bytes: Harness.epoch(secondsAfterNoon: 10 + held), at: 34 + Double(held))
        #expect(harness.sends == 1)
        #expect(harness.events.count == 3276)
        #expect(harness.events.allSatisfy { $0 == "location" })
        #expect(harness.sent(to: 1).utf8.count < 2 << 20)
        harness.give(bytes: Harness.epoch(secondsAfterNoon: 11 + held), at: 35 + Double(held))
        #expect(harness.sends == 0)
    }

    private func persistedLocally(_ harness: borrowing Harness) -> Int {
        harness.outputs.actions.count { if case .persist = $0 { true } else { false } }
    }

    @Test func `fixes that a client left behind wait for the same user and label only`() {
        var harness = deferring()
        harness.give(epoch: 4)
        harness.give(epoch: 5)
        harness.give(.clientGone(one))
        #expect(harness.engine.demand == .none)
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1001)))
        harness.ask(.watchLocations(EngineDeferralTests.deferring, label: "track"), of: two)
        #expect(harness.sent(to: 2).split(separator: "\n").count == 2, "watching, and what is known now")
        harness.give(.clientConnected(ClientID(rawValue: 3), .local, PeerIdentity(userID: 1000)))
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: "track"), of: ClientID(rawValue: 3))
        #expect(harness.sent(to: 3).split(separator: "\n").count == 3, "\(harness.sent(to: 3))")
        #expect(harness.deeds == [.acknowledge(.deferred(EngineDeferralTests.key), through: 2)])
    }

    @Test func `stored deferred fixes are sent to their client after a restart`() {
        var harness = deferring()
        harness.give(epoch: 4)
        let record = persisted(harness)[0]
        var next = connected()
        next.give(.deferredFound(record))
        next.give(.deferredFound(Array(record.dropLast())))
        #expect(next.deeds == [.log(.unreadableDeferredFix(byteCount: DeferredFix.byteCount - 1))])
        next.now = MonotonicInstant(nanoseconds: 10_000_000_000)
        next.watch(EngineDeferralTests.deferring, label: "track")
        #expect(next.events == ["watching", "location"], "the last known location is older, and was told before")
        #expect(next.sent(to: 1).contains("12:00:04.000Z"))
        #expect(next.deeds == [.acknowledge(.deferred(EngineDeferralTests.key), through: 1)])
    }

    @Test func `two connections of one user cannot defer under one label`() {
        var harness = deferring()
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1000)))
        harness.ask(.watchLocations(EngineDeferralTests.deferring, label: "track"), id: "z", of: two)
        #expect(harness.sent(to: 2).contains("\"id\":\"z\",\"code\":\"labelInUse\""))
        harness.ask(.watchLocations(EngineDeferralTests.deferring, label: "other"), of: two)
        #expect(harness.sent(to: 2).hasPrefix("{\"event\":\"watching\""))
    }
}
