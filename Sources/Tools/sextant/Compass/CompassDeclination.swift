internal import ArgumentParser
internal import Magnetism
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

struct CompassDeclination: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "declination",
        abstract: "Print the Earth's magnetic field at a place and time: declination, inclination and strength.",
        discussion: """
            Uses the World Magnetic Model WMM2025 of NOAA and the British Geological Survey, which is valid from \
            2025 until 2030; for other times its change is extrapolated, and the answer says so. The value after ± \
            is one standard deviation by the model's own error model, for the fields of rocks and of currents in the \
            sky. Iron near the compass is not included.

            --json prints an object: declination and inclination in degrees; x (north), y (east), z (down), h \
            (horizontal) and f (total) in nT; for each its uncertainty, such as xUncertainty, while the model is \
            valid; validity: valid, before or after; zone: usable, caution or blackout, which says how far a compass \
            can be relied on; and statement, a remark on validity or zone if there is one.

            Exit status: 0; 64 for usage; 74 where the answer could not be written.
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees north, -90 to 90.", valueName: "degrees"))
    var latitude: Double

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east, -180 to 360.", valueName: "degrees"))
    var longitude: Double

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Metres above the WGS 84 ellipsoid, -1000 to 850000.", valueName: "metres"))
    var altitude = 0.0

    @Option(
        help: ArgumentHelp(
            "YYYY-MM-DD, YYYY-MM-DDTHH:MM[:SS] in UTC, or a year and its part such as 2026.5 (default: now).",
            valueName: "date"))
    var date: YearOption?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard abs(latitude) <= 90 else { throw ValidationError("--latitude must be from -90 to 90 degrees") }
        guard (-180...360).contains(longitude) else {
            throw ValidationError("--longitude must be from -180 to 360 degrees")
        }
        guard WorldMagneticModel.altitudes.contains(altitude) else {
            throw ValidationError("--altitude must be from -1000 to 850000 metres")
        }
    }

    func run() throws {
        let year = date?.decimalYear ?? CompassDeclination.thisYear
        let field = WorldMagneticModel.field(
            latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: year)
        guard let field else { throw ValidationError("there is no such place or time; see --help") }
        do throws(CommandFailure) {
            if json { return try write(field, year) }
            for line in [heading(year)] + FieldLines.text(of: field) { try StandardOutput.write(line: line) }
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    /// The present time as a decimal year, by the system's clock.
    static var thisYear: Double { WorldMagneticModel.decimalYear(of: Clock.utc()) }

    private func heading(_ year: Double) -> String {
        "\(WorldMagneticModel.name) at \(Text.fixed(latitude, 6)) \(Text.fixed(longitude, 6)), "
            + "\(Text.fixed(altitude, 0)) m above the ellipsoid, in \(Text.fixed(year, 3))"
    }

    private func write(_ field: GeomagneticField, _ year: Double) throws(CommandFailure) {
        var text = TextBuffer()
        text.beginObject()
        text.member("\"model\":", WorldMagneticModel.name)
        text.member("\"decimalYear\":", year, decimals: 6)
        text.member("\"latitude\":", latitude, decimals: 9)
        text.member("\"longitude\":", longitude, decimals: 9)
        text.member("\"altitude\":", altitude, decimals: 3)
        FieldLines.append(field, to: &text)
        text.endObject()
        text.append(0x0A)
        try StandardOutput.write(&text)
    }
}

/// A command-line argument that gives a time as a decimal year, or as a date with or without a time of day.
struct YearOption: ExpressibleByArgument {
    var decimalYear: Double

    init?(argument: String) {
        if let time = TimeOption(argument: argument) {
            decimalYear = WorldMagneticModel.decimalYear(of: time.first)
        } else if let year = Double(argument), (1678.0..<2262).contains(year) {
            decimalYear = year
        } else {
            return nil
        }
    }
}
