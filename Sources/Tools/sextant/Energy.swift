internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant energy`.
struct Energy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how much energy each client uses, and how long the battery lasts.",
        discussion: """
            Figures are the board's stated draws times the time spent in each state. Exit status: 0; 64 for usage; 69 \
            where the daemon cannot be reached or does not know the board's draws.
            """)

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.energy))
            let line = try daemon.next([.energy])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in EnergyLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }
}
