public import Foundation

/// A condition that a beacon meets if it has the condition's UUID and, where the condition names them, its major and
/// minor number.
open class CLBeaconIdentityCondition: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    let identity: BeaconIdentity

    /// A condition that every beacon with this UUID meets.
    public init(uuid: UUID) {
        identity = BeaconIdentity(uuid: uuid, major: nil, minor: nil)
        super.init()
    }

    /// A condition that every beacon with this UUID and major number meets.
    public init(uuid: UUID, major: CLBeaconMajorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major, minor: nil)
        super.init()
    }

    /// A condition that every beacon with this UUID, major and minor number meets.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
        super.init()
    }

    package init(_ identity: BeaconIdentity) {
        self.identity = identity
        super.init()
    }

    public required init?(coder: NSCoder) {
        guard let identity = BeaconIdentity(coder: coder) else { return nil }
        self.identity = identity
        super.init()
    }

    open func encode(with coder: NSCoder) {
        identity.encode(with: coder)
    }

    open class var supportsSecureCoding: Bool { true }

    open var uuid: UUID { identity.uuid }

    /// The major number that a beacon must have; nil accepts any.
    open var major: CLBeaconMajorValue? { identity.major }

    /// The minor number that a beacon must have; nil accepts any.
    open var minor: CLBeaconMinorValue? { identity.minor }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLBeaconIdentityCondition else { return false }
        return other.identity == identity
    }

    open override var hash: Int { identity.hashValue }

    open override var description: String { identity.description }
}

/// The numbers (UUID, major, minor) that a beacon must have to be ranged or to belong to a region.
open class CLBeaconIdentityConstraint: CLBeaconIdentityCondition, @unchecked Sendable {
    // Safety: this class adds no storage to its superclass, whose storage is constant.
}

/// The UUID, major and minor number of a beacon; a nil major or minor number accepts any.
package struct BeaconIdentity: Sendable, Hashable, CustomStringConvertible {
    package var uuid: UUID
    package var major: CLBeaconMajorValue?
    package var minor: CLBeaconMinorValue?

    /// The UUID of all zero bits, which stands for no beacon.
    static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    package init(uuid: UUID, major: CLBeaconMajorValue?, minor: CLBeaconMinorValue?) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    init?(coder: NSCoder) {
        guard
            let text = coder.decodeObject(of: NSString.self, forKey: "CLBeaconIdentityCondition.uuid"),
            let uuid = UUID(uuidString: String(describing: text))
        else { return nil }
        self.uuid = uuid
        major = coder.decodeObject(of: NSNumber.self, forKey: "CLBeaconIdentityCondition.major")?.uint16Value
        minor = coder.decodeObject(of: NSNumber.self, forKey: "CLBeaconIdentityCondition.minor")?.uint16Value
    }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "CLBeaconIdentityCondition.uuid")
        coder.encode(major.map(NSNumber.init(value:)), forKey: "CLBeaconIdentityCondition.major")
        coder.encode(minor.map(NSNumber.init(value:)), forKey: "CLBeaconIdentityCondition.minor")
    }

    package var description: String {
        "uuid:\(uuid), major:\(major.map(String.init) ?? "any"), minor:\(minor.map(String.init) ?? "any")"
    }
}
