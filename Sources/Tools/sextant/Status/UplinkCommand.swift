internal import ArgumentParser
internal import MetricsText
internal import Programs
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

/// `sextant uplink`.
struct UplinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uplink",
        abstract: "Show what waits for the MQTT broker, and how the connection to it is.",
        discussion: """
            It reads what sextant-uplink writes to memory, and asks nobody. What waits survives a reboot, but for the \
            fixes of the last 5 minutes where the power is cut.

            Exit status: 0; 64 for usage; 65 where the file is no status; 69 where the uplink has not run since the \
            board was started.
            """)

    @Flag(help: "Print the status as one JSON object.")
    var json = false

    @Option(help: ArgumentHelp("The status to read.", valueName: "file"))
    var status = UplinkCommand.standardPath

    private static let standardPath = "/run/sextant-uplink/status.json"

    /// The metrics of the MQTT uplink, from its status file; nil if no uplink has run since the board started.
    static var metrics: MetricsText.Uplink? {
        guard let bytes = (try? GuardedFile.read(standardPath)) ?? nil, let members = JSONMembers(parsing: bytes)
        else { return nil }
        return MetricsText.Uplink(members: members, now: Clock.utc())
    }

    func run() throws {
        do throws(CommandFailure) {
            try show()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func show() throws(CommandFailure) {
        guard let bytes = try contents() else {
            throw .unavailable(
                "\(status): no uplink has run since the start; sudo apt install ./sextant-uplink_*.deb, name its broker in "
                    + "/etc/sextant/uplink.json5, then sudo systemctl enable --now sextant-uplink.service")
        }
        guard let members = JSONMembers(parsing: bytes) else {
            throw .data("\(status): not a status of sextant-uplink")
        }
        guard !json else { return try StandardOutput.write(bytes.span) }
        for line in UplinkLines.text(of: members, at: Clock.utc()) { try StandardOutput.write(line: line) }
    }
}

extension UplinkCommand {
    private func contents() throws(CommandFailure) -> [UInt8]? {
        do {
            return try GuardedFile.read(status)
        } catch {
            throw .data(error.description)
        }
    }
}

/// The MQTT uplink's status as lines of text for the user.
enum UplinkLines {
    static func text(of status: JSONMembers, at now: UTCInstant) -> [String] {
        func count(_ key: String) -> Int64 { Int64(saturating: status.number(key) ?? 0) }
        func ago(_ key: String) -> String? {
            status.instant(key).map {
                Text.duration(max(0, Double($0.nanoseconds.distance(to: now.nanoseconds)) / 1e9))
            }
        }
        let (id, broker) = (status.text("id") ?? "?", status.text("broker") ?? "no broker")
        var lines = ["\(id) at \(broker): \(status.text("message") ?? "")"]
        let (fixes, events) = (count("queuedFixes"), count("queuedEvents"))
        let oldest = ago("oldest").map { ", the oldest from \($0) ago" } ?? ""
        lines.append(
            fixes == 0 && events == 0
                ? "  nothing waits"
                : "  waiting: \(fixes) \(fixes == 1 ? "fix" : "fixes") and \(events) \(events == 1 ? "event" : "events"), "
                    + "\(max(1, count("bytes") / 1000)) kB\(oldest)")
        let success = ago("lastSuccess").map { "\($0) ago" }
        let untimed = count("delivered") > 0 ? "at a time that the board's clock does not know" : "none since the start"
        lines.append("  last success \(success ?? untimed)")
        if let error = status.text("lastError") { lines.append("  last error: \(error)") }
        if count("thinned") > 0 { lines.append("  \(count("thinned")) fixes were given up because the queue was full") }
        if count("lost") > 0 { lines.append("  \(count("lost")) fixes were lost because the card refused them") }
        if let problem = status.text("queueProblem") { lines.append("  queue: \(problem)") }
        return lines
    }
}
