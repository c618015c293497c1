internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the state of the daemon and its receiver.",
        discussion:
            """
            The first line says whether positions come, and if not, why and what to do.
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached.
            """
    )

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.status))
            let line = try daemon.next([.status])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in StatusLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }
}
