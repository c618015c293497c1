internal import Boards
public import Configuration
internal import HostSleep
internal import Store

/// Builds an installation from the files that the daemon reads.
extension Installation {
    public init(_ settings: TrackerSettings, configuration: String = TrackerSettings.defaultConfiguration) {
        self.init(configuration: configuration, knownStoreVersion: Schema.current.version)
        take(settings)
    }

    private mutating func take(_ settings: TrackerSettings) {
        device = settings.device
        board = settings.board
        hostSwitch = settings.board?.hostSwitch.map { ExaminedSwitch($0) }
        allowsHostSleep = settings.hostSleep?.isAllowed ?? false
        hasBeaconSpots = !settings.spots.isEmpty
        timeSockets = [settings.time?.chrony, settings.time?.pulse?.chrony].compactMap { $0 }
        pulseDevice = settings.time?.pulse?.device
        stateDirectory = settings.stateDirectory
        clientFiles = settings.clients.files.map { [$0.manifests, $0.policy] } ?? []
    }

    /// Reads the configuration, the board and the clients' files of a system; errors in them are part of the result and
    /// name the paths on this machine.
    ///
    /// - Parameters:
    ///   - root: The folder where the system is mounted; empty for the running system.
    ///   - configuration: The configuration's path within that system.
    public static func read(below root: String, configuration: String) -> Installation {
        var installation = Installation(configuration: configuration, knownStoreVersion: Schema.current.version)
        do throws(ConfigurationError) {
            let settings = try ConfigurationFile.settings(readFrom: root + configuration, below: root)
            installation.take(settings)
            // Who owns the clients' files, and which users exist, is known for the running system only.
            if root.isEmpty, let clients = settings.clients.files {
                installation.read(clients)
            }
        } catch {
            installation.problem = error.description
        }
        return installation
    }

    /// Reads what is wrong in the content of the clients' manifests and of the policy; whether the daemon can read
    /// these files is another check's task.
    private mutating func read(_ files: TrackerSettings.ClientFiles) {
        let clients = ManifestFolder(folder: files.manifests, policy: files.policy).configuration
        clientProblems = clients.problems.filter { !$0.error.isUnreadable }.map(\.error.description)
        rulesWithoutClient = clients.rulesWithoutClient
    }

    /// An installation without a configuration file, for a board and a receiver device that the user names.
    ///
    /// - Parameters:
    ///   - root: The folder where the system with the board files is mounted; empty for the running system.
    ///   - board: The board's name, its parts joined by `+`, or the path of its file on this machine.
    ///   - device: The receiver's device, which replaces the one in the board's file; nil to keep that one.
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
        installation.hostSwitch = installation.board?.hostSwitch.map { ExaminedSwitch($0) }
        installation.device = device ?? installation.board?.receiver.device
        return installation
    }
}
