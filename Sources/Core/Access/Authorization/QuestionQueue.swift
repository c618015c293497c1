internal import SextantUnits

/// The questions to the user about one client that wait for an answer, and the pause between two of them.
struct QuestionQueue: Sendable, Equatable {
    /// The waiting questions, at most one of each kind; the first is shown.
    var questions: [AuthorizationQuestion] = []
    /// Whether a pause must follow, because the shown question was withdrawn or was a question for full accuracy that
    /// was answered.
    var mustPause = false
    /// The instant before which no question is shown; nil if there is no pause.
    private(set) var pausedUntil: MonotonicInstant?

    /// The end of the pause, at which a waiting question is shown; nil if there is no pause or no question waits.
    var deadline: MonotonicInstant? { questions.isEmpty ? nil : pausedUntil }

    /// Begins the pause after a question, if one must follow.
    mutating func pause(at instant: MonotonicInstant) {
        if mustPause { pausedUntil = instant.advanced(byNanoseconds: AuthorizationBook.pauseAfterQuestion) }
        mustPause = false
    }

    /// Ends the pause between questions, if it is over by this instant; returns whether it did.
    mutating func pass(to instant: MonotonicInstant) -> Bool {
        guard let end = pausedUntil, end <= instant else { return false }
        pausedUntil = nil
        return true
    }
}
