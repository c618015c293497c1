import Glibc
public import SextantReactor

/// Reports when a device's path appears, disappears or changes permissions, without polling (inotify).
///
/// The folder of the path is watched, or the nearest existing one above. If the path is a symbolic link, the
/// folder of the link's target is watched too. A class, because the reactor's handler and the owner share it.
public final class DeviceWatch {
    public enum Change: Sendable, Equatable {
        case appeared
        case disappeared
        /// Another device is now at the path; the device that was open there is gone.
        case replaced
        /// Owner, group or permissions changed; udev changes them shortly after a device appears.
        case permissionsChanged
    }

    public let path: String
    /// The inotify descriptor, for registering with a reactor.
    public let descriptor: Descriptor
    private var status: FileStatus?
    private var watches = InotifyWatches(of: .entries)
    private var buffer = [UInt8](repeating: 0, count: 4096)

    public init(path: String) throws(SystemError) {
        self.path = path
        descriptor = try InotifyWatches.open()
        updateWatches()
        status = try? FileStatus(path: path)
        guard !watches.isEmpty else { throw SystemError("inotify_add_watch \(path)", errno: ENOENT) }
    }

    /// Whether there was a file at the path when it was last examined.
    public var isPresent: Bool { status != nil }

    /// Empties the queue of events and returns what has changed at the path since the last call; nil if nothing has.
    public func takeChange() -> Change? {
        while case .bytes = descriptor.read(into: &buffer) {}
        // The watches are set before the path is examined: a change in between is reported twice rather than missed.
        updateWatches()
        let before = status
        status = try? FileStatus(path: path)
        switch (before, status) {
        case (nil, nil): return nil
        case (nil, .some): return .appeared
        case (.some, nil): return .disappeared
        case (.some(let before), .some(let after)):
            guard before != after else { return nil }
            return before.inode == after.inode && before.device == after.device ? .permissionsChanged : .replaced
        }
    }

    private func updateWatches() {
        var folders = [InotifyWatches.parent(of: path)]
        if let target = SymbolicLink.target(of: path) {
            let absolute = target.hasPrefix("/") ? target : "\(folders[0])/\(target)"
            folders.append(InotifyWatches.parent(of: absolute))
        }
        watches.update(folders, on: descriptor)
    }
}
