internal import ArgumentParser

/// `sextant compass`.
struct Compass: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The Earth's magnetic field, and what a compass makes of it.",
        subcommands: [CompassCalibrate.self, CompassUse.self, CompassDeclination.self])
}
