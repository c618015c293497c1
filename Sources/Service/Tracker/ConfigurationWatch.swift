public import Configuration
internal import Glibc
public import SextantReactor

/// Watches an unusable configuration, and reads it again whenever its file, or a file on which its board depends, has
/// changed.
///
/// A class, because the reactor calls it for as long as it lives.
public final class ConfigurationWatch {
    private let path: String
    private let first: ConfigurationReading
    private let onReading: (ConfigurationReading) -> Void
    private var watch: FolderWatch?

    /// - Parameters:
    ///   - first: The result of reading the configuration that could not be used.
    ///   - onReading: Called with the result of each later reading that differs from the first.
    public init(
        of path: String, after first: ConfigurationReading, in reactor: Reactor,
        onReading: @escaping (ConfigurationReading) -> Void
    ) throws(SystemError) {
        self.path = path
        self.first = first
        self.onReading = onReading
        watch = try FolderWatch(
            ConfigurationWatch.folders(of: first), in: reactor,
            // A usable configuration is applied at once, so that the next client to connect finds a receiver.
            changed: { [unowned self] in tell(ConfigurationFile.reading(of: path), onlyIfUsable: true) },
            settled: { [unowned self] in reread() })
        // The configuration is read once more here, since its files could have changed after the first reading and
        // before the watch began.
        reread()
    }

    private func reread() {
        var reading: ConfigurationReading
        // If a folder was not watched before, its files could have changed since they were read, so they are read
        // again.
        repeat {
            watch?.clear()
            reading = ConfigurationFile.reading(of: path)
        } while watch?.follow(ConfigurationWatch.folders(of: reading)) == true
        tell(reading, onlyIfUsable: false)
    }

    private func tell(_ reading: ConfigurationReading, onlyIfUsable: Bool) {
        let isOther = reading.problem != first.problem || reading.settings != first.settings
        if isOther, !onlyIfUsable || reading.problem == nil { onReading(reading) }
    }

    /// The folders that contain the files or the targets of symbolic links among them, without duplicates.
    private static func folders(of reading: ConfigurationReading) -> [String] {
        var folders: [String] = []
        let files = reading.files.flatMap { [$0, target(of: $0)].compactMap { $0 } }
        for folder in files.map(InotifyWatches.parent) where !folders.contains(folder) {
            folders.append(folder)
        }
        return folders
    }

    /// The path of a file with all symbolic links resolved; nil if the file does not exist.
    private static func target(of file: String) -> String? {
        // Safety: the string is copied before it is freed.
        guard let path = unsafe realpath(file, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
