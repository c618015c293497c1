public import Foundation

/// The storey of a building.
///
/// No location from the daemon has one: a storey comes from a survey of the building's radio signals, which no board
/// has, and a height above the sea does not say where a building's floors are. The class exists so that programs that
/// use it compile. Level 0 is the ground floor; a level is not a height in metres.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    private let number: Int

    open var level: Int { number }

    public override init() {
        number = 0
        super.init()
    }

    package init(level: Int) {
        number = level
        super.init()
    }

    public required init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "CLFloor.level")
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(level, forKey: "CLFloor.level")
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLFloor)?.level == level
    }

    open override var hash: Int { level.hashValue }

    open override var description: String { "floor \(level)" }
}
