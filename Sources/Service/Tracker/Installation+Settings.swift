internal import Boards
internal import Configuration
public import Doctor
internal import Store

/// An installation, from what the daemon reads of it.
extension Installation {
    public init(_ settings: TrackerSettings, configuration: String = TrackerSettings.defaultConfiguration) {
        self.init(configuration: configuration, knownStoreVersion: Schema.current.version)
        take(settings)
    }

    private mutating func take(_ settings: TrackerSettings) {
        device = settings.device
        board = settings.board
        stateDirectory = settings.stateDirectory
        clientFiles = settings.clients.files.map { [$0.manifests, $0.policy] } ?? []
    }

    /// Reads the installation of a system; what is wrong with its files is said in it, with their paths on this machine.
    ///
    /// - Parameters:
    ///   - root: Where the system is; empty for this one.
    ///   - configuration: As that system names it.
    public static func read(below root: String, configuration: String) -> Installation {
        var installation = Installation(configuration: configuration, knownStoreVersion: Schema.current.version)
        do throws(ConfigurationError) {
            let settings = try ConfigurationFile.settings(readFrom: root + configuration, below: root)
            installation.take(settings)
            // Whose a file is and which users there are is known of this system alone.
            if root.isEmpty, let clients = settings.clients.files {
                installation.clientProblems = problems(in: clients)
            }
        } catch {
            installation.problem = error.description
        }
        return installation
    }

    /// What is wrong with what stands in the clients' files; who may write them is looked at as the daemon's user.
    private static func problems(in files: TrackerSettings.ClientFiles) -> [String] {
        ManifestFolder(folder: files.manifests, policy: files.policy).configuration.problems
            .filter { !$0.error.isUnreadable }.map(\.error.description)
    }

    /// An installation without a configuration, of a board and a device that are named by hand.
    ///
    /// - Parameters:
    ///   - root: Where the system is whose boards are meant; empty for this one.
    ///   - board: Its name, its parts, or its path on this machine.
    ///   - device: Instead of the board's.
    public static func of(board: String?, device: String?, below root: String) -> Installation {
        var installation = Installation(
            configuration: TrackerSettings.defaultConfiguration, knownStoreVersion: Schema.current.version)
        do throws(ConfigurationError) {
            installation.board = try board.map { name throws(ConfigurationError) in
                try BoardFile.board(at: name, in: BoardFile.folders.map { root + $0 })
            }
        } catch {
            installation.problem = error.description
        }
        installation.device = device ?? installation.board?.receiver.device
        return installation
    }
}
