internal import ArgumentParser

/// The command `sextant`.
@main
struct Sextant: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant",
        abstract: "Location on a single-board computer: decode, emulate, watch.",
        subcommands: [Decode.self]
    )
}
