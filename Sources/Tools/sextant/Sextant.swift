internal import ArgumentParser
internal import ClientVocabulary
internal import Glibc
internal import Programs

/// The command `sextant`.
@main
struct Sextant: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant",
        abstract: "Location on a single-board computer: show locations, authorize clients, decode, emulate.",
        version: ProtocolVersion.software,
        groupedSubcommands: [
            CommandGroup(
                name: "Where the board is",
                subcommands: [
                    Watch.self, Locate.self, Sky.self, Heading.self, Where.self, Geocode.self, Regions.self,
                    Visits.self,
                    BeaconCommands.self, History.self,
                ]),
            CommandGroup(
                name: "Who may know",
                subcommands: [Clients.self, Agent.self, Services.self, Privacy.self, PageCommand.self]),
            CommandGroup(
                name: "How it is doing",
                subcommands: [
                    Status.self, DoctorCommand.self, Energy.self, Host.self, UplinkCommand.self, Metrics.self,
                ]),
            CommandGroup(
                name: "To set it up and to try it",
                subcommands: [
                    CompassCommand.self, PlacesCommand.self, Decode.self, TrackCommand.self, Emulate.self,
                    Simulate.self,
                    ReplayCommand.self,
                ]),
        ]
    )

    static func main() {
        // With SIGPIPE ignored, a write to a closed pipe fails with EPIPE, and the command then ends with status 0.
        _ = signal(SIGPIPE, SIG_IGN)
        var command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            guard exitCode(for: error) == .validationFailure,
                let line = unknownCommand(CommandLine.arguments.dropFirst(), below: Sextant.self)
            else { exit(withError: error) }
            StandardError.write(line)
            _exit(64)
        }
        do { try command.run() } catch { exit(withError: error) }
    }

    /// The line to print about an unknown command, with the known command that resembles it; nil if every word is a
    /// known command.
    private static func unknownCommand(
        _ words: ArraySlice<String>, below command: any ParsableCommand.Type
    ) -> String? {
        let known = command.configuration.subcommands
        guard let word = words.first, !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
        if let next = known.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) }) {
            return unknownCommand(words.dropFirst(), below: next)
        }
        let help = command == Sextant.self ? "sextant --help" : "sextant \(command._commandName) --help"
        let nearest = known.map { (name: $0._commandName, distance: NearestNames.distance(word, $0._commandName)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, word.count / 3) else {
            return "sextant: \"\(word)\" is no command; \(help) lists them"
        }
        return "sextant: \"\(word)\" is no command; did you mean \"\(nearest.name)\"? \(help) lists them"
    }
}
