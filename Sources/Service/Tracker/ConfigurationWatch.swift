internal import Glibc
public import Reactor

/// Reads a configuration that cannot be used whenever it, or a file that its board depends on, has changed.
///
/// A class, because the reactor calls it, until it goes.
public final class ConfigurationWatch {
    private let path: String
    private let first: ConfigurationReading
    private let told: (ConfigurationReading) -> Void
    private var watch: FolderWatch?

    /// - Parameters:
    ///   - first: What the file said.
    ///   - told: Called with what it says when it says something else.
    public init(
        of path: String, after first: ConfigurationReading, in reactor: Reactor,
        told: @escaping (ConfigurationReading) -> Void
    ) throws(SystemError) {
        self.path = path
        self.first = first
        self.told = told
        watch = try FolderWatch(
            ConfigurationWatch.folders(of: first), in: reactor,
            // A file that is whole is taken up at once, so that whoever asks next finds a receiver.
            changed: { [unowned self] in tell(ConfigurationFile.reading(of: path), onlyIfUsable: true) },
            settled: { [unowned self] in reread() })
        // What changed between the first reading and the watching.
        reread()
    }

    private func reread() {
        var reading: ConfigurationReading
        // What lies in a folder that was not watched yet may have changed since it was read.
        repeat {
            watch?.clear()
            reading = ConfigurationFile.reading(of: path)
        } while watch?.follow(ConfigurationWatch.folders(of: reading)) == true
        tell(reading, onlyIfUsable: false)
    }

    private func tell(_ reading: ConfigurationReading, onlyIfUsable: Bool) {
        let isOther = reading.problem != first.problem || reading.settings != first.settings
        if isOther, !onlyIfUsable || reading.problem == nil { told(reading) }
    }

    /// Where the files are, and those that links among them lead to, each once.
    private static func folders(of reading: ConfigurationReading) -> [String] {
        var folders: [String] = []
        let files = reading.files.flatMap { [$0, target(of: $0)].compactMap { $0 } }
        for folder in files.map(DirectoryWatches.parent) where !folders.contains(folder) {
            folders.append(folder)
        }
        return folders
    }

    /// Where a file is when its links are followed; nil where it is not there.
    private static func target(of file: String) -> String? {
        // Safety: the result is freed below, and copied before.
        guard let path = unsafe realpath(file, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
