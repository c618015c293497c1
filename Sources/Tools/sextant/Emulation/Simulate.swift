internal import ArgumentParser
internal import Boards
internal import Emulation
internal import HostSleep
internal import HostSwitches
internal import Receivers
internal import SextantJSON
internal import Simulation

/// `sextant simulate`.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the Engine on an emulated receiver through a whole day, and say what it cost.",
        discussion: """
            The receiver follows --truth in virtual time; a client asks for --accuracy, and the policy decides when \
            the receiver is on. Everything counts from the first location on. Between two reports the location is \
            the last one reported; it is too far off while it is farther than the accuracy from the truth.

            Errors are reported separately for moving time and for all other time: most of a day is rest, which any \
            policy gets right. The board moves while the truth goes more than 50 m within a minute; pauses under a \
            minute are bridged, and a movement counts as a bout where it lasts two minutes or more. "Right again" is \
            the time from a bout's first violation until the location is right.

            Policies: adaptive is the daemon's own; always-on never rests; interval:SECONDS switches the receiver on \
            by the clock and off at its next fix; oracle takes the fixes of the best schedule, which knows the truth \
            beforehand.

            The oracle may be too far off for 5 % of the moving time, starts in 4 s, the median of hot starts, and \
            may track cyclically where the receiver can.

            Exit status: 0 when done; 64 for usage; 65 for a file that is not a truth or a mask, or a truth that is \
            too short; 70 where the Engine fails; 74 where a file could not be read or written.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where the receiver truly is: time,latitude,longitude[,altitude,speed,course].", valueName: "csv"))
    var truth: String

    @Option(
        help: ArgumentHelp("The receiver: " + ReceiverModel.names + ".", valueName: "model"),
        transform: { try ReceiverModel.option($0, "simulated") })
    var receiver: ReceiverModel

    @Option(help: ArgumentHelp("The accuracy that the client asks for, 1 to 100000.", valueName: "metres"))
    var accuracy: Double

    @Option(help: ArgumentHelp("Report only after moving this far; with adaptive and always-on.", valueName: "metres"))
    var distanceFilter: Double?

    @Option(
        help: ArgumentHelp("adaptive, always-on, interval:SECONDS or oracle (default: adaptive).", valueName: "policy"),
        transform: Simulate.policy)
    var policy: SimulationPolicy = .adaptive

    @Flag(help: "The board has an accelerometer with a motion interrupt.")
    var motionSensor = false

    @Flag(help: "The receiver has no backup supply: every start is a cold one.")
    var noBackup = false

    @Option(help: ArgumentHelp("When the receiver is indoors: start,end.", valueName: "csv"))
    var mask: String?

    @Option(
        help: ArgumentHelp(
            "What the receiver's errors are like: \(SurroundingsOption.names) (default: open).", valueName: "kind"))
    var surroundings: SurroundingsOption = .open

    @Option(help: "Seed of everything random.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp("The host: " + Simulate.hosts + " (default: zero-2w).", valueName: "model"),
        transform: Simulate.host)
    var host: HostModel = .zero2W

    @Option(
        help: ArgumentHelp(
            "The board switches itself off between two needs, by this switch: \(Simulate.switches). With --motion-sensor "
                + "motion wakes it too.", valueName: "switch"), transform: Simulate.hostSwitch)
    var hostSleep: HostSwitchModel?

    @Flag(help: "With --host-sleep: report on a second such run, which begins with what the first one learned.")
    var secondRun = false

    @Option(help: ArgumentHelp("Write the receiver's states and the locations here, lines of JSON.", valueName: "path"))
    var events: String?

    @Option(help: ArgumentHelp("Draw the run to this file.", valueName: "svg"))
    var picture: String?

    @Option(
        help: ArgumentHelp(
            "Write the Engine's inputs here, for sextant replay; not with oracle.", valueName: "path"))
    var record: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print also what the best schedule of an oracle would have cost.")
    var withOracle = false

    private static let hosts = HostModel.allCases.map(\.rawValue).joined(separator: ", ")

    private static let switches = HostSwitchModel.allCases.map(\.rawValue).joined(separator: ", ")

    private static func hostSwitch(_ text: String) throws -> HostSwitchModel {
        guard let model = HostSwitchModel(rawValue: text) else {
            throw ValidationError("\(text) is no host switch; choose one of \(switches)")
        }
        return model
    }

    private static func host(_ text: String) throws -> HostModel {
        guard let model = HostModel(rawValue: text) else {
            throw ValidationError("\(text) is not a host with a known draw; choose one of \(hosts)")
        }
        return model
    }

    func validate() throws {
        guard (1...100_000).contains(accuracy) else {
            throw ValidationError("--accuracy is in metres, from 1 to 100000")
        }
        guard record == nil || policy != .oracle else {
            throw ValidationError("--record does not go with oracle, which runs no Engine; leave it out")
        }
        guard hostSleep == nil || policy == .adaptive else {
            throw ValidationError("--host-sleep goes with the policy adaptive alone")
        }
        guard hostSleep != nil || !secondRun else { throw ValidationError("--second-run goes with --host-sleep") }
        guard let distanceFilter else { return }
        guard (0...40_000_000).contains(distanceFilter) else {
            throw ValidationError("--distance-filter is in metres, from 0 to 40000000")
        }
        guard policy == .adaptive || policy == .alwaysOn else {
            throw ValidationError(
                "--distance-filter does not go with interval and oracle, which report each fix; leave it out")
        }
    }

    func run() throws {
        do throws(CommandFailure) {
            try simulate()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func simulate() throws(CommandFailure) {
        var settings = try settings()
        let grid = try grid(of: settings)
        let oracle = withOracle || settings.policy == .oracle ? settings.oracle(on: grid) : nil
        let result: SimulationResult
        do throws(SimulationError) {
            if secondRun { settings.learned = try Simulation.run(settings, on: grid).sleep?.learned }
            result = try Simulation.run(settings, on: grid, oracle: oracle)
        } catch {
            throw CommandFailure(message: "\(error)", status: 70)
        }
        let score = try score(result, settings, grid, withOracle ? oracle : nil)
        try writeEvents(of: result)
        if let record { try OutputFile.write(result.recording.span, to: record) }
        let figures = SimulationReport(score, of: result)
        try drawPicture(of: result, grid, figures)
        try report(figures)
    }

    private func settings() throws(CommandFailure) -> SimulationSettings {
        var settings = SimulationSettings(
            model: receiver, trajectory: try trajectory(), mask: try InputFile.mask(mask), accuracy: accuracy,
            distanceFilter: distanceFilter, policy: policy, hasMotionSensor: motionSensor,
            hasBackup: !noBackup, seed: seed, host: host.power)
        settings.surroundings = surroundings.surroundings
        settings.isRecorded = record != nil
        settings.hostSleep = hostSleep.map { sleepModel(of: $0) }
        return settings
    }

    /// A model, with default settings, of how a board sleeps that has this host and this host switch (the chip that
    /// cuts the host's supply).
    private func sleepModel(of model: HostSwitchModel) -> HostSleepModel {
        var allowed = HostSleepSettings()
        allowed.isAllowed = true
        // The simulated alarm never fails, so the sleep needs no backstop (a second way to wake the board).
        allowed.withoutBackstop = true
        let costs = HostCosts(host, idleMilliwatts: host.power.idleMilliwatts)
        let traits = model.traits
        let offAtHost = model.offMilliwatts * HostCosts.converterEfficiency
        let configuration = HostSleepConfiguration(
            allowed, traits: traits, hasMotionWake: motionSensor,
            breakEven: costs.breakEven(cutDelay: Double(traits.cutDelay), offMilliwatts: offAtHost))
        return HostSleepModel(
            configuration, costs: costs, offMilliwatts: model.offMilliwatts, cutSeconds: Double(traits.cutDelay))
    }

    // MARK: Files

    private func trajectory() throws(CommandFailure) -> Trajectory {
        try InputFile.parsed(truth, TrajectoryFile.read)
    }

    private func grid(of settings: SimulationSettings) throws(CommandFailure) -> TruthGrid {
        do throws(TruthError) {
            return try settings.truth()
        } catch {
            throw .data("\(truth): \(Simulate.words(error))")
        }
    }

    private static func words(_ error: TruthError) -> String {
        switch error {
        case .tooShort: "there is only one point; a run needs the points of its whole time"
        case .timesDoNotRise(let index): "point \(index + 1) is not after the one before; sort the points by time"
        case .badCoordinate(let index): "point \(index + 1) is not on the Earth; write latitude, longitude in degrees"
        case .tooLong(let seconds):
            "it lasts \(Int(seconds)) s, and 10 million are the most; are the times in seconds?"
        }
    }

    private func score(
        _ result: SimulationResult, _ settings: SimulationSettings, _ grid: TruthGrid, _ oracle: Oracle?
    ) throws(CommandFailure) -> RunScore {
        do throws(RunScoreError) {
            return try result.score(of: settings, against: grid, oracle: oracle)
        } catch {
            throw .data(
                "\(truth): the truth ended before the first location came; give a truth of more than a minute")
        }
    }

    private func writeEvents(of result: SimulationResult) throws(CommandFailure) {
        guard let events else { return }
        var text = TextBuffer(capacity: 1 << 20)
        RunEvents.write(result.record, to: &text)
        try text.withBytes { bytes throws(CommandFailure) in try OutputFile.write(bytes, to: events) }
    }

    private func drawPicture(
        of result: SimulationResult, _ grid: TruthGrid, _ figures: SimulationReport
    ) throws(CommandFailure) {
        guard let picture else { return }
        let title = "\(receiver.rawValue), \(policyName): \(figures.headline)"
        let svg = PowerPicture(of: result.record, against: grid, accuracy: accuracy, title: title).svg
        try OutputFile.write(Array(svg.utf8).span, to: picture)
    }

    private func report(_ report: SimulationReport) throws(CommandFailure) {
        guard json else {
            for line in report.lines { try StandardOutput.write(line: line) }
            return
        }
        var text = TextBuffer(capacity: 1024)
        report.write(to: &text)
        try StandardOutput.write(&text)
    }
}

extension Simulate {
    /// The accepted range of SECONDS in the policy `interval:SECONDS`.
    private static let intervals = 1.0...1e6

    private static func policy(_ text: String) throws -> SimulationPolicy {
        switch text {
        case "adaptive": return .adaptive
        case "always-on": return .alwaysOn
        case "oracle": return .oracle
        default: break
        }
        let name = "interval:"
        guard text.hasPrefix(name), let seconds = Double(text.dropFirst(name.count)), intervals.contains(seconds) else {
            throw ValidationError(
                "\(text) is not a policy; choose one of adaptive, always-on, oracle, and interval:SECONDS with 1 to "
                    + "1000000 seconds")
        }
        return .interval(seconds: seconds)
    }

    /// The power policy's name, as the user writes it on the command line.
    private var policyName: String {
        switch policy {
        case .adaptive: "adaptive"
        case .alwaysOn: "always-on"
        case .interval(let seconds): seconds == seconds.rounded() ? "interval:\(Int(seconds))" : "interval:\(seconds)"
        case .oracle: "oracle"
        }
    }
}
