extension CLBeacon {
    /// The name that the board's owner gave the beacon with the command `sextant beacons name`; nil for a beacon
    /// without a name.
    ///
    /// This property is Sextant's own, and not Apple's; an archive does not keep it.
    public var sextantName: String? { heard.name }
}
