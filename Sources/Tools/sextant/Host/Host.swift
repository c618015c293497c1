internal import ArgumentParser
internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Doctor
internal import HostSleep

/// `sextant host`.
struct Host: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Show whether the board may switch itself off between two needs, and decide about it.",
        discussion: """
            A board with a switch that cuts its supply can sleep as a whole and be woken by an alarm or by motion. That \
            needs four things of its owner: a switch in the board (such as +pijuice), the package sextant-host with \
            sextant-host.path enabled, hostSleep: { allowed: true } in /etc/sextant/sextant.json5, and trials that went \
            well (sextant host try). For all but status you must be an operator.

            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or the configuration does not speak of \
            hostSleep; 77 where this command is not an operator's.
            """,
        subcommands: [HostStatusCommand.self, HostTry.self, HostAllow.self, HostStayAwake.self],
        defaultSubcommand: HostStatusCommand.self)
}

/// `sextant host status`.
struct HostStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show why the board stays on, or when it sleeps, and how it woke last.",
        discussion: """
            The lines that begin with "now:" say what of the system would forbid a sleep now, as sextant doctor does. What \
            only root sees of other users' programs is said so.
            """)

    @Option(help: ArgumentHelp("The daemon's configuration file.", valueName: "file"))
    var config = TrackerSettings.defaultConfiguration

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            let (status, host) = try HostStatusCommand.ask(&daemon)
            guard !options.json else { return try StandardOutput.write(status.bytes) }
            for text in HostLines.text(of: host) { try StandardOutput.write(line: text) }
            try HostStatusCommand.tellObstacles(config) { _ in true }
        }
    }

    /// Prints what on the running system would keep the board from sleeping now.
    static func tellObstacles(
        _ configuration: String, where isTold: (HostObstacle) -> Bool
    ) throws(CommandFailure) {
        guard let hostSwitch = Installation.read(below: "", configuration: configuration).hostSwitch else { return }
        let survey = HostSurvey(files: RootedFiles(root: "/"), hostSwitch: hostSwitch)
        for obstacle in survey.obstacles where isTold(obstacle) {
            try StandardOutput.write(line: "now: \(obstacle.line)")
        }
    }

    /// Requests the daemon's status, and returns it with its object about the host's sleep.
    ///
    /// - Throws: If the configuration has no `hostSleep`.
    static func ask(_ daemon: inout Daemon) throws(CommandFailure) -> (status: DaemonLine, host: DaemonLine) {
        try daemon.send(DaemonRequest(.status))
        let status = try daemon.next([.status])
        guard let host = status.object(.host) else {
            throw .unavailable(
                "the board does not sleep: /etc/sextant/sextant.json5 has no hostSleep; "
                    + "see sextant host --help for what it needs")
        }
        return (status, host)
    }
}

/// `sextant host try`.
struct HostTry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Try the switch out: the board sleeps for two minutes as soon as nobody is logged in.",
        discussion: """
            On battery, three times; then restart the board once (sudo reboot). Only after these the board sleeps by \
            itself. Another board file, kernel or firmware of the switch makes new trials necessary.

            The lines that begin with "now:" say what else of the system would forbid the trial now.
            """)

    @Option(help: ArgumentHelp("The daemon's configuration file.", valueName: "file"))
    var config = TrackerSettings.defaultConfiguration

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            let (_, host) = try HostStatusCommand.ask(&daemon)
            guard host.flag(.switched) == true else {
                throw .unavailable("there is nothing to try: the board's file names no switch; see sextant host")
            }
            try daemon.send(DaemonRequest(.tryHostSleep))
            _ = try daemon.next([.tryHostSleep])
            try StandardOutput.write(
                line: "log out within ten minutes: the board then sleeps, and is back two minutes later; "
                    + "sextant host tells how it went")
            // The login in which this command runs also keeps the board on, but it is left out, because the line
            // printed above already says to log out.
            try HostStatusCommand.tellObstacles(config) { $0.reason != .session }
        }
    }
}

/// `sextant host allow`.
struct HostAllow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let the board sleep again after missed alarms or failed boots forbade it.")

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.allowHostSleep))
            _ = try daemon.next([.allowHostSleep])
            try StandardOutput.write(line: "the board may sleep again")
        }
    }
}

/// `sextant host stay-awake`.
struct HostStayAwake: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stay-awake",
        abstract: "Keep the board on for some time, or end that.",
        discussion: """
            It holds until the board is restarted. To keep a board on that cannot be reached, put an empty file \
            sextant-stay-awake in its card's boot partition, on any computer.
            """)

    @Argument(help: ArgumentHelp("How long, such as 90m or 2h; 0 ends it.", valueName: "time"))
    var time: HostTime

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.keepHostAwake).with(.seconds, time.seconds))
            _ = try daemon.next([.keepHostAwake])
            let end = time.seconds > 0 ? "stays on for \(Text.duration(time.seconds))" : "may sleep"
            try StandardOutput.write(line: "the board \(end)")
        }
    }
}

/// A length of time on the command line, such as `90s`, `45m`, `2h` or `3d`; 0 needs no unit.
struct HostTime: ExpressibleByArgument {
    let seconds: Double

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    init?(argument: String) {
        guard argument != "0" else {
            seconds = 0
            return
        }
        guard let last = argument.last, let unit = HostTime.units[last], let count = Double(argument.dropLast()),
            count > 0, count * unit <= 31_536_000
        else { return nil }
        seconds = count * unit
    }
}
