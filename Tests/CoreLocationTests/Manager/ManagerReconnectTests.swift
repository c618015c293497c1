import DaemonClient
import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: a daemon that comes and goes")
struct ManagerReconnectTests {
    let daemon = FakeDaemon()
    let recorder = Recorder()

    @Test func `RUN-04: running services resume by themselves, without a repeated first report or callback`()
        async throws
    {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.distanceFilter = 7
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1, second: 1))
        await client.settled()
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["watch"])
        #expect(daemon.requests()[0]["distanceFilter"] as? Double == 7)
        daemon.send(location(1, second: 1), location(2, second: 2))
        await client.settled()
        #expect(recorder.calls == ["locations 1", "locations 2"])
    }

    @Test func `a deferral's distance counts from where it began, and its time goes on, when reconnected`() async throws
    {
        daemon.greet(with: ["location": ["time": "2026-05-01T10:00:00.000Z", "latitude": 47, "longitude": 8]])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        manager.allowDeferredLocationUpdates(untilTraveled: 5_000, timeout: 600)
        await client.settled()
        client.update { state in
            for number in state.sessions.keys { state.sessions[number]?.deferral?.beginning -= .seconds(200) }
            return ((), [])
        }
        // 0.01 degrees of latitude, 1.1 km, farther north.
        daemon.greet(with: ["location": ["time": "2026-05-01T10:03:20.000Z", "latitude": 47.01, "longitude": 8]])
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        let asked = try #require(daemon.requests("defer").first)
        // A way back of 1.1 km must not count: the distance is the one from the place of the call.
        #expect(asked["distance"] as? Double == 5_000)
        #expect(asked["latitude"] as? Double == 47 && asked["longitude"] as? Double == 8)
        let timeout = asked["timeout"] as? Double ?? .nan
        #expect(timeout <= 400 && timeout > 300, "\(timeout) s")
        #expect(recorder.calls.isEmpty)
    }

    @Test func `a deferral that began before any location counts from the first one, when reconnected`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        manager.allowDeferredLocationUpdates(untilTraveled: 5_000, timeout: CLTimeIntervalMax)
        await client.settled()
        daemon.send(location(1, second: 1), location(2, second: 2))
        await client.settled()
        #expect(daemon.requests("defer").first?["latitude"] == nil)
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        let asked = try #require(daemon.requests("defer").first)
        #expect(asked["latitude"] as? Double == 1 && asked["distance"] as? Double == 5_000 && asked["timeout"] == nil)
    }

    @Test func `a deferral outlives a greeting on the same connection, which ends it under its old name`() async throws
    {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        manager.allowDeferredLocationUpdates(untilTraveled: 5_000, timeout: 600)
        await client.settled()
        let first = try #require(daemon.requests("defer").first?["id"] as? String)
        daemon.greetAgain()
        await client.settled()
        daemon.send(#"{"event":"deferredFinished","id":"\#(first)","reason":"canceled","errorCode":15}"#)
        await client.settled()
        #expect(recorder.calls.isEmpty)
        let second = try #require(daemon.requests("defer").last?["id"] as? String)
        daemon.send(#"{"event":"deferredFinished","id":"\#(second)","reason":"reached"}"#)
        await client.settled()
        #expect(recorder.calls == ["deferred nil"])
    }

    @Test func `DEF-07: a deferral ended just before the connection is lost finishes once, and does not begin again`()
        async throws
    {
        let client = daemon.client
        let managers = [await recorder.manager(client), await recorder.manager(client)]
        for manager in managers {
            manager.startUpdatingLocation()
            manager.allowDeferredLocationUpdates(untilTraveled: 5_000, timeout: CLTimeIntervalMax)
        }
        managers[0].disallowDeferredLocationUpdates()
        managers[1].stopUpdatingLocation()
        managers[1].startUpdatingLocation()
        await client.settled()
        #expect(recorder.calls.isEmpty, "the daemon has not answered")
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["deferred nil", "deferred nil"])
        #expect(daemon.requests().map { $0["request"] as? String } == ["watch", "watch"])
    }

    @Test func `what waits to be sent at another greeting on the same connection is sent`() throws {
        var state = ClientState()
        let hello = try #require(DaemonLine(Array(#"{"event":"hello","protocol":1}"#.utf8)))
        _ = state.greet(hello)
        state.acknowledge(7)
        _ = state.greet(hello)
        let sent = String(decoding: state.outbox.take() ?? [], as: UTF8.self)
        #expect(sent.contains(#"{"request":"acknowledge","number":7}"#))
    }

    @Test func `RUN-04: a status that changed meanwhile is reported once`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.greet(with: ["status": "denied"])
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["authorization denied"])
        #expect(manager.authorizationStatus == .denied)
    }

    @Test func `a program started for an event counts as in the background until it says otherwise`() async throws {
        daemon.greet(with: ["launchReason": "location"])
        let client = daemon.client
        await client.settled()
        #expect(client.read { !$0.isForeground })
        #expect(daemon.requests("state").map { $0["state"] as? String } == ["background"])
        client.setForeground(true)
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(client.read { $0.isForeground })
        #expect(daemon.requests("state").last?["state"] as? String == "foreground")
    }

    @Test func `a session begun in the foreground is restored before the background state is sent`() async throws {
        daemon.greet(with: ["backgroundMode": true])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.allowsBackgroundLocationUpdates = true
        manager.startUpdatingLocation()
        client.setForeground(false)
        await client.settled()
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["watch", "state"])
    }

    @Test func `regions are kept by the daemon and not registered again`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        manager.startMonitoring(for: CLCircularRegion(center: center, radius: 100, identifier: "home"))
        await client.settled()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["monitorRegion"])
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(daemon.requests().isEmpty)
    }

    @Test func `significant changes stopped and started again without a daemon are on once it is there`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.hangUp()
        manager.stopMonitoringSignificantLocationChanges()
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        await client.settled()
        #expect(daemon.requests("monitor").map { $0["enabled"] as? Bool } == [false, true])
    }

    @Test func `requests made without a daemon are sent once it is there`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.hangUp()
        manager.stopMonitoringVisits()
        client.setForeground(false)
        manager.requestLocation()
        await client.settled()
        await client.settled()
        let requests = Set(daemon.requests().compactMap { $0["request"] as? String })
        #expect(requests == ["monitor", "state", "locateOnce"])
    }
}
