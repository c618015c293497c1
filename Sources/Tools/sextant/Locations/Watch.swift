internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

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
                if !isScreen { PositionStatus.tell(line) }
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

    /// Handles a change of this client's authorization: throws if locations are refused, so that the user learns why no
    /// more reports come.
    private func follow(
        _ line: DaemonLine, _ access: inout DaemonAccess, _ daemon: inout Daemon
    ) throws(CommandFailure) {
        let wasReduced = access.isReduced
        access.update(line)
        if let refusal = access.refusal { throw .refused(refusal) }
        if access.isReduced != wasReduced, locations.request == nil { try ask(access, &daemon) }
    }

    private var isScreen: Bool { !lines && !options.json && LiveScreen.isThere }

    /// Prints a fix, or an event such as a pause of the reports.
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
            if let reason = PositionStatus.reason(of: line) { try LiveScreen.draw([reason]) }
        default: break
        }
    }
}
