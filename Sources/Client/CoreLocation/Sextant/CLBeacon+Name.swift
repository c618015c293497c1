extension CLBeacon {
    /// What the board's owner calls the beacon, with `sextant beacons name`; nil for one without a name.
    ///
    /// This is Sextant's own, and not Apple's; an archive does not keep it.
    public var sextantName: String? { heard.name }
}
