public import Foundation

/// A beacon that the board's Bluetooth radio received while a program ranged beacons.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only stored property is constant.
    let heard: BeaconMeasurement

    package init(_ heard: BeaconMeasurement) {
        self.heard = heard
        super.init()
    }

    /// A placeholder for no beacon: its UUID, major and minor number are zero, and its proximity is unknown.
    public override init() {
        heard = BeaconMeasurement(
            uuid: BeaconIdentity.none, major: 0, minor: 0, proximity: .unknown, accuracy: -1, rssi: 0,
            timestamp: Date())
        super.init()
    }

    /// Reads an archive, and does not fail if keys are missing, because a subclass can write an archive without them.
    public required init?(coder: NSCoder) {
        let text = coder.objectIfPresent(of: NSString.self, forKey: "CLBeacon.uuid").map { String(describing: $0) }
        let uuid = text.flatMap(UUID.init(uuidString:)) ?? BeaconIdentity.none
        heard = BeaconMeasurement(
            uuid: uuid, major: UInt16(truncatingIfNeeded: coder.decodeInteger(forKey: "CLBeacon.major")),
            minor: UInt16(truncatingIfNeeded: coder.decodeInteger(forKey: "CLBeacon.minor")),
            proximity: CLProximity(rawValue: coder.decodeInteger(forKey: "CLBeacon.proximity")) ?? .unknown,
            accuracy: coder.decodeDouble(forKey: "CLBeacon.accuracy"),
            rssi: coder.decodeInteger(forKey: "CLBeacon.rssi"),
            timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "CLBeacon.timestamp")))
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "CLBeacon.uuid")
        coder.encode(Int(heard.major), forKey: "CLBeacon.major")
        coder.encode(Int(heard.minor), forKey: "CLBeacon.minor")
        coder.encode(proximity.rawValue, forKey: "CLBeacon.proximity")
        coder.encode(accuracy, forKey: "CLBeacon.accuracy")
        coder.encode(rssi, forKey: "CLBeacon.rssi")
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "CLBeacon.timestamp")
    }

    open class var supportsSecureCoding: Bool { true }

    open var uuid: UUID { heard.uuid }

    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { heard.uuid }

    open var major: NSNumber { NSNumber(value: heard.major) }

    open var minor: NSNumber { NSNumber(value: heard.minor) }

    /// How near the beacon is; unknown whenever `accuracy` is negative.
    open var proximity: CLProximity { heard.accuracy < 0 ? .unknown : heard.proximity }

    /// The radius about the beacon that contains the device with a probability of 68 %; negative if not known.
    ///
    /// Unit: metre.
    open var accuracy: CLLocationAccuracy { heard.proximity == .unknown ? -1 : heard.accuracy }

    /// The mean strength of the beacon's signal since the last report to the delegate.
    ///
    /// Unit: dBm.
    open var rssi: Int { heard.rssi }

    /// When the beacon was last received.
    open var timestamp: Date { heard.timestamp }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLBeacon else { return false }
        return other.heard == heard
    }

    open override var hash: Int { heard.hashValue }

    open override var description: String {
        let identity = BeaconIdentity(uuid: uuid, major: heard.major, minor: heard.minor)
        return "CLBeacon (\(identity), proximity:\(proximity) +/- \(accuracy)m, rssi:\(rssi), timestamp:\(timestamp))"
    }
}

/// All values of one `CLBeacon`.
///
/// Units and invalid values are those of the `CLBeacon` properties with the same names.
package struct BeaconMeasurement: Sendable, Hashable {
    package var uuid: UUID
    package var major: CLBeaconMajorValue
    package var minor: CLBeaconMinorValue
    package var proximity: CLProximity
    package var accuracy: CLLocationAccuracy
    package var rssi: Int
    package var timestamp: Date
    package var name: String?

    package init(
        uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, proximity: CLProximity,
        accuracy: CLLocationAccuracy, rssi: Int, timestamp: Date
    ) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.proximity = proximity
        self.accuracy = accuracy
        self.rssi = rssi
        self.timestamp = timestamp
    }
}
