import Foundation

@testable import CoreLocation

/// Writes down what a delegate is called with, in a few words each.
final class Recorder: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    // Unchecked: a test uses it on one thread at a time.
    var calls: [String] = []
    /// The failures that were told so far.
    var errors: [any Error] = []
    /// Why the errors so far say that they came.
    var reasons: [String?] { errors.map { ($0 as NSError).localizedFailureReason } }
    /// A manager that lives as long as this.
    var keeps: CLLocationManager?
    var during: (CLLocationManager, String) -> Void = { _, _ in }

    /// A manager with this delegate, whose first callback is over and not among the calls.
    @MainActor func manager(_ client: LocationClient) async -> CLLocationManager {
        let manager = CLLocationManager(client: client)
        manager.delegate = self
        await client.settled()
        calls = []
        return manager
    }

    private func note(_ call: String, _ manager: CLLocationManager) {
        calls.append(call)
        during(manager, call)
    }

    private func code(_ error: (any Error)?) -> String {
        error.map { "\(($0 as? CLError)?.errorCode ?? -1)" } ?? "nil"
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        note("authorization \(manager.authorizationStatus)", manager)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        note("locations \(locations.map { "\(Int($0.coordinate.latitude))" }.joined(separator: " "))", manager)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        errors.append(error)
        note("failed \(code(error))", manager)
    }

    /// Whether a calibration is to be displayed.
    var displaysCalibration = false

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        note("heading \(Int(newHeading.magneticHeading)) \(Int(newHeading.trueHeading))", manager)
    }

    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
        note("calibration?", manager)
        return displaysCalibration
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { note("paused", manager) }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { note("resumed", manager) }

    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
        if let error { errors.append(error) }
        note("deferred \(code(error))", manager)
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        note("monitoring \(region.identifier)", manager)
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        errors.append(error)
        note("unmonitored \(region?.identifier ?? "") \(code(error))", manager)
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        note("enter \(region.identifier)", manager)
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        note("exit \(region.identifier)", manager)
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        note("\(state) \(region.identifier)", manager)
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        note("visit \(visit.departureDate == .distantFuture ? "arrival" : "departure")", manager)
    }

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        errors.append(error)
        note("unranged \(code(error))", manager)
    }

    /// The beacons that were told last.
    var beacons: [CLBeacon] = []

    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        self.beacons = beacons
        note("range \(beacons.map { "\($0.rssi)" }.joined(separator: " "))", manager)
    }
}

/// A line of the daemon's with a location, at a latitude that tells it from others.
func location(_ latitude: Int, second: Int = 0, _ more: String = "") -> String {
    let time = "2026-05-01T10:00:\(second < 10 ? "0" : "")\(second).250Z"
    return """
        {"event":"location","time":"\(time)","latitude":\(latitude),"longitude":10,"horizontalAccuracy":5\(more)}
        """
}
