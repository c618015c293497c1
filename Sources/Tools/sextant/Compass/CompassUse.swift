internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON

/// `sextant compass use`.
struct CompassUse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Give the daemon a compass calibration, or remove it.",
        discussion: """
            Reads what sextant compass calibrate --json printed. The daemon keeps the calibration, and uses it only \
            with the same magnetometer on the same board. A calibration that names another magnetometer than the \
            board's is refused; one that names none counts for the board's. For operators, as with sextant clients.
            Exit status: 0; 64 for usage; 65 where the file is not a calibration, or is of another magnetometer than \
            named; 69 where the daemon cannot be reached, has no compass or another one; 74 where the file cannot be \
            read; 77 where this command is not an operator's.
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: ArgumentHelp("The calibration; - is standard input.", valueName: "calibration.json"))
    var file: String?

    @Option(help: ArgumentHelp("Check that the calibration is of this magnetometer.", valueName: "model"))
    var magnetometer: String?

    @Flag(help: "Forget the calibration.")
    var none = false

    func validate() throws {
        guard (file == nil) == none else { throw ValidationError("give a calibration, or --none") }
        if none, magnetometer != nil { throw ValidationError("--magnetometer cannot be used with --none") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(try request())
            let line = try daemon.next([.compass])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in CompassLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }

    private func request() throws(CommandFailure) -> DaemonRequest {
        guard let file else { return DaemonRequest(.eraseCompassCalibration) }
        var input = try InputFile(file)
        var bytes: [UInt8] = []
        while try input.read() { bytes += input.buffer[..<input.count] }
        guard let members = JSONMembers(parsing: bytes) else {
            throw .data("\(input.name): not a calibration; make one with sextant compass calibrate --json")
        }
        return try CompassUse.request(members, of: input.name, magnetometer)
    }

    /// The request to use a calibration, with those members of the calibration's JSON object that the daemon needs.
    private static func request(
        _ calibration: JSONMembers, of name: String, _ magnetometer: String?
    ) throws(CommandFailure) -> DaemonRequest {
        var request = DaemonRequest(.setCompassCalibration)
        let needed: [MemberKey] = [
            .reach, .offset, .matrix, .norm, .residual, .levelHeadingError, .tiltedHeadingError,
        ]
        for key in needed {
            guard let value = calibration[key.name] else {
                throw .data(
                    "\(name): \"\(key.name)\" is missing; make a calibration with sextant compass calibrate --json")
            }
            request = request.with(key, json: value)
        }
        // Only a planar calibration has an axis: the one about which the board was turned.
        return request.with(.axis, json: calibration[MemberKey.axis.name])
            .with(.magnetometer, try chip(calibration, of: name, magnetometer))
    }

    /// The magnetometer's model, from the calibration or from the command line; nil if neither names it.
    private static func chip(
        _ calibration: JSONMembers, of name: String, _ given: String?
    ) throws(CommandFailure) -> String? {
        guard let chip = calibration.text(MemberKey.magnetometer.name) else { return given }
        guard let given, given != chip else { return chip }
        throw .data(
            "\(name): the calibration is of a \(chip), not of a \(given); calibrate again, or leave out --magnetometer")
    }
}
