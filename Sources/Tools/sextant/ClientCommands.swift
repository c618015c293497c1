internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import Power
internal import SextantJSON

/// The options of every command that talks to the daemon.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's socket; SEXTANT_SOCKET, or the default place.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the daemon's JSON, an object a line.")
    var json = false

    /// Runs a command's work; a failure prints one line and sets the exit status.
    func run(_ work: (inout Daemon) throws(CommandFailure) -> Void) throws {
        do throws(CommandFailure) {
            var daemon = try Daemon(path: socket)
            try work(&daemon)
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    /// Sends a request for positions; for people also the one to be told why none come.
    func ask(_ request: DaemonRequest, _ daemon: inout Daemon) throws(CommandFailure) {
        try json ? daemon.send(request) : daemon.send(DaemonRequest(.watchStatus), request)
    }
}

/// `sextant watch`.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show every fix as it comes, or locations as accurate and as often as asked for.",
        discussion: """
            Without options about locations it shows each of the receiver's epochs. With any of them it shows \
            locations: the receiver may then rest between them, and reports pause while the board does not move. \
            With --passive it shows what other clients' requests bring, and never switches the receiver on. While \
            nothing comes it says on standard error why, and what to do (not with --json). On a terminal one fix \
            stands in the place of the last, until Ctrl-C; --lines writes them below one another, as elsewhere. \
            Before the first decision about this command it asks for authorization, and waits for the answer. With \
            reduced accuracy it gets locations in place of epochs.
            Exit status: 0 after --count fixes; 64 for usage; 69 where the daemon cannot be reached or ends; 77 \
            where it may not tell.
            """)

    @OptionGroup var options: ClientOptions

    @OptionGroup(title: "Locations") var locations: LocationOptions

    @Flag(help: "Show locations that others cause, and ask nothing of the receiver; epochs with --satellites.")
    var passive = false

    @Option(help: ArgumentHelp("With --passive, show one at most this often.", valueName: "seconds"))
    var interval: Double?

    @Flag(help: "On a terminal too, a line for each.")
    var lines = false

    @Flag(help: "With --json, print the satellites too; for epochs only.")
    var satellites = false

    @Option(help: ArgumentHelp("End after this many epochs or locations.", valueName: "count"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        if satellites, locations.request != nil { throw ValidationError("--satellites is for epochs, not locations") }
        if passive, locations.request != nil {
            throw ValidationError("--passive asks nothing of the receiver, so it goes with --interval alone")
        }
        guard let interval else { return }
        guard passive else { throw ValidationError("--interval goes with --passive; else see --minimum-interval") }
        guard ClientRequest.intervalRange.contains(interval) else {
            throw ValidationError("--interval must be seconds from 0 to \(Int(ClientRequest.intervalRange.upperBound))")
        }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            var access = try DaemonAccess.required(&daemon)
            try ask(access, &daemon)
            var seen = 0
            while count.map({ seen < $0 }) ?? true {
                let line = try daemon.next()
                if !isScreen { Standing.tell(line) }
                if line.event == .epoch || line.event == .location { seen += 1 }
                if line.event == .authorization { try follow(line, &access, &daemon) }
                try show(line)
            }
        }
    }

    private func ask(_ access: DaemonAccess, _ daemon: inout Daemon) throws(CommandFailure) {
        var request = locations.request ?? DaemonRequest(.watch).with(.satellites, satellites)
        if passive {
            request = DaemonRequest(.watch).with(.passive, true).with(.interval, interval)
                .with(.satellites, satellites ? true : nil)
        }
        if access.isReduced, locations.request == nil, satellites || !passive {
            if satellites { try SkyAccess.check(access) }
            StandardError.write(
                "sextant: \(access.name) has reduced accuracy: locations to 5 km follow, one in 15 minutes, "
                    + "instead of epochs")
            request = DaemonRequest(.watch).with(.accuracy, "best")
        }
        try options.ask(request, &daemon)
    }

    /// Takes a change of what this client may see, so that reports do not end silently.
    private func follow(
        _ line: DaemonLine, _ access: inout DaemonAccess, _ daemon: inout Daemon
    ) throws(CommandFailure) {
        let wasReduced = access.isReduced
        access.update(line)
        if let refusal = access.refusal { throw .refused(refusal) }
        if access.isReduced != wasReduced, locations.request == nil { try ask(access, &daemon) }
    }

    private var isScreen: Bool { !lines && !options.json && LiveScreen.isThere }

    /// Prints a fix, or an event about the reports.
    private func show(_ line: DaemonLine) throws(CommandFailure) {
        if isScreen { return try draw(line) }
        switch line.event {
        case .epoch, .location:
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: FixLine.text(of: line))
        case .paused, .resumed, .deferredFinished:
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: ReportLine.text(of: line))
        default: break
        }
    }
}

extension Watch {
    private func draw(_ line: DaemonLine) throws(CommandFailure) {
        switch line.event {
        case .epoch, .location: try LiveScreen.draw(FixScreen.text(of: line))
        case .paused, .resumed, .deferredFinished: try LiveScreen.draw([ReportLine.text(of: line)])
        case .status:
            if let reason = Standing.reason(of: line) { try LiveScreen.draw([reason]) }
        default: break
        }
    }
}

/// The options with which `sextant watch` asks for locations instead of epochs.
struct LocationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Accuracy: metres, best, bestForNavigation or reduced.", valueName: "metres"))
    var accuracy: String?

    @Option(help: ArgumentHelp("Report only after moving this far from the last report.", valueName: "metres"))
    var distanceFilter: Double?

    @Option(help: ArgumentHelp("Report at most this often.", valueName: "seconds"))
    var minimumInterval: Double?

    @Option(
        help: ArgumentHelp(
            "When to pause: other, automotiveNavigation, fitness, otherNavigation or airborne.", valueName: "activity"))
    var activity: String?

    @Flag(help: "Never pause.")
    var noPause = false

    @Option(help: ArgumentHelp("Hold reports back until the board has moved this far.", valueName: "metres"))
    var deferDistance: Double?

    @Option(help: ArgumentHelp("Hold reports back for this time.", valueName: "seconds"))
    var deferTimeout: Double?

    @Option(help: ArgumentHelp("The name under which a later command finds reports held back.", valueName: "name"))
    var label: String?

    func validate() throws {
        if let accuracy, !LocationOptions.isAccuracy(accuracy) {
            throw ValidationError("--accuracy must be metres from 1 to 100000, best, bestForNavigation or reduced")
        }
        try check(distanceFilter, ClientRequest.distanceRange, "--distance-filter", "metres")
        try check(minimumInterval, ClientRequest.intervalRange, "--minimum-interval", "seconds")
        try check(deferDistance, ClientRequest.distanceRange, "--defer-distance", "metres")
        try check(deferTimeout, ClientRequest.intervalRange, "--defer-timeout", "seconds")
        if let activity, ActivityType(name: activity) == nil {
            let names = ActivityType.allCases.map { "\($0.name)" }.joined(separator: ", ")
            throw ValidationError("--activity must be one of \(names)")
        }
        if let label, !LocationOptions.isPlain(label) {
            throw ValidationError("--label must be at most \(ClientRequest.maximumLabelBytes) plain characters")
        }
    }

    private func check(_ value: Double?, _ range: ClosedRange<Double>, _ name: String, _ unit: String) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(name) must be \(unit) from 0 to \(Int(range.upperBound))")
    }

    private static func isAccuracy(_ text: String) -> Bool {
        ["best", "bestForNavigation", "reduced"].contains(text)
            || Double(text).map(ClientRequest.accuracyRange.contains) == true
    }

    /// Whether a label needs no escapes in a JSON string.
    private static func isPlain(_ label: String) -> Bool {
        label.utf8.count <= ClientRequest.maximumLabelBytes
            && label.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
    }

    /// The request; nil where epochs are asked for.
    var request: DaemonRequest? {
        let metres = accuracy.flatMap { Double($0) }
        let request = DaemonRequest(.watch).with(.accuracy, metres).with(.accuracy, metres == nil ? accuracy : nil)
            .with(.distanceFilter, distanceFilter).with(.minimumInterval, minimumInterval)
            .with(.activityType, activity).with(.pausesAutomatically, noPause ? false : nil)
            .with(.deferral, json: deferral).with(.label, label)
        return request == DaemonRequest(.watch) ? nil : request
    }

    private var deferral: JSONValue? {
        let bounds = ["distance": deferDistance, "timeout": deferTimeout].compactMapValues { $0.map(JSONValue.number) }
        return bounds.isEmpty ? nil : .object(bounds)
    }
}

/// `sextant locate`.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where the board is, once.",
        discussion: """
            Before the first decision about this command it asks for authorization, and waits for the answer. While \
            no fix comes it says on standard error why, and what to do (not with --json).
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 75 where it has no fix in time; 77 \
            where it may not tell.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Wait this long for a fix.", valueName: "seconds"))
    var timeout = 60.0

    @Option(help: ArgumentHelp("Wait for a fix as accurate as this, then take the best.", valueName: "metres"))
    var accuracy: Double?

    func validate() throws {
        if let accuracy, !ClientRequest.accuracyRange.contains(accuracy) {
            throw ValidationError("--accuracy must be from 1 to 100000")
        }
        guard (0.1...86_400).contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 86400") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            _ = try DaemonAccess.required(&daemon)
            let request = DaemonRequest(.locate).with(.timeout, timeout).with(.accuracy, accuracy)
            try options.ask(request, &daemon)
            var line = try daemon.next([.location, .status])
            while line.event == .status {
                Standing.tell(line)
                line = try daemon.next([.location, .status])
            }
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: FixLine.text(of: line))
        }
    }
}

/// `sextant status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the state of the daemon and its receiver.",
        discussion:
            """
            The first line says whether positions come, and if not, why and what to do.
            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached.
            """
    )

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send(DaemonRequest(.status))
            let line = try daemon.next([.status])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in StatusLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }
}
