internal import ArgumentParser
internal import Boards
internal import Configuration
internal import Magnetism
internal import Magnetometers
internal import Pictures
internal import SextantJSON

/// `sextant compass calibrate`.
struct CompassCalibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Work out a compass's calibration from samples of a board that was turned.",
        discussion: """
            Reads time,x,y,z and if known ax,ay,az: the raw field in microtesla and the specific force in m/s², both \
            in the magnetometer's axes (time in seconds). Turn the board in a figure-eight about every axis for half \
            a minute, away from iron. A position, or the field's norm and dip, improve the calibration and reveal a \
            chip whose scale is wrong; they are used if the samples include acceleration. The chip's mounting on the \
            board, from the board's file or from --x, --y and --turn, defines level and roll.

            Prints offset and matrix (calibrated = matrix × (raw - offset)), the residual, how much of the sphere \
            the samples cover, the heading error to be expected level and at 25° of roll, and a verdict: good (2° or \
            better at both), fair (every attitude), or planar (right only as level as the board was turned, as in a \
            vehicle).

            Exit status: 0; 1 with --strict where the verdict is not good; 64 for usage; 65 for samples that are not \
            a table or give no calibration, and for a wrong board file; 74 where a file could not be read or \
            written.
            """)

    @Argument(help: ArgumentHelp("The samples; - is standard input.", valueName: "samples.csv"))
    var samples: String

    @OptionGroup var place: CompassPlace

    @OptionGroup var mounting: CompassMounting

    @Option(help: ArgumentHelp("The magnetometer's model, for --json.", valueName: "model"))
    var magnetometer: String?

    @Option(help: ArgumentHelp("Draw the samples before and after, and their coverage, here.", valueName: "svg"))
    var plot: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    @Flag(help: "Fail where the verdict is not good.")
    var strict = false

    func run() throws {
        do throws(CommandFailure) {
            let verdict = try calibrate()
            if strict, verdict != .good { throw CommandFailure(message: verdict.mend, status: 1) }
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func calibrate() throws(CommandFailure) -> CalibrationVerdict {
        let chip = try mounting.chip()
        let read = try CompassSampleReader.read(samples)
        let fit = try fit(read, chip.mounting)
        if let plot {
            let svg = CompassPicture(of: read, fit).svg(title: title)
            try OutputFile.write(Array(svg.utf8).span, to: plot)
        }
        let lines = CalibrationLines(
            fit, hasAcceleration: read.contains { $0.acceleration != nil }, magnetometer: magnetometer ?? chip.model)
        if json {
            var text = TextBuffer()
            lines.append(to: &text)
            try StandardOutput.write(&text)
        } else {
            for line in lines.text { try StandardOutput.write(line: line) }
        }
        return fit.verdict
    }

    private func fit(
        _ samples: [CalibrationSample], _ mounting: Mounting
    ) throws(CommandFailure) -> CalibrationFit {
        let refusal: CalibrationRefusal
        do throws(CalibrationRefusal) {
            return try CalibrationFit(samples, CalibrationFit.Setting(earth: place.earth, mounting: mounting))
        } catch {
            refusal = error
        }
        throw .data("\(self.samples == "-" ? "standard input" : self.samples): \(refusal)")
    }

    /// The name of the samples' file, without its folder.
    private var title: String {
        samples == "-" ? "standard input" : String(samples.split(separator: "/").last ?? "")
    }
}

/// The command-line options that say how the magnetometer is mounted on the board.
struct CompassMounting: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The board's name, folder or file, which gives the magnetometer's model and mounting.", valueName: "board"))
    var board: String?

    @Option(
        help: ArgumentHelp(
            "Where the chip's x axis points: right, left, forward, backward, up or down.", valueName: "direction"),
        transform: direction)
    var x: DeviceDirection?

    @Option(help: ArgumentHelp("Where its y axis points.", valueName: "direction"), transform: direction)
    var y: DeviceDirection?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The chip's additional turn on the board, clockwise from above.", valueName: "degrees"))
    var turn: Double?

    func validate() throws {
        guard (x == nil) == (y == nil) else { throw ValidationError("--x and --y go together") }
        guard board == nil || x == nil && turn == nil else {
            throw ValidationError("give --board, or --x, --y and --turn, not both")
        }
        do { _ = try given } catch { throw ValidationError("\(error)") }
    }

    private var given: Mounting {
        get throws(MountingError) { try Mounting(x: x ?? .right, y: y ?? .forward, turn: turn ?? 0) }
    }

    private static func direction(_ name: String) throws -> DeviceDirection {
        if let direction = DeviceDirection(rawValue: name) { return direction }
        let names = DeviceDirection.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\"\(name)\" is not one of \(names)")
    }

    /// The magnetometer as the board file or the options describe it.
    ///
    /// - Returns: The magnetometer's model, which is nil if no board file names it, and its mounting.
    func chip() throws(CommandFailure) -> (model: String?, mounting: Mounting) {
        guard let board else { return (nil, (try? given) ?? .aligned) }
        let sensors: BoardSensors?
        do throws(ConfigurationError) {
            sensors = try BoardFile.board(at: board).sensors
        } catch {
            throw error.isUnreadable ? .inputOutput(error.description) : .data(error.description)
        }
        guard let magnetometer = sensors?.magnetometer else {
            throw .data("the board \(board) names no magnetometer; put it into the board's file")
        }
        return (magnetometer.model?.rawValue, magnetometer.mounting)
    }
}

/// The command-line options for the Earth's field where the samples were taken: its strength and dip, or the place, for
/// which the World Magnetic Model gives them.
struct CompassPlace: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it was recorded: degrees north.", valueName: "degrees"))
    var latitude: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east, -180 to 360.", valueName: "degrees"))
    var longitude: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Metres above the WGS 84 ellipsoid.", valueName: "metres"))
    var altitude = 0.0

    @Option(help: ArgumentHelp("When, as for declination (default: now).", valueName: "date"))
    var date: YearOption?

    @Option(help: ArgumentHelp("The field's norm, instead of a position.", valueName: "microtesla"))
    var fieldNorm: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("The field's dip, with --field-norm.", valueName: "degrees"))
    var dip: Double?

    func validate() throws {
        guard (latitude == nil) == (longitude == nil) else {
            throw ValidationError("--latitude and --longitude go together")
        }
        guard (fieldNorm == nil) == (dip == nil) else { throw ValidationError("--field-norm and --dip go together") }
        guard latitude == nil || fieldNorm == nil else {
            throw ValidationError("give a position, or --field-norm and --dip, not both")
        }
        guard fieldNorm.map({ (15...75).contains($0) }) ?? true else {
            throw ValidationError("--field-norm is 15 to 75 microtesla")
        }
        guard dip.map({ abs($0) <= 90 }) ?? true else { throw ValidationError("--dip is -90 to 90 degrees") }
        guard let latitude, let longitude else { return }
        let year = date?.decimalYear ?? CompassDeclination.thisYear
        let field = WorldMagneticModel.field(
            latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: year)
        guard let field else {
            throw ValidationError(
                "there is no such place: --latitude is -90 to 90, --longitude -180 to 360 degrees, --altitude -1000 to "
                    + "850000 metres")
        }
        guard EarthField(field) != nil else {
            throw ValidationError(
                "\(WorldMagneticModel.name) is valid from 2025 until 2030; give --field-norm and --dip of another model"
            )
        }
    }

    /// The Earth's field from the given strength and dip, or from the World Magnetic Model at the given place; nil if
    /// neither was given.
    var earth: EarthField? {
        if let fieldNorm, let dip { return EarthField(norm: fieldNorm, inclination: dip) }
        guard let latitude, let longitude else { return nil }
        let year = date?.decimalYear ?? CompassDeclination.thisYear
        return WorldMagneticModel.field(
            latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: year
        ).flatMap { EarthField($0) }
    }
}
