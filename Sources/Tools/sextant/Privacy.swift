internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant privacy`.
struct Privacy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is kept about the clients and the board, and erase it.",
        discussion: """
            For operators, as with sextant clients. The board's own track and visits are erased by sextant history \
            --erase and sextant visits --erase.

            Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached or \
            this command is not an operator's.
            """,
        subcommands: [List.self, Erase.self], defaultSubcommand: List.self)

    /// `sextant privacy list`, and `sextant privacy` alone.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what is kept about all clients and the board, or about one client (default).",
            discussion: "Exit status: as sextant privacy.")

        @Argument(help: ArgumentHelp("Only what is kept about this client.", valueName: "client"))
        var name: String?

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.privacy).with(.client, name))
                var isEmpty = true
                while true {
                    let line = try daemon.next([.stored, .privacy])
                    guard line.event == .stored else { break }
                    isEmpty = false
                    try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: Privacy.text(line))
                }
                if name == nil, try tellOfBoard(&daemon) { isEmpty = false }
                if isEmpty, !options.json {
                    try StandardOutput.write(line: "nothing is kept about \(name ?? "any client or the board")")
                }
            }
        }

        /// Prints how much of the board's own track and visits is kept.
        ///
        /// - Returns: Whether any is kept.
        private func tellOfBoard(_ daemon: inout Daemon) throws(CommandFailure) -> Bool {
            let page = try HistoryPage.next(from: nil, to: nil, limit: 1, &daemon)
            let visits = try Visits.list(&daemon)
            try tell("track", "point", page.total, since: page.points.first?.line.text(.time), erase: "history")
            try tell("visits", "visit", visits.count, since: visits.first?.text(.arrival), erase: "visits")
            return page.total + visits.count > 0
        }

        private func tell(
            _ kind: String, _ noun: String, _ count: Int, since: String?, erase command: String
        ) throws(CommandFailure) {
            guard count > 0 else { return }
            if options.json {
                let date = since.map { ",\"since\":\"\($0)\"" } ?? ""
                return try StandardOutput.write(
                    line: "{\"event\":\"stored\",\"kind\":\"\(kind)\",\"count\":\(count)\(date)}")
            }
            let date = since.map { " since \($0)" } ?? ""
            try StandardOutput.write(
                line: "the board: \(kind), \(StatusLines.plural(Double(count), noun))\(date); "
                    + "sextant \(command) --erase forgets them")
        }
    }

    /// `sextant privacy erase`.
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase what is kept about a client.",
            discussion: """
                Erases the decisions about the client (authorization), what it monitors (registrations), events that \
                it has not taken yet (events), or reports that are held back for it (track). Erasing cannot be \
                undone; on a terminal the command asks first.

                Exit status: as sextant privacy; 0 too where the answer was no.
                """)

        @OptionGroup var client: ClientName

        @Option(help: "all, authorization, registrations, events or track.")
        var what = KeptKind.all

        @OptionGroup var confirmation: Confirmation

        @OptionGroup var options: ClientOptions

        func validate() throws {
            try confirmation.require()
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let subject = what == .all ? "everything" : "what is kept as \(what.rawValue)"
                guard confirmation.confirms("\(subject) about \(client.name)") else { return }
                try daemon.send(DaemonRequest(.erase).with(.client, client.name).with(.what, what.rawValue))
                let line = try daemon.next([.erased])
                guard !options.json else { return try StandardOutput.write(line.bytes) }
                let count = StatusLines.plural(line.number(.count), "entry", "entries")
                try StandardOutput.write(line: "erased \(count) about \(client.name)")
            }
        }
    }

    private static func text(_ line: DaemonLine) -> String {
        let bytes = line.number(.bytes).map { ", \(StatusLines.plural($0, "byte"))" } ?? ""
        return "\(line.text(.client) ?? "-"): \(line.text(.kind) ?? "-"), "
            + "\(StatusLines.plural(line.number(.count), "entry", "entries"))\(bytes)"
    }
}

/// A kind of data kept about a client, as the user types it.
enum KeptKind: String, CaseIterable, ExpressibleByArgument {
    case all, authorization, registrations, events, track
}
