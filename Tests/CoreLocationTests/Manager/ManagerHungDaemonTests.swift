import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: a daemon that hangs")
struct ManagerHungDaemonTests {
    @Test func `RUN-03: every call returns within 50 ms`() throws {
        let daemon = FakeDaemon(isHung: true)
        let client = daemon.client
        let clock = ContinuousClock()
        var manager: CLLocationManager?
        var times: [Duration] = []
        func time(_ body: () throws -> Void) rethrows {
            times.append(try clock.measure(body))
        }
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "a")
        try time { manager = try CLLocationManager(client: client) }
        for _ in 0..<200 {
            try time { _ = try CLLocationManager(client: client) }
            time { manager?.startUpdatingLocation() }
            time { manager?.distanceFilter += 1 }
            time { manager?.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1) }
            time { manager?.stopUpdatingLocation() }
            time { manager?.requestLocation() }
            time { manager?.requestAlwaysAuthorization() }
            time { manager?.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "a") }
            time { manager?.startMonitoring(for: region) }
            time { manager?.requestState(for: region) }
            time { manager?.stopMonitoring(for: region) }
            time { manager?.startMonitoringVisits() }
            time { manager?.startMonitoringSignificantLocationChanges() }
            time { _ = manager?.monitoredRegions }
            time { _ = manager?.location }
            time { _ = manager?.authorizationStatus }
            time { _ = CLServiceSession(client: client, .always, purposeKey: nil) }
        }
        time { manager = nil }
        // One call in a hundred may be held up by what else the machine does; a call that waits would wait every time.
        #expect(times.sorted()[times.count * 99 / 100] < .milliseconds(50))
    }

    private static let hello = """
        {"event":"hello","protocol":1,"client":"test","status":"authorizedAlways","accuracyAuthorization":"full",\
        "servicesEnabled":true}
        """

    @Test func `a manager created before the daemon's greeting is told its authorization once`() async throws {
        let daemon = FakeDaemon(isHung: true)
        let client = LocationClient(path: daemon.path, patience: .seconds(3600))
        let manager = try CLLocationManager(client: client)
        let recorder = Recorder()
        manager.delegate = recorder
        manager.startUpdatingLocation()
        while !client.read({ $0.isReady }) {
            daemon.send(Self.hello)
            try await Task.sleep(for: .milliseconds(5))
        }
        while recorder.calls.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        // The patience ends now: whoever was told already is not told again.
        client.update { state in ((), state.announce()) }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(recorder.calls == ["authorization authorizedAlways"])
    }

    @Test func `the first callback comes even when the daemon never sends its greeting`() async throws {
        let daemon = FakeDaemon(isHung: true)
        let manager = try CLLocationManager(client: daemon.client)
        let recorder = Recorder()
        manager.delegate = recorder
        while recorder.calls.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        #expect(recorder.calls == ["authorization notDetermined"])
        withExtendedLifetime(manager) {}
    }

    @Test func `the requests queued for a hung daemon are bounded`() throws {
        let daemon = FakeDaemon(isHung: true)
        let client = daemon.client
        let manager = try CLLocationManager(client: client)
        let recorder = Recorder()
        manager.delegate = recorder
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        for number in 0..<4_000 {
            manager.startMonitoring(
                for: CLCircularRegion(center: center, radius: 100, identifier: "region \(number)"))
        }
        #expect(client.read { $0.journal.bytes.count } <= 262_144)
        #expect(client.read { $0.registry.regions.count } < 4_000)
    }
}
