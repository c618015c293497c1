internal import Boards
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import Glibc
internal import Logging
internal import Programs
internal import SextantReactor
internal import SextantSockets
internal import Tracker

@main
enum Sextantd {
    private static let program = ServiceProgram("sextantd")

    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(run(options))
            case .openBluetooth: exit(BluetoothHelper.open())
            case .releaseBluetooth: exit(BluetoothHelper.release())
            case .showHelp: program.write(Help.text, to: 1)
            case .showVersion: program.write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            let more = "See 'sextantd --help' for more information."
            program.write("Error: \(error.problem)\nUsage: \(Help.usage)\n  \(more)\n", to: 2)
            exit(64)
        }
    }

    /// Serves until a signal ends the daemon or it cannot go on; returns the daemon's exit status.
    private static func run(_ options: Options) -> Int32 {
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        let logger = Logger(label: "sextantd")
        do {
            try serve(options, logger)
            return 0
        } catch {
            logger.critical("\(error)")
            return status(of: error)
        }
    }

    private static func status(of error: any Error) -> Int32 {
        switch error {
        case let problem as ConfigurationError: problem.isUnreadable ? 74 : 78
        case let problem as TrackerError: problem.isFile ? 74 : 69
        case is PassedSocketError: 69
        default: 74
        }
    }

    private static func serve(_ options: Options, _ logger: Logger) throws {
        let manager = try ServiceManager()
        let daemon = Daemon(manager: manager, reactor: try Reactor(), logger: logger)
        guard manager.isSocketActivated, options.leavesAllToFile else { return try daemon.serve(options.settings) }
        let reading = ConfigurationFile.reading(of: options.file)
        let settings = options.applied(to: reading.settings)
        guard let problem = reading.problem else { return try daemon.serve(settings) }
        try daemon.wait(settings, forMendOf: options.file, after: reading, because: problem)
    }
}

/// Combines the settings of the command line and of the configuration file.
extension Options {
    /// The path of the configuration file, whether it is read or not.
    var file: String { config ?? TrackerSettings.defaultConfiguration }

    /// Whether the command line names neither the receiver's device nor the board, so that the configuration file must
    /// name them.
    var leavesAllToFile: Bool { device == nil && board == nil }

    var settings: TrackerSettings {
        get throws { applied(to: try wiring) }
    }

    /// The given settings, in which each option of the command line replaces the setting of the same meaning.
    func applied(to settings: TrackerSettings) -> TrackerSettings {
        var settings = settings
        if let baud { settings.baud = baud }
        if let socket { settings.socket = socket }
        if let gpsdPort { settings.gpsdPort = gpsdPort }
        if let stateDirectory { settings.stateDirectory = stateDirectory }
        if let date { settings.date = date }
        settings.clients = applied(to: settings.clients)
        if let record { (settings.recording, settings.requiresRecording) = (record, true) }
        return settings
    }

    /// Where the daemon's clients are defined (their manifests and the owner's policy), by the options and the
    /// configuration.
    ///
    /// Both the manifests and the policy are needed; if either is unknown, no client is served.
    private func applied(to served: TrackerSettings.Clients) -> TrackerSettings.Clients {
        if served == .nobody, clients == nil || policy == nil { return .nobody }
        var files = served.files ?? TrackerSettings.ClientFiles()
        files.manifests = clients ?? files.manifests
        files.policy = policy ?? files.policy
        return .files(files)
    }

    /// The settings of the configuration file; if options name the device or the board instead, settings from these
    /// options.
    private var wiring: TrackerSettings {
        get throws {
            let board = try board.map { try BoardFile.board(at: $0) }
            var settings: TrackerSettings
            if let board, config == nil {
                settings = TrackerSettings(board: board)
                settings.device = device ?? settings.device
            } else if let device {
                settings = TrackerSettings(device: device, baud: nil)
            } else {
                settings = try ConfigurationFile.settings(readFrom: file)
            }
            settings.board = board ?? settings.board
            return settings
        }
    }
}
