internal import BoardReading
public import JSONReading
public import Reactor

/// Reads a configuration that cannot be used whenever it, or the folder of a board, has changed.
///
/// A class, because the reactor calls it, until it goes.
public final class ConfigurationWatch {
    private let path: String
    private let told: (Result<TrackerSettings, ConfigurationError>) -> Void
    private var watch: FolderWatch?
    private var last: ConfigurationError

    /// - Parameters:
    ///   - problem: What was wrong with the file.
    ///   - told: Called with every other problem, and once it can be used with what it says.
    public init(
        of path: String, because problem: ConfigurationError, in reactor: Reactor,
        told: @escaping (Result<TrackerSettings, ConfigurationError>) -> Void
    ) throws(SystemError) {
        self.path = path
        self.told = told
        last = problem
        watch = try FolderWatch(
            [DirectoryWatches.parent(of: path)] + BoardFile.folders, in: reactor,
            // A file that is whole is taken up at once, so that whoever asks next finds a receiver.
            changed: { [unowned self] in if case .success(let settings) = read() { told(.success(settings)) } },
            settled: { [unowned self] in reread() })
        // What changed between the reading that failed and the watching.
        reread()
    }

    private func reread() {
        watch?.clear()
        switch read() {
        case .success(let settings): told(.success(settings))
        case .failure(let problem) where problem != last:
            last = problem
            told(.failure(problem))
        case .failure: break
        }
    }

    private func read() -> Result<TrackerSettings, ConfigurationError> {
        do throws(ConfigurationError) {
            return .success(try ConfigurationFile.settings(readFrom: path))
        } catch {
            return .failure(error)
        }
    }
}
