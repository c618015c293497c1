import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: authorization")
struct ManagerAuthorizationTests {
    let daemon = FakeDaemon()
    let recorder = Recorder()

    private func authorization(_ status: String) -> String {
        #"{"event":"authorization","status":"\#(status)","accuracyAuthorization":"full","servicesEnabled":true}"#
    }

    private func manager(_ client: LocationClient) throws -> CLLocationManager {
        let manager = CLLocationManager(client: client)
        manager.delegate = recorder
        return manager
    }

    @Test func `a manager's first callback states its authorization`() async throws {
        let client = daemon.client
        await client.pinged()
        let manager = try manager(client)
        #expect(recorder.calls.isEmpty)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(location(1))
        await client.settled()
        #expect(recorder.calls == ["authorization authorizedWhenInUse", "locations 1"])
    }

    @Test func `each manager is told of an authorization change once, and can read it in the callback`() async throws {
        let client = daemon.client
        let first = try manager(client)
        let second = try manager(client)
        let other = Recorder()
        second.delegate = other
        await client.settled()
        recorder.calls = []
        other.calls = []
        daemon.send(authorization("denied"), authorization("authorizedAlways"), authorization("authorizedAlways"))
        await client.settled()
        #expect(recorder.calls == ["authorization denied", "authorization authorizedAlways"])
        #expect(other.calls == recorder.calls)
        #expect(first.authorizationStatus == .authorizedAlways)
        #expect(second.authorizationStatus == .authorizedAlways)
    }

    @available(*, deprecated, message: "The purpose is deprecated, and so is its test.")
    @Test func `the program's purpose goes with its request, as one line of at most 512 bytes`() async throws {
        daemon.greet(with: ["status": "notDetermined"])
        let client = daemon.client
        let manager = try manager(client)
        manager.purpose = "Finds\n" + String(repeating: "ü", count: 300)
        manager.requestWhenInUseAuthorization()
        await client.settled()
        #expect(
            daemon.requests("authorize").first?["purpose"] as? String
                == "Finds " + String(repeating: "ü", count: 253))
    }

    @available(*, deprecated, message: "The purpose is deprecated, and so is its test.")
    @Test func `a start before any decision asks once, with the program's purpose, and not where all is decided`()
        async throws
    {
        let client = daemon.client
        await client.settled()
        let decided = try manager(client)
        decided.startUpdatingLocation()
        await client.settled()
        #expect(daemon.requests("authorize").isEmpty)
        daemon.send(authorization("notDetermined"))
        await client.settled()
        let undecided = try manager(client)
        undecided.purpose = "Finds\u{1B}[2J you" + String(repeating: "!", count: 10_000)
        undecided.startUpdatingLocation()
        undecided.stopUpdatingLocation()
        undecided.startUpdatingLocation()
        await client.settled()
        let asked = daemon.requests("authorize")
        #expect(asked.count == 1)
        #expect(asked.first?["implicit"] as? Bool == true && asked.first?["authorization"] as? String == "whenInUse")
        let purpose = asked.first?["purpose"] as? String ?? ""
        #expect(purpose.hasPrefix("Finds [2J you!") && purpose.utf8.count == 512)
    }

    @Test func `each service that no manifest allows fails by its own request, with the reason`() async throws {
        daemon.greet(with: ["status": "notDetermined", "capabilities": ["heading", "visits"]])
        let client = daemon.client
        let manager = try manager(client)
        manager.startMonitoringVisits()
        manager.startMonitoringSignificantLocationChanges()
        manager.startUpdatingHeading()
        await client.settled()
        for (request, service, code) in [
            ("monitor", "visits", "noManifest"), ("monitor", "significantChange", "unmetRequirement"),
            ("watchHeading", nil, "noManifest"),
        ] {
            recorder.calls = []
            let asked = daemon.requests(request).first { $0["service"] as? String == service }
            let id = try #require(asked?["id"] as? String, "\(request)")
            daemon.send(#"{"event":"error","code":"\#(code)","message":"m","id":"\#(id)"}"#)
            await client.settled()
            #expect(recorder.calls == ["failed 1"], "\(request)")
            let expected = code == "noManifest" ? "No manifest names this program" : "requires what this board"
            #expect(recorder.reasons.last??.contains(expected) == true)
        }
        withExtendedLifetime(manager) {}
    }

    @Test func `visits and changes that are started while the program is denied fail, and say why`() async throws {
        daemon.greet(with: ["status": "denied"])
        let client = daemon.client
        await client.settled()
        let manager = try manager(client)
        await client.settled()
        recorder.calls = []
        manager.startMonitoringVisits()
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        #expect(recorder.calls == ["failed 1", "failed 1"])
        #expect(recorder.reasons.allSatisfy { $0?.contains("sextant clients allow") == true })
        withExtendedLifetime(manager) {}
    }

    @Test func `a pending authorization request belongs to its manager, and is withdrawn with it`() async throws {
        daemon.greet(with: ["status": "notDetermined"])
        let client = daemon.client
        var manager: CLLocationManager? = try manager(client)
        manager?.requestWhenInUseAuthorization()
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["authorize"])
        #expect(daemon.requests()[0]["authorization"] as? String == "whenInUse")
        manager = nil
        await client.settled()
        #expect(daemon.requests().map { $0["request"] as? String } == ["authorize", "release"])
    }

    @Test func `AUTH-15 a request that the daemon ignored is sent again when the program makes it again`() async throws
    {
        daemon.greet(with: ["status": "notDetermined"])
        let client = daemon.client
        let manager = try manager(client)
        // What is asked before there is a connection is asked once, on that connection.
        await client.pinged()
        manager.requestWhenInUseAuthorization()
        manager.requestWhenInUseAuthorization()
        await client.settled()
        #expect(daemon.requests("authorize").count == 2)
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.pinged()
        #expect(daemon.requests("authorize").count == 1, "a new connection hears of each request once")
        withExtendedLifetime(manager) {}
    }

    @Test func `location is nil once authorization is denied`() async throws {
        daemon.greet(with: ["location": ["time": "2026-05-01T10:00:00.000Z", "latitude": 4.0, "longitude": 5.0]])
        let client = daemon.client
        let manager = try manager(client)
        await client.settled()
        #expect(manager.location?.coordinate.latitude == 4)
        daemon.send(authorization("denied"))
        await client.settled()
        #expect(manager.location == nil)
    }

    @Test func `the answer about full accuracy calls the completion once`() async throws {
        let client = daemon.client
        let manager = try manager(client)
        var codes: [Int?] = []
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigate") { error in
            codes.append((error as? CLError)?.errorCode)
        }
        await client.settled()
        let asked = try #require(daemon.requests("authorizeFullAccuracy").first)
        let id = try #require(asked["id"] as? String)
        let answer = #"{"event":"fullAccuracy","id":"\#(id)","errorCode":18}"#
        daemon.send(answer, answer)
        await client.settled()
        #expect(codes == [18])
    }

    @Test func `full accuracy can be requested without a completion, through a user-defined protocol`() async throws {
        let client = daemon.client
        let asker: any AccuracyAsking = try manager(client)
        // A closure that does not await takes the method that does not wait.
        let ask: () -> Void = { asker.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigate") }
        ask()
        await client.settled()
        #expect(daemon.requests("authorizeFullAccuracy").count == 1)
    }
}

/// The three ways to ask, as Apple's manager has them; programs put their own manager in its place in tests.
private protocol AccuracyAsking {
    func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
    func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?)
    func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws
}

extension CLLocationManager: AccuracyAsking {}
