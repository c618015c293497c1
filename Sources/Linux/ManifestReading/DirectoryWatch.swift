internal import Glibc
internal import Reactor

/// Tells when the entries of some directories change, or a file in them has been written (inotify).
///
/// A class, because it owns its descriptor and is changed in place.
final class DirectoryWatch {
    let descriptor: Descriptor
    private let directories: [String]
    private var watches = DirectoryWatches(of: .content)
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init(directories: [String]) throws(SystemError) {
        self.directories = directories
        descriptor = try DirectoryWatches.open()
        watches.update(directories, on: descriptor)
        guard !watches.isEmpty else {
            throw SystemError("inotify_add_watch \(directories.joined(separator: ", "))", errno: ENOENT)
        }
    }

    /// Forgets what was told so far; what happens from now on is told again.
    func clear() {
        while case .bytes = descriptor.read(into: &buffer) {}
        watches.update(directories, on: descriptor)
    }
}
