import Glibc
public import Reactor

/// Tells when a device's path appears, disappears or changes hands, without polling (inotify).
///
/// It watches the directory the path is in, or the nearest one above that exists; and, where the path is a symbolic
/// link, that of its target too. A class, because its handler and its owner share it.
public final class DeviceWatch {
    public enum Change: Sendable, Equatable {
        case appeared
        case disappeared
        /// Another device is at the path now; the one that was open there is gone.
        case replaced
        /// Owner, group or permissions changed, as udev does shortly after a device appears.
        case permissionsChanged
    }

    public let path: String
    /// For registering with a reactor.
    public let descriptor: Descriptor
    private var status: FileStatus?
    private var watches = DirectoryWatches(of: .entries)
    private var buffer = [UInt8](repeating: 0, count: 4096)

    public init(path: String) throws(SystemError) {
        self.path = path
        descriptor = try DirectoryWatches.open()
        updateWatches()
        status = try? FileStatus(path: path)
        guard !watches.isEmpty else { throw SystemError("inotify_add_watch \(path)", errno: ENOENT) }
    }

    /// Whether the path led to something when last looked at.
    public var isPresent: Bool { status != nil }

    /// Empties the queue of events and says what they came to; nil when nothing about the path changed.
    public func takeChange() -> Change? {
        while case .bytes = descriptor.read(into: &buffer) {}
        // Watch first, look second: what happens in between is seen again instead of missed.
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
        var directories = [DirectoryWatches.parent(of: path)]
        if let target = SymbolicLink.target(of: path) {
            let absolute = target.hasPrefix("/") ? target : "\(directories[0])/\(target)"
            directories.append(DirectoryWatches.parent(of: absolute))
        }
        watches.update(directories, on: descriptor)
    }
}
