internal import Synchronization

extension CLBeaconRegion {
    /// Metres within which one of the region's beacons must be, 0.3 to 50; nil, as it is unless set, for as far as one is
    /// heard.
    ///
    /// This is Sextant's own, and not Apple's. The board leaves the region a quarter farther away than it enters it, since
    /// distances scatter: half of them err by a third and more. Set it before the region is monitored; one that is out of
    /// the range fails with `CLError.regionMonitoringFailure`. Ranging in the region tells farther beacons too.
    public var sextantWithin: CLLocationDistance? {
        get { distance.withLock { $0 } }
        set { distance.withLock { $0 = newValue } }
    }
}
