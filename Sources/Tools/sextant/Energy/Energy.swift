internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import Power

/// `sextant energy`.
struct Energy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how much energy each client uses, and how long the battery lasts.",
        discussion: """
            Figures are the board's stated draws times the time spent in each state. With --history it shows each \
            minute of the last hour, or each quarter of an hour of the last day (--history day). A client pays also \
            for the regions, visits and significant changes that are monitored for it while it does not run. \
            Operators see all clients; one that left counts among the others after a day.
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or does not know the board's draws.
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Show when the energy was spent; the last line is the minute or quarter that goes on.")
    var history = false

    @Argument(help: ArgumentHelp("With --history: hour or day (default: hour).", valueName: "window"))
    var window: EnergyWindow?

    func validate() throws {
        guard window == nil || history else { throw ValidationError("hour and day go with --history") }
    }

    func run() throws {
        guard !history else { return try showHistory() }
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.energy))
            let line = try daemon.next([.energy])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in EnergyLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }

    private func showHistory() throws {
        try options.run { daemon throws(CommandFailure) in
            let window = window?.window ?? .hour
            try daemon.send(DaemonRequest(.energyHistory).with(.window, window.rawValue))
            var rows: [DaemonLine] = []
            while true {
                let line = try daemon.next([.energyRow, .energyHistory])
                if options.json { try StandardOutput.write(line.bytes) }
                guard line.event == .energyRow else { break }
                rows.append(line)
            }
            guard !options.json else { return }
            for text in EnergyHistoryLines.text(of: rows) { try StandardOutput.write(line: text) }
        }
    }
}

/// The span of time that `sextant energy --history` shows, as a command-line argument.
struct EnergyWindow: ExpressibleByArgument {
    let window: EnergyLedger.HistoryWindow

    init?(argument: String) {
        guard let window = EnergyLedger.HistoryWindow(rawValue: argument) else { return nil }
        self.window = window
    }

    static var allValueStrings: [String] { EnergyLedger.HistoryWindow.allCases.map(\.rawValue) }
}
