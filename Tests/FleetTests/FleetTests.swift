import SextantUnits
import SextantUplink
import Testing

@testable import Fleet

@Suite("A simulated fleet")
struct FleetTests {
    @Test func `fixes are spread over the time from one to the next`() {
        let plan = FleetPlan(devices: 4, rate: 10, offline: 0, seed: 1)
        #expect((0..<4).map(plan.firstFix) == [0, 2.5, 5, 7.5])
    }

    @Test func `a share of the devices has no network, the same ones at every run`() {
        let plans = [UInt64(1), 1, 2].map { FleetPlan(devices: 1000, rate: 10, offline: 0.2, seed: $0) }
        let away = plans.map { plan in (0..<1000).filter { !plan.isOnline($0, at: 45) } }
        #expect((150...250).contains(away[0].count))
        #expect(away[0] == away[1])
        #expect(away[0] != away[2])
        #expect(!(0..<1000).allSatisfy { plans[0].isOnline($0, at: 45) == plans[0].isOnline($0, at: 75) })
    }

    @Test func `a device sends a fix at once, and keeps it until the receiver has stored it`() {
        var device = FleetDevice(id: "one", spread: 15, usesTLS: false, seed: 1)
        let (now, utc) = (MonotonicInstant.zero, UTCInstant(nanoseconds: 1_700_000_000_000_000_000))
        func give(_ input: UplinkInput) -> ([FleetDevice.Step], [UTCInstant]) { device.take(input, at: now, utc: utc) }
        _ = give(.start(UplinkStart(series: 7, next: 1)))
        _ = give(.authorization(.full))
        for case .publish(_, let token) in give(.connected(hadSession: true)).0 { _ = give(.delivered(token: token)) }
        let fix = UplinkFix(time: utc, measured: now, latitude: 47, longitude: 8, horizontalAccuracy: 4)
        let topics = give(.fix(fix)).0.map { if case .publish(let message, _) = $0 { message.topic } else { "" } }
        #expect(topics == ["sextant/1/one/location", "sextant/1/one/track"])
        #expect(device.unacknowledged == 1)
        let word = Array(#"{"series":"00000007","upTo":1}"#.utf8)
        #expect(give(.message(topic: "sextant/1/one/ack", payload: word, isRetained: true)).1 == [utc])
        #expect(device.unacknowledged == 0)
        // A fix that was kept while there was no connection goes as a track too.
        _ = give(.connectionEnded(.lost("gone")))
        let other = UplinkFix(
            time: utc.advanced(byNanoseconds: 1), measured: now, latitude: 47, longitude: 8, horizontalAccuracy: 4)
        _ = give(.fix(other))
        _ = device.take(.tick, at: now.advanced(bySeconds: 60), utc: utc)
        var (steps, told) = (give(.connected(hadSession: true)).0, [String]())
        while !steps.isEmpty {
            guard case .publish(let message, let token) = steps.removeFirst() else { continue }
            told.append(message.topic)
            steps += give(.delivered(token: token)).0
        }
        #expect(told.filter { $0.hasSuffix("/track") || $0.hasSuffix("/event") } == ["sextant/1/one/track"])
    }

    @Test func `counts by the second add up to the totals`() {
        var tally = FleetTally()
        for second in [0.2, 0.9, 3.5] { tally.count(at: second) { $0.published += 2 } }
        tally.count(at: 3.6) { $0.stored += 1 }
        #expect(tally.seconds.map(\.published) == [4, 0, 0, 2])
        #expect(tally.published == 6)
        #expect(tally.stored == 1)
    }

    @Test func `tells the time to the row that a share of the fixes kept`() {
        var tally = FleetTally()
        #expect(tally.secondsToRow(0.5, whileConnected: true) == nil)
        for tenth in 1...100 { tally.add(fixStoredAfter: Double(tenth) / 10, wasConnected: true) }
        tally.add(fixStoredAfter: 600, wasConnected: false)
        #expect(tally.secondsToRow(0.5, whileConnected: true) == 5.1)
        #expect(tally.secondsToRow(0.99, whileConnected: true) == 10)
        #expect(tally.secondsToRow(0.99, whileConnected: false) == 600)
    }

    @Test func `a reconnection ends with the last device, and its densest second is known`() throws {
        var tally = FleetTally()
        tally.count(at: 0) { $0.connections = 50 }
        for (second, count) in [(4.0, 10), (5, 25), (6, 15)] { tally.count(at: second) { $0.connections = count } }
        let storm = try #require(tally.reconnection(of: 50, from: 4))
        #expect(storm.seconds == 3)
        #expect(storm.most == 25)
        #expect(storm.mean == 50.0 / 3)
        #expect(tally.reconnection(of: 51, from: 4) == nil)
    }

    @Test func `the picture has a bar for each second with something in it, and names the kill`() {
        var tally = FleetTally()
        tally.count(at: 1) { $0.connections = 3 }
        tally.count(at: 2) { $0.stored = 5 }
        let svg = FleetPicture(of: tally, kills: [2]).svg(title: "3 devices & a broker")
        #expect(svg.components("fill=\"#d95f0e\"") == 1)
        #expect(svg.components("fill=\"#1f5fa8\"") == 1)
        #expect(svg.components("broker killed") == 2)
        #expect(svg.components("3 devices &amp; a broker") == 1)
    }

    @Test func `a process is found by its number's file, and none by a file that names none`() {
        #expect(BrokerProcess(pidFile: "/nonexistent").processorSeconds == nil)
        #expect(BrokerProcess(pidFile: "/nonexistent").kill() == false)
    }
}

extension String {
    /// How often a text occurs in it.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
