internal import ArgumentParser

/// `sextant compass`.
struct CompassCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compass", abstract: "Calibrate the compass, and compute the Earth's magnetic field.",
        subcommands: [CompassCalibrate.self, CompassUse.self, CompassDeclination.self])
}
