internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// `sextant locate`.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where the board is, once.",
        discussion: """
            Before the first decision about this command it asks for authorization, and waits for the answer. While \
            no fix comes it says on standard error why, and what to do (not with --json).
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 75 where it has no fix in time; 77 \
            where it may not tell.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Wait this long for a fix.", valueName: "seconds"))
    var timeout = 60.0

    @Option(help: ArgumentHelp("Wait for a fix as accurate as this, then take the best.", valueName: "metres"))
    var accuracy: Double?

    func validate() throws {
        if let accuracy, !ClientRequest.accuracyRange.contains(accuracy) {
            throw ValidationError("--accuracy must be from 1 to 100000")
        }
        guard (0.1...86_400).contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 86400") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            _ = try DaemonAccess.required(&daemon)
            let request = DaemonRequest(.locate).with(.timeout, timeout).with(.accuracy, accuracy)
            try options.ask(request, &daemon)
            var line = try daemon.next([.location, .status])
            while line.event == .status {
                PositionStatus.tell(line)
                line = try daemon.next([.location, .status])
            }
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: FixLine.text(of: line))
        }
    }
}
