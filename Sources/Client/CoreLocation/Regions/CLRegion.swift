public import Foundation
internal import Synchronization

/// A region that can be entered and left, known by its identifier.
///
/// Two regions of the same class with the same identifier are equal: monitoring the second replaces the first.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its storage is constant or behind a
    // mutex.
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

    private enum Key {
        static let identifier = ArchiveKey(own: "CLRegion.identifier", apple: "kCLRegionCodingKeyIdentifier")
        static let onEntry = ArchiveKey(own: "CLRegion.notifyOnEntry", apple: "kCLRegionCodingKeyNotifyOnEntry")
        static let onExit = ArchiveKey(own: "CLRegion.notifyOnExit", apple: "kCLRegionCodingKeyNotifyOnExit")
    }

    /// Reads an archive of this class or of a region of Apple's; nil without an identifier.
    ///
    /// An archive in which Apple's `CLRegion` itself is a circle, as iOS 6 and earlier wrote it, gives nil too, because
    /// this class cannot represent a circle.
    public required init?(coder: NSCoder) {
        let isOldCircle = Self.self == CLRegion.self && coder.containsValue(forKey: Key.identifier.apple)
        guard let identifier = coder.text(Key.identifier), !isOldCircle else { return nil }
        name = identifier
        notifies = Mutex(
            Notifies(onEntry: coder.bool(Key.onEntry) ?? true, onExit: coder.bool(Key.onExit) ?? true))
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: identifier), forKey: Key.identifier.own)
        coder.encode(notifyOnEntry, forKey: Key.onEntry.own)
        coder.encode(notifyOnExit, forKey: Key.onExit.own)
    }

    open class var supportsSecureCoding: Bool { true }

    /// The text by which to recognise the region, since a manager returns other objects than those that the program
    /// registered.
    open var identifier: String { name }

    /// Whether entering the region is reported; the default is true.
    open var notifyOnEntry: Bool {
        get { notifies.withLock(\.onEntry) }
        set { notifies.withLock { $0.onEntry = newValue } }
    }

    /// Whether leaving the region is reported; the default is true.
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
