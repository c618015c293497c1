import ClientProtocol
import Engine
import GPSDProtocol
import JSONText
import NMEA0183
import Power
import Sessions
import Testing
import Units

private let one = ClientID(rawValue: 1)
private let two = ClientID(rawValue: 2)

/// A harness with a client that has been greeted, and whose receiver's order is learned: the last epoch is of 3 s.
private func connected() -> Harness {
    var harness = Harness()
    harness.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
    harness.warmUp()
    return harness
}

extension Harness {
    fileprivate mutating func ask(_ kind: ClientRequest.Kind, id: String? = nil, of client: ClientID = one) {
        give(.clientRequest(client, .success(ClientRequest(kind, id: id))))
    }

    fileprivate mutating func watch(_ settings: LocationSettings, label: String = "", id: String? = nil) {
        ask(.watchLocations(settings, label: label), id: id)
    }

    /// The events of the lines that the last input sent to client 1, in order.
    fileprivate var events: [String] {
        sent(to: 1).split(separator: "\n").map { line in
            String(line.dropFirst("{\"event\":\"".count).prefix { $0 != "\"" })
        }
    }

    fileprivate mutating func give(epoch second: Int) { give(bytes: Harness.epoch(second % 60), at: Double(second)) }

    /// One epoch of a way north that began in the third second: 9.26 m, 5 thousandths of a minute, each.
    fileprivate mutating func ride(epoch second: Int) {
        let minutes = 22_613 + 5 * (second - 3)
        let latitude = "47\(minutes / 1000).\(padded(minutes % 1000))"
        give(bytes: Harness.epoch(second % 60, latitude: latitude, motion: "18.0,0.0"), at: Double(second))
    }

    fileprivate static func epoch(secondsAfterNoon seconds: Int) -> [UInt8] {
        let time = "\(12 + seconds / 3600)\(two(seconds / 60 % 60))\(two(seconds % 60)).00"
        var bytes: [UInt8] = []
        NMEAEncoder.append("GNRMC,\(time),A,4722.61335,N,00832.50181,E,1.0,90.0,201126,,,A", to: &bytes)
        NMEAEncoder.append("GNGGA,\(time),4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
        return bytes
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func padded(_ number: Int) -> String { String(repeating: "0", count: 3 - "\(number)".count) + "\(number)" }

    fileprivate var sends: Int {
        outputs.actions.count { if case .send = $0 { true } else { false } }
    }
}

@Suite("Engine and locations")
struct EngineLocationTests {
    @Test func `one who watches locations gets the known one first, then each, and no epochs`() {
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

    @Test func `two watchers get one text, and each what its filter passes`() {
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

    @Test func `a watch of locations takes the place of a watch of epochs, and the other way round`() {
        var harness = connected()
        harness.ask(.watch(satellites: false))
        harness.watch(LocationSettings(accuracy: .best))
        harness.give(epoch: 4)
        #expect(harness.events == ["location"])
        harness.ask(.watch(satellites: false))
        harness.give(epoch: 5)
        #expect(harness.events == ["epoch"])
    }

    @Test func `a solution without a position is no location`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .best))
        harness.give(bytes: Harness.epoch(4, valid: false), at: 4)
        #expect(harness.events == [])
    }

    @Test func `a position that is not accurate enough by its deadline is the best there is`() {
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
    @Test func `it follows who comes, asks and goes`() {
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
        harness.give(.gpsdRequest(two, .success(.watch(policy))))
        #expect(harness.engine.demand.accuracy == 0 && harness.engine.demand.keepsOn)
        #expect(harness.engine.demand.clients == [1, 2])
        harness.give(.clientGone(two))
        #expect(harness.engine.demand.accuracy == 100)
        harness.ask(.watch(satellites: true))
        #expect(harness.engine.demand.accuracy == 0 && harness.engine.demand.keepsOn)
        harness.ask(.unwatch)
        #expect(harness.engine.demand == .none)
    }

    @Test func `a position that came is no longer demanded`() {
        var harness = connected()
        harness.ask(.locate(timeoutSeconds: 60))
        #expect(harness.engine.demand.keepsOn)
        harness.give(epoch: 4)
        #expect(harness.engine.demand == .none)
    }
}

@Suite("Engine and pauses")
struct EnginePauseTests {
    @Test func `a quiet board pauses at the deadline, its demand goes, and movement brings both back`() {
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

    @Test func `one pauses and the other keeps its reports`() {
        var harness = connected()
        harness.give(.clientConnected(two, .local))
        harness.give(.motion(false), at: 3)
        harness.watch(LocationSettings(accuracy: .metres(50), activity: .fitness))
        harness.ask(
            .watchLocations(LocationSettings(accuracy: .metres(80), pausesAutomatically: false), label: ""), of: two)
        harness.give(.timePassed, at: 184)
        #expect(harness.sent(to: 1) == "{\"event\":\"paused\",\"reason\":\"still\"}\n")
        #expect(harness.sent(to: 2) == "{\"event\":\"failed\",\"errorCode\":0}\n", "no fix for three minutes")
        #expect(harness.engine.demand.accuracy == 80 && harness.engine.demand.clients == [2])
        harness.give(epoch: 185)
        #expect(harness.sent(to: 1).isEmpty && !harness.sent(to: 2).isEmpty)
    }

    @Test func `without a fix a quarter of an hour pauses, a probe demands, and its fix resumes before it is reported`()
    {
        var harness = Harness()
        harness.give(.clientConnected(one, .local))
        harness.watch(LocationSettings(accuracy: .metres(100)))
        #expect(harness.wake == 30_000_000_000)
        harness.give(.timePassed, at: 30)
        #expect(harness.sent(to: 1) == "{\"event\":\"failed\",\"errorCode\":0}\n", "told once, and then no more")
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

    @Test func `a client that asks again while it is paused goes on at once`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .metres(100)))
        harness.give(.timePassed, at: 903)
        #expect(harness.events == ["paused"])
        harness.watch(LocationSettings(accuracy: .metres(100)))
        #expect(harness.events == ["watching", "resumed"])
        #expect(harness.engine.demand.accuracy == 100)
    }
}

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

    @Test func `fixes are durable at once and told in one write when the distance is met, the end first`() {
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

    @Test func `the timeout ends it at its instant`() {
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

    @Test func `a second deferral ends the first, once`() {
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

    @Test func `a flush is told what is held, and the deferral goes on`() {
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
    func `a deferral that cannot be is finished at once and reports come`(settings: LocationSettings, reason: String) {
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

    @Test func `a pause ends it as not updating, with all that is held`() {
        var harness = connected()
        harness.give(.motion(false), at: 3)
        harness.watch(
            LocationSettings(accuracy: .best, activity: .fitness, deferral: Deferral(distance: nil, timeout: nil)))
        harness.give(epoch: 4)
        harness.give(.timePassed, at: 184)
        #expect(harness.events == ["deferredFinished", "location", "paused"])
        #expect(harness.sent(to: 1).contains("\"reason\":\"notUpdating\",\"errorCode\":12"))
    }

    @Test func `at 80 % the room is emptied in one write, without an end`() {
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

    @Test func `what a client left behind waits for its user's same label, and for nobody else`() {
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
        #expect(harness.sent(to: 3).split(separator: "\n").count == 4)
        #expect(harness.deeds == [.acknowledge(.deferred(EngineDeferralTests.key), through: 2)])
    }

    @Test func `what was durable when the daemon started is told to its client`() {
        var harness = deferring()
        harness.give(epoch: 4)
        let record = persisted(harness)[0]
        var next = connected()
        next.give(.deferredFound(record))
        next.give(.deferredFound(Array(record.dropLast())))
        #expect(next.deeds == [.log(.unreadableDeferredFix(byteCount: DeferredFix.byteCount - 1))])
        next.now = MonotonicInstant(nanoseconds: 10_000_000_000)
        next.watch(EngineDeferralTests.deferring, label: "track")
        #expect(next.events == ["watching", "location", "location"])
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
