import Glibc
import Units

/// Tells when files in some folders have changed and rest again, without polling (inotify).
///
/// It tells half a second after the last of a row of changes, 5 seconds after the first at the latest: an editor that
/// puts a file aside and writes another has not taken it away. What a symbolic link leads to is not watched. A class,
/// because the reactor calls it, until it goes.
public final class FolderWatch {
    private static let settlingNanoseconds: Int64 = 500_000_000
    private static let patienceNanoseconds: Int64 = 5_000_000_000

    private let descriptor: Descriptor
    private var folders: [String]
    private let reactor: Reactor
    private let changed: () -> Void
    private let settled: () -> Void
    private var watches = DirectoryWatches(of: .content)
    private var buffer = [UInt8](repeating: 0, count: 4096)
    /// The first change that was not told yet.
    private var firstChange: MonotonicInstant?
    private var alarm: Alarm?
    private var registration: Registration?

    /// - Parameters:
    ///   - folders: Of one that is not there the nearest one above is watched, so that its coming is told too.
    ///   - changed: Called with every change at once, for who can do with half of what is to come.
    ///   - settled: Called on the reactor's thread; it begins with `clear` and then looks.
    public init(
        _ folders: [String], in reactor: Reactor, changed: @escaping () -> Void = {}, settled: @escaping () -> Void
    ) throws(SystemError) {
        self.folders = folders
        self.reactor = reactor
        self.changed = changed
        self.settled = settled
        descriptor = try DirectoryWatches.open()
        watches.update(folders, on: descriptor)
        guard !watches.isEmpty else {
            throw SystemError("inotify_add_watch \(folders.joined(separator: ", "))", errno: ENOENT)
        }
        alarm = try Alarm(in: reactor) { [unowned self] in
            firstChange = nil
            settled()
        }
        registration = try descriptor.register(in: reactor) { [unowned self] in noticed() }
    }

    deinit { if let registration { reactor.remove(registration) } }

    /// Forgets what changed so far; what changes from now on is told again.
    public func clear() {
        while case .bytes = descriptor.read(into: &buffer) {}
        watches.update(folders, on: descriptor)
    }

    /// Watches these folders from now on.
    ///
    /// - Returns: Whether they are others than so far, so that what happened in them before is for the caller to look at.
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
                first.advanced(byNanoseconds: FolderWatch.patienceNanoseconds)))
        changed()
    }
}

extension Descriptor {
    fileprivate borrowing func register(
        in reactor: Reactor, _ handler: @escaping () -> Void
    ) throws(SystemError) -> Registration {
        try reactor.register(self, for: .read) { _ in handler() }
    }
}
