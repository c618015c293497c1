internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

extension Visits {
    /// `sextant visits watch`.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the board's arrivals and departures as they come.",
            discussion: """
                An arrival is told once the board has stayed for some minutes, a departure when it has left. Visits \
                that were not shown yet come first. While the command runs, visits are monitored for its client, \
                sextant, which keeps the receiver busier; they were before and are afterwards only where another \
                program of that client monitors them. If this command or the daemon is killed meanwhile, they stay \
                monitored; sextant privacy erase sextant --what registrations ends that, and the client's regions. \
                With --near a visit also says what town it is near. Ctrl-C ends it.

                Exit status: 0 after --count visits or Ctrl-C; 64 for usage; 69 where the daemon cannot be reached \
                or ends; 77 where it may not tell.
                """)

        @OptionGroup var options: ClientOptions

        @Flag(help: "Say what town the visit is near, where a table of places is installed; with --json the key near.")
        var near = false

        @Option(help: ArgumentHelp("End after this many arrivals and departures.", valueName: "count"))
        var count: Int?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                var access = try DaemonAccess.required(&daemon)
                var input = try CommandInput(readsAnswers: false)
                let places = near ? LocalPlaces.forColumns() : nil
                let wasMonitored = try Watch.isMonitored(&daemon)
                try options.ask(DaemonRequest(.monitorVisits).with(.enabled, true), &daemon)
                defer {
                    if !wasMonitored { try? daemon.send(DaemonRequest(.monitorVisits).with(.enabled, false)) }
                }
                StandardError.write("sextant: arrivals and departures are shown; Ctrl-C ends it")
                var told = 0
                while count.map({ told < $0 }) ?? true {
                    guard case .daemon(let line) = try input.next(from: &daemon) else { return }
                    switch try line.checked().event {
                    case .status: PositionStatus.tellTrouble(line)
                    case .authorization:
                        access.update(line)
                        if let refusal = access.refusal { throw .refused(refusal) }
                    case .visit:
                        try tell(line, places)
                        try daemon.send(DaemonRequest(.acknowledge).with(.number, line.integer(.number)))
                        told += 1
                    default: break
                    }
                }
            }
        }

        /// Whether this command's client has already asked the daemon to monitor visits.
        private static func isMonitored(_ daemon: inout Daemon) throws(CommandFailure) -> Bool {
            try daemon.send(DaemonRequest(.registrations))
            var isFound = false
            while true {
                let line = try daemon.next([.registration, .registrations])
                guard line.event == .registration else { return isFound }
                isFound = isFound || line.text(.kind) == "visits"
            }
        }

        private func tell(_ visit: DaemonLine, _ places: LocalPlaces?) throws(CommandFailure) {
            let near = places?.near(of: visit)
            if options.json {
                try StandardOutput.write(LocalPlaces.bytes(of: visit, near: near))
            } else {
                try StandardOutput.write(line: VisitLines.text(of: visit) + (near.map { ", \($0)" } ?? ""))
            }
        }
    }
}
