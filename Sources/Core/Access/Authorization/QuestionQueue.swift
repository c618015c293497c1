internal import SextantUnits

/// The questions about one client that wait for an answer, and the pauses between them.
struct QuestionQueue: Sendable, Equatable {
    /// The questions that wait, each kind once; the first is the one that is shown.
    var questions: [AuthorizationQuestion] = []
    /// Whether a pause must follow: the question shown was withdrawn, or was one for full accuracy and was answered.
    var mustPause = false
    /// The instant before which no question is shown; nil where the next one is shown at once.
    private(set) var pausedUntil: MonotonicInstant?

    /// The next instant at which time alone has a question shown; nil for none.
    var deadline: MonotonicInstant? { questions.isEmpty ? nil : pausedUntil }

    /// Begins the pause that must follow.
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
