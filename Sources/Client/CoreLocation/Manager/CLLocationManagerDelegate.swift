public import Foundation

/// The methods through which a location manager reports its events; all of them are optional.
///
/// The default of a newer method calls the older method that it replaced, so at most one of the two is called for an
/// event. Linux has no Objective-C runtime to find a method at run time: a method is called only if it is in the class
/// that declares the conformance to this protocol, or overrides a method of that class. A method that only a subclass
/// adds is never called; a warning about it is printed once on standard error, if the program's file has symbols.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Delivers locations, oldest first, never an empty array.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

    /// Called only if the delegate does not implement `locationManager(_:didUpdateLocations:)`.
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)

    /// Delivers a new location and the location delivered before it, which is nil in the first call.
    ///
    /// In Apple's Swift interface the earlier location is not an optional, although it is nil in the first call. A
    /// delegate's method that declares it so gets the new location in place of nil.
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation?)

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

    /// Returns whether the user should be asked to calibrate the magnetometer; false if the delegate has no such
    /// method.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

    func locationManager(_ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error)

    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error)

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

    /// Reports that the monitoring of a region failed; the region is nil if monitoring as a whole failed.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)

    /// Called only if the delegate does not implement `locationManagerDidChangeAuthorization(_:)`.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

    /// Called once after the manager was made, and whenever the program's authorization or accuracy authorization
    /// changes.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

    /// Reports the end of a deferral of updates; the error is nil if the distance or the time of the deferral was
    /// reached.
    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

extension CLLocationManagerDelegate {
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        var previous = manager.previousDelivered
        for location in locations {
            locationManager(manager, didUpdateTo: location, from: previous)
            previous = location
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation?
    ) {
        let old: CLLocation = oldLocation ?? newLocation
        locationManager(manager, didUpdateTo: newLocation, from: old)
    }

    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
    ) {}

    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}

    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }

    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}

    public func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {}

    public func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
    ) {}

    public func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {}

    public func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {}

    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}

    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}

    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}

    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}

    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }

    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}

    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}

    public func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {}

    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}
