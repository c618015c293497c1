internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant agent`.
struct Agent: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put the clients' questions to whoever sits here, and pass the answers on.",
        discussion: """
            Shows who asks and the text of its manifest, and takes a word, or as much of it as tells it apart: allow \
            (while in use), once (for the use in progress), deny, always, keep (while in use only). A question that \
            somebody else answers, or whose client leaves, goes away. Without an agent questions wait.

            With --answer nobody is asked: the first of these answers that a question has is given. With --json the \
            questions are printed as the daemon's JSON; answers are still words, one a line, to the oldest question.

            Ends at Ctrl-C, SIGTERM, or the end of its input; questions without an answer wait on. Exit status: 0; 64 \
            for usage; 69 where the daemon cannot be reached or ends, or this command is no operator's.
            """)

    @Option(help: ArgumentHelp("Give this answer to every question; more than one, in order.", valueName: "answer"))
    var answer: [AgentAnswer] = []

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            var input = try AgentInput(readsAnswers: answer.isEmpty)
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
    case allow, once, deny, always, keep
}
