internal import ArgumentParser
internal import Emulation
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The options of `sextant emulate receiver --model`.
struct ModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Emulate this receiver, which obeys the program that opens the terminal: "
                + ReceiverModel.names + ".", valueName: "model"),
        transform: { try ReceiverModel.option($0, "emulated") })
    var model: ReceiverModel?

    @Option(
        help: ArgumentHelp(
            "Where the model truly is: time,latitude,longitude[,altitude,speed,course].", valueName: "csv"))
    var truth: String?

    @Option(help: ArgumentHelp("When the model is indoors: start,end.", valueName: "csv"))
    var mask: String?

    @Option(help: ArgumentHelp("Take the model's lines (powerEnable 0) from this Unix socket.", valueName: "path"))
    var lines: String?

    @Option(
        help: ArgumentHelp(
            "Let the model's time pass only as programs order it on this Unix socket, as scripts/tune-power --clock of "
                + "Sextant's sources does.", valueName: "path"))
    var clock: String?

    @Flag(help: "The model's supply is off until its line switches it on.")
    var unpowered = false

    @Flag(help: "The model has no backup supply.")
    var noBackup = false

    @Flag(help: "Make bytes garbage when the program's rate is not the model's.")
    var mindRate = false

    @Option(help: ArgumentHelp("Give the model a fault: \(FaultOption.names); may be repeated.", valueName: "fault"))
    var fault: [FaultOption] = []

    @Option(help: ArgumentHelp("The model wakes by itself from any sleep after this.", valueName: "seconds"))
    var wakesAfter: Double?

    @Option(
        help: ArgumentHelp(
            "What the model's errors are like: \(SurroundingsOption.names) (default: open).", valueName: "kind"))
    var surroundings: SurroundingsOption?

    func validate() throws {
        guard model == nil else {
            guard wakesAfter.map({ $0 > 0 && $0 <= WindowOption.longest }) ?? true else {
                throw ValidationError("--wakes-after must be over 0 and at most 1000000000")
            }
            return
        }
        let isUsed =
            truth != nil || mask != nil || lines != nil || clock != nil || unpowered || noBackup || mindRate
            || !fault.isEmpty
            || wakesAfter != nil || surroundings != nil
        guard !isUsed else {
            throw ValidationError(
                "--truth, --mask, --lines, --clock, --unpowered, --no-backup, --mind-rate, --fault, --wakes-after and "
                    + "--surroundings need --model")
        }
    }

    /// Reads the files that the options name, and returns a closure that makes the receiver at its first instant.
    func maker(
        _ model: ReceiverModel, seed: UInt64, start: StartOption
    ) throws(CommandFailure) -> (MonotonicInstant) -> EmulatedReceiver {
        let truth = try trajectory()
        let blind = try InputFile.mask(mask)
        var options = EmulatedReceiver.Options()
        options.isPoweredAtStart = !unpowered
        options.backup = noBackup ? .none : .supply
        options.faults = EmulatedReceiver.Faults(fault.map(\.fault))
        options.wakesBySelfAfter = wakesAfter
        options.surroundings = surroundings?.surroundings ?? .open
        if start == .hot { options.ephemerisAgeAtStart = 600 }
        return { instant in
            options.start = instant
            return EmulatedReceiver(
                model: model, trajectory: truth ?? ModelOptions.still(at: Clock.utc()), mask: blind, seed: seed,
                options: options)
        }
    }

    private func trajectory() throws(CommandFailure) -> Trajectory? {
        guard let truth else { return nil }
        return try InputFile.parsed(truth, TrajectoryFile.read)
    }

    /// A trajectory that stays at the place where the synthetic drive begins.
    private static func still(at time: UTCInstant) -> Trajectory {
        let place = EmulateReceiver.place
        return Trajectory(points: [
            TrajectoryPoint(
                time: time.seconds, latitude: place.latitude, longitude: place.longitude,
                altitude: place.altitudeAboveMeanSeaLevel)
        ])
    }
}

extension ReceiverModel {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Parses the name of a receiver model.
    ///
    /// - Parameter participle: What the command does with models, for the error about an unknown name: "emulated" or
    ///   "simulated".
    static func option(_ text: String, _ participle: String) throws -> ReceiverModel {
        guard let model = ReceiverModel(rawValue: text) else {
            throw ValidationError("\(text) cannot be \(participle); choose one of \(names)")
        }
        return model
    }
}

extension InputFile {
    /// The intervals during which a receiver is indoors, from a file; no interval if no file is given.
    static func mask(_ path: String?) throws(CommandFailure) -> MaskIntervals {
        guard let path else { return .none }
        return try parsed(path, MaskIntervals.read)
    }
}

/// A fault that an emulated receiver can have, as a word on the command line.
enum FaultOption: String, ExpressibleByArgument, CaseIterable {
    case neverAnswers = "never-answers"
    case answersGarbage = "answers-garbage"
    case refusesAll = "refuses-all"
    case ignoresSleep = "ignores-sleep"
    case ignoresTimedStandby = "ignores-timed-standby"

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    var fault: EmulatedReceiver.Faults {
        switch self {
        case .neverAnswers: .neverAnswers
        case .answersGarbage: .answersGarbage
        case .refusesAll: .refusesAll
        case .ignoresSleep: .ignoresSleep
        case .ignoresTimedStandby: .ignoresTimedStandby
        }
    }
}

/// Runs an emulated receiver until this process gets a signal to end, or the emulation stops.
enum ModelPlayer {
    /// Runs an emulated receiver until this process gets a signal to end.
    ///
    /// - Parameter path: The path of the socket through which programs set the receiver's time; nil if the receiver
    ///   follows the board's clock.
    static func play(
        _ settings: EmulatedReceiverPort.Settings, clock path: String?,
        make: @escaping (MonotonicInstant) -> EmulatedReceiver
    ) throws {
        let reactor = try Reactor()
        try reactor.onSignal { _ in reactor.stop() }
        var failure: (any Error)?
        let fail = { (error: any Error) in
            failure = failure ?? error
            reactor.stop()
        }
        let clock = try path.map { path in
            try EmulatedReceiverClock(path: path, utc: Clock.utc(), reactor: reactor, failed: fail)
        }
        let port = try EmulatedReceiverPort(settings, reactor: clock?.reactor ?? reactor, make: make) { state, time in
            do throws(CommandFailure) {
                try StandardOutput.write(line: line(state, time))
            } catch {
                fail(error)
            }
        } ended: {
            reactor.stop()
        }
        try clock?.drive(port)
        try StandardOutput.write(line: port.path)
        port.run()
        try reactor.run()
        withExtendedLifetime((port, clock)) {}
        if let failure { throw failure }
    }

    /// A JSON line with the receiver's power state and the time, in seconds since 1970 with milliseconds.
    private static func line(_ state: EmulatedPowerState, _ time: Double) -> String {
        let milliseconds = Int64((time * 1000).rounded())
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "{\"time\":\(milliseconds / 1000).\(fraction),\"receiver\":\"\(state.name)\"}"
    }
}
