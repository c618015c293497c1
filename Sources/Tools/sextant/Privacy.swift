internal import ArgumentParser
internal import Glibc

/// `sextant privacy`.
struct Privacy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is kept about the clients, and erase it.",
        discussion: """
            For operators, as sextant clients.

            Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached or \
            this command is no operator's.
            """,
        subcommands: [List.self, Erase.self], defaultSubcommand: List.self)

    /// `sextant privacy list`, and `sextant privacy` alone.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what is kept about all clients, or about one (default).",
            discussion: "Exit status: as sextant privacy.")

        @Argument(help: ArgumentHelp("Only what is kept about this client.", valueName: "client"))
        var name: String?

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest.text("privacy", client: name))
                var isEmpty = true
                while true {
                    let line = try daemon.next(["stored", "privacy"])
                    guard line.text("event") == "stored" else { break }
                    isEmpty = false
                    try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: Privacy.text(line))
                }
                if isEmpty, !options.json {
                    try StandardOutput.write(line: "nothing is kept about \(name ?? "any client")")
                }
            }
        }
    }

    /// `sextant privacy erase`.
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase what is kept about a client.",
            discussion: """
                What was decided about the client (authorization), what it has watched (registrations), what happened \
                and was not taken yet (events), or the reports that are held back for it (track). It cannot be undone, \
                and is asked about first on a terminal.

                Exit status: as sextant privacy; 0 too where the answer was no.
                """)

        @OptionGroup var client: ClientName

        @Option(help: "all, authorization, registrations, events or track.")
        var what = KeptKind.all

        @Flag(help: "Erase without asking.")
        var yes = false

        @OptionGroup var options: ClientOptions

        func validate() throws {
            guard yes || isatty(0) == 1 else {
                throw ValidationError("standard input is no terminal to ask on; give --yes to erase without asking")
            }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                guard yes || confirms() else { return StandardError.write("sextant: nothing was erased") }
                try daemon.send(DaemonRequest.text("erase", client: client.name, ["\"what\":\"\(what.rawValue)\""]))
                let line = try daemon.next(["erased"])
                guard !options.json else { return try StandardOutput.write(line.bytes) }
                let count = StatusLines.plural(line.number("count"), "entry", "entries")
                try StandardOutput.write(line: "erased \(count) about \(client.name)")
            }
        }

        private func confirms() -> Bool {
            let subject = what == .all ? "everything" : "what is kept as \(what.rawValue)"
            StandardError.write("Erase \(subject) about \(client.name)? It cannot be undone. (yes/no)")
            return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
        }
    }

    private static func text(_ line: DaemonLine) -> String {
        let bytes = line.number("bytes").map { ", \(StatusLines.plural($0, "byte"))" } ?? ""
        return "\(line.text("client") ?? "-"): \(line.text("kind") ?? "-"), "
            + "\(StatusLines.plural(line.number("count"), "entry", "entries"))\(bytes)"
    }
}

/// What is kept about a client, as it is typed.
enum KeptKind: String, CaseIterable, ExpressibleByArgument {
    case all, authorization, registrations, events, track
}
