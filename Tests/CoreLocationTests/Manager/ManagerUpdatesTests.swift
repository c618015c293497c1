import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: updates")
struct ManagerUpdatesTests {
    let daemon = FakeDaemon()
    let recorder = Recorder()

    @Test func `the watch request follows the manager's properties`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        manager.distanceFilter = 50
        manager.activityType = .fitness
        manager.startUpdatingLocation()
        manager.distanceFilter = kCLDistanceFilterNone
        await client.settled()
        let requests = daemon.requests()
        #expect(requests.map { $0["request"] as? String } == ["watch", "change"])
        #expect(requests[0]["accuracy"] as? Double == 100)
        #expect(requests[0]["distanceFilter"] as? Double == 50)
        #expect(requests[0]["activityType"] as? String == "fitness")
        #expect(requests[1]["distanceFilter"] == nil)
    }

    @Test func `inside the callback, location is the last of the array`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        var seen: [CLLocationDegrees?] = []
        recorder.during = { manager, _ in seen.append(manager.location?.coordinate.latitude) }
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1, second: 1), location(2, second: 2))
        await client.settled()
        #expect(seen == [1, 2])
        #expect(manager.location?.timestamp.timeIntervalSince1970 == 1_777_629_602.25)
    }

    private final class Older: NSObject, CLLocationManagerDelegate {
        var heard: [CLLocationDegrees?] = []

        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation?
        ) {
            heard += [oldLocation?.coordinate.latitude, newLocation.coordinate.latitude]
        }
    }

    @Test func `STD-12: the older method has the location delivered before, also in another array`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        let older = Older()
        manager.delegate = older
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1, second: 1))
        await client.settled()
        daemon.send(location(2, second: 2), location(3, second: 3))
        await client.settled()
        #expect(older.heard == [nil, 1, 1, 2, 2, 3])
    }

    @Test func `DEF-04: without a receiver a deferral fails with error 11, and the daemon is not asked`() async throws {
        daemon.greet(with: ["capabilities": ["standard"]])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        #expect(!client.has("deferral", unlessKnown: true))
        manager.allowDeferredLocationUpdates(untilTraveled: 1000, timeout: 60)
        await client.settled()
        #expect(recorder.calls == ["deferred 11"] && daemon.requests("defer").isEmpty)
    }

    @Test func `starting twice sends one request`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        manager.startUpdatingLocation()
        await client.settled()
        #expect(daemon.requests().count == 1)
    }

    @Test func `nothing is reported after stop, not even locations already received`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        recorder.during = { manager, call in if call == "locations 1" { manager.stopUpdatingLocation() } }
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1, second: 1), location(2, second: 2), location(3, second: 3))
        await client.settled()
        #expect(recorder.calls == ["locations 1"])
    }

    @Test func `a late report of an earlier watch is not delivered to a later one`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1))
        manager.stopUpdatingLocation()
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(2, second: 2))
        await client.settled()
        #expect(recorder.calls == ["locations 2"])
    }

    @Test func `lines marked as belonging together are delivered as one array`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(
            location(1, second: 1, #","more":true"#), location(2, second: 2, #","more":true"#), location(3, second: 3),
            location(4, second: 4))
        await client.settled()
        #expect(recorder.calls == ["locations 1 2 3", "locations 4"])
    }

    @Test func `a location without a trusted time is never reported`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(#"{"event":"location","latitude":1,"longitude":2}"#)
        await client.settled()
        #expect(recorder.calls.isEmpty)
    }

    @Test func `one request gives one location or one error`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.requestLocation()
        manager.requestLocation()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["locateOnce"])
        let first = try daemon.locateName()
        daemon.send(location(1, second: 1, first), location(2, second: 2, first))
        await client.settled()
        manager.requestLocation()
        await client.settled()
        let failure = #"{"event":"failed","errorCode":0\#(try daemon.locateName())}"#
        daemon.send(failure, failure)
        await client.settled()
        #expect(recorder.calls == ["locations 1", "failed 0"])
    }

    @Test func `a line of stopped updates neither answers a request nor fails updates that began later`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        manager.stopUpdatingLocation()
        manager.requestLocation()
        await client.settled()
        let old = #"{"event":"failed","errorCode":0}"#
        daemon.send(location(1, second: 1), old, #"{"event":"location","latitude":1,"longitude":2}"#)
        await client.settled()
        #expect(recorder.calls.isEmpty)
        daemon.send(location(2, second: 2, try daemon.locateName()))
        await client.settled()
        #expect(recorder.calls == ["locations 2"])
        // This daemon leaves the next request for updates unconfirmed, since its lines still come from the old ones.
        daemon.confirmsWatches(false)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(old)
        await client.settled()
        #expect(recorder.calls == ["locations 2"])
    }

    @Test func `an error states why there is no location, if the daemon says why`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        for reason in ["noSky", "receiverUnreachable", "unheardOf"] {
            daemon.send(#"{"event":"failed","errorCode":0,"reason":"\#(reason)"}"#)
        }
        daemon.send(#"{"event":"failed","errorCode":0}"#)
        await client.settled()
        #expect(recorder.calls == Array(repeating: "failed 0", count: 4))
        #expect(recorder.reasons[0]?.contains("sky") == true)
        #expect(recorder.reasons[1] == "The receiver cannot be reached.")
        #expect(recorder.reasons[2...].allSatisfy { $0?.contains("sextant status") == true })
    }

    @Test func `a request that the daemon refuses ends with one error`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.requestLocation()
        await client.settled()
        let id = try #require(daemon.requests("locateOnce").first?["id"] as? String)
        let refusal = #"{"event":"error","id":"\#(id)","code":"noManifest","message":"No manifest fits."}"#
        daemon.send(refusal, refusal)
        await client.settled()
        #expect(recorder.calls == ["failed 1"])
    }

    @Test func `a stopped request reports nothing`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.requestLocation()
        await client.settled()
        daemon.send(location(1, try daemon.locateName()))
        manager.stopUpdatingLocation()
        await client.settled()
        #expect(recorder.calls.isEmpty)
    }

    @Test func `two managers have separate sessions`() async throws {
        let client = daemon.client
        let first = await recorder.manager(client)
        let second = CLLocationManager(client: client)
        let other = Recorder()
        second.delegate = other
        first.startUpdatingLocation()
        second.startUpdatingLocation()
        await client.settled()
        other.calls = []
        daemon.send(location(1), location(2, #","session":1"#))
        await client.settled()
        #expect(recorder.calls == ["locations 1"])
        #expect(other.calls == ["locations 2"])
        #expect(daemon.requests().map { $0["session"] as? Int } == [nil, 1])
    }

    @Test func `a pause and its end are each reported once, and start ends a pause`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(#"{"event":"paused","reason":"still"}"#)
        await client.settled()
        manager.startUpdatingLocation()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["watch", "watch"])
        daemon.send(#"{"event":"resumed","reason":"asked"}"#, location(1))
        await client.settled()
        #expect(recorder.calls == ["paused", "resumed", "locations 1"])
    }

    @Test func `a deferral cancels a pending request for one location`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.requestLocation()
        manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: 60)
        await client.settled()
        daemon.send(location(1, try daemon.locateName()))
        await client.settled()
        #expect(recorder.calls == ["deferred 12"])
        #expect(daemon.requests().map { $0["request"] as? String } == ["locateOnce", "unwatch"])
    }

    @Test func `every deferral ends once`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: 60)
        manager.startUpdatingLocation()
        manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: CLTimeIntervalMax)
        manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 60)
        await client.settled()
        let asked = daemon.requests("defer")
        #expect(asked.map { $0["hold"] as? String } == ["inBackground", "inBackground"])
        #expect(asked.map { $0["distance"] as? Double } == [100, nil])
        let first = try #require(asked[0]["id"] as? String)
        let second = try #require(asked[1]["id"] as? String)
        daemon.send(
            #"{"event":"deferredFinished","id":"\#(first)","errorCode":15}"#,
            #"{"event":"deferredFinished","id":"\#(second)","reason":"timeout"}"#)
        await client.settled()
        #expect(recorder.calls == ["deferred 12", "deferred 15", "deferred nil"])
        #expect(recorder.reasons.map { $0?.isEmpty } == [false, false])
    }

    @Test(arguments: [(["purposes": ["whenInUse": true]], SettingError.noBackgroundMode), ([:], .noManifest)])
    func `background updates require the manifest's background mode`(
        greeting: [String: [String: Bool]], error: SettingError
    ) async throws {
        daemon.greet(with: greeting)
        let client = daemon.client
        let manager = await recorder.manager(client)
        #expect(throws: error) { try manager.allowBackgroundLocationUpdates(true) }
        #expect(!manager.allowsBackgroundLocationUpdates)
    }
}
