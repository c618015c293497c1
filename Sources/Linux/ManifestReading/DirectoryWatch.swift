internal import CLinux
internal import Glibc
internal import Reactor

/// Tells when the entries of some directories change, or the ends of writing to files in them (inotify).
///
/// Of a directory that is not there the nearest one above that exists is watched. A class, because it owns its
/// descriptor and is changed in place.
final class DirectoryWatch {
    let descriptor: Descriptor
    private let directories: [String]
    private var watches: [String: Int32] = [:]

    init(directories: [String]) throws(SystemError) {
        self.directories = directories
        descriptor = Descriptor(adopting: try SystemError.check(clinux_watch_open(), "inotify_init1"))
        update()
        guard !watches.isEmpty else {
            throw SystemError("inotify_add_watch \(directories.joined(separator: ", "))", errno: ENOENT)
        }
    }

    /// Forgets what was told so far; what happens from now on is told again.
    func clear() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes = descriptor.read(into: &buffer) {}
        update()
    }

    private func update() {
        var wanted: Set<String> = []
        for directory in directories {
            if let watched = addWatch(onOrAbove: directory) { wanted.insert(watched) }
        }
        for (directory, watch) in watches where !wanted.contains(directory) {
            // Two names of one directory share a watch.
            if !wanted.contains(where: { watches[$0] == watch }) {
                _ = descriptor.withRawValue { clinux_watch_remove($0, watch) }
            }
            watches[directory] = nil
        }
    }

    private func addWatch(onOrAbove path: String) -> String? {
        var chain = [path]
        while let last = chain.last, last != "/", last != "." { chain.append(DirectoryWatch.parent(of: last)) }
        // A directory made while its parent was being watched would go unseen: look again, but not for ever, since
        // one that may not be read exists and cannot be watched.
        for _ in 0..<4 {
            guard let index = firstWatched(of: chain) else { return nil }
            guard index > 0, unsafe access(chain[index - 1], F_OK) == 0 else { return chain[index] }
        }
        return chain.first { watches[$0] != nil }
    }

    private func firstWatched(of chain: [String]) -> Int? {
        for (index, directory) in chain.enumerated() {
            // Safety: the C string lives for the call.
            let watch = descriptor.withRawValue { unsafe clinux_watch_add_content($0, directory) }
            guard watch >= 0 else { continue }
            watches[directory] = watch
            return index
        }
        return nil
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
