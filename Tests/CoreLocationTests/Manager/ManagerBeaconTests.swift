import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: beacons")
struct ManagerBeaconTests {
    private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static var numbers: String { "\"uuid\":\"\(uuid.uuidString)\"" }
    let daemon = FakeDaemon()
    let recorder = Recorder()
    private let constraint = CLBeaconIdentityConstraint(uuid: uuid)

    private func heard(_ rssi: Int, session: Int? = nil, _ more: String = "") -> String {
        let measured = more.isEmpty ? #","proximity":"near","distance":1.50,"accuracy":1.95"# : more
        let session = session.map { "\"session\":\($0)," } ?? ""
        return """
            {"event":"beacons",\(session)\(Self.numbers),"time":"2026-05-01T10:00:00.250Z","beacons":[{\(Self.numbers),\
            "major":7,"minor":9,"name":"stable door","rssi":\(rssi)\(measured)}]}
            """
    }

    private func region(_ members: String) -> String {
        #"{"event":"regionEvent","identifier":"barn","time":"2026-05-01T10:00:00.500Z",\#(members)}"#
    }

    @Test func `BEAC-04: a ranging tells each second's beacons, and an empty array when none is heard`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        #expect(manager.rangedBeaconConstraints == [constraint])
        await client.settled()
        daemon.send(heard(-61))
        await client.settled()
        let beacon = try #require(recorder.beacons.first)
        #expect(beacon.uuid == Self.uuid && beacon.major == 7 && beacon.minor == 9)
        #expect(beacon.proximity == .near && beacon.accuracy == 1.95)
        #expect(beacon.timestamp.timeIntervalSince1970 == 1_777_629_600.25 && beacon.sextantName == "stable door")
        daemon.send(#"{"event":"beacons",\#(Self.numbers),"time":"2026-05-01T10:00:01.250Z","beacons":[]}"#)
        await client.settled()
        #expect(recorder.calls == ["range -61", "range "])
    }

    @Test func `BEAC-05: accuracy is negative exactly when proximity is unknown`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        await client.settled()
        for more in [#","proximity":"unknown""#, #","proximity":"near""#, #","proximity":"unknown","accuracy":3"#] {
            daemon.send(heard(0, more))
            await client.settled()
            #expect(recorder.beacons.first?.accuracy == -1 && recorder.beacons.first?.proximity == .unknown)
        }
    }

    @Test func `BEAC-06: beacons are told to the manager that ranges them alone, until it stops`() async throws {
        let client = daemon.client
        let first = await recorder.manager(client)
        let second = CLLocationManager(client: client)
        let other = Recorder()
        second.delegate = other
        first.startRangingBeacons(satisfying: constraint)
        second.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        await client.settled()
        daemon.send(heard(-61))
        await client.settled()
        #expect(recorder.calls == ["range -61"])
        #expect(!other.calls.contains("range -61"))
        first.stopRangingBeacons(satisfying: constraint)
        daemon.send(heard(-62))
        await client.settled()
        #expect(recorder.calls == ["range -61"] && first.rangedBeaconConstraints.isEmpty)
        #expect(daemon.requests("stopRangingBeacons").count == 1)
    }

    @Test func `BEAC-07: a ranging that fails tells the daemon's error code`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        await client.settled()
        for code in [16, 17, 1] {
            daemon.send(#"{"event":"rangingFailed",\#(Self.numbers),"errorCode":\#(code),"reason":"gone"}"#)
        }
        await client.settled()
        #expect(recorder.calls == ["unranged 16", "unranged 17", "unranged 1"])
        for (reason, words) in zip(recorder.reasons, ["doctor --beacons", "went away", "clients allow"]) {
            #expect(reason?.contains(words) == true)
        }
    }

    @Test func `a ranging asks for authorization as it starts, and fails where nobody can be asked`() async throws {
        daemon.greet(with: ["status": "notDetermined", "purposes": ["whenInUse": false]])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        await client.settled()
        #expect(daemon.requests("authorize").map { $0["implicit"] as? Bool } == [true])
        #expect(recorder.calls == ["unranged 1"])
        #expect(recorder.reasons.last??.contains("purpose.whenInUse") == true)
        withExtendedLifetime(manager) {}
    }

    @Test func `BEAC-38: batches that wait together are told as the newest of them`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        await client.settled()
        let lines = (0..<60).map { heard(-40 - $0) }
        daemon.send(lines.joined(separator: "\n"))
        await client.settled()
        // What comes in one piece is read in reads of 8 KiB; each but the last is full, so nothing is told between.
        #expect(recorder.calls == ["range -99"])
    }

    @Test func `ranging goes on by itself after the daemon was restarted`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startRangingBeacons(satisfying: constraint)
        await client.settled()
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        #expect(daemon.requests("rangeBeacons").map { $0["uuid"] as? String } == [Self.uuid.uuidString])
        daemon.send(heard(-50))
        await client.settled()
        #expect(recorder.calls == ["range -50"])
    }

    @Test func `a beacon region is asked for by its numbers, and confirmed with an equal object`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        let barn = CLBeaconRegion(uuid: Self.uuid, major: 7, identifier: "barn")
        barn.notifyEntryStateOnDisplay = true
        barn.notifyOnExit = false
        barn.sextantWithin = 2.5
        manager.startMonitoring(for: barn)
        await client.settled()
        let asked = try #require(daemon.requests("monitorRegion").first)
        #expect(asked["uuid"] as? String == Self.uuid.uuidString && asked["major"] as? Int == 7)
        #expect(asked["minor"] == nil && asked["radius"] == nil && asked["within"] as? Double == 2.5)
        #expect(asked["notifyEntryStateOnDisplay"] as? Bool == true && asked["notifyOnExit"] as? Bool == false)
        daemon.send(#"{"event":"monitoring","identifier":"barn"}"#)
        await client.settled()
        let kept = try #require(manager.monitoredRegions.first as? CLBeaconRegion)
        #expect(kept == barn && kept.major == 7 && kept.notifyEntryStateOnDisplay && !kept.notifyOnExit)
        #expect(kept.sextantWithin == 2.5)
        #expect(recorder.calls == ["monitoring barn"])
    }

    @Test func `BEAC-26: a state that was determined tells the state alone, and a crossing both`() async throws {
        daemon.keep([#"{"event":"registration","kind":"region","identifier":"barn",\#(Self.numbers),"within":5.00}"#])
        let client = daemon.client
        let manager = await recorder.manager(client)
        let kept = try #require(manager.monitoredRegions.first as? CLBeaconRegion)
        #expect(kept.uuid == Self.uuid && kept.sextantWithin == 5)
        daemon.send(
            region(#""number":3,"transition":"determined","state":"inside",\#(Self.numbers),"major":7,"minor":9"#),
            region(#""number":4,"transition":"exit","state":"outside""#))
        await client.settled()
        await client.settled()
        #expect(recorder.calls.count == 3)
        #expect(recorder.calls.last == "exit barn")
        #expect(daemon.requests("acknowledge").map { $0["number"] as? Int } == [3, 4])
    }

    @Test func `MON-14, BEAC-27: a satisfied condition has the beacon heard first as its refinement, others none`()
        async throws
    {
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: Self.uuid), identifier: "barn")
        await client.pinged()
        #expect(daemon.requests("monitorRegion").first?["uuid"] as? String == Self.uuid.uuidString)
        let numbers = #"\#(Self.numbers),"major":7,"minor":9"#
        daemon.send(
            region(#""number":3,"monitor":"house","transition":"enter","state":"inside",\#(numbers)"#),
            region(#""number":4,"monitor":"house","transition":"exit","state":"outside""#))
        var events = await monitor.events.makeAsyncIterator()
        let entered = try #require(try await events.next())
        let beacon = CLMonitor.BeaconIdentityCondition(uuid: Self.uuid, major: 7, minor: 9)
        #expect(entered.state == .satisfied && entered.refinement as? CLMonitor.BeaconIdentityCondition == beacon)
        let left = try #require(try await events.next())
        #expect(left.state == .unsatisfied && left.refinement == nil)
    }
}
