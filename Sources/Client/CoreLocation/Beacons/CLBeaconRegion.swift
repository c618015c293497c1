public import Foundation
internal import Synchronization

/// A region that the device is in while it receives a beacon whose numbers meet a constraint.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
    // Safety: the class is open as `CLRegion` is; the storage that it adds to `CLRegion` is constant or behind a mutex.
    private let constraint: CLBeaconIdentityConstraint
    private let notifiesOnDisplay: Mutex<Bool>
    /// The value of the property `sextantWithin`: the distance in metres to a beacon within which the device counts as
    /// inside; nil for no limit.
    let distance = Mutex<CLLocationDistance?>(nil)

    public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
        constraint = beaconIdentityConstraint
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    public init(uuid: UUID, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: uuid)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    @available(*, deprecated, renamed: "init(uuid:identifier:)")
    public init(proximityUUID: UUID, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: proximityUUID)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
    public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
    public init(proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
        constraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major, minor: minor)
        notifiesOnDisplay = Mutex(false)
        super.init(identifier: identifier)
    }

    public required init?(coder: NSCoder) {
        guard let identity = BeaconIdentity(coder: coder) else { return nil }
        constraint = CLBeaconIdentityConstraint(identity)
        notifiesOnDisplay = Mutex(coder.decodeBool(forKey: "CLBeaconRegion.notifyEntryStateOnDisplay"))
        super.init(coder: coder)
        sextantWithin = coder.objectIfPresent(of: NSNumber.self, forKey: "CLBeaconRegion.sextantWithin")?.doubleValue
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        constraint.encode(with: coder)
        coder.encode(notifyEntryStateOnDisplay, forKey: "CLBeaconRegion.notifyEntryStateOnDisplay")
        coder.encode(sextantWithin.map(NSNumber.init(value:)), forKey: "CLBeaconRegion.sextantWithin")
    }

    open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }

    open var uuid: UUID { constraint.uuid }

    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { constraint.uuid }

    /// The major number that the region's beacons must have; nil accepts any.
    open var major: NSNumber? { constraint.major.map(NSNumber.init(value:)) }

    /// The minor number that the region's beacons must have; nil accepts any.
    open var minor: NSNumber? { constraint.minor.map(NSNumber.init(value:)) }

    /// Whether a device that is inside the region also reports this when its display lights up; the default is false.
    open var notifyEntryStateOnDisplay: Bool {
        get { notifiesOnDisplay.withLock { $0 } }
        set { notifiesOnDisplay.withLock { $0 = newValue } }
    }

    /// The data of the Bluetooth advertisement with which this device would act as a beacon of the region.
    ///
    /// The measured power is the signal strength received at 1 m in dBm; it is −59 if it is not given or does not fit
    /// into an `Int8`. The dictionary has one key, "kCBAdvDataAppleBeaconKey", which Apple's
    /// `CBPeripheralManager.startAdvertising` expects. Its data are the 21 bytes that follow the type and length in an
    /// iBeacon advertisement: UUID, major and minor number, most significant byte first, and the power; a number that
    /// the region does not have is 0. There is no CoreBluetooth here: the command `sextant beacons advertise` sends an
    /// advertisement.
    open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
        let bytes: [UInt8] = bytes(of: uuid) + bigEndian(constraint.major) + bigEndian(constraint.minor)
        let power = UInt8(bitPattern: measuredPower.flatMap { Int8(exactly: $0.intValue) } ?? -59)
        let data = NSMutableDictionary()
        data.setObject(Data(bytes + [power]), forKey: NSString(string: "kCBAdvDataAppleBeaconKey"))
        return data
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier)
        copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
        copy.sextantWithin = sextantWithin
        return withSameNotifications(copy)
    }

    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)', \(constraint))" }
}

private func bigEndian(_ number: UInt16?) -> [UInt8] {
    let number = number ?? 0
    return [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
}

private func bytes(of uuid: UUID) -> [UInt8] {
    let u = uuid.uuid
    return [
        u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
}
