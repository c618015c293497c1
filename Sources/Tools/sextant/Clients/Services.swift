internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant services`.
struct Services: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Show whether location services are on, or switch them.",
        discussion: """
            While they are off, every client is denied locations, and the receiver rests; when they are on again, \
            each client has its former authorization. The setting outlasts the daemon. For operators, as with \
            sextant clients.

            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 77 where this command is not an \
            operator's.
            """)

    @Argument(help: "on or off; without it, show which.")
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
