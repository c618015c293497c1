import Foundation
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: a daemon that hangs")
struct ManagerHungDaemonTests {
    /// A call that waited for the daemon would never return.
    @Test func `RUN-03: every call returns without an answer of the daemon`() throws {
        let daemon = FakeDaemon(isHung: true)
        let client = daemon.client
        var manager: CLLocationManager?
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "a")
        manager = CLLocationManager(client: client)
        for _ in 0..<200 {
            _ = CLLocationManager(client: client)
            manager?.startUpdatingLocation()
            manager?.distanceFilter += 1
            manager?.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
            manager?.stopUpdatingLocation()
            manager?.requestLocation()
            manager?.requestAlwaysAuthorization()
            manager?.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "a")
            manager?.startMonitoring(for: region)
            manager?.requestState(for: region)
            manager?.stopMonitoring(for: region)
            manager?.startMonitoringVisits()
            manager?.startMonitoringSignificantLocationChanges()
            _ = manager?.monitoredRegions
            _ = manager?.location
            _ = manager?.authorizationStatus
            _ = CLServiceSession(client: client, .always, purposeKey: nil)
        }
        manager = nil
        #expect(!client.read { $0.isReady })
    }

    private static let hello = """
        {"event":"hello","protocol":1,"client":"test","status":"authorizedAlways","accuracyAuthorization":"full",\
        "servicesEnabled":true}
        """

    @Test func `a manager created before the daemon's greeting is told its authorization once`() async throws {
        let daemon = FakeDaemon(isHung: true)
        let client = LocationClient(path: daemon.path, patience: .seconds(3600))
        let manager = CLLocationManager(client: client)
        let recorder = Recorder()
        manager.delegate = recorder
        manager.startUpdatingLocation()
        try await eventually("the daemon's greeting") {
            daemon.send(Self.hello)
            return client.read { $0.isReady }
        }
        try await eventually("a callback") { !recorder.calls.isEmpty }
        // The patience ends now: whoever was told already is not told again.
        client.update { state in ((), state.announce()) }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(recorder.calls == ["authorization authorizedAlways"])
    }

    @Test func `the first callback comes even when the daemon never sends its greeting`() async throws {
        let daemon = FakeDaemon(isHung: true)
        let manager = CLLocationManager(client: daemon.client)
        let recorder = Recorder()
        manager.delegate = recorder
        try await eventually("a callback") { !recorder.calls.isEmpty }
        #expect(recorder.calls == ["authorization notDetermined"])
        withExtendedLifetime(manager) {}
    }

    @Test func `the requests queued for a hung daemon are bounded`() throws {
        let daemon = FakeDaemon(isHung: true)
        let client = daemon.client
        let manager = CLLocationManager(client: client)
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
