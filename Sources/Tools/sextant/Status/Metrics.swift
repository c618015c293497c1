internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import MetricsText
internal import Programs
internal import SextantJSON

/// `sextant metrics`.
struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write what the daemon counts as metrics for Prometheus.",
        discussion: """
            It asks for the status and the energy, which needs no authorization, wakes nothing and tells no place; \
            operators are told all of it. With --output the file is replaced at once, as node_exporter's textfile \
            collector needs it:
              sudo systemctl enable --now sextant-metrics.timer
            Where the daemon cannot be reached the metrics say so: sextant_up is 0.
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 74 where the file cannot be written.
            """)

    @Option(help: ArgumentHelp("The daemon's socket; SEXTANT_SOCKET, or the default place.", valueName: "path"))
    var socket: String?

    @Flag(name: .customLong("openmetrics"), help: "Write OpenMetrics 1.0 instead of Prometheus's text format 0.0.4.")
    var isOpenMetrics = false

    @Option(help: ArgumentHelp("Replace this file instead of printing.", valueName: "file"))
    var output: String?

    func run() throws {
        do throws(CommandFailure) {
            let source: MetricsText.Source
            do throws(CommandFailure) {
                source = try Metrics.ask(socket)
            } catch {
                try write(nil)
                throw error
            }
            try write(source)
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private static func ask(_ socket: String?) throws(CommandFailure) -> MetricsText.Source {
        var daemon = try Daemon(path: socket)
        try daemon.send(DaemonRequest(.status))
        let status = try daemon.next([.status])
        // The daemon answers with an error if the power draws are unknown, or if this client is not allowed to know the
        // energy.
        try daemon.send(DaemonRequest(.energy))
        let energy = try daemon.answer([.energy])
        return MetricsText.Source(
            status: status.members, energy: energy.event == .energy ? energy.members : [:],
            protocolVersion: daemon.hello.integer(.protocol) ?? 0)
    }

    private func write(_ source: MetricsText.Source?) throws(CommandFailure) {
        var text = TextBuffer(capacity: 1 << 14)
        MetricsText.append(source, uplink: UplinkCommand.metrics, isOpenMetrics ? .openMetrics : .plain, to: &text)
        let bytes = text.bytes
        guard let output else { return try StandardOutput.write(bytes.span) }
        do {
            // The text is first written to another file in the same folder, whose name ends in .new; node_exporter does
            // not read such files.
            try GuardedFile.write(String(decoding: bytes, as: UTF8.self), to: output)
        } catch {
            throw .inputOutput("\(error); name another file")
        }
    }
}
