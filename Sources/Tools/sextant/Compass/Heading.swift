internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import SextantReactor
internal import SextantUnits

/// `sextant heading`.
struct Heading: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show where the board points, or what its compass measures.",
        discussion: """
            A heading is from magnetic north; with --true also from true north, if this command may see locations. \
            The heading of an uncalibrated or disturbed compass is shown as invalid: see sextant compass.
            --raw shows every sample as the chips measured it, in the magnetometer's axes, and is for operators. \
            With --csv it is what sextant compass calibrate reads: time (Unix seconds), x, y, z (µT), ax, ay, az \
            (m/s², empty without an accelerometer); samples beyond the chip's range are left out.
            While the compass does not answer, the command waits for it and says so on standard error.
            Exit status: 0 after --count headings or samples; 64 for usage; 69 where the daemon cannot be reached or \
            ends, and where the board has no compass; 77 where it may not tell.
            """)

    @OptionGroup var options: ClientOptions

    @Option(
        help: ArgumentHelp("Show a heading that differs by this much from the last; 0 for all.", valueName: "degrees"))
    var filter: Double?

    @Flag(name: .customLong("true"), help: "Show true north too, which needs locations.")
    var wantsTrue = false

    @Flag(help: "Show every sample as the chips measured it.")
    var raw = false

    @Flag(help: "With --raw, print time,x,y,z,ax,ay,az.")
    var csv = false

    @Option(help: ArgumentHelp("End after this many headings or samples.", valueName: "count"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        if let filter, !HeadingSettings.filterRange.contains(filter) {
            throw ValidationError("--filter must be degrees from 0 to 180")
        }
        if csv, !raw { throw ValidationError("--csv needs --raw") }
        if csv, options.json { throw ValidationError("choose one of --csv and --json") }
        if raw, filter != nil || wantsTrue { throw ValidationError("--raw cannot be used with --filter or --true") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try checkCompass(&daemon)
            try ask(&daemon)
            if csv { try StandardOutput.write(line: SampleLine.header) }
            var seen = 0
            while count.map({ seen < $0 }) ?? true {
                let line = try daemon.next([.heading, .compassSample, .failed, .headingCalibration, .status])
                PositionStatus.tell(line)
                if try show(line) { seen += 1 }
            }
        }
    }

    /// Prints why the compass gives no headings yet; throws if the board has no compass.
    ///
    /// If the compass does not answer, the daemon goes on looking for it while a client asks for headings.
    private func checkCompass(_ daemon: inout Daemon) throws(CommandFailure) {
        if daemon.hello.texts(.capabilities).contains("heading") { return }
        try daemon.send(DaemonRequest(.status))
        guard let compass = try daemon.next([.status]).object(.compass) else {
            throw .unavailable("this board has no compass; name its magnetometer in the board's file")
        }
        guard let trouble = CompassLines.trouble(compass) else { return }
        StandardError.write("sextant: \(trouble); waiting for the compass")
    }

    private func ask(_ daemon: inout Daemon) throws(CommandFailure) {
        if raw { return try daemon.send(DaemonRequest(.watchCompass).with(.enabled, true)) }
        if wantsTrue {
            _ = try DaemonAccess.required(&daemon)
            let watch = DaemonRequest(.watch).with(.accuracy, 1000).with(.pausesAutomatically, false)
            try options.ask(watch, &daemon)
        }
        try daemon.send(DaemonRequest(.watchHeading).with(.filter, filter ?? HeadingSettings.defaultFilter))
    }

    /// Prints a heading, a compass sample or a warning from the daemon.
    ///
    /// - Returns: Whether the printed line counts towards the number given with `--count`.
    private func show(_ line: DaemonLine) throws(CommandFailure) -> Bool {
        switch line.event {
        case .heading:
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: HeadingLine.text(of: line))
        case .compassSample:
            if csv, line.flag(.saturated) == true { return false }
            let text = csv ? SampleLine.csv(of: line) : SampleLine.text(of: line)
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: text)
        case .failed:
            if line.failure == .headingFailure { StandardError.write("sextant: the compass fails; see sextant status") }
            return false
        case .status: return false
        default:
            if line.flag(.wanted) == true {
                StandardError.write("sextant: the compass needs a calibration: sextant compass calibrate --help")
            }
            return false
        }
        return true
    }
}

/// A heading as a readable line.
enum HeadingLine {
    static func text(of line: DaemonLine) -> String {
        var parts = [line.text(.time) ?? "time unknown            "]
        parts.append(direction(line.number(.magneticHeading), "magnetic"))
        if let degrees = line.number(.trueHeading), degrees >= 0 { parts.append(direction(degrees, "true")) }
        parts.append(accuracy(line.number(.headingAccuracy)))
        let field = SampleLine.field.map { line.number($0) ?? 0 }
        parts.append("field \(Text.fixed(field.reduce(0) { $0 + $1 * $1 }.squareRoot(), 1)) µT")
        return parts.joined(separator: "  ")
    }

    private static func direction(_ degrees: Double?, _ north: String) -> String {
        guard let degrees, degrees >= 0 else { return "no heading" }
        return "\(Text.fixed(degrees, 1))° \(north)"
    }

    private static func accuracy(_ degrees: Double?) -> String {
        guard let degrees, degrees >= 0 else { return "invalid: uncalibrated or disturbed" }
        return "±\(Text.fixed(degrees, 1))°"
    }
}

/// A sample of the magnetometer and the accelerometer as a line of text for the user, or as a CSV line.
enum SampleLine {
    static let header = "time,x,y,z,ax,ay,az"
    static let field: [MemberKey] = [.x, .y, .z]
    private static let force: [MemberKey] = [.ax, .ay, .az]

    /// The sample as a CSV line; the field of an unknown number is empty.
    static func csv(of line: DaemonLine) -> String {
        let field = SampleLine.field.map { line.number($0).map { Text.fixed($0, 3) } ?? "" }
        let force = SampleLine.force.map { line.number($0).map { Text.fixed($0, 4) } ?? "" }
        return ([time(of: line)] + field + force).joined(separator: ",")
    }

    /// The readable line.
    static func text(of line: DaemonLine) -> String {
        let field = SampleLine.field.map { Text.fixed(line.number($0) ?? 0, 2) }.joined(separator: " ")
        var parts = [line.text(.time) ?? "time unknown            ", "\(field) µT"]
        if line.flag(.saturated) == true { parts.append("beyond the chip's range") }
        if line.number(.ax) != nil {
            let force = SampleLine.force.map { Text.fixed(line.number($0) ?? 0, 3) }.joined(separator: " ")
            parts.append("\(force) m/s²")
        }
        return parts.joined(separator: "  ")
    }

    /// The sample's time in Unix seconds, as the daemon states it; if it states none, the host's time at the sample's
    /// arrival.
    private static func time(of line: DaemonLine) -> String {
        let known = line.text(.time).flatMap { UTCInstant(iso8601: $0) }
        return Text.fixed(Double((known ?? Clock.utc()).nanoseconds / 1_000_000) / 1000, 3)
    }
}
