import CoreLocation

/// A location manager's delegate that prints every callback.
class ProbeDelegate: NSObject {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }

    /// Prints a callback, with the manager's state during the callback.
    func told(_ callback: String, by manager: CLLocationManager, _ members: [String: Any?] = [:]) {
        let common: [String: Any?] = [
            "manager": number, "callback": callback, "thread": Thread.isMainThread ? "main" : "own",
            "status": Output.name(manager.authorizationStatus),
            "accuracyAuthorization": Output.name(manager.accuracyAuthorization),
            "location": manager.location.map { Output.members($0) as Any },
        ]
        Output.print(common.merging(members) { _, new in new })
    }

    func failure(_ error: (any Error)?) -> [String: Any?] { Output.failure(error) }
}

/// A location manager's delegate with the current callback methods.
final class ModernDelegate: ProbeDelegate, CLLocationManagerDelegate {
    var displaysCalibration = false

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        told("didChangeAuthorization", by: manager)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        told("didUpdateLocations", by: manager, ["locations": locations.map { Output.members($0) }])
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        told("didFailWithError", by: manager, failure(error))
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        told("didPauseLocationUpdates", by: manager)
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        told("didResumeLocationUpdates", by: manager)
    }

    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
        told("didFinishDeferredUpdates", by: manager, failure(error))
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        told("didStartMonitoring", by: manager, ["region": Output.members(region)])
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        told(
            "monitoringDidFail", by: manager,
            failure(error).merging(["region": region.map { Output.members($0) as Any }]) { $1 })
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        told("didEnterRegion", by: manager, ["region": Output.members(region)])
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        told("didExitRegion", by: manager, ["region": Output.members(region)])
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        told("didDetermineState", by: manager, ["region": Output.members(region), "state": state.rawValue])
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        told(
            "didVisit", by: manager,
            [
                "arrivalDate": Output.text(visit.arrivalDate), "departureDate": Output.text(visit.departureDate),
                "latitude": visit.coordinate.latitude, "longitude": visit.coordinate.longitude,
                "horizontalAccuracy": visit.horizontalAccuracy,
            ])
    }

    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        let heard = beacons.map { Output.members($0) }
        told("didRange", by: manager, ["uuid": beaconConstraint.uuid.uuidString, "beacons": heard])
    }

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        let members = failure(error).merging(["uuid": beaconConstraint.uuid.uuidString]) { $1 }
        told("didFailRanging", by: manager, members)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        told("didUpdateHeading", by: manager, Output.members(newHeading))
    }

    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
        told("shouldDisplayHeadingCalibration", by: manager)
        return displaysCalibration
    }
}

/// A location manager's delegate with only the oldest callback methods.
final class LegacyDelegate: ProbeDelegate, CLLocationManagerDelegate {
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        told("didChangeAuthorizationStatus", by: manager, ["argument": Output.name(status)])
    }

    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
    ) {
        told(
            "didUpdateTo", by: manager, ["to": Output.members(newLocation), "from": Output.members(oldLocation)])
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        told("didFailWithError", by: manager, failure(error))
    }
}

/// A location manager's delegate with the current callback methods and the oldest ones that they replace.
final class BilingualDelegate: ProbeDelegate, CLLocationManagerDelegate {
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        told("didChangeAuthorization", by: manager)
    }

    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        told("didChangeAuthorizationStatus", by: manager, ["argument": Output.name(status)])
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        told("didUpdateLocations", by: manager, ["locations": locations.map { Output.members($0) }])
    }

    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
    ) {
        told("didUpdateTo", by: manager, ["to": Output.members(newLocation)])
    }
}
