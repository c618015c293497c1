internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant agent`.
struct Agent: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the clients' questions at this terminal, and send the answers.",
        discussion: """
            For each question it shows the client and the text of its manifest, and takes one of these words, or its \
            first letters: allow (while in use), once (for the use in progress), deny, always, keep (while in use \
            only); on or off, where a client needs location services and they are switched off. A question disappears \
            when it is answered elsewhere or its client leaves. While no agent runs, questions wait.

            With --answer it asks no person: each question gets the first of these answers that it allows. With \
            --json the questions are printed as the daemon's JSON; answers are still words, one a line, to the \
            oldest question.

            Ends at Ctrl-C, SIGTERM, or the end of its input; questions without an answer go on waiting. Exit \
            status: 0; 64 for usage; 69 where the daemon cannot be reached or ends, or this command is not an \
            operator's.
            """)

    @Option(help: ArgumentHelp("Give this answer to every question; more than one, in order.", valueName: "answer"))
    var answer: [AgentAnswer] = []

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            var input = try CommandInput(readsAnswers: answer.isEmpty)
            try daemon.send(DaemonRequest(.agent))
            var desk = AgentDesk(answers: answer.map(\.rawValue), printsJSON: options.json)
            while true {
                switch try input.next(from: &daemon, isAsking: desk.isAsking, isSettled: desk.isSettled) {
                case .daemon(let line): try desk.hear(line, &daemon)
                case .typed(let text): try desk.answer(text, &daemon)
                case .ended: return desk.leave()
                }
            }
        }
    }
}

/// An answer to an authorization question, as the user types it.
enum AgentAnswer: String, CaseIterable, ExpressibleByArgument {
    case allow, once, deny, always, keep, on, off
}
