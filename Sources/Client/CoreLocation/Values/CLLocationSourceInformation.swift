public import Foundation

/// The kind of source that produced a location: the board's GNSS receiver, software, or an accessory.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    private let simulated: Bool
    private let accessory: Bool

    /// Whether software simulated or replayed the location.
    open var isSimulatedBySoftware: Bool { simulated }

    /// Whether an attached accessory measured the location.
    open var isProducedByAccessory: Bool { accessory }

    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        simulated = isSoftware
        accessory = isAccessory
        super.init()
    }

    public required init?(coder: NSCoder) {
        simulated = coder.decodeBool(forKey: "CLLocationSourceInformation.isSimulatedBySoftware")
        accessory = coder.decodeBool(forKey: "CLLocationSourceInformation.isProducedByAccessory")
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(isSimulatedBySoftware, forKey: "CLLocationSourceInformation.isSimulatedBySoftware")
        coder.encode(isProducedByAccessory, forKey: "CLLocationSourceInformation.isProducedByAccessory")
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocationSourceInformation else { return false }
        return other.isSimulatedBySoftware == isSimulatedBySoftware
            && other.isProducedByAccessory == isProducedByAccessory
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(isSimulatedBySoftware)
        hasher.combine(isProducedByAccessory)
        return hasher.finalize()
    }

    open override var description: String {
        "simulated by software: \(isSimulatedBySoftware), produced by accessory: \(isProducedByAccessory)"
    }
}
