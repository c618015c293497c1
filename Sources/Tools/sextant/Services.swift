internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant services`.
struct Services: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Say whether location services are on, or switch them.",
        discussion: """
            Off, every client reads that it is denied, none is told where the board is, and the receiver rests; on \
            again, each has what it had. It outlives the daemon. For operators, as sextant clients.

            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or this command is no operator's.
            """)

    @Argument(help: "on or off; how they stand, if left out.")
    var state: OnOff?

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.services).with(.enabled, state.map { $0 == .on }))
            let line = try daemon.next([.services])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            let word = line.flag(.enabled) == true ? "on" : "off"
            try StandardOutput.write(line: "location services are \(word)")
        }
    }
}
