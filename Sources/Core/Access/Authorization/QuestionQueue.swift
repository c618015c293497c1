internal import SextantUnits

/// The questions to the user about one client that wait for an answer, and the pauses between them.
struct QuestionQueue: Sendable, Equatable {
    /// The waiting questions, at most one of each kind; the first is shown.
    var questions: [AuthorizationQuestion] = []
    /// Whether a pause must follow, because the question shown was withdrawn or a question for full accuracy was
    /// answered.
    var mustPause = false
    /// The instant before which no question is shown; nil where the next question is shown at once.
    private(set) var pausedUntil: MonotonicInstant?

    /// The end of the pause, when the next question is shown; nil for none.
    var deadline: MonotonicInstant? { questions.isEmpty ? nil : pausedUntil }

    /// Begins the pause before the next question, where a pause must follow.
    mutating func pause(at instant: MonotonicInstant) {
        if mustPause { pausedUntil = instant.advanced(byNanoseconds: AuthorizationBook.pauseAfterQuestion) }
        mustPause = false
    }

    /// Ends the pause where it is over; true where it ended.
    mutating func pass(to instant: MonotonicInstant) -> Bool {
        guard let end = pausedUntil, end <= instant else { return false }
        pausedUntil = nil
        return true
    }
}
