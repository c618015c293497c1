internal import ArgumentParser

/// `sextant compass`.
struct Compass: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Calibrate the compass, and compute the Earth's magnetic field.",
        subcommands: [CompassCalibrate.self, CompassUse.self, CompassDeclination.self])
}
