internal import Synchronization

extension CLBeaconRegion {
    /// The distance to one of the region's beacons within which the device counts as inside; nil, the default, if it
    /// counts as inside wherever it receives a beacon.
    ///
    /// Unit: metre, 0.3 to 50.
    ///
    /// This property is Sextant's own, and not Apple's. The device leaves the region at a distance a quarter larger
    /// than the one at which it enters, because measured distances scatter: half of them are wrong by a third or more.
    /// Set the property before the region is monitored; a value out of the range fails with
    /// `CLError.regionMonitoringFailure`. Ranging in the region also reports beacons farther away than this distance.
    public var sextantWithin: CLLocationDistance? {
        get { distance.withLock { $0 } }
        set { distance.withLock { $0 = newValue } }
    }
}
