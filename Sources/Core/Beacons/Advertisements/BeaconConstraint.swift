/// The set of wanted beacons: all with one UUID, all with one UUID and major number, or a single beacon.
public struct BeaconConstraint: Sendable, Hashable {
    public var uuid: BeaconUUID
    /// The major number; nil for any.
    public var major: UInt16?
    /// The minor number; nil for any, and always nil if the major number is nil.
    public var minor: UInt16?

    /// - Returns: Nil if a minor number is given without a major number.
    public init?(uuid: BeaconUUID, major: UInt16? = nil, minor: UInt16? = nil) {
        guard major != nil || minor == nil else { return nil }
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    fileprivate init(all uuid: BeaconUUID) { self.uuid = uuid }

    public func matches(_ identity: BeaconIdentity) -> Bool {
        identity.uuid == uuid && identity.major == major ?? identity.major && identity.minor == minor ?? identity.minor
    }
}

extension BeaconIdentity {
    /// The three constraints that match the beacon: by its UUID alone, by UUID and major number, and by its whole
    /// identity.
    public var constraints: InlineArray<3, BeaconConstraint> {
        let all = BeaconConstraint(all: uuid)
        var ofMajor = all
        ofMajor.major = major
        var own = ofMajor
        own.minor = minor
        return [all, ofMajor, own]
    }
}
