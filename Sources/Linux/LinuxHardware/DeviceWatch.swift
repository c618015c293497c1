import CLinux
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
    private var watches: [String: Int32] = [:]
    private var buffer = [UInt8](repeating: 0, count: 4096)

    public init(path: String) throws(SystemError) {
        self.path = path
        descriptor = Descriptor(adopting: try SystemError.check(clinux_watch_open(), "inotify_init1"))
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
        var wanted: Set<String> = []
        if let directory = addWatch(above: path) { wanted.insert(directory) }
        if let target = SymbolicLink.target(of: path) {
            let absolute = target.hasPrefix("/") ? target : "\(DeviceWatch.parent(of: path))/\(target)"
            if let directory = addWatch(above: absolute) { wanted.insert(directory) }
        }
        for (directory, watch) in watches where !wanted.contains(directory) {
            // Two names of one directory share a watch.
            if !wanted.contains(where: { watches[$0] == watch }) {
                _ = descriptor.withRawValue { clinux_watch_remove($0, watch) }
            }
            watches[directory] = nil
        }
    }

    /// Watches the nearest existing directory above a path, and returns it.
    private func addWatch(above path: String) -> String? {
        let directories = DeviceWatch.directories(above: path)
        // A directory made while its parent was being watched would go unseen: look again, but not for ever, since
        // one that may not be read exists and cannot be watched.
        for _ in 0..<4 {
            guard let index = directories.firstIndex(where: addWatch(on:)) else { return nil }
            guard index > 0 else { return directories[index] }
            guard unsafe access(directories[index - 1], F_OK) == 0 else { return directories[index] }
        }
        return directories.first { watches[$0] != nil }
    }

    private func addWatch(on directory: String) -> Bool {
        // Safety: the C string lives for the call.
        let watch = descriptor.withRawValue { unsafe clinux_watch_add($0, directory) }
        guard watch >= 0 else { return false }
        watches[directory] = watch
        return true
    }

    /// The directories above a path, nearest first.
    private static func directories(above path: String) -> [String] {
        var directories = [parent(of: path)]
        while let last = directories.last, last != "/", last != "." { directories.append(parent(of: last)) }
        return directories
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
