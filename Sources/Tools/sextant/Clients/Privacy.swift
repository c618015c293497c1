internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import GeocoderClient
internal import SextantJSON
internal import SextantPlaces

/// `sextant privacy`.
struct Privacy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is kept about the clients and the board, and erase it.",
        discussion: """
            For operators, as with sextant clients. What the geocoder keeps of lookups is among it; a program without \
            a manifest is there by its user and unit, such as "user 1000", and erased by that name. The board's own \
            track and visits are erased by sextant history --erase and sextant visits --erase.

            Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached; \
            77 where this command is not an operator's.
            """,
        subcommands: [List.self, Erase.self], defaultSubcommand: List.self)

    /// The command `sextant privacy list`, which `sextant privacy` alone runs too.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what is kept about all clients and the board, or about one client (default).",
            discussion: "Exit status: as sextant privacy.")

        @Argument(help: ArgumentHelp("Only what is kept about this client.", valueName: "client"))
        var name: String?

        @OptionGroup var options: ClientOptions

        func run() throws {
            try CommandFailure.reporting { () throws(CommandFailure) in
                let board = Privacy.Part { () throws(CommandFailure) in try tellOfDaemon() }
                let lookups = Privacy.Part { () throws(CommandFailure) in try tellOfLookups() }
                try Privacy.check(board, lookups)
                if board.count + lookups.count == 0, !options.json {
                    try StandardOutput.write(line: "nothing is kept about \(name ?? "any client or the board")")
                }
            }
        }

        /// Prints which data the daemon keeps about clients, and returns the number of printed lines.
        private func tellOfDaemon() throws(CommandFailure) -> Int {
            var daemon = try Daemon(path: options.socket)
            try daemon.send(DaemonRequest(.privacy).with(.client, name))
            var count = 0
            while true {
                let line = try daemon.next([.stored, .privacy])
                guard line.event == .stored else { break }
                count += 1
                try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: Privacy.text(line))
            }
            if name == nil, try tellOfBoard(&daemon) { count += 1 }
            return count
        }

        /// Prints what the geocoding service keeps about clients, and returns the number of clients about which it
        /// keeps data; 0 without a service.
        private func tellOfLookups() throws(CommandFailure) -> Int {
            let socket = GeocoderSocket.installed
            guard socket.isThere else { return 0 }
            guard let all = socket.kept() else {
                throw .unavailable(
                    "\(socket.path): the geocoder does not say what it keeps; see journalctl -u sextant-geocoder")
            }
            let kept = all.filter { name == nil || $0.client == name }
            for one in kept {
                let members: [String: JSONValue] = [
                    "event": .string("stored"), "client": .string(one.client), "kind": .string("lookups"),
                    "count": .number(Double(one.count)),
                ]
                let entries = Text.plural(Double(one.count), "entry", "entries")
                try StandardOutput.write(
                    line: options.json ? JSONValue.object(members).text : "\(one.client): lookups, \(entries)")
            }
            return kept.count
        }

        /// Prints how many points of the board's own track and how many visits are kept.
        ///
        /// - Returns: Whether any point or visit is kept.
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
                line: "the board: \(kind), \(Text.plural(Double(count), noun))\(date); "
                    + "sextant \(command) --erase forgets them")
        }
    }

    /// `sextant privacy erase`.
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase what is kept about a client.",
            discussion: """
                Erases the decisions about the client (authorization), what it monitors (registrations), events that \
                it has not taken yet (events), or reports that are held back for it (track); with all, too, what the \
                geocoder keeps of its lookups, and the client is told to forget: the uplink empties its queue. Erasing cannot be undone; on a terminal the command asks first.

                Exit status: as sextant privacy; 0 too where the answer was no.
                """)

        @OptionGroup var client: ClientName

        @Option(help: "all, authorization, registrations, events or track.")
        var what = KeptKind.all

        @OptionGroup var confirmation: ConfirmationOptions

        @OptionGroup var options: ClientOptions

        func validate() throws {
            try confirmation.require()
        }

        func run() throws {
            try CommandFailure.reporting { () throws(CommandFailure) in
                let subject = what == .all ? "everything" : "what is kept as \(what.rawValue)"
                guard confirmation.confirms("\(subject) about \(client.name)") else { return }
                let board = Privacy.Part { () throws(CommandFailure) in try eraseFromDaemon() }
                let lookups = Privacy.Part { () throws(CommandFailure) in what == .all ? try eraseLookups() : 0 }
                try Privacy.check(board, lookups)
            }
        }

        private func eraseFromDaemon() throws(CommandFailure) -> Int {
            var daemon = try Daemon(path: options.socket)
            try daemon.send(DaemonRequest(.erase).with(.client, client.name).with(.what, what.rawValue))
            let line = try daemon.next([.erased])
            if options.json {
                try StandardOutput.write(line.bytes)
            } else {
                let count = Text.plural(line.number(.count), "entry", "entries")
                try StandardOutput.write(line: "erased \(count) about \(client.name)")
            }
            return line.number(.count).map { Int($0) } ?? 0
        }

        /// Erases the geocoding answers kept for the client, and returns the number of erased answers; 0 without a
        /// geocoding service.
        private func eraseLookups() throws(CommandFailure) -> Int {
            let socket = GeocoderSocket.installed
            guard socket.isThere else { return 0 }
            guard let count = socket.erase(client.name) else {
                throw .unavailable(
                    "\(socket.path): the geocoder did not erase its kept lookups of \(client.name); see journalctl -u "
                        + "sextant-geocoder")
            }
            let lookups = Text.plural(Double(count), "kept lookup")
            try StandardOutput.write(
                line: options.json
                    ? "{\"event\":\"erased\",\"what\":\"lookups\",\"count\":\(count)}"
                    : "erased \(lookups) of \(client.name)")
            return count
        }
    }

    /// The result of one service, the daemon or the geocoding service: a number of entries, or the failure; one service
    /// can fail while the other succeeds.
    private struct Part {
        var count = 0
        var failure: CommandFailure?

        init(_ work: () throws(CommandFailure) -> Int) {
            do throws(CommandFailure) {
                count = try work()
            } catch {
                failure = error
            }
        }
    }

    /// Throws the failure of either service, if any.
    ///
    /// If the daemon does not know the client's name, this is no failure as long as the geocoding service kept entries
    /// under that name.
    private static func check(_ daemon: Part, _ lookups: Part) throws(CommandFailure) {
        if let failure = daemon.failure, failure.status != 65 || lookups.count == 0 {
            lookups.failure?.report()
            throw failure
        }
        if let failure = lookups.failure { throw failure }
    }

    private static func text(_ line: DaemonLine) -> String {
        let bytes = line.number(.bytes).map { ", \(Text.plural($0, "byte"))" } ?? ""
        return "\(line.text(.client) ?? "-"): \(line.text(.kind) ?? "-"), "
            + "\(Text.plural(line.number(.count), "entry", "entries"))\(bytes)"
    }
}

/// A kind of data kept about a client, as the user types it.
enum KeptKind: String, CaseIterable, ExpressibleByArgument {
    case all, authorization, registrations, events, track
}
