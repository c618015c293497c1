import Glibc
import SextantUnits

/// Reports when files in some folders have changed and the changes have ended, without polling (inotify).
///
/// It reports half a second after the last of a series of changes, and at most 5 seconds after the first, because an
/// editor can need several changes to save one file. Targets of symbolic links are not watched. A class, because the
/// reactor calls it until it is released.
public final class FolderWatch {
    private static let settlingNanoseconds: Int64 = 500_000_000
    private static let longestSettlingNanoseconds: Int64 = 5_000_000_000

    private let descriptor: Descriptor
    private var folders: [String]
    private let reactor: Reactor
    private let changed: () -> Void
    private let settled: () -> Void
    private var watches = InotifyWatches(of: .content)
    private var buffer = [UInt8](repeating: 0, count: 4096)
    /// The instant of the first change that has not been reported.
    private var firstChange: MonotonicInstant?
    private var alarm: Alarm?
    private var registration: Registration?

    /// - Parameters:
    ///   - folders: The folders; for a missing one the nearest folder above is watched, so that its creation is
    ///     reported.
    ///   - changed: Called at once with every change, for a caller that can use an unfinished series of changes.
    ///   - settled: Called on the reactor's thread once a series of changes has ended; it must call `clear` before it
    ///     examines the folders.
    public init(
        _ folders: [String], in reactor: Reactor, changed: @escaping () -> Void = {}, settled: @escaping () -> Void
    ) throws(SystemError) {
        self.folders = folders
        self.reactor = reactor
        self.changed = changed
        self.settled = settled
        descriptor = try InotifyWatches.open()
        watches.update(folders, on: descriptor)
        guard !watches.isEmpty else {
            throw SystemError("inotify_add_watch \(folders.joined(separator: ", "))", errno: ENOENT)
        }
        alarm = try Alarm(in: reactor) { [unowned self] in
            firstChange = nil
            settled()
        }
        registration = try descriptor.whenReadable(in: reactor) { [unowned self] in noticed() }
    }

    deinit { if let registration { reactor.remove(registration) } }

    /// Discards the waiting inotify events and renews the watches; call it before examining the folders, so that no
    /// change is missed.
    public func clear() {
        while case .bytes = descriptor.read(into: &buffer) {}
        watches.update(folders, on: descriptor)
    }

    /// Watches these folders instead of the previous ones.
    ///
    /// - Returns: Whether the folders differ from the previous ones, so that the caller must examine their present
    ///   content.
    public func follow(_ folders: [String]) -> Bool {
        guard folders != self.folders else { return false }
        self.folders = folders
        watches.update(folders, on: descriptor)
        return true
    }

    private func noticed() {
        clear()
        let now = Clock.now()
        let first = firstChange ?? now
        firstChange = first
        alarm?.set(
            at: min(
                now.advanced(byNanoseconds: FolderWatch.settlingNanoseconds),
                first.advanced(byNanoseconds: FolderWatch.longestSettlingNanoseconds)))
        changed()
    }
}
