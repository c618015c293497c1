internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// The command-line argument with the name of the client about which a command decides.
struct ClientName: ParsableArguments {
    @Argument(help: ArgumentHelp("The client, as its manifest's file is named.", valueName: "client"))
    var name: String

    func validate() throws {
        guard (1...ClientRequest.maximumIdentifierBytes).contains(name.utf8.count) else {
            throw ValidationError("a client's name has 1 to \(ClientRequest.maximumIdentifierBytes) bytes")
        }
    }
}

/// A command that decides something about one client, and prints the client's new state.
protocol ClientDecision: ParsableCommand {
    var client: ClientName { get }
    var options: ClientOptions { get }
    /// The request that sends the decision to the daemon, but without the client's name.
    var request: DaemonRequest { get }
    /// Whether a client's state, as the daemon lists it, agrees with the decision.
    func holds(_ client: DaemonLine) -> Bool
}

extension ClientDecision {
    fileprivate func decision(_ answer: OperatorAnswer) -> DaemonRequest {
        DaemonRequest(.answer).with(.answer, word: answer)
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            let asking = try Clients.list(&daemon).first { $0.text(.name) == client.name }
            try daemon.send(request.with(.client, client.name))
            _ = try daemon.next([.answered])
            let list = try Clients.list(&daemon)
            guard let line = list.first(where: { $0.text(.name) == client.name }) else {
                throw .data("\(client.name): its manifest was removed in the meantime")
            }
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: ClientText.line(of: line))
            if let note = self is Clients.Deny ? ClientText.otherWays(of: line, among: list) : nil {
                StandardError.write("sextant: \(note)")
            }
            // An answer to a question about full accuracy does not change the authorization, so the authorization is
            // not checked.
            guard asking?.word(.waiting) != PromptKind.fullAccuracy else { return }
            try check(line)
        }
    }

    private func check(_ line: DaemonLine) throws(CommandFailure) {
        guard line.flag(.servicesEnabled) != false else {
            return StandardError.write(
                "sextant: location services are off; the decision takes effect when they are on: sextant services on")
        }
        guard !holds(line) else { return }
        if self is Clients.Once, line.flag(.inUse) == false {
            throw .later(
                "\(client.name) is not in use, and once is for the use in progress; start it first, or allow it for good"
            )
        }
        throw .refused(
            "\(client.name): a final rule of /etc/sextant/policy.json5 overrides the decision; change the rule")
    }

    static func configuration(_ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        let exits =
            "Exit status: 0; 64 for usage; 65 for a name that no client has; 69 where the daemon cannot be reached; 75 for "
            + "once where the client is not in use; 77 where this command is not an operator's, or a final rule stands."
        return CommandConfiguration(
            abstract: abstract, discussion: discussion.isEmpty ? exits : discussion + "\n\n" + exits)
    }
}

/// The commands that decide about a client; each is a subcommand of `sextant clients`.
extension Clients {
    struct Allow: ClientDecision {
        static let configuration = configuration(
            "Allow a client locations while it is in use.",
            """
            If a question of the client waits, this answers it.
            """)

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.allow) }
        func holds(_ client: DaemonLine) -> Bool { ClientText.isAuthorized(client) }
    }

    struct Once: ClientDecision {
        static let configuration = configuration(
            "Allow a client locations for the use in progress.",
            """
            The permission ends a few seconds after the client is no longer in use; the next use asks again.
            """)

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.once) }
        func holds(_ client: DaemonLine) -> Bool { ClientText.isAuthorized(client) }
    }

    struct Deny: ClientDecision {
        static let configuration = configuration(
            "Deny a client locations; it does not ask again.",
            """
            This holds at the gpsd port too. It says as which other clients the same programs may still be told where \
            the board is.
            """)

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.deny) }
        func holds(_ client: DaemonLine) -> Bool { client.word(.status) == AuthorizationStatus.denied }
    }

    struct Always: ClientDecision {
        static let configuration = configuration(
            "Allow a client locations always: it may be started for events while it does not run.")

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.always) }
        func holds(_ client: DaemonLine) -> Bool { client.word(.status) == AuthorizationStatus.authorizedAlways }
    }

    struct Keep: ClientDecision {
        static let configuration = configuration(
            "Leave a client that asks for always at while in use.")

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.keep) }
        func holds(_ client: DaemonLine) -> Bool { true }
    }

    struct Reset: ClientDecision {
        static let configuration = configuration(
            "Forget the decision about a client, so that it can ask again.",
            """
            The operator's policy applies to it again.
            """)

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { decision(.reset) }
        func holds(_ client: DaemonLine) -> Bool { true }
    }

    struct Reduce: ClientDecision {
        static let configuration = configuration(
            "Give a client reduced accuracy: 5 km, every 15 minutes.")

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { DaemonRequest(.answer).with(.accuracy, word: AccuracyAuthorization.reduced) }
        func holds(_ client: DaemonLine) -> Bool {
            client.word(.accuracyAuthorization) == AccuracyAuthorization.reduced
        }
    }

    struct Full: ClientDecision {
        static let configuration = configuration(
            "Give a client full accuracy.",
            """
            This does not authorize the client: see sextant clients allow.
            """)

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { DaemonRequest(.answer).with(.accuracy, word: AccuracyAuthorization.full) }
        func holds(_ client: DaemonLine) -> Bool { client.word(.accuracyAuthorization) == AccuracyAuthorization.full }
    }

    struct Wake: ClientDecision {
        static let configuration = configuration(
            "Set whether a client may be started for events while it does not run.",
            """
            Without it, the client's regions are not monitored while the client does not run.
            """)

        @Argument(help: "on or off.")
        var state: OnOff

        @OptionGroup var client: ClientName
        @OptionGroup var options: ClientOptions

        var request: DaemonRequest { DaemonRequest(.answer).with(.wake, state == .on) }
        func holds(_ client: DaemonLine) -> Bool { client.flag(.mayBeWoken) == (state == .on) }
    }
}

/// On or off, as the user types it.
enum OnOff: String, CaseIterable, ExpressibleByArgument {
    case on, off
}
