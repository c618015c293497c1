internal import ArgumentParser
internal import BoardReading
internal import Boards
internal import ClientProtocol
internal import Glibc
internal import JSONReading
internal import Logging
internal import Reactor
internal import ServiceManager
internal import Tracker

/// The command `sextantd`.
@main
struct Sextantd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextantd",
        abstract: "The location daemon: reads a GNSS receiver and serves its fixes.",
        discussion: """
            Reads its configuration from \(TrackerSettings.defaultConfiguration) unless --config, --device or \
            --board is given; an option stands above the file, and the file above the board.

            Exit status: 0 after SIGTERM or SIGINT; 64 for usage; 69 where a socket cannot be had; 74 where a file \
            cannot be read or written; 78 for a wrong configuration. A receiver that is absent, busy or forbidden is \
            no reason to exit: the daemon says so and waits.

            Under systemd it takes the sockets that it is passed, says when it is ready and when it stops, and is \
            watched. There a wrong configuration is no reason to exit either: the daemon serves what it has kept, and \
            starts anew as soon as the file is mended.
            """,
        version: ProtocolVersion.software
    )

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The receiver's device, such as /dev/serial0.", valueName: "path"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "What the receiver is wired to: a board's name, parts joined by + (zero-2w+neo-m8n), or a path.",
            valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("Bits per second, 4800 to 921600, or auto.", valueName: "rate"))
    var baud: BaudOption?

    @Option(help: ArgumentHelp("The Unix socket to serve.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The gpsd protocol's TCP port on loopback, or off.", valueName: "port"))
    var gpsd: PortOption?

    @Option(help: ArgumentHelp("A directory to keep what was learned and what is held back in.", valueName: "path"))
    var stateDirectory: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the clients' manifests, instead of /etc/sextant/clients.d.", valueName: "path"))
    var clients: String?

    @Option(help: ArgumentHelp("The operator's policy, instead of /etc/sextant/policy.json5.", valueName: "file"))
    var policy: String?

    @Option(help: ArgumentHelp("Record every input to a file, for sextant replay.", valueName: "file"))
    var record: String?

    func validate() throws {
        if config != nil, device != nil {
            throw ValidationError("give either --config, which names the device, or --device")
        }
    }

    func run() throws {
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        let logger = Logger(label: "sextantd")
        do {
            try run(logger)
        } catch let problem as ConfigurationError {
            logger.critical("\(problem.description)")
            throw ExitCode(problem.isUnreadable ? 74 : 78)
        } catch let problem as TrackerError {
            logger.critical("\(problem.description)")
            throw ExitCode(problem.isFile ? 74 : 69)
        } catch let problem as PassedSocketError {
            logger.critical("\(problem.description)")
            throw ExitCode(69)
        } catch let problem as SystemError {
            logger.critical("\(problem.description)")
            throw ExitCode(74)
        }
    }

    private func run(_ logger: Logger) throws {
        let manager = try ServiceManager()
        let daemon = Daemon(manager: manager, reactor: try Reactor(), logger: logger)
        do {
            try daemon.serve(optioned(deviceSettings()))
        } catch let problem as ConfigurationError where manager.isSocketActivated && namesNothing {
            let path = config ?? TrackerSettings.defaultConfiguration
            try daemon.serve(optioned(Daemon.bareSettings), waitingFor: path, because: problem)
        }
    }

    /// Whether the configuration file alone says what the daemon is wired to.
    private var namesNothing: Bool { device == nil && board == nil }

    /// With what the options say instead.
    private func optioned(_ settings: TrackerSettings) -> TrackerSettings {
        var settings = settings
        if let baud { settings.baud = baud.rate }
        if let socket { settings.socket = socket }
        if let gpsd { settings.gpsdPort = gpsd.port }
        if let stateDirectory { settings.stateDirectory = stateDirectory }
        var files = settings.clients ?? TrackerSettings.ClientFiles()
        if let clients { files.manifests = clients }
        if let policy { files.policy = policy }
        settings.clients = files
        if let record { settings.recording = record }
        return settings
    }

    private func deviceSettings() throws -> TrackerSettings {
        let board = try board.map { try BoardFile.board(at: $0) }
        var settings: TrackerSettings
        if let board, config == nil {
            settings = TrackerSettings(board: board)
            settings.device = device ?? settings.device
        } else if let device {
            settings = TrackerSettings(device: device, baud: nil)
        } else {
            settings = try ConfigurationFile.settings(readFrom: config ?? TrackerSettings.defaultConfiguration)
        }
        settings.board = board ?? settings.board
        return settings
    }
}

/// A rate, or `auto`.
struct BaudOption: ExpressibleByArgument {
    var rate: Int?

    init?(argument: String) {
        if argument == "auto" { return }
        guard let rate = Int(argument), (4800...921_600).contains(rate) else { return nil }
        self.rate = rate
    }
}

/// A TCP port, or `off`; 0 asks for any free one.
struct PortOption: ExpressibleByArgument {
    var port: UInt16?

    init?(argument: String) {
        if argument == "off" { return }
        guard let port = UInt16(argument) else { return nil }
        self.port = port
    }
}
