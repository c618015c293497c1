internal import Foundation

extension CLLocationManager {
    /// No board ranges beacons.
    public class func isRangingAvailable() -> Bool { false }

    /// What is ranged: nothing.
    public var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

    @available(*, deprecated, message: "Use rangedBeaconConstraints.")
    public var rangedRegions: Set<CLRegion> { [] }

    /// Fails with `CLError.rangingUnavailable`.
    public func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        core.receive(.rangingFailed(constraint))
    }

    public func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

    /// Fails with `CLError.rangingUnavailable`.
    @available(*, deprecated, message: "Use startRangingBeacons(satisfying:).")
    public func startRangingBeacons(in region: CLBeaconRegion) {
        core.receive(.oldRangingFailed(region))
    }

    @available(*, deprecated, message: "Use stopRangingBeacons(satisfying:).")
    public func stopRangingBeacons(in region: CLBeaconRegion) {}
}
