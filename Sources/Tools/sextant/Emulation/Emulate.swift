internal import ArgumentParser
internal import Emulation
internal import GNSS
internal import Receivers
internal import SextantReactor
internal import SextantSockets

/// `sextant emulate`.
struct Emulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Emulate hardware.", subcommands: [EmulateReceiver.self])
}

/// `sextant emulate receiver`.
struct EmulateReceiver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receiver",
        abstract: "An emulated receiver on a pseudo-terminal.",
        discussion: """
            Without --model it plays a recording at its own pace, or without a recording a synthetic drive. With \
            --model it emulates that receiver: it obeys the commands that a program writes, and stays at one place \
            unless --truth gives its movement. The first line on standard output is the terminal's path; a model's \
            power states follow, a line of JSON each.

            Exit status: 0 at the end or after SIGTERM or SIGINT; 64 for usage; 65 for a recording with nothing in \
            it; 74 where a file or the terminal failed.
            """
    )

    static let place = SyntheticDrive.Start(latitude: 47.3769, longitude: 8.5417, altitudeAboveMeanSeaLevel: 408)

    @Argument(help: ArgumentHelp("A recording of a receiver's raw bytes.", valueName: "recording"))
    var recording: String?

    @Option(help: ArgumentHelp("Put a symbolic link to the terminal here.", valueName: "path"))
    var link: String?

    @Flag(help: "Begin when a program opens the terminal, and not at once.")
    var wait = false

    @Option(help: "Divide all waits by this.")
    var speed = 1.0

    @Option(help: ArgumentHelp("Pace the bytes as a UART of this rate would; off for whole bursts.", valueName: "rate"))
    var baud: BaudPacing = BaudPacing(rate: 9600)

    @Flag(help: "Play the recording again and again.")
    var loop = false

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Double?

    @Option(help: "What the synthetic receiver speaks.")
    var output: OutputOption = .nmea

    @Option(help: ArgumentHelp("Epochs a second of the synthetic receiver, 1 to 10.", valueName: "hertz"))
    var rate = 1

    @Option(help: "How the synthetic receiver starts.")
    var start: StartOption = .cold

    @Option(help: "Seed of everything random.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Lose a byte with this probability.", valueName: "probability"))
    var drop = 0.0

    @Option(help: ArgumentHelp("Flip a bit with this probability a byte.", valueName: "probability"))
    var flip = 0.0

    @Option(help: ArgumentHelp("Fall silent, after:for seconds; may be repeated.", valueName: "after:for"))
    var pause: [WindowOption] = []

    @Option(help: ArgumentHelp("Be unplugged, after:for seconds; may be repeated.", valueName: "after:for"))
    var disconnect: [WindowOption] = []

    @OptionGroup var modelOptions: ModelOptions

    func validate() throws {
        if modelOptions.model != nil, isScripted {
            throw ValidationError(
                "a recording, --loop, --output, --rate, --baud, --drop, --flip, --pause and --disconnect do not go with "
                    + "--model; leave them out")
        }
        guard (0.001...1e6).contains(speed) else { throw ValidationError("--speed must be from 0.001 to 1000000") }
        guard modelOptions.clock == nil || speed == 1 else {
            throw ValidationError("--speed does not go with --clock, on which programs say how fast time passes")
        }
        guard (1...10).contains(rate) else { throw ValidationError("--rate must be from 1 to 10") }
        guard (0...1).contains(drop), (0...1).contains(flip) else {
            throw ValidationError("--drop and --flip are probabilities, from 0 to 1")
        }
        if let duration, !(duration > 0 && duration <= WindowOption.longest) {
            throw ValidationError("--duration must be over 0 and at most 1000000000")
        }
        let gone = disconnect.map(\.window).sorted { $0.afterSeconds < $1.afterSeconds }
        guard zip(gone, gone.dropFirst()).allSatisfy({ $0.afterSeconds + $0.lengthSeconds <= $1.afterSeconds }) else {
            throw ValidationError("two --disconnect overlap; unplug it once for the whole time")
        }
    }

    /// Whether the user gave an option that applies only to a scripted receiver, not to the emulation of a receiver
    /// model.
    private var isScripted: Bool {
        recording != nil || loop || output != .nmea || rate != 1 || baud.rate != 9600 || drop > 0 || flip > 0
            || !pause.isEmpty || !disconnect.isEmpty
    }

    func run() throws {
        do {
            if let model = modelOptions.model { try play(model) } else { try play(script()) }
        } catch let problem as CommandFailure {
            problem.report()
            throw ExitCode(problem.status)
        } catch let problem as SystemError {
            let isLink = problem.call.hasPrefix("link ")
            let mend = isLink ? "; give --link a path that is free, in a folder that is there" : ""
            StandardError.write("sextant: the receiver's terminal: \(problem)\(mend)")
            throw ExitCode(74)
        } catch let problem as LocalSocketError {
            StandardError.write("sextant: \(problem)")
            throw ExitCode(74)
        }
    }

    private func play(_ model: ReceiverModel) throws {
        var settings = EmulatedReceiverPort.Settings()
        settings.link = link
        settings.lines = modelOptions.lines
        settings.waits = wait
        settings.speed = speed
        settings.duration = duration
        settings.mindsRate = modelOptions.mindRate
        try ModelPlayer.play(
            settings, clock: modelOptions.clock, make: modelOptions.maker(model, seed: seed, start: start))
    }

    private func play(_ script: ReceiverScript) throws {
        let reactor = try Reactor()
        try reactor.onSignal { _ in reactor.stop() }
        let port = try EmulatedPort(script, link: link, waits: wait, reactor: reactor) { reactor.stop() }
        try StandardOutput.write(line: port.path ?? "")
        try reactor.run()
        withExtendedLifetime(port) {}
    }

    private func script() throws -> ReceiverScript {
        var pacing = Pacer.Configuration(bitsPerSecond: baud.rate)
        pacing.speed = speed
        // If the serial line is too slow for all messages, more and more bytes would wait to be sent; the scripted
        // receiver then drops an epoch, as a real one does.
        pacing.backlogLimitBytes = 4096
        var faults = Faults.Configuration(seed: seed)
        faults.dropProbability = drop
        faults.flipProbability = flip
        faults.pauses = pause.map(\.window)
        faults.disconnects = disconnect.map(\.window)
        return ReceiverScript(
            source: try source(), pacer: Pacer(configuration: pacing), faults: Faults(configuration: faults),
            durationSeconds: duration)
    }

    private func source() throws -> ReceiverScript.Source {
        if let recording {
            let bytes = try InputFile.contents(of: recording)
            let player = RecordingPlayer(recording: bytes, bitsPerSecond: baud.rate ?? 9600, isLooping: loop)
            guard player.burstCount > 0 else {
                throw CommandFailure.data("\(recording): is empty; a recording holds a receiver's raw bytes")
            }
            return .recording(player)
        }
        let place = EmulateReceiver.place
        var configuration = SyntheticReceiver.Configuration(seed: seed, startTime: Clock.utc())
        configuration.rate = rate
        configuration.output = output.output
        configuration.acquisition = start.acquisition
        return .synthetic(
            SyntheticReceiver(
                drive: SyntheticDrive(start: place, seed: seed),
                sky: SyntheticSky(
                    constellations: [.gps, .sbas, .galileo, .glonass], longitude: place.longitude, seed: seed),
                configuration: configuration))
    }
}

/// The protocols in which a synthetic receiver sends: NMEA, UBX or both.
enum OutputOption: String, ExpressibleByArgument, CaseIterable {
    case nmea
    case ubx
    case both

    var output: SyntheticReceiver.Output {
        switch self {
        case .nmea: .nmea
        case .ubx: .ubx
        case .both: .both
        }
    }
}

/// Whether a synthetic receiver is switched on with nothing known (a cold start) or with time, place and ephemerides
/// known (a hot start).
enum StartOption: String, ExpressibleByArgument, CaseIterable {
    case cold
    case hot

    var acquisition: Acquisition {
        switch self {
        case .cold: .coldStart
        case .hot: .hotStart
        }
    }
}

/// The emulated serial line's baud rate; nil for `off`: the bytes are then sent without a line's delay.
struct BaudPacing: ExpressibleByArgument {
    var rate: Int?

    init(rate: Int?) { self.rate = rate }

    init?(argument: String) {
        if argument == "off" { return }
        guard let rate = Int(argument), (4800...921_600).contains(rate) else { return nil }
        self.rate = rate
    }

    var defaultValueDescription: String { rate.map { "\($0)" } ?? "off" }
}

/// A span of time on the command line, written `after:for`: the seconds from the emulation's start to the span's
/// beginning, and the span's length in seconds.
struct WindowOption: ExpressibleByArgument {
    /// The largest accepted number of seconds, for the beginning and the length of a span and for other times on the
    /// command line.
    static let longest = 1e9

    var window: Faults.Window

    init?(argument: String) {
        let parts = argument.split(separator: ":").compactMap { Double($0) }
        guard parts.count == 2, parts.allSatisfy({ (0...WindowOption.longest).contains($0) }), parts[1] > 0 else {
            return nil
        }
        window = Faults.Window(afterSeconds: parts[0], lengthSeconds: parts[1])
    }
}
