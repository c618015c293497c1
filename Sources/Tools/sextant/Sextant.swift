internal import ArgumentParser
internal import ClientProtocol

/// The command `sextant`.
@main
struct Sextant: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant",
        abstract: "Location on a single-board computer: decode, emulate, watch.",
        version: ProtocolVersion.software,
        subcommands: [Watch.self, Locate.self, Status.self, Decode.self, Emulate.self, ReplayCommand.self]
    )
}
