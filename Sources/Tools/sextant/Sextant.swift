internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import Glibc

/// The command `sextant`.
@main
struct Sextant: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant",
        abstract: "Location on a single-board computer: show locations, authorize clients, decode, emulate.",
        version: ProtocolVersion.software,
        subcommands: [
            Watch.self, Locate.self, Heading.self, Status.self, Energy.self, Metrics.self, Regions.self,
            BeaconCommands.self,
            Visits.self, History.self, Clients.self, Agent.self, Services.self, Privacy.self, DoctorCommand.self,
            PageCommand.self, Where.self, Geocode.self, PlacesCommand.self,
            Decode.self, TrackCommand.self, Compass.self, Emulate.self, Simulate.self, ReplayCommand.self,
        ]
    )

    static func main() {
        // A reader that has gone away is then an error of the write, which ends the command with status 0, not a
        // signal.
        _ = signal(SIGPIPE, SIG_IGN)
        main(nil)
    }
}
