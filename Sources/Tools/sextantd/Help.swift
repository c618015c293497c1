internal import Configuration

/// The text that `sextantd --help` prints, laid out as `sextant --help` is.
enum Help {
    static var text: String {
        """
        OVERVIEW: The location daemon: reads a GNSS receiver and serves its fixes.

        Reads its configuration from \(TrackerSettings.defaultConfiguration) unless --config,
        --device or --board is given; an option stands above the file, and the file
        above the board.

        Exit status: 0 after SIGTERM or SIGINT; 64 for usage; 69 where a socket cannot
        be had; 74 where a file cannot be read or written; 78 for a wrong
        configuration. A receiver that is absent, busy or forbidden is no reason to
        exit: the daemon says so and waits.

        Under systemd it takes the sockets that it is passed, says when it is ready and
        when it stops, and is watched. There a wrong configuration is no reason to exit
        either: the daemon waits without a receiver by what is right of the file, lets
        in no client where that does not say who may, and starts anew with the mend.

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
        append("--version", "Show the version.", to: &lines)
        append("-h, --help", "Show help information.", to: &lines)
        return lines.joined(separator: "\n")
    }

    /// The column at which the explanations begin, and the column before which a line must end.
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
