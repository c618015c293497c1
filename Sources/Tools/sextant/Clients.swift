internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// `sextant clients`.
struct Clients: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say who may know where the board is, and decide it.",
        discussion: """
            A client is a manifest's: /etc/sextant/clients.d/NAME.json5 says which process it is. What is decided here \
            holds until it is decided anew; a final rule of /etc/sextant/policy.json5 stands above it. For the board's \
            root, the daemon's user, and clients whose manifest says operator.

            Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached, this \
            command is no operator's, or a rule of the policy stands above what was decided.
            """,
        subcommands: [
            List.self, Allow.self, Once.self, Deny.self, Always.self, Keep.self, Reset.self, Reduce.self, Full.self,
            Wake.self,
        ],
        defaultSubcommand: List.self)

    /// `sextant clients list`, and `sextant clients` alone.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the clients: who each is, what it may have, and what is wrong with it (default).",
            discussion: "Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or this is no operator.")

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let clients = try Clients.list(&daemon)
                guard !options.json else {
                    for client in clients { try StandardOutput.write(client.bytes) }
                    return
                }
                for line in ClientLines.text(of: clients) { try StandardOutput.write(line: line) }
            }
        }
    }

    /// The clients that the daemon lists, one line each.
    static func list(_ daemon: inout Daemon) throws(CommandFailure) -> [DaemonLine] {
        try daemon.send(DaemonRequest(.clients))
        var clients: [DaemonLine] = []
        while true {
            let line = try daemon.next([.client, .clients])
            guard line.event == .client else { return clients }
            clients.append(line)
        }
    }
}
