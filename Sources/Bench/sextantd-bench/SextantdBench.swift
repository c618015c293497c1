internal import ArgumentParser
internal import BenchControl
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import Logging
internal import Tracker

/// The command `sextantd-bench`: sextantd in virtual time, with emulated hardware behind a control socket.
@main
struct SextantdBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextantd-bench",
        abstract: "sextantd in virtual time, its hardware behind a control socket: for tests.",
        discussion: """
            It waits for a harness on the control socket, starts with it and ends with it; its clients are served as \
            ever. Sources/Bench/BenchControl has both ends of the control protocol.

            Exit status: 0 after the harness or a signal has ended it; 64 for usage; 69 where a socket cannot be had; \
            74 where a file cannot be read or written; 78 for a wrong configuration.
            """,
        version: ProtocolVersion.software
    )

    @Option(help: ArgumentHelp("The configuration file, as sextantd's.", valueName: "file"))
    var config: String

    @Option(help: ArgumentHelp("The Unix socket for the harness.", valueName: "path"))
    var control: String

    @Option(
        help: ArgumentHelp("The gpsd protocol's TCP port, instead of the file's; 0 for any free.", valueName: "port"))
    var gpsd: UInt16?

    @Option(
        help: ArgumentHelp(
            "The wall clock's first time, since 1970; without it the clock is not synchronized.", valueName: "seconds"))
    var utc: Int64?

    @Flag(help: "The board has a Bluetooth controller, whose management socket the harness serves.")
    var radio = false

    func validate() throws {
        if let utc, !BenchCommand.utcRange.contains(utc) {
            throw ValidationError(
                "--utc must be from \(BenchCommand.utcRange.lowerBound) to \(BenchCommand.utcRange.upperBound)")
        }
    }

    func run() throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "sextantd-bench")
        do {
            var settings = try ConfigurationFile.settings(readFrom: config)
            if let gpsd { settings.gpsdPort = gpsd }
            try Bench(settings, utc: utc, hasRadio: radio, logger: logger).run(control: control)
            logger.info("stopped")
        } catch let problem as ConfigurationError {
            logger.critical("\(problem.description)")
            throw ExitCode(problem.isUnreadable ? 74 : 78)
        } catch let problem as TrackerError {
            logger.critical("\(problem.description)")
            throw ExitCode(problem.isFile ? 74 : 69)
        } catch {
            logger.critical("\(error)")
            throw ExitCode(69)
        }
    }
}
