internal import Configuration

/// The text that `sextantd --help` prints, with the same layout as `sextant --help`.
enum Help {
    static var text: String {
        """
        OVERVIEW: The location daemon: reads a GNSS receiver and serves its fixes.

        Reads its configuration from \(TrackerSettings.defaultConfiguration) unless --config,
        --device or --board is given; an option overrides the file, and the file
        overrides the board.

        Exit status: 0 after SIGTERM or SIGINT; 64 for usage; 69 where a socket cannot
        be opened; 74 where a file cannot be read or written; 78 for a wrong
        configuration. If the receiver is absent, busy or may not be opened, the daemon
        does not exit: it logs that and waits.

        Under systemd it uses the sockets that systemd passes to it, reports when it is
        ready and when it stops, and serves the watchdog. There it does not exit for a
        wrong configuration either: it runs without a receiver and with the correct part
        of the file, admits no client if that part does not say where the clients' files
        are, and starts again once the file is mended.

        USAGE: \(usage)

        OPTIONS:
        \(options)

        """
    }

    static var usage: String {
        (["sextantd"] + Option.allCases.map { "[\($0.name) <\($0.valueName)>]" }).joined(separator: " ")
    }

    private static var options: String {
        var lines: [String] = []
        for option in Option.allCases { append("\(option.name) <\(option.valueName)>", option.help, to: &lines) }
        append(
            "--open-bluetooth",
            "Open the Bluetooth management socket, have systemd pass it to the daemon, and end: for ExecStartPre=.",
            to: &lines)
        append(
            "--release-bluetooth",
            "Have the radio listen and send no more after a crash of the daemon, and end: for ExecStopPost=.",
            to: &lines)
        append("--version", "Show the version.", to: &lines)
        append("-h, --help", "Show help information.", to: &lines)
        return lines.joined(separator: "\n")
    }

    /// The column at which the options' explanations begin, and the column at which lines are wrapped.
    private static let (start, end) = (26, 80)

    private static func append(_ option: String, _ help: String, to lines: inout [String]) {
        var line = "  \(option)"
        if line.count >= start {
            lines.append(line)
            line = ""
        }
        line += String(repeating: " ", count: start - line.count)
        for word in help.split(separator: " ") {
            if line.count + word.count >= end {
                lines.append(String(line.dropLast()))
                line = String(repeating: " ", count: start)
            }
            line += word + " "
        }
        lines.append(String(line.dropLast()))
    }
}
