/// The content of one advertisement of a beacon.
public enum BeaconHearing: Sendable, Hashable {
    case beacon(HeardBeacon)
    /// The battery voltage, temperature and uptime of the beacon that sends its identity from this address.
    case telemetry(BeaconTelemetry, SenderAddress)
}

/// A beacon's advertisement, as it was received.
public struct HeardBeacon: Sendable, Hashable {
    public var beacon: Beacon
    public var sender: SenderAddress
    /// The received signal strength in dBm; nil if the controller gave none.
    public var strength: Int8?

    public init(beacon: Beacon, sender: SenderAddress, strength: Int8?) {
        self.beacon = beacon
        self.sender = sender
        self.strength = strength
    }
}
