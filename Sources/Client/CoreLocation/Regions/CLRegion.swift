public import Foundation
internal import Synchronization

/// A region that can be entered and left, known by its identifier.
///
/// Two regions of the same class with the same identifier are equal: monitoring the second replaces the first.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: the class is open as Apple's is; its storage is constant or behind the mutex.
    private let name: String
    private let notifies: Mutex<Notifies>

    private struct Notifies {
        var onEntry = true
        var onExit = true
    }

    package init(identifier: String) {
        name = identifier
        notifies = Mutex(Notifies())
        super.init()
    }

    /// A region whose identifier is empty.
    public override init() {
        name = ""
        notifies = Mutex(Notifies())
        super.init()
    }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "CLRegion.identifier") else { return nil }
        name = String(describing: identifier)
        notifies = Mutex(
            Notifies(
                onEntry: coder.decodeBool(forKey: "CLRegion.notifyOnEntry"),
                onExit: coder.decodeBool(forKey: "CLRegion.notifyOnExit")))
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: identifier), forKey: "CLRegion.identifier")
        coder.encode(notifyOnEntry, forKey: "CLRegion.notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "CLRegion.notifyOnExit")
    }

    open class var supportsSecureCoding: Bool { true }

    /// The only identity of the region; the objects handed back are not the ones registered.
    open var identifier: String { name }

    /// Whether entering the region is told; true unless set.
    open var notifyOnEntry: Bool {
        get { notifies.withLock(\.onEntry) }
        set { notifies.withLock { $0.onEntry = newValue } }
    }

    /// Whether leaving the region is told; true unless set.
    open var notifyOnExit: Bool {
        get { notifies.withLock(\.onExit) }
        set { notifies.withLock { $0.onExit = newValue } }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        withSameNotifications(CLRegion(identifier: identifier))
    }

    func withSameNotifications(_ copy: CLRegion) -> CLRegion {
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }

    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)')" }
}
