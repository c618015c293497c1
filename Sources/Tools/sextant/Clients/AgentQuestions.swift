internal import ClientVocabulary
internal import DaemonClient

/// The authorization questions that wait for the user's answer, the oldest first, and the handling of the answers.
struct AgentQuestions {
    private struct Question {
        var client: String
        var kind: PromptKind?
        var purpose: String
        /// The purpose that the program itself states, as text; nobody has checked the text.
        var statedPurpose: String?
        var answers: [String]
        var isReduced: Bool
    }

    /// The answers from the command line; if empty, the user is asked.
    ///
    /// Each question gets the first of these answers that the question allows.
    private let answers: [String]
    private let printsJSON: Bool
    private var questions: [Question] = []
    /// Whether the daemon has confirmed that this command is an agent, which asks the user the daemon's questions; the
    /// waiting questions follow that confirmation.
    private var isOpen = false
    /// The number of answers that were sent and that the daemon has not confirmed yet.
    private var unconfirmed = 0

    init(answers: [String], printsJSON: Bool) {
        self.answers = answers
        self.printsJSON = printsJSON
    }

    var isAsking: Bool { !questions.isEmpty }
    var isSettled: Bool { isOpen && unconfirmed == 0 }

    mutating func hear(_ line: DaemonLine, _ daemon: inout Daemon) throws(CommandFailure) {
        switch line.event {
        case .error where line.code == .noSuchClient:
            unconfirmed -= 1
            StandardError.write("sextant: \(line.text(.message) ?? "the client is gone")")
        case .agent:
            isOpen = true
            if answers.isEmpty, !printsJSON { StandardError.write("Questions come here; Ctrl-C ends.") }
        case .prompt:
            if printsJSON { try StandardOutput.write(line.bytes) }
            try raise(line, &daemon)
        case .promptWithdrawn:
            if printsJSON { try StandardOutput.write(line.bytes) }
            try withdraw(line.text(.client) ?? "")
        case .calibrationDisplay:
            if printsJSON { return try StandardOutput.write(line.bytes) }
            StandardError.write(
                line.flag(.enabled) == true
                    ? "A client asks that the board be turned about all its axes, for its compass."
                    : "The board no longer needs to be turned.")
        case .answered:
            unconfirmed -= 1
            if printsJSON { try StandardOutput.write(line.bytes) }
        default: _ = try line.checked()
        }
    }

    /// Handles a line that the user typed.
    mutating func answer(_ typed: String, _ daemon: inout Daemon) throws(CommandFailure) {
        let word = typed.lowercased().filter { !$0.isWhitespace }
        guard let question = questions.first else {
            return StandardError.write("sextant: no question is waiting")
        }
        let fitting = question.answers.filter { !word.isEmpty && $0.hasPrefix(word) }
        guard fitting.count == 1 else {
            return StandardError.write("sextant: answer with \(AgentQuestions.list(question.answers))")
        }
        questions.removeFirst()
        try give(fitting[0], to: question, &daemon)
        try showFirst()
    }

    /// Prints the clients whose questions have no answer yet.
    func leave() {
        guard !questions.isEmpty else { return }
        let names = AgentQuestions.list(questions.map(\.client), "and")
        StandardError.write("sextant: questions still without an answer: \(names)")
    }

    private mutating func raise(_ line: DaemonLine, _ daemon: inout Daemon) throws(CommandFailure) {
        let question = Question(
            client: line.text(.client) ?? "", kind: line.word(.kind), purpose: line.text(.purpose) ?? "",
            statedPurpose: line.text(.statedPurpose), answers: line.texts(.answers),
            isReduced: line.word(.accuracyAuthorization) == AccuracyAuthorization.reduced)
        guard answers.isEmpty else {
            guard let answer = answers.first(where: question.answers.contains) else {
                return StandardError.write(
                    "sextant: \(question.client) still waits: its question takes \(AgentQuestions.list(question.answers)), "
                        + "and --answer has none of them")
            }
            if !printsJSON { try AgentQuestions.show(question) }
            return try give(answer, to: question, &daemon)
        }
        questions.append(question)
        if questions.count == 1 { try showFirst() }
    }

    private mutating func withdraw(_ client: String) throws(CommandFailure) {
        guard let index = questions.firstIndex(where: { $0.client == client }) else { return }
        questions.remove(at: index)
        guard !printsJSON else { return }
        try StandardOutput.write(line: "\(client) no longer asks: it was answered elsewhere, or it left.")
        if index == 0 { try showFirst() }
    }

    private mutating func give(
        _ answer: String, to question: Question, _ daemon: inout Daemon
    ) throws(CommandFailure) {
        unconfirmed += 1
        try daemon.send(DaemonRequest(.answer).with(.client, question.client).with(.answer, answer))
        if !printsJSON { try StandardOutput.write(line: "\(question.client): \(answer)") }
    }

    private func showFirst() throws(CommandFailure) {
        guard !printsJSON, let question = questions.first else { return }
        try AgentQuestions.show(question)
        try StandardOutput.write(line: "\(AgentQuestions.list(question.answers))?")
    }

    private static func show(_ question: Question) throws(CommandFailure) {
        let place = question.isReduced ? "to some kilometres where this board is" : "where this board is"
        let wish =
            switch question.kind {
            case .services: "\(place), for which location services, off for all, must be switched on"
            case .always: "\(place), also while the client is not in use"
            case .fullAccuracy: "exactly where this board is, until the client is no longer in use"
            default: "\(place) while the client is in use"
            }
        try StandardOutput.write(line: "\(question.client) asks to know \(wish):")
        try StandardOutput.write(line: "    \(question.purpose)")
        guard let stated = question.statedPurpose else { return }
        try StandardOutput.write(line: "    The program says: \"\(stated)\"")
    }

    /// Joins words to an enumeration such as "allow, once or deny".
    private static func list(_ words: [String], _ last: String = "or") -> String {
        guard words.count > 1, let end = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) \(end)"
    }
}
