internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant clients`.
struct Clients: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the clients, and decide which may know where the board is.",
        discussion: """
            A manifest, /etc/sextant/clients.d/NAME.json5, defines a client: it names the client's process. A \
            decision made here holds until the next one; a final rule of /etc/sextant/policy.json5 overrides it. For \
            operators: the board's root, the daemon's user, and clients whose manifest says operator.

            Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached; \
            77 where this command is not an operator's, or a rule of the policy overrides the decision.
            """,
        subcommands: [
            List.self, Allow.self, Once.self, Deny.self, Always.self, Keep.self, Reset.self, Reduce.self, Full.self,
            Wake.self,
        ],
        defaultSubcommand: List.self)

    /// The command `sextant clients list`, which `sextant clients` alone runs too.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the clients, their authorization and their problems (default).",
            discussion: """
                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 77 where this command is not an \
                operator's.
                """)

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let clients = try Clients.list(&daemon)
                guard !options.json else {
                    for client in clients { try StandardOutput.write(client.bytes) }
                    return
                }
                for line in ClientText.text(of: clients) { try StandardOutput.write(line: line) }
            }
        }
    }

    /// Requests the clients from the daemon and returns the lines (JSON objects) of its answer, one for each client.
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
